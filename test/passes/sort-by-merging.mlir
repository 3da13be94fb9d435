// RUN: torch-refine-opt %s --sort-by-merging | filecheck %s

// Numbers and their places move together; the dimension comes first, and its size is not known.
func.func @columns(%arg0: memref<?x3xf32>, %arg1: memref<?x3xi64>) {
  tm_tensor.sort dimension(0) outs(%arg0, %arg1 : memref<?x3xf32>, memref<?x3xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %0 = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %0 : i1
  }
  return
}
// CHECK-LABEL: func.func @columns
// CHECK:         %[[COUNT:.*]] = memref.dim %arg0
// CHECK:         memref.alloc(%[[COUNT]]) : memref<?x3xf32>
// CHECK:         memref.alloc(%[[COUNT]]) : memref<?x3xi64>
// CHECK:         math.ctlz
// CHECK:         scf.parallel (%[[COLUMN:.*]]) =
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               scf.for %{{.*}} iter_args(%[[LEFT:.*]] = %{{.*}}, %[[RIGHT:.*]] = %{{.*}})
// CHECK:                 memref.load %arg0[%[[LEFT]], %[[COLUMN]]]
// CHECK:                 memref.load %arg1[%[[LEFT]], %[[COLUMN]]]
// CHECK:                 arith.cmpf oge
// CHECK-COUNT-2:         memref.store
// CHECK:             scf.for
// CHECK-COUNT-2:       memref.store
// CHECK:         memref.dealloc
// CHECK:         memref.dealloc
// CHECK-NOT:     tm_tensor
