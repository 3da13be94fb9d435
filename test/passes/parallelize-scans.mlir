// RUN: torch-refine-opt %s --parallelize-scans | filecheck %s

// Chunks of 32 elements.
func.func @rows(%arg0: memref<9x1000xf32>, %arg1: memref<9x1000xf32>) {
  %alloc = memref.alloc() : memref<9xf32>
  tm_tensor.scan dimension(1) inclusive(true) ins(%arg0 : memref<9x1000xf32>) outs(%arg1, %alloc : memref<9x1000xf32>, memref<9xf32>) {
  ^bb0(%before: f32, %element: f32):
    %0 = arith.subf %before, %element : f32
    tm_tensor.yield %0 : f32
  }
  memref.dealloc %alloc : memref<9xf32>
  return
}
// CHECK-LABEL: func.func @rows
// CHECK:         scf.parallel (%[[ROW:.*]], %[[CHUNK:.*]]) = {{.*}} to (%c9, %c32)
// CHECK:           %[[START:.*]] = arith.muli %[[CHUNK]], %c32
// CHECK:           %[[FIRST:.*]] = memref.load %arg0[%[[ROW]], %[[START]]]
// CHECK:           memref.store %[[FIRST]], %arg1[%[[ROW]], %[[START]]]
// CHECK:           scf.for %[[PLACE:.*]] = {{.*}} iter_args(%[[BEFORE:.*]] = %[[FIRST]])
// CHECK:             %[[ELEMENT:.*]] = memref.load %arg0[%[[ROW]], %[[PLACE]]]
// CHECK:             %[[NEW:.*]] = arith.subf %[[BEFORE]], %[[ELEMENT]]
// CHECK:             memref.store %[[NEW]], %arg1[%[[ROW]], %[[PLACE]]]
// CHECK:         scf.parallel (%[[ROW:.*]]) = {{.*}} to (%c9{{.*}})
// CHECK:           scf.for %{{.*}} = %c1{{.*}} to %c31
// CHECK:             %[[BEFORE:.*]] = memref.load %arg1
// CHECK:             %[[ELEMENT:.*]] = memref.load %arg1
// CHECK:             arith.subf %[[BEFORE]], %[[ELEMENT]]
// CHECK:         scf.parallel {{.*}} to (%c9{{.*}}, %c1000)
// CHECK:           scf.if
// CHECK:             %[[BEFORE:.*]] = memref.load %arg1
// CHECK:             %[[ELEMENT:.*]] = memref.load %arg1
// CHECK:             arith.subf %[[BEFORE]], %[[ELEMENT]]

// A short row is one chunk; columns are as well divided.
func.func @short(%arg0: memref<9x?xi64>, %arg1: memref<9x?xi64>, %n: index) {
  %alloc = memref.alloc(%n) : memref<?xi64>
  tm_tensor.scan dimension(0) inclusive(true) ins(%arg0 : memref<9x?xi64>) outs(%arg1, %alloc : memref<9x?xi64>, memref<?xi64>) {
  ^bb0(%before: i64, %element: i64):
    %0 = arith.addi %before, %element : i64
    tm_tensor.yield %0 : i64
  }
  memref.dealloc %alloc : memref<?xi64>
  return
}
// CHECK-LABEL: func.func @short
// CHECK:         %[[COLUMNS:.*]] = memref.dim %arg0, %c1
// CHECK:         scf.parallel {{.*}} to (%[[COLUMNS]], %c1
// CHECK-NOT:     scf.parallel

func.func @one_row(%arg0: memref<?xi64>, %arg1: memref<?xi64>) {
  %alloc = memref.alloc() : memref<i64>
  tm_tensor.scan dimension(0) inclusive(true) ins(%arg0 : memref<?xi64>) outs(%arg1, %alloc : memref<?xi64>, memref<i64>) {
  ^bb0(%before: i64, %element: i64):
    %0 = arith.addi %before, %element : i64
    tm_tensor.yield %0 : i64
  }
  memref.dealloc %alloc : memref<i64>
  return
}
// CHECK-LABEL: func.func @one_row
// CHECK:         scf.parallel
// CHECK:         scf.parallel {{.*}} to (%c1
// CHECK:         scf.parallel

// The total of each row is used, or the first element of the result is another.
func.func @others(%arg0: memref<9x40xf32>, %arg1: memref<9x40xf32>, %arg2: memref<9xf32>) {
  tm_tensor.scan dimension(1) inclusive(true) ins(%arg0 : memref<9x40xf32>) outs(%arg1, %arg2 : memref<9x40xf32>, memref<9xf32>) {
  ^bb0(%before: f32, %element: f32):
    %0 = arith.addf %before, %element : f32
    tm_tensor.yield %0 : f32
  }
  %alloc = memref.alloc() : memref<9xf32>
  tm_tensor.scan dimension(1) inclusive(false) ins(%arg0 : memref<9x40xf32>) outs(%arg1, %alloc : memref<9x40xf32>, memref<9xf32>) {
  ^bb0(%before: f32, %element: f32):
    %0 = arith.addf %before, %element : f32
    tm_tensor.yield %0 : f32
  }
  memref.dealloc %alloc : memref<9xf32>
  return
}
// CHECK-LABEL: func.func @others
// CHECK-NOT:     scf.parallel
