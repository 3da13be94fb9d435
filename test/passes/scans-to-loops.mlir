// RUN: torch-refine-opt %s --scans-to-loops | filecheck %s

// The running value is carried by the innermost loop, in f64.
// CHECK-LABEL: func.func @row
// CHECK:         scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[FIRST:.*]] = memref.load %arg0
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[FIRST]] : f32 to f64
// CHECK:           scf.for %{{.*}} iter_args(%[[BEFORE:.*]] = %[[WIDE]]) -> (f64)
// CHECK:             %[[NEXT:.*]] = arith.extf
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[NEXT]] : f64
// CHECK-NEXT:        %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f64 to f32
// CHECK:             memref.store %[[ROUNDED]], %arg1
// CHECK:             scf.yield %[[SUM]] : f64
// CHECK-NOT:     tm_tensor.scan
func.func @row(%x: memref<3x?xf32>, %y: memref<3x?xf32>) {
  %last = memref.alloc() : memref<3xf32>
  tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<3x?xf32>) outs(%y, %last : memref<3x?xf32>, memref<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  }
  memref.dealloc %last : memref<3xf32>
  return
}

// Along another dimension, those of 1,024 columns are on the stack. Integers are not widened.
// CHECK-LABEL: func.func @columns
// CHECK:         %[[RUNNING:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xi64>
// CHECK:         %[[STEP:.*]] = arith.constant 1024 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]]
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %[[RUNNING]]
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               %[[BEFORE:.*]] = memref.load %[[RUNNING]]
// CHECK:               arith.muli %[[BEFORE]], %{{.*}} : i64
// CHECK-NOT:     tm_tensor.scan
func.func @columns(%x: memref<5x2000xi64>, %y: memref<5x2000xi64>) {
  %last = memref.alloc() : memref<2000xi64>
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<5x2000xi64>) outs(%y, %last : memref<5x2000xi64>, memref<2000xi64>) {
  ^bb0(%a: i64, %b: i64):
    %0 = arith.muli %a, %b : i64
    tm_tensor.yield %0 : i64
  }
  memref.dealloc %last : memref<2000xi64>
  return
}

// A constant outside of the region is widened, too.
// CHECK-LABEL: func.func @constant
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         scf.for
// CHECK:           %[[WIDE:.*]] = arith.extf %[[ONE]] : f32 to f64
// CHECK:           arith.minimumf %{{.*}}, %[[WIDE]] : f64
func.func @constant(%x: memref<9xf32>, %y: memref<9xf32>) {
  %one = arith.constant 1.0 : f32
  %last = memref.alloc() : memref<f32>
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<9xf32>) outs(%y, %last : memref<9xf32>, memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.minimumf %0, %one : f32
    tm_tensor.yield %1 : f32
  }
  memref.dealloc %last : memref<f32>
  return
}

// The last value is an argument, or the element itself is excluded: left to upstream.
// CHECK-LABEL: func.func @others
// CHECK:         tm_tensor.scan dimension(0) inclusive(true)
// CHECK:         tm_tensor.scan dimension(0) inclusive(false)
func.func @others(%x: memref<9xf32>, %y: memref<9xf32>, %last: memref<f32>) {
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<9xf32>) outs(%y, %last : memref<9xf32>, memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  }
  %own = memref.alloc() : memref<f32>
  tm_tensor.scan dimension(0) inclusive(false) ins(%x : memref<9xf32>) outs(%y, %own : memref<9xf32>, memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  }
  memref.dealloc %own : memref<f32>
  return
}

// On tensors, initial values become empty tensors.
// CHECK-LABEL: func.func @tensors
// CHECK:         %[[SUMS:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK:         %[[LAST:.*]] = tensor.empty() : tensor<f32>
// CHECK:         tm_tensor.scan {{.*}} outs(%[[SUMS]], %[[LAST]]
func.func @tensors(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<f32>) -> tensor<?xf32> {
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<?xf32>) outs(%y, %z : tensor<?xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    tm_tensor.yield %1 : f32
  } -> tensor<?xf32>, tensor<f32>
  return %0#0 : tensor<?xf32>
}

// Four rows at once, then the rest; what compares and selects f32 is not widened.
// CHECK-LABEL: func.func @extremes
// CHECK:         scf.for %[[ROW:.*]] = %c0{{.*}} to %c4{{.*}} step %c4
// CHECK-COUNT-4:   memref.load %arg0
// CHECK-COUNT-4:   memref.store
// CHECK:           scf.for {{.*}} -> (f32, f32, f32, f32)
// CHECK-COUNT-4:     arith.cmpf oge
// CHECK-NOT:         arith.cmpf
// CHECK:         scf.for %[[ROW:.*]] = %c4{{.*}} to %c6{{.*}} step %c1
// CHECK:           scf.for {{.*}} -> (f32)
func.func @extremes(%x: memref<6x9xf32>, %y: memref<6x9xf32>) {
  %last = memref.alloc() : memref<6xf32>
  tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<6x9xf32>) outs(%y, %last : memref<6x9xf32>, memref<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf oge, %b, %a : f32
    %1 = arith.select %0, %b, %a : f32
    tm_tensor.yield %1 : f32
  }
  memref.dealloc %last : memref<6xf32>
  return
}
