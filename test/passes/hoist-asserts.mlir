// RUN: torch-refine-opt %s --hoist-asserts | filecheck %s

// Out of both loops, as neither changes what is asserted.
func.func @both(%arg0: memref<i64>, %arg1: memref<4x64xf32>, %arg2: i64, %arg3: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %0 = memref.load %arg0[] : memref<i64>
      %1 = arith.cmpi slt, %0, %arg2 : i64
      cf.assert %1, "out of range"
      memref.store %arg3, %arg1[%i, %j] : memref<4x64xf32>
    }
  }
  return
}
// CHECK-LABEL: func.func @both
// CHECK:         memref.load
// CHECK-NEXT:    arith.cmpi
// CHECK-NEXT:    cf.assert
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.store

// Nobody knows whether there is a turn.
func.func @maybe_none(%arg0: i1, %arg1: memref<?xf32>, %arg2: index, %arg3: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %arg2 step %c1 {
    cf.assert %arg0, "wrong"
    memref.store %arg3, %arg1[%i] : memref<?xf32>
  }
  return
}
// CHECK-LABEL: func.func @maybe_none
// CHECK:         scf.for
// CHECK-NEXT:      cf.assert

// What is stored may be what is loaded at the next turn.
func.func @changed(%arg0: memref<4xi64>, %arg1: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = memref.load %arg0[%c0] : memref<4xi64>
    %1 = arith.cmpi slt, %0, %arg1 : i64
    cf.assert %1, "out of range"
    memref.store %arg1, %arg0[%i] : memref<4xi64>
  }
  return
}
// CHECK-LABEL: func.func @changed
// CHECK:         scf.for
// CHECK-NEXT:      memref.load

// The load is safe only after an assertion that differs from turn to turn.
func.func @after_another(%arg0: memref<4xi64>, %arg1: i64, %arg2: index, %arg3: memref<4xf32>, %arg4: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = arith.cmpi ult, %i, %arg2 : index
    cf.assert %0, "first"
    %1 = memref.load %arg0[%arg2] : memref<4xi64>
    %2 = arith.cmpi slt, %1, %arg1 : i64
    cf.assert %2, "second"
    memref.store %arg4, %arg3[%i] : memref<4xf32>
  }
  return
}
// CHECK-LABEL: func.func @after_another
// CHECK:         scf.for
// CHECK:           cf.assert %{{.*}}, "first"
// CHECK-NEXT:      memref.load

// The same, in a loop inside.
func.func @after_a_loop(%arg0: memref<4xi64>, %arg1: i64, %arg2: index, %arg3: memref<4xf32>, %arg4: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %0 = arith.cmpi ult, %j, %arg2 : index
      cf.assert %0, "first"
    }
    %1 = memref.load %arg0[%arg2] : memref<4xi64>
    %2 = arith.cmpi slt, %1, %arg1 : i64
    cf.assert %2, "second"
    memref.store %arg4, %arg3[%i] : memref<4xf32>
  }
  return
}
// CHECK-LABEL: func.func @after_a_loop
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK:           memref.load
