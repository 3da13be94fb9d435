// RUN: torch-refine-opt %s --expand-float8 | filecheck %s

// CHECK-LABEL: func.func @extended
func.func @extended(%arg0: f8E4M3FN) -> (f16, f64) {
  // CHECK: arith.bitcast %arg0 : f8E4M3FN to i8
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %0 = arith.extf %arg0 : f8E4M3FN to f16
  // CHECK: arith.extf %{{.*}} : f32 to f64
  %1 = arith.extf %arg0 : f8E4M3FN to f64
  return %0, %1 : f16, f64
}

// CHECK-LABEL: func.func @rounded
func.func @rounded(%arg0: f64, %arg1: bf16, %arg2: i64) -> (f8E5M2, f8E5M2FNUZ, f8E4M3FNUZ) {
  // CHECK: arith.truncf %arg0 : f64 to f32
  // CHECK: arith.bitcast %{{.*}} : i8 to f8E5M2
  %0 = arith.truncf %arg0 : f64 to f8E5M2
  // CHECK: arith.extf %arg1 : bf16 to f32
  // CHECK: arith.bitcast %{{.*}} : i8 to f8E5M2FNUZ
  %1 = arith.truncf %arg1 : bf16 to f8E5M2FNUZ
  // CHECK: arith.sitofp %arg2 : i64 to f32
  // CHECK: arith.bitcast %{{.*}} : i8 to f8E4M3FNUZ
  %2 = arith.sitofp %arg2 : i64 to f8E4M3FNUZ
  return %0, %1, %2 : f8E5M2, f8E5M2FNUZ, f8E4M3FNUZ
}

// Arithmetic and comparisons are of f32; what only moves bits is left.

// CHECK-LABEL: func.func @computed
func.func @computed(%arg0: f8E8M0FNU, %arg1: f8E8M0FNU) -> (f8E8M0FNU, f8E8M0FNU) {
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f8E8M0FNU
  %one = arith.constant 1.0 : f8E8M0FNU
  // CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<nnan> : f32
  // CHECK: %[[PRODUCT:.*]] = arith.bitcast %{{.*}} : i8 to f8E8M0FNU
  %0 = arith.mulf %arg0, %arg1 fastmath<nnan> : f8E8M0FNU
  // CHECK: %[[LESS:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f32
  %1 = arith.cmpf olt, %arg0, %arg1 : f8E8M0FNU
  // CHECK: arith.select %[[LESS]], %[[PRODUCT]], %[[ONE]] : f8E8M0FNU
  %2 = arith.select %1, %0, %one : f8E8M0FNU
  // CHECK: math.absf %{{.*}} : f32
  %3 = math.absf %2 : f8E8M0FNU
  return %2, %3 : f8E8M0FNU, f8E8M0FNU
}

// CHECK-LABEL: func.func @wider
// CHECK-NEXT:    arith.truncf %arg0 : f32 to f16
// CHECK-NEXT:    return
func.func @wider(%arg0: f32) -> f16 {
  %0 = arith.truncf %arg0 : f32 to f16
  return %0 : f16
}
