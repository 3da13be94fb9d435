// RUN: torch-refine-opt %s --narrow-in-steps | filecheck %s

func.func @f(%arg0: f64) -> (f32, bf16) {
  %0 = arith.truncf %arg0 : f64 to f32
  %1 = arith.truncf %arg0 : f64 to bf16
  return %0, %1 : f32, bf16
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    arith.truncf %arg0 : f64 to f32
// CHECK-NEXT:    %[[STEP:.*]] = arith.truncf %arg0 : f64 to f32
// CHECK-NEXT:    arith.truncf %[[STEP]] : f32 to bf16
