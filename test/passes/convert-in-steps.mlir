// RUN: torch-refine-opt %s --convert-in-steps | filecheck %s

func.func @f(%arg0: f64) -> (f32, bf16) {
  %0 = arith.truncf %arg0 : f64 to f32
  %1 = arith.truncf %arg0 : f64 to bf16
  return %0, %1 : f32, bf16
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    arith.truncf %arg0 : f64 to f32
// CHECK-NEXT:    %[[STEP:.*]] = arith.truncf %arg0 : f64 to f32
// CHECK-NEXT:    arith.truncf %[[STEP]] : f32 to bf16

func.func @wider(%arg0: bf16, %arg1: vector<4xf16>, %arg2: f32) -> (f64, vector<4xf64>, f64) {
  %0 = arith.extf %arg0 : bf16 to f64
  %1 = arith.extf %arg1 : vector<4xf16> to vector<4xf64>
  %2 = arith.extf %arg2 : f32 to f64
  return %0, %1, %2 : f64, vector<4xf64>, f64
}

// CHECK-LABEL: func.func @wider
// CHECK-NEXT:    %[[ONE:.*]] = arith.extf %arg0 : bf16 to f32
// CHECK-NEXT:    arith.extf %[[ONE]] : f32 to f64
// CHECK-NEXT:    %[[FOUR:.*]] = arith.extf %arg1 : vector<4xf16> to vector<4xf32>
// CHECK-NEXT:    arith.extf %[[FOUR]] : vector<4xf32> to vector<4xf64>
// CHECK-NEXT:    arith.extf %arg2 : f32 to f64
