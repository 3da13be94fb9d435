// RUN: not torch-refine-opt %s --map-loops-to-gpu --split-input-file 2>&1 | filecheck %s

func.func @number(%arg0: memref<f32>) -> f32 {
  // CHECK: error: the host needs a value that the GPU computes
  %0 = memref.load %arg0[] : memref<f32>
  %1 = arith.addf %0, %0 : f32
  memref.store %1, %arg0[] : memref<f32>
  return %1 : f32
}

// -----

func.func @memory(%arg0: memref<?xf32>, %arg1: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%arg1) step (%c1) {
    // CHECK: error: a thread of a GPU cannot allocate memory of this size
    %0 = memref.alloc(%arg1) : memref<?xf32>
    memref.store %cst, %0[%c0] : memref<?xf32>
    memref.store %cst, %arg0[%i] : memref<?xf32>
    scf.reduce
  }
  return
}
