// RUN: torch-refine-opt %s --sort-by-merging | filecheck %s
// RUN: torch-refine-opt %s --sort-by-merging="lanes=16" | filecheck %s --check-prefixes=CHECK,VECTORS

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

// Only two elements of each row are read: those are kept in order, the others compared with the second.
func.func @first_two(%arg0: memref<3x50xf32>, %arg1: memref<3x2xf32>) {
  %0 = memref.alloc() : memref<3x50xf32>
  memref.copy %arg0, %0 : memref<3x50xf32> to memref<3x50xf32>
  tm_tensor.sort dimension(1) outs(%0 : memref<3x50xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %1 : i1
  }
  %2 = memref.subview %0[0, 0] [3, 2] [1, 1] : memref<3x50xf32> to memref<3x2xf32, strided<[50, 1]>>
  memref.copy %2, %arg1 : memref<3x2xf32, strided<[50, 1]>> to memref<3x2xf32>
  memref.dealloc %0 : memref<3x50xf32>
  return
}
// CHECK-LABEL: func.func @first_two
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         scf.parallel (%[[ROW:.*]]) =
// CHECK:           scf.for %[[PLACE:.*]] =
// CHECK:             %[[NEW:.*]] = memref.load %{{.*}}[%[[ROW]], %[[PLACE]]]
// CHECK:             scf.for
// CHECK:               arith.cmpf ole, %{{.*}}, %[[NEW]]
// CHECK:               memref.store
// CHECK:             memref.store %{{.*}}[%[[ROW]], %[[PLACE]]]
// VECTORS:         scf.for
// VECTORS:           %[[LAST:.*]] = memref.load
// VECTORS:           %[[BLOCK:.*]] = vector.load %{{.*}} : memref<3x50xf32>, vector<16xf32>
// VECTORS:           arith.cmpf ole, %{{.*}}, %[[BLOCK]] : vector<16xf32>
// VECTORS:           vector.reduction <and>
// VECTORS:           scf.if
// CHECK:           scf.for %[[PLACE:.*]] =
// CHECK:             %[[LAST:.*]] = memref.load
// CHECK:             %[[NEW:.*]] = memref.load %{{.*}}[%[[ROW]], %[[PLACE]]]
// CHECK:             arith.cmpf ole, %[[LAST]], %[[NEW]]
// CHECK:             scf.if
// CHECK:               %[[GIVEN:.*]] = memref.load %{{.*}}[%[[ROW]], %[[PLACE]]]
// CHECK:               scf.for
// CHECK:                 arith.cmpf ole, %{{.*}}, %[[GIVEN]]
// CHECK:                 memref.store
// CHECK:               memref.store %{{.*}}[%[[ROW]], %[[PLACE]]]
// CHECK-NOT:     tm_tensor

// Most of a row is read, or what is not at its start.
func.func @merged(%arg0: memref<50xf32>, %arg1: memref<40xf32>, %arg2: memref<2xf32>) {
  %0 = memref.alloc() : memref<50xf32>
  memref.copy %arg0, %0 : memref<50xf32> to memref<50xf32>
  tm_tensor.sort dimension(0) outs(%0 : memref<50xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %1 : i1
  }
  %2 = memref.subview %0[0] [40] [1] : memref<50xf32> to memref<40xf32, strided<[1]>>
  memref.copy %2, %arg1 : memref<40xf32, strided<[1]>> to memref<40xf32>
  %3 = memref.alloc() : memref<50xf32>
  memref.copy %arg0, %3 : memref<50xf32> to memref<50xf32>
  tm_tensor.sort dimension(0) outs(%3 : memref<50xf32>) {
  ^bb0(%a: f32, %b: f32):
    %4 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %4 : i1
  }
  %5 = memref.subview %3[25] [2] [1] : memref<50xf32> to memref<2xf32, strided<[1], offset: 25>>
  memref.copy %5, %arg2 : memref<2xf32, strided<[1], offset: 25>> to memref<2xf32>
  return
}
// CHECK-LABEL: func.func @merged
// CHECK-COUNT-4: memref.alloc
// CHECK-NOT:     scf.if
// CHECK:         return
