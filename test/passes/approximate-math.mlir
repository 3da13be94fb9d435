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

// GELU adds 1, here to elements of a vector, as on GPUs: a quotient of polynomials, without exp.

func.func @added_to_one(%arg0: f32, %arg1: f32) -> vector<2xf32> {
  %one = arith.constant dense<1.0> : vector<2xf32>
  %0 = math.erf %arg0 : f32
  %1 = math.erf %arg1 : f32
  %2 = vector.from_elements %0, %1 : vector<2xf32>
  %3 = arith.addf %2, %one : vector<2xf32>
  return %3 : vector<2xf32>
}

// CHECK-LABEL: func.func @added_to_one
// CHECK-NOT:   arith.shli
// CHECK-COUNT-2: arith.divf
// CHECK:       return

// It is also used itself.

func.func @also_alone(%arg0: f32) -> (vector<2xf32>, vector<2xf32>) {
  %one = arith.constant dense<1.0> : vector<2xf32>
  %0 = math.erf %arg0 : f32
  %1 = vector.from_elements %0, %0 : vector<2xf32>
  %2 = arith.addf %1, %one : vector<2xf32>
  return %1, %2 : vector<2xf32>, vector<2xf32>
}

// CHECK-LABEL: func.func @also_alone
// CHECK:       math.copysign
// CHECK-NOT:   arith.divf
// CHECK:       return
