// RUN: torch-refine-opt %s --accumulate-in-registers | filecheck %s

// The parallel loop is outside, wherever it was, and the result is carried by both loops inside.
func.func @columns(%arg0: memref<3x?x7xf32>, %arg1: memref<?xf32>, %arg2: memref<?xi64>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d1)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%arg0 : memref<3x?x7xf32>) outs(%arg1, %arg2 : memref<?xf32>, memref<?xi64>) {
  ^bb0(%in: f32, %out: f32, %place: i64):
    %0 = arith.maximumf %in, %out : f32
    %1 = linalg.index 2 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.addi %place, %2 : i64
    linalg.yield %0, %3 : f32, i64
  }
  return
}
// CHECK-LABEL: func.func @columns
// CHECK:         scf.parallel (%[[COLUMN:.*]]) =
// CHECK:           %[[START:.*]] = memref.load %arg1[%[[COLUMN]]]
// CHECK:           %[[OUTER:.*]]:2 = scf.for %[[A:.*]] = %{{.*}} to %c3{{.*}} iter_args(%{{.*}} = %[[START]],
// CHECK:             %[[INNER:.*]]:2 = scf.for %[[B:.*]] = %{{.*}} to %c7{{.*}} iter_args
// CHECK:               memref.load %arg0[%[[A]], %[[COLUMN]], %[[B]]]
// CHECK:               arith.index_cast %[[B]]
// CHECK:             scf.yield %[[INNER]]#0, %[[INNER]]#1
// CHECK:           memref.store %[[OUTER]]#0, %arg1[%[[COLUMN]]]
// CHECK:           memref.store %[[OUTER]]#1, %arg2[%[[COLUMN]]]

// What is inside of a loop over blocks is that loop's.
func.func @block(%arg0: memref<3x7xf32>, %arg1: memref<7xf32>) {
  scf.forall (%i) in (4) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%arg0 : memref<3x7xf32>) outs(%arg1 : memref<7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @block
// CHECK:         linalg.generic

// The threads are in the order of the result, and windows are read at sums of two loops.
func.func @windows(%arg0: memref<8x10xf32>, %arg1: memref<8x3xf32>, %arg2: memref<8x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0 * 2 + d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<8x10xf32>, memref<8x3xf32>) outs(%arg2 : memref<8x4xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %0 = arith.mulf %in, %weight : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  }
  return
}
// CHECK-LABEL: func.func @windows
// CHECK:         scf.parallel (%[[CHANNEL:arg[0-9]+]], %[[PLACE:arg[0-9]+]]) = {{.*}} to (%c8{{.*}}, %c4{{.*}})
// CHECK:           memref.load %arg2[%[[CHANNEL]], %[[PLACE]]]
// CHECK:           scf.for %[[TAP:arg[0-9]+]] =
// CHECK:             %[[AT:.*]] = affine.apply #{{.*}}(%[[PLACE]], %[[CHANNEL]], %[[TAP]])
// CHECK:             memref.load %arg0[%[[CHANNEL]], %[[AT]]]
// CHECK:           memref.store %{{.*}}, %arg2[%[[CHANNEL]], %[[PLACE]]]
