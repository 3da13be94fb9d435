// RUN: torch-refine-opt %s --expand-bf16-roundings | filecheck %s

// One number, and a vector; other conversions are left.
func.func @f(%arg0: f32, %arg1: vector<8xf32>, %arg2: f64, %arg3: vector<2x8xf32>) -> (bf16, vector<8xbf16>, f16, vector<2x8xbf16>) {
  %0 = arith.truncf %arg0 : f32 to bf16
  %1 = arith.truncf %arg1 : vector<8xf32> to vector<8xbf16>
  %2 = arith.truncf %arg2 : f64 to f16
  %3 = arith.truncf %arg3 : vector<2x8xf32> to vector<2x8xbf16>
  return %0, %1, %2, %3 : bf16, vector<8xbf16>, f16, vector<2x8xbf16>
}

// CHECK-LABEL: func.func @f
// CHECK:         %[[NAN:.*]] = arith.cmpf uno, %arg0, %arg0 : f32
// CHECK:         %[[FOUND:.*]] = arith.select %[[NAN]], %{{.*}}, %arg0 : f32
// CHECK:         arith.bitcast %[[FOUND]] : f32 to i32
// CHECK:         arith.trunci %{{.*}} : i32 to i16
// CHECK:         arith.bitcast %{{.*}} : i16 to bf16
// CHECK:         arith.select %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK:         arith.bitcast %{{.*}} : vector<8xi16> to vector<8xbf16>
// CHECK:         arith.truncf %arg2 : f64 to f16
// CHECK:         arith.truncf %arg3
