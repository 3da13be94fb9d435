// RUN: torch-refine-opt %s --hoist-index-loads | filecheck %s

// The loop may store to memory of the same type, or have indices of its own; an index that is
// computed may be out of bounds where the loop has no iterations.
// CHECK-LABEL: func.func @others
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.load
// CHECK-NEXT:        memref.load
// CHECK:             scf.for
// CHECK-NEXT:        memref.load
func.func @others(%i: memref<4xi64>, %o: memref<4xi64>, %x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %a = %c0 to %c4 step %c1 {
    scf.for %b = %c0 to %n step %c1 {
      %0 = memref.load %i[%a] : memref<4xi64>
      %1 = memref.load %i[%b] : memref<4xi64>
      %2 = arith.addi %0, %1 : i64
      memref.store %2, %o[%b] : memref<4xi64>
    }
    scf.for %b = %c0 to %n step %c1 {
      %0 = memref.load %i[%n] : memref<4xi64>
      %1 = arith.sitofp %0 : i64 to f32
      memref.store %1, %x[%b] : memref<4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @constant
// CHECK:         %[[FIRST:.*]] = memref.load %arg0
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      arith.sitofp %[[FIRST]]
func.func @constant(%i: memref<4xi64>, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %b = %c0 to %c4 step %c1 {
    %0 = memref.load %i[%c0] : memref<4xi64>
    %1 = arith.sitofp %0 : i64 to f32
    memref.store %1, %x[%b] : memref<4xf32>
  }
  return
}
