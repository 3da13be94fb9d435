// RUN: torch-refine-opt %s --parallelize-scatters --tm-tensor-to-loops | filecheck %s

func.func @rows(%arg0: memref<?x4xf32>, %arg1: memref<?x1xi64>, %arg2: memref<9x4xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%arg0, %arg1 : memref<?x4xf32>, memref<?x1xi64>) outs(%arg2 : memref<9x4xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  }
  return
}
// CHECK-LABEL: func.func @rows
// CHECK:         %[[COUNT:.*]] = memref.dim %arg0, %c0
// CHECK:         scf.parallel (%[[I:.*]]) = {{.*}} to (%[[COUNT]])
// CHECK:           memref.subview %arg0[%[[I]], 0] [1, 4]
// CHECK:           memref.subview %arg1[%[[I]], 0] [1, 1]
// CHECK:           memref.store {{.*}} %arg2
// CHECK:           scf.reduce

// Sums depend on each other, and what may be written twice on the order.
func.func @others(%arg0: memref<5x4xf32>, %arg1: memref<5x1xi64>, %arg2: memref<9x4xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%arg0, %arg1 : memref<5x4xf32>, memref<5x1xi64>) outs(%arg2 : memref<9x4xf32>) {
  ^bb0(%new: f32, %old: f32):
    %0 = arith.addf %new, %old : f32
    tm_tensor.yield %0 : f32
  }
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%arg0, %arg1 : memref<5x4xf32>, memref<5x1xi64>) outs(%arg2 : memref<9x4xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  }
  return
}
// CHECK-LABEL: func.func @others
// CHECK-NOT:     scf.parallel
