// RUN: torch-refine-opt %s --approximate-math | filecheck %s

// Of tanh the exp is replaced, too, also of f64.

func.func @f(%arg0: f32, %arg1: f64) -> (f32, f64) {
  %0 = math.tanh %arg0 : f32
  %1 = math.tanh %arg1 : f64
  return %0, %1 : f32, f64
}

// CHECK-LABEL: func.func @f
// CHECK-NOT:   math.exp
// CHECK-NOT:   math.tanh
// CHECK:       math.copysign %{{.*}} : f32
// CHECK-NOT:   math.exp
// CHECK-NOT:   math.tanh
// CHECK:       math.copysign %{{.*}} : f64

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

// An exponent that is not known, or large: the library's function would take 32 of its bits.

func.func @powers(%arg0: f64, %arg1: i64) -> (f64, f64, f64) {
  %c3 = arith.constant 3 : i64
  %c100 = arith.constant 100 : i64
  %0 = math.fpowi %arg0, %arg1 : f64, i64
  %1 = math.fpowi %arg0, %c3 : f64, i64
  %2 = math.fpowi %arg0, %c100 : f64, i64
  return %0, %1, %2 : f64, f64, f64
}

// CHECK-LABEL: func.func @powers
// CHECK:       %[[N:.*]] = arith.sitofp %arg1 : i64 to f64
// CHECK:       math.powf %arg0, %[[N]] : f64
// CHECK:       math.fpowi %arg0, %{{.*}} : f64, i64
// CHECK:       arith.sitofp
// CHECK:       math.powf %arg0

// A remainder of 16-bit floats is one of f32.

func.func @halves(%arg0: bf16, %arg1: bf16) -> bf16 {
  %0 = arith.remf %arg0, %arg1 : bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @halves
// CHECK:       arith.extf %arg0 : bf16 to f32
// CHECK-NOT:   arith.remf
// CHECK:       arith.truncf %{{.*}} : f32 to bf16

// A power of 2 that is extended.

func.func @extended(%arg0: f32) -> f32 {
  %two = arith.constant 2.0 : bf16
  %base = arith.extf %two : bf16 to f32
  %0 = math.powf %base, %arg0 : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @extended
// CHECK-NOT:   math.powf
// CHECK:       return

// Rounded to an integer in f32, unless LLVM sees that it may be in f16.

func.func @rounded(%arg0: f16, %arg1: vector<8xf16>, %arg2: f32) -> (f16, vector<8xf32>, f32) {
  %0 = arith.extf %arg0 : f16 to f32
  %1 = math.ceil %0 : f32
  %2 = arith.truncf %1 : f32 to f16
  %3 = arith.extf %arg1 : vector<8xf16> to vector<8xf32>
  %4 = math.roundeven %3 : vector<8xf32>
  %5 = math.floor %arg2 : f32
  return %2, %4, %5 : f16, vector<8xf32>, f32
}

// CHECK-LABEL: func.func @rounded
// CHECK:       %[[ONE:.*]] = arith.extf %arg0
// CHECK:       %[[CEILING:.*]] = math.ceil %[[ONE]]
// CHECK:       %[[SIGNED:.*]] = math.copysign %[[CEILING]], %[[ONE]]
// CHECK:       arith.truncf %[[SIGNED]]
// CHECK:       math.roundeven
// CHECK:       math.copysign %{{.*}} : vector<8xf32>
// CHECK:       %[[LAST:.*]] = math.floor %arg2
// CHECK-NOT:   math.copysign
// CHECK:       return %{{.*}}, %{{.*}}, %[[LAST]]
