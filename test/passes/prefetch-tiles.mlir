// RUN: torch-refine-opt %s --prefetch-tiles --canonicalize | filecheck %s

!shared = memref<4xf32, #gpu.address_space<workgroup>>

func.func @f(%arg0: memref<?xf32>, %arg1: !shared, %arg2: index, %arg3: f32, %arg4: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %arg4 step %c1 iter_args(%sum = %arg3) -> (f32) {
    %1 = memref.load %arg0[%i] : memref<?xf32>
    memref.store %1, %arg1[%c0] : !shared
    gpu.barrier
    %2 = memref.load %arg1[%arg2] : !shared
    %3 = arith.addf %sum, %2 : f32
    gpu.barrier
    scf.yield %3 : f32
  }
  return %0 : f32
}
// CHECK-LABEL: func.func @f
// The first tile, if there is any iteration.
// CHECK:         %[[ANY:.*]] = arith.cmpi sgt, %arg4, %c0
// CHECK:         %[[FIRST:.*]] = scf.if %[[ANY]]
// CHECK:           memref.load %arg0[%c0]
// CHECK:         scf.for %[[I:.*]] = %c0 to %arg4 step %c1 iter_args(%[[SUM:.*]] = %arg3, %[[TILE:.*]] = %[[FIRST]])
// CHECK-NEXT:      memref.store %[[TILE]], %arg1
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK-NEXT:      %[[INSIDE:.*]] = arith.cmpi slt, %[[NEXT]], %arg4
// CHECK-NEXT:      %[[LOADED:.*]] = scf.if %[[INSIDE]]
// CHECK-NEXT:        memref.load %arg0[%[[NEXT]]]
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.yield %{{.*}}, %[[LOADED]]

// What is loaded may have been written in the iteration before.
func.func @written(%arg0: memref<?xf32>, %arg1: !shared, %arg2: index, %arg3: f32, %arg4: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %arg4 step %c1 {
    %1 = memref.load %arg0[%i] : memref<?xf32>
    memref.store %1, %arg1[%c0] : !shared
    gpu.barrier
    %2 = memref.load %arg1[%arg2] : !shared
    memref.store %2, %arg0[%arg2] : memref<?xf32>
    gpu.barrier
  }
  return
}
// CHECK-LABEL: func.func @written
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      memref.load %arg0

// The index of the load is carried: it is known after the iteration only.
func.func @carried(%arg0: memref<?xf32>, %arg1: !shared, %arg2: index, %arg3: f32, %arg4: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %arg4 step %c1 iter_args(%place = %arg2) -> (index) {
    %1 = memref.load %arg0[%place] : memref<?xf32>
    memref.store %1, %arg1[%c0] : !shared
    gpu.barrier
    %2 = memref.load %arg1[%arg2] : !shared
    %3 = arith.fptosi %2 : f32 to i32
    %4 = arith.index_cast %3 : i32 to index
    gpu.barrier
    scf.yield %4 : index
  }
  return %0 : index
}
// CHECK-LABEL: func.func @carried
// CHECK:         scf.for {{.*}} iter_args(%[[PLACE:.*]] = %arg2)
// CHECK-NEXT:      memref.load %arg0[%[[PLACE]]]
