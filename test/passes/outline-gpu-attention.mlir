// RUN: torch-refine-opt %s --outline-gpu-attention | filecheck %s

#query = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#key = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#value = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
// Scores, maximum, powers, sum, weights, values and their rounding are one kernel.
func.func @main(%query: tensor<6x70x64xf16>, %key: tensor<6x150x64xf16>, %value: tensor<6x150x64xf16>) -> tensor<6x70x64xf16> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<6x70x150xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<6x70x150xf32>) -> tensor<6x70x150xf32>
  %scores = linalg.contract indexing_maps = [#query, #key, #out] ins(%query, %key : tensor<6x70x64xf16>, tensor<6x150x64xf16>) outs(%1 : tensor<6x70x150xf32>) -> tensor<6x70x150xf32>
  %2 = tensor.empty() : tensor<6x70xf32>
  %3 = linalg.fill ins(%lowest : f32) outs(%2 : tensor<6x70xf32>) -> tensor<6x70xf32>
  %maximum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<6x70x150xf32>) outs(%3 : tensor<6x70xf32>) {
  ^bb0(%a: f32, %m: f32):
    %s = arith.maximumf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x70xf32>
  %powers = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %maximum : tensor<6x70x150xf32>, tensor<6x70xf32>) outs(%0 : tensor<6x70x150xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %s = arith.subf %a, %m : f32
    %e = math.exp %s : f32
    linalg.yield %e : f32
  } -> tensor<6x70x150xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%2 : tensor<6x70xf32>) -> tensor<6x70xf32>
  %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<6x70x150xf32>) outs(%4 : tensor<6x70xf32>) {
  ^bb0(%a: f32, %m: f32):
    %s = arith.addf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x70xf32>
  %weights = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<6x70x150xf32>, tensor<6x70xf32>) outs(%0 : tensor<6x70x150xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %s = arith.divf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x70x150xf32>
  %5 = tensor.empty() : tensor<6x70x64xf32>
  %6 = linalg.fill ins(%zero : f32) outs(%5 : tensor<6x70x64xf32>) -> tensor<6x70x64xf32>
  %values = linalg.contract indexing_maps = [#query, #value, #out] ins(%weights, %value : tensor<6x70x150xf32>, tensor<6x150x64xf16>) outs(%6 : tensor<6x70x64xf32>) -> tensor<6x70x64xf32>
  %7 = tensor.empty() : tensor<6x70x64xf16>
  %result = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%values : tensor<6x70x64xf32>) outs(%7 : tensor<6x70x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %s = arith.truncf %a : f32 to f16
    linalg.yield %s : f16
  } -> tensor<6x70x64xf16>
  return %result : tensor<6x70x64xf16>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[QUERY:.*]]: tensor<6x70x64xf16>, %[[KEY:.*]]: tensor<6x150x64xf16>, %[[VALUE:.*]]: tensor<6x150x64xf16>
// CHECK-NOT:     linalg.contract
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<6x70x64xf16>
// CHECK:         %[[RESULT:.*]] = call @attention_0(%[[QUERY]], %[[KEY]], %[[VALUE]], %[[EMPTY]])
// CHECK:         return %[[RESULT]]
// CHECK-LABEL: func.func private @attention_0(
// CHECK-SAME:      torch_refine.attention = {arguments = array<i64: 0, 1, 2, 3>, is_safe = false
// CHECK-SAME:      scale = 1.000000e+00 : f64
// CHECK-SAME:      torch_refine.kernel = "scheduled"
// CHECK-COUNT-2: linalg.contract
