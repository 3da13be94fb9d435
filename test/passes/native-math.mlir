// RUN: torch-refine-opt %s --native-math | filecheck %s

func.func @f(%arg0: f32, %arg1: vector<4xf64>, %arg2: f16, %arg3: i64) -> (f32, vector<4xf64>, f32, f16, i64) {
  // CHECK: llvm.call_intrinsic "llvm.fma"(%arg0, %arg0, %arg0) : (f32, f32, f32) -> f32
  %0 = math.fma %arg0, %arg0, %arg0 : f32
  // CHECK: %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt"(%arg1)
  // CHECK: arith.divf %{{.*}}, %[[ROOT]] : vector<4xf64>
  %1 = math.rsqrt %arg1 : vector<4xf64>
  // A library's.
  // CHECK: math.sin
  %2 = math.sin %arg0 : f32
  // Half precision is made single before.
  // CHECK: math.sqrt
  %3 = math.sqrt %arg2 : f16
  // CHECK: %[[MINUS:.*]] = arith.subi %{{.*}}, %arg3
  // CHECK: arith.maxsi %arg3, %[[MINUS]]
  %4 = math.absi %arg3 : i64
  return %0, %1, %2, %3, %4 : f32, vector<4xf64>, f32, f16, i64
}
