// RUN: torch-refine-opt %s --place-tile-buffers | filecheck %s

func.func @f(%arg0: index) {
  // CHECK-LABEL: func.func @f
  // The host's stays where it is, and so does one whose size is not known.
  // CHECK: memref.alloc() : memref<4xf32>
  %0 = memref.alloc() : memref<4xf32>
  scf.forall (%i) in (4) {
    // CHECK: memref.alloca() : memref<8xf32>
    %1 = memref.alloc() : memref<8xf32>
    scf.forall (%j) in (4) {
      // CHECK: memref.alloca() : memref<2xf32>
      %2 = memref.alloc() : memref<2xf32>
      // CHECK: memref.alloc(%arg0)
      %3 = memref.alloc(%arg0) : memref<?xf32>
    }
  }
  return
}
