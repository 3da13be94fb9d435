// RUN: torch-refine-opt %s --reduce-across-threads | filecheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
func.func @f(%arg0: memref<?x9xf32>, %arg1: memref<f32>, %arg2: memref<i64>) {
  scf.forall (%i) in (4) {
    linalg.generic {indexing_maps = [#rows, #none], iterator_types = ["reduction", "reduction"]} ins(%arg0 : memref<?x9xf32>) outs(%arg1 : memref<f32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.mulf %in, %in : f32
      %1 = arith.maximumf %0, %out : f32
      linalg.yield %1 : f32
    }
    // What looks at its place is not one number of each thread.
    linalg.generic {indexing_maps = [#rows, #none], iterator_types = ["reduction", "reduction"]} ins(%arg0 : memref<?x9xf32>) outs(%arg2 : memref<i64>) {
    ^bb0(%in: f32, %out: i64):
      %0 = linalg.index 1 : index
      %1 = arith.index_cast %0 : index to i64
      %2 = arith.addi %out, %1 : i64
      linalg.yield %2 : i64
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// Each thread starts with what changes nothing, and steps over the turns of the others.
// CHECK-LABEL: func.func @f
// CHECK:         scf.forall (%[[THREAD:.*]]) in (256)
// CHECK:           %[[LEAST:.*]] = arith.constant 0xFF800000
// CHECK:           %[[OWN:.*]] = scf.for %[[AT:.*]] = %[[THREAD]] to %{{.*}} step %c256 iter_args(%{{.*}} = %[[LEAST]])
// CHECK:             arith.remui %[[AT]]
// CHECK:             arith.mulf
// CHECK:             arith.maximumf
// CHECK:           %[[ALL:.*]] = gpu.all_reduce %[[OWN]] uniform
// CHECK:             arith.maximumf
// CHECK:           scf.if
// CHECK:             %[[OLD:.*]] = memref.load %arg1[]
// CHECK:             %[[NEW:.*]] = arith.maximumf %[[OLD]], %[[ALL]]
// CHECK:             memref.store %[[NEW]], %arg1[]
// CHECK:         linalg.generic
