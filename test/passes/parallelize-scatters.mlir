// RUN: torch-refine-opt %s --parallelize-scatters | filecheck %s

func.func @rows(%arg0: memref<?x4xf32>, %arg1: memref<?x1xi64>, %arg2: memref<9x4xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%arg0, %arg1 : memref<?x4xf32>, memref<?x1xi64>) outs(%arg2 : memref<9x4xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  }
  return
}
// CHECK-LABEL: func.func @rows
// CHECK:         %[[COUNT:.*]] = memref.dim %arg0, %c0
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = {{.*}} to (%[[COUNT]], %c4)
// CHECK:           %[[AT:.*]] = memref.load %arg1[%[[I]], {{.*}}]
// CHECK:           %[[PLACE:.*]] = arith.index_cast %[[AT]]
// CHECK:           %[[NEW:.*]] = memref.load %arg0[%[[I]], %[[J]]]
// CHECK:           memref.store %[[NEW]], %arg2[%[[PLACE]], %[[J]]]
// CHECK:           scf.reduce

// On a GPU, any of the updates of an element may be the last one.
func.func @overwrite(%arg0: memref<5xf32>, %arg1: memref<5x2xi64>, %arg2: memref<9x4xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(false) ins(%arg0, %arg1 : memref<5xf32>, memref<5x2xi64>) outs(%arg2 : memref<9x4xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  }
  return
}
// CHECK-LABEL: func.func @overwrite
// CHECK:         scf.parallel (%[[I:.*]]) = {{.*}} to (%c5)
// CHECK:           %[[FIRST:.*]] = arith.index_cast
// CHECK:           %[[SECOND:.*]] = arith.index_cast
// CHECK:           memref.store {{.*}}, %arg2[%[[SECOND]], %[[FIRST]]]

// The updates are a slice that begins at the index.
func.func @slices(%arg0: memref<5x2x4xf32>, %arg1: memref<5x1xi64>, %arg2: memref<9x4xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%arg0, %arg1 : memref<5x2x4xf32>, memref<5x1xi64>) outs(%arg2 : memref<9x4xf32>) {
  ^bb0(%new: f32, %old: f32):
    %0 = arith.addf %new, %old : f32
    tm_tensor.yield %0 : f32
  }
  return
}
// CHECK-LABEL: func.func @slices
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]], %[[K:.*]]) =
// CHECK:           %[[START:.*]] = arith.index_cast
// CHECK:           %[[PLACE:.*]] = arith.addi %[[START]], %[[J]]
// CHECK:           %[[OLD:.*]] = memref.load %arg2[%[[PLACE]], %[[K]]]
// CHECK:           %[[SUM:.*]] = arith.addf %{{.*}}, %[[OLD]]
// CHECK:           memref.store %[[SUM]], %arg2[%[[PLACE]], %[[K]]]

func.func @sums(%arg0: memref<5xi32>, %arg1: memref<5x1xi64>, %arg2: memref<9xi32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%arg0, %arg1 : memref<5xi32>, memref<5x1xi64>) outs(%arg2 : memref<9xi32>) {
  ^bb0(%new: i32, %old: i32):
    %0 = arith.addi %old, %new : i32
    tm_tensor.yield %0 : i32
  }
  return
}
// CHECK-LABEL: func.func @sums
// CHECK:         scf.parallel
// CHECK:           memref.atomic_rmw addi %{{.*}}, %arg2

func.func @products(%arg0: memref<5xf32>, %arg1: memref<5x1xi64>, %arg2: memref<9xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%arg0, %arg1 : memref<5xf32>, memref<5x1xi64>) outs(%arg2 : memref<9xf32>) {
  ^bb0(%new: f32, %old: f32):
    %0 = arith.mulf %new, %old : f32
    tm_tensor.yield %0 : f32
  }
  return
}
// CHECK-LABEL: func.func @products
// CHECK:         memref.generic_atomic_rmw %arg2[{{.*}}] : memref<9xf32> {
// CHECK:         ^bb0(%[[OLD:.*]]: f32):
// CHECK:           %[[NEW:.*]] = arith.mulf %{{.*}}, %[[OLD]]
// CHECK:           memref.atomic_yield %[[NEW]]

// There are no atomic updates of single bits.
func.func @bools(%arg0: memref<5xi1>, %arg1: memref<5x1xi64>, %arg2: memref<9xi1>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%arg0, %arg1 : memref<5xi1>, memref<5x1xi64>) outs(%arg2 : memref<9xi1>) {
  ^bb0(%new: i1, %old: i1):
    %0 = arith.ori %new, %old : i1
    tm_tensor.yield %0 : i1
  }
  return
}
// CHECK-LABEL: func.func @bools
// CHECK-NOT:     scf.parallel
