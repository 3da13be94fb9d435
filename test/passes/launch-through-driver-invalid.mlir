// RUN: torch-refine-opt %s --split-input-file --launch-through-driver --verify-diagnostics

func.func @main(%arg0: memref<4xf32>, %arg1: index) -> f32 {
  // expected-error @+1 {{memref.load on the host would access GPU memory}}
  %0 = memref.load %arg0[%arg1] : memref<4xf32>
  return %0 : f32
}

// -----

func.func @main(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
  // expected-error @+1 {{linalg.copy is not in a kernel}}
  linalg.copy ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32>)
  return
}

// -----

func.func private @part(%arg0: memref<4xf32>) {
  // expected-error @+1 {{gpu.dealloc is in a private function, which must be inlined before}}
  gpu.dealloc %arg0 : memref<4xf32>
  return
}
