// RUN: torch-refine-opt %s --single-rows-to-reductions | filecheck %s

func.func @halves(%arg0: tensor<1x64xbf16>, %arg1: tensor<8x64xbf16>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %memory = tensor.empty() : tensor<64x8xbf16>
  %empty = tensor.empty() : tensor<1x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8xf32>) -> tensor<1x8xf32>
  %weights = linalg.transpose ins(%arg1 : tensor<8x64xbf16>) outs(%memory : tensor<64x8xbf16>) permutation = [1, 0]
  %0 = linalg.matmul ins(%arg0, %weights : tensor<1x64xbf16>, tensor<64x8xbf16>) outs(%start : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}
// CHECK-LABEL: func.func @halves
// CHECK:         %[[ROW:.*]] = tensor.collapse_shape %arg0
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg1, %[[ROW]]
// CHECK-COUNT-2: arith.extf
// CHECK:         tensor.expand_shape %[[SUMS]]

// Two rows, weights that lie the other way, and sums that do not start at zero stay.
func.func @others(%arg0: tensor<2x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<1x64xf32>, %arg3: tensor<64x8xf32>, %arg4: tensor<1x8xf32>) -> (tensor<2x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %memory = tensor.empty() : tensor<64x8xf32>
  %weights = linalg.transpose ins(%arg1 : tensor<8x64xf32>) outs(%memory : tensor<64x8xf32>) permutation = [1, 0]
  %two = tensor.empty() : tensor<2x8xf32>
  %starts = linalg.fill ins(%zero : f32) outs(%two : tensor<2x8xf32>) -> tensor<2x8xf32>
  %one = tensor.empty() : tensor<1x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%one : tensor<1x8xf32>) -> tensor<1x8xf32>
  %0 = linalg.matmul ins(%arg0, %weights : tensor<2x64xf32>, tensor<64x8xf32>) outs(%starts : tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = linalg.matmul ins(%arg2, %arg3 : tensor<1x64xf32>, tensor<64x8xf32>) outs(%start : tensor<1x8xf32>) -> tensor<1x8xf32>
  %2 = linalg.matmul ins(%arg2, %weights : tensor<1x64xf32>, tensor<64x8xf32>) outs(%arg4 : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %0, %1, %2 : tensor<2x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>
}
// CHECK-LABEL:   func.func @others
// CHECK-COUNT-3: linalg.matmul
