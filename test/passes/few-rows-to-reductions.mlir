// RUN: torch-refine-opt %s --few-rows-to-reductions | filecheck %s

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
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg1, %arg0
// CHECK-COUNT-2: arith.extf
// CHECK:         return %[[SUMS]]

func.func @three(%arg0: tensor<3x64xf32>, %arg1: tensor<8x64xf32>) -> tensor<3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %memory = tensor.empty() : tensor<64x8xf32>
  %empty = tensor.empty() : tensor<3x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x8xf32>) -> tensor<3x8xf32>
  %weights = linalg.transpose ins(%arg1 : tensor<8x64xf32>) outs(%memory : tensor<64x8xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%arg0, %weights : tensor<3x64xf32>, tensor<64x8xf32>) outs(%start : tensor<3x8xf32>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
// CHECK-LABEL: func.func @three
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg1, %arg0
// CHECK:         return %[[SUMS]]

// Adjacent threads read adjacent columns of weights that are not transposed.
func.func @columns(%arg0: tensor<3x128xf32>, %arg1: tensor<128x8xf32>) -> tensor<3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x8xf32>) -> tensor<3x8xf32>
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<3x128xf32>, tensor<128x8xf32>) outs(%start : tensor<3x8xf32>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
// CHECK-LABEL: func.func @columns
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg1, %arg0

// The batches of transposed keys may be merged.
func.func @keys(%arg0: tensor<6x1x64xf32>, %arg1: tensor<2x3x9x64xf32>) -> tensor<6x1x9xf32> {
  %zero = arith.constant 0.0 : f32
  %memory = tensor.empty() : tensor<2x3x64x9xf32>
  %empty = tensor.empty() : tensor<6x1x9xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<6x1x9xf32>) -> tensor<6x1x9xf32>
  %turned = linalg.transpose ins(%arg1 : tensor<2x3x9x64xf32>) outs(%memory : tensor<2x3x64x9xf32>) permutation = [0, 1, 3, 2]
  %keys = tensor.collapse_shape %turned [[0, 1], [2], [3]] : tensor<2x3x64x9xf32> into tensor<6x64x9xf32>
  %0 = linalg.batch_matmul ins(%arg0, %keys : tensor<6x1x64xf32>, tensor<6x64x9xf32>) outs(%start : tensor<6x1x9xf32>) -> tensor<6x1x9xf32>
  return %0 : tensor<6x1x9xf32>
}
// CHECK-LABEL: func.func @keys
// CHECK:         %[[KEYS:.*]] = tensor.collapse_shape %arg1 {{.*}} into tensor<6x9x64xf32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[KEYS]], %arg0

// Nine rows, short columns, and sums that do not start at zero stay.
func.func @others(%arg0: tensor<9x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<1x64xf32>, %arg3: tensor<64x8xf32>, %arg4: tensor<1x8xf32>) -> (tensor<9x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %memory = tensor.empty() : tensor<64x8xf32>
  %weights = linalg.transpose ins(%arg1 : tensor<8x64xf32>) outs(%memory : tensor<64x8xf32>) permutation = [1, 0]
  %nine = tensor.empty() : tensor<9x8xf32>
  %starts = linalg.fill ins(%zero : f32) outs(%nine : tensor<9x8xf32>) -> tensor<9x8xf32>
  %one = tensor.empty() : tensor<1x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%one : tensor<1x8xf32>) -> tensor<1x8xf32>
  %0 = linalg.matmul ins(%arg0, %weights : tensor<9x64xf32>, tensor<64x8xf32>) outs(%starts : tensor<9x8xf32>) -> tensor<9x8xf32>
  %1 = linalg.matmul ins(%arg2, %arg3 : tensor<1x64xf32>, tensor<64x8xf32>) outs(%start : tensor<1x8xf32>) -> tensor<1x8xf32>
  %2 = linalg.matmul ins(%arg2, %weights : tensor<1x64xf32>, tensor<64x8xf32>) outs(%arg4 : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %0, %1, %2 : tensor<9x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>
}
// CHECK-LABEL:   func.func @others
// CHECK-COUNT-3: linalg.matmul
