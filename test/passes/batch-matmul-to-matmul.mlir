// RUN: torch-refine-opt %s --batch-matmul-to-matmul | filecheck %s

#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#matrix = affine_map<(d0, d1, d2) -> (d1, d2)>
#one = affine_map<(d0, d1, d2) -> (d0, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// The matrix is repeated and turned around. How large the batch is, nobody knows.
func.func @turned(%arg0: tensor<?x2x3xf16>, %arg1: tensor<5x3xf16>, %arg2: tensor<?x2x5xf32>, %arg3: tensor<?x3x5xf16>) -> tensor<?x2x5xf32> {
  %0 = linalg.generic {indexing_maps = [#columns, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<5x3xf16>) outs(%arg3 : tensor<?x3x5xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<?x3x5xf16>
  %1 = linalg.batch_matmul ins(%arg0, %0 : tensor<?x2x3xf16>, tensor<?x3x5xf16>) outs(%arg2 : tensor<?x2x5xf32>) -> tensor<?x2x5xf32>
  return %1 : tensor<?x2x5xf32>
}
// CHECK-LABEL: func.func @turned
// CHECK:         %[[MATRIX:.*]] = linalg.transpose ins(%arg1 : tensor<5x3xf16>)
// CHECK:         %[[ROWS:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<?x2x3xf16> into tensor<?x3xf16>
// CHECK:         %[[SUMS:.*]] = tensor.collapse_shape %arg2 {{.*}} into tensor<?x5xf32>
// CHECK:         %[[PRODUCT:.*]] = linalg.matmul ins(%[[ROWS]], %[[MATRIX]] : tensor<?x3xf16>, tensor<3x5xf16>) outs(%[[SUMS]] : tensor<?x5xf32>)
// CHECK:         %[[BATCH:.*]] = tensor.dim %arg2
// CHECK:         tensor.expand_shape %[[PRODUCT]] {{\[\[}}0, 1], [2]] output_shape [%[[BATCH]], 2, 5]

// Each matrix of the batch meets another one.
func.func @different(%arg0: tensor<4x2x3xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<4x2x5xf32>, %arg3: tensor<4x3x5xf32>) -> tensor<4x2x5xf32> {
  %0 = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<4x5xf32>) outs(%arg3 : tensor<4x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3x5xf32>
  %1 = linalg.batch_matmul ins(%arg0, %0 : tensor<4x2x3xf32>, tensor<4x3x5xf32>) outs(%arg2 : tensor<4x2x5xf32>) -> tensor<4x2x5xf32>
  return %1 : tensor<4x2x5xf32>
}
// CHECK-LABEL: func.func @different
// CHECK:         linalg.batch_matmul

// What is repeated is changed, too.
func.func @changed(%arg0: tensor<4x2x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<4x2x5xf32>, %arg3: tensor<4x3x5xf32>) -> tensor<4x2x5xf32> {
  %0 = linalg.generic {indexing_maps = [#matrix, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x5xf32>) outs(%arg3 : tensor<4x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.negf %in : f32
    linalg.yield %2 : f32
  } -> tensor<4x3x5xf32>
  %1 = linalg.batch_matmul ins(%arg0, %0 : tensor<4x2x3xf32>, tensor<4x3x5xf32>) outs(%arg2 : tensor<4x2x5xf32>) -> tensor<4x2x5xf32>
  return %1 : tensor<4x2x5xf32>
}
// CHECK-LABEL: func.func @changed
// CHECK:         linalg.batch_matmul
