// RUN: torch-refine-opt %s --allow-approximations | filecheck %s

#row = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (d0)>

// Exponentials are positive: their sum is as exact as they are, and so is the quotient.
func.func @softmax(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<4x8xf32>
  %2 = tensor.empty() : tensor<4xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x8xf32>) outs(%3 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  %5 = linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%1, %4 : tensor<4x8xf32>, tensor<4xf32>) outs(%arg1 : tensor<4x8xbf16>) {
  ^bb0(%in: f32, %by: f32, %out: bf16):
    %q = arith.divf %in, %by : f32
    %r = arith.truncf %q : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x8xbf16>
  return %5 : tensor<4x8xbf16>
}
// CHECK-LABEL: func.func @softmax
// CHECK:         math.exp %{{.*}} fastmath<afn>
// CHECK:         arith.divf %{{.*}} fastmath<afn>

// The same as f32 is exact.
func.func @exact(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @exact
// CHECK:         math.exp
// CHECK-NOT:     fastmath

// A sigmoid divides by a sum of positive numbers.
func.func @sigmoid(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %one = arith.constant 1.0 : f32
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<4x8xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %n = arith.negf %in : f32
    %e = math.exp %n : f32
    %s = arith.addf %e, %one : f32
    %q = arith.divf %one, %s : f32
    %r = arith.truncf %q : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}
// CHECK-LABEL: func.func @sigmoid
// CHECK:         math.exp %{{.*}} fastmath<afn>
// CHECK:         arith.divf %{{.*}} fastmath<afn>

// exp(x) - 1 cancels, near 0, all that is right of an approximation; a comparison may flip.
func.func @cancelled(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xbf16>, %arg2: tensor<4x8xi1>) -> (tensor<4x8xbf16>, tensor<4x8xi1>) {
  %one = arith.constant 1.0 : f32
  %0:2 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1, %arg2 : tensor<4x8xbf16>, tensor<4x8xi1>) {
  ^bb0(%in: f32, %out: bf16, %out2: i1):
    %e = math.exp %in : f32
    %s = arith.subf %e, %one : f32
    %r = arith.truncf %s : f32 to bf16
    %q = arith.divf %in, %s : f32
    %c = arith.cmpf ogt, %q, %one : f32
    linalg.yield %r, %c : bf16, i1
  } -> (tensor<4x8xbf16>, tensor<4x8xi1>)
  return %0#0, %0#1 : tensor<4x8xbf16>, tensor<4x8xi1>
}
// CHECK-LABEL: func.func @cancelled
// CHECK:         math.exp
// CHECK-NOT:     fastmath

// 1 + erf(x) is GELU's; the error of erf is that of f32 near 1.
func.func @gelu(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %one = arith.constant 1.0 : f32
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf16>) {
  ^bb0(%in: f32, %out: f16):
    %e = math.erf %in : f32
    %s = arith.addf %e, %one : f32
    %p = arith.mulf %in, %s : f32
    %r = arith.truncf %p : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}
// CHECK-LABEL: func.func @gelu
// CHECK:         math.erf %{{.*}} fastmath<afn>
