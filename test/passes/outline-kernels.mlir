// RUN: torch-refine-opt %s --outline-kernels | filecheck %s

// A sum along rows and what divides by it are one kernel; the fill goes in, too.

#rows = affine_map<(d0, d1) -> (d0, d1)>
#sums = affine_map<(d0, d1) -> (d0)>
func.func @main(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #sums], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x5xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.addf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  %3 = tensor.empty() : tensor<4x5xf32>
  %4 = linalg.generic {indexing_maps = [#rows, #sums, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<4x5xf32>, tensor<4xf32>) outs(%3 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %5 = arith.divf %in, %sum : f32
    linalg.yield %5 : f32
  } -> tensor<4x5xf32>
  return %4 : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         %[[RESULT:.*]] = call @rows_0(%arg0, %{{.*}}) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
// CHECK-NEXT:    return %[[RESULT]]
// CHECK-LABEL: func.func private @rows_0
// CHECK-SAME:    torch_refine.kernel = "rows", torch_refine.rows = 1
// CHECK:         linalg.fill
// CHECK-COUNT-2: linalg.generic
