// RUN: torch-refine-opt %s --keep-roundings --canonicalize | filecheck %s
// RUN: torch-refine-opt %s --canonicalize | filecheck %s --check-prefix=FOLDED

func.func @bfloat16(%arg0: f32) -> f32 {
  %0 = arith.truncf %arg0 fastmath<contract> : f32 to bf16
  %1 = arith.extf %0 fastmath<contract> : bf16 to f32
  return %1 : f32
}

// CHECK-LABEL: func.func @bfloat16
// CHECK-NEXT:    %[[ROUNDED:.*]] = arith.truncf %arg0 : f32 to bf16
// CHECK-NEXT:    arith.extf %[[ROUNDED]] fastmath<contract> : bf16 to f32
// FOLDED-LABEL: func.func @bfloat16
// FOLDED-NEXT:    return %arg0

func.func @vector(%arg0: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.truncf %arg0 fastmath<contract> : vector<8xf32> to vector<8xf16>
  %1 = arith.extf %0 fastmath<contract> : vector<8xf16> to vector<8xf32>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func.func @vector
// CHECK-NEXT:    arith.truncf %arg0 : vector<8xf32> to vector<8xf16>

// The other conversions may be folded.
func.func @single(%arg0: f64) -> f64 {
  %0 = arith.truncf %arg0 fastmath<contract> : f64 to f32
  %1 = arith.extf %0 fastmath<contract> : f32 to f64
  return %1 : f64
}

// CHECK-LABEL: func.func @single
// CHECK-NEXT:    return %arg0
