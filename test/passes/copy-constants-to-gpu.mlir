// RUN: torch-refine-opt %s --copy-constants-to-gpu | filecheck %s

memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @kernel(memref<2xf32>, memref<2xf32>)
func.func @f() {
  // CHECK-LABEL: func.func @f
  // CHECK-NEXT: %[[HOST:.*]] = memref.get_global @c
  // CHECK-NEXT: %[[COPY:.*]] = memref.alloc()
  // CHECK-NEXT: gpu.memcpy %[[COPY]], %[[HOST]]
  // CHECK-NEXT: call @kernel(%[[COPY]], %[[COPY]])
  %0 = memref.get_global @c : memref<2xf32>
  call @kernel(%0, %0) : (memref<2xf32>, memref<2xf32>) -> ()
  return
}
