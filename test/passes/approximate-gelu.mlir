// RUN: torch-refine-opt %s --approximate-gelu | filecheck %s

func.func @gelu(%arg0: f32) -> f32 {
  %half = arith.constant 5.000000e-01 : f32
  %root = arith.constant 0.707106769 : f32
  %one = arith.constant 1.000000e+00 : f32
  %0 = arith.mulf %arg0, %root : f32
  %1 = math.erf %0 fastmath<afn> : f32
  %2 = arith.addf %1, %one : f32
  %3 = arith.mulf %arg0, %half : f32
  %4 = arith.mulf %3, %2 : f32
  return %4 : f32
}
// CHECK-LABEL: func.func @gelu
// CHECK-NOT:     math.erf
// CHECK:         arith.divf %{{.*}} fastmath<afn>
// CHECK:         math.exp2 %{{.*}} fastmath<afn>
// CHECK:         return

// Without the flag, and with other factors, the error function stays.
func.func @exact(%arg0: f32, %arg1: f32) -> (f32, f32) {
  %half = arith.constant 5.000000e-01 : f32
  %root = arith.constant 0.707106769 : f32
  %one = arith.constant 1.000000e+00 : f32
  %0 = arith.mulf %arg0, %root : f32
  %1 = math.erf %0 : f32
  %2 = arith.addf %1, %one : f32
  %3 = arith.mulf %arg0, %half : f32
  %4 = arith.mulf %3, %2 : f32
  %5 = math.erf %0 fastmath<afn> : f32
  %6 = arith.addf %5, %one : f32
  %7 = arith.mulf %arg1, %half : f32
  %8 = arith.mulf %7, %6 : f32
  return %4, %8 : f32, f32
}
// CHECK-LABEL: func.func @exact
// CHECK:         math.erf
// CHECK:         math.erf
// CHECK-NOT:     math.exp2
