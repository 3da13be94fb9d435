// RUN: torch-refine-opt %s --approximate-math | filecheck %s

// Of tanh the exp is replaced, too; f64 is left to the C library.

func.func @f(%arg0: f32, %arg1: f64) -> (f32, f64) {
  %0 = math.tanh %arg0 : f32
  %1 = math.tanh %arg1 : f64
  return %0, %1 : f32, f64
}

// CHECK-LABEL: func.func @f
// CHECK-NOT:   math.exp
// CHECK-NOT:   math.tanh %{{.*}} : f32
// CHECK:       math.copysign
// CHECK:       math.tanh %{{.*}} : f64

// The power of 2 is one number, where it cannot be too large for that.

func.func @g(%arg0: f32) -> f32 {
  %0 = math.exp %arg0 {torch_refine.not_positive} : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @g
// CHECK-NOT:   math.exp
// CHECK-COUNT-1: arith.shli
// CHECK-NOT:   arith.shli
// CHECK:       return
