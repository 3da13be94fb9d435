// RUN: torch-refine-opt %s --allocate-on-gpu | filecheck %s

func.func @f(%arg0: index) -> memref<3x?xf32> {
  // CHECK-LABEL: func.func @f
  // CHECK: %[[A:.*]] = gpu.alloc (%arg0) : memref<3x?xf32>
  // CHECK: %[[B:.*]] = gpu.alloc () : memref<4xf32>
  // CHECK: gpu.dealloc %[[B]]
  // CHECK: return %[[A]]
  %0 = memref.alloc(%arg0) : memref<3x?xf32>
  %1 = memref.alloc() : memref<4xf32>
  memref.dealloc %1 : memref<4xf32>
  return %0 : memref<3x?xf32>
}
