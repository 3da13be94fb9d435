// RUN: torch-refine-opt %s --promote-kernel-buffers | filecheck %s

// Not those of public functions, nor large ones, nor those in loops.

func.func @main(%arg0: memref<4xf32>) {
  %alloc = memref.alloc() : memref<4xf32>
  memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
  return
}
func.func private @kernel(%arg0: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %small = memref.alloc() : memref<4xf32>
  %large = memref.alloc() : memref<100000xf32>
  %dynamic = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %inside = memref.alloc() : memref<4xf32>
    memref.copy %arg0, %inside : memref<4xf32> to memref<4xf32>
  }
  memref.copy %arg0, %small : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @main
// CHECK:         memref.alloc()
// CHECK-LABEL: func.func private @kernel
// CHECK:         memref.alloca() : memref<4xf32>
// CHECK:         memref.alloc() : memref<100000xf32>
// CHECK:         memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         memref.alloc() : memref<4xf32>
