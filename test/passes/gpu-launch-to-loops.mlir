// RUN: torch-refine-opt %s --gpu-launch-to-loops | filecheck %s

// A loop over the threads for what is before the barrier, and another for what is after it. What
// a thread loads before is kept for it; a sum of all threads is one number.
func.func @f(%arg0: memref<8xf32>, %arg1: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%x, %y, %z) in (%a = %c1, %b = %c1, %c = %c1) threads(%t, %u, %v) in (%d = %c8, %e = %c1, %f = %c1) {
    %0 = memref.load %arg0[%t] : memref<8xf32>
    memref.store %0, %arg1[%t] : memref<8xf32>
    gpu.barrier
    %1 = gpu.all_reduce %0 uniform {
    ^bb0(%p: f32, %q: f32):
      %2 = arith.addf %p, %q : f32
      gpu.yield %2 : f32
    } : (f32) -> f32
    memref.store %1, %arg0[%t] : memref<8xf32>
    gpu.terminator
  }
  return
}
// CHECK-LABEL: func.func @f
// CHECK:         %[[KEPT:.*]] = memref.alloca() : memref<8xf32>
// CHECK:         scf.for
// CHECK:           scf.for %[[THREAD:.*]] =
// CHECK-NEXT:        %[[NUMBER:.*]] = memref.load %arg0[%[[THREAD]]]
// CHECK-NEXT:        memref.store %[[NUMBER]], %[[KEPT]][%[[THREAD]]]
// CHECK-NEXT:        memref.store %[[NUMBER]], %arg1[%[[THREAD]]]
// CHECK-NEXT:      }
// CHECK:           %[[SUM:.*]] = scf.for
// CHECK:             arith.addf
// CHECK:           scf.for %[[OTHER:.*]] =
// CHECK-NEXT:        memref.store %[[SUM]], %arg0[%[[OTHER]]]
// CHECK-NOT:     gpu

// Memory that the threads of a block share is allocated once, around their loops.
func.func @shared(%arg0: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%x, %y, %z) in (%a = %c1, %b = %c1, %c = %c1) threads(%t, %u, %v) in (%d = %c8, %e = %c1, %f = %c1) workgroup(%shared : memref<8xf32, #gpu.address_space<workgroup>>) {
    %0 = memref.load %arg0[%t] : memref<8xf32>
    memref.store %0, %shared[%t] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %1 = arith.subi %c7, %t : index
    %2 = memref.load %shared[%1] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %2, %arg0[%t] : memref<8xf32>
    gpu.terminator
  }
  return
}
// CHECK-LABEL: func.func @shared
// CHECK:         %[[SHARED:.*]] = memref.alloca() : memref<8xf32>
// CHECK:         scf.for
// CHECK:           scf.for %[[THREAD:.*]] =
// CHECK-NEXT:        %[[NUMBER:.*]] = memref.load %arg0[%[[THREAD]]]
// CHECK:             memref.store %[[NUMBER]], %[[SHARED]][%[[THREAD]]]
// CHECK:           scf.for %[[OTHER:.*]] =
// CHECK:             %[[PLACE:.*]] = arith.subi %{{.*}}, %[[OTHER]]
// CHECK-NEXT:        %[[FOUND:.*]] = memref.load %[[SHARED]][%[[PLACE]]]
// CHECK:             memref.store %[[FOUND]], %arg0[%[[OTHER]]]
