// RUN: torch-refine-opt %s --batch-matmul-to-contract --split-input-file | filecheck %s

// Sizes that are not known: the operand's own batch is taken where one size of it is missing.
func.func @unknown(%arg0: tensor<?x8x?x64xf32>, %arg1: tensor<?x64x?xf32>, %batch: index, %rows: index, %columns: index) -> tensor<?x8x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %all = arith.muli %batch, %c8 : index
  %0 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<?x8x?x64xf32> into tensor<?x?x64xf32>
  %1 = tensor.empty(%all, %rows, %columns) : tensor<?x?x?xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %3 = linalg.batch_matmul ins(%0, %arg1 : tensor<?x?x64xf32>, tensor<?x64x?xf32>) outs(%2 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %4 = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [%batch, 8, %rows, %columns] : tensor<?x?x?xf32> into tensor<?x8x?x?xf32>
  return %4 : tensor<?x8x?x?xf32>
}
// CHECK-LABEL: func.func @unknown
// CHECK:         %[[RIGHT:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2], [3]] output_shape [%arg2, 8, 64, %{{.*}}] : tensor<?x64x?xf32> into tensor<?x8x64x?xf32>
// CHECK:         linalg.contract {{.*}} ins(%arg0, %[[RIGHT]] : tensor<?x8x?x64xf32>, tensor<?x8x64x?xf32>)

// -----

// The other way round: an operand's batch of 8 x 4 is not the result's of 4 x 8.
func.func @other_split(%arg0: tensor<8x4x16x64xf32>, %arg1: tensor<32x64x16xf32>) -> tensor<4x8x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<8x4x16x64xf32> into tensor<32x16x64xf32>
  %1 = tensor.empty() : tensor<32x16x16xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<32x16x16xf32>) -> tensor<32x16x16xf32>
  %3 = linalg.batch_matmul ins(%0, %arg1 : tensor<32x16x64xf32>, tensor<32x64x16xf32>) outs(%2 : tensor<32x16x16xf32>) -> tensor<32x16x16xf32>
  %4 = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [4, 8, 16, 16] : tensor<32x16x16xf32> into tensor<4x8x16x16xf32>
  return %4 : tensor<4x8x16x16xf32>
}
// CHECK-LABEL: func.func @other_split
// CHECK:         %[[ALL:.*]] = tensor.collapse_shape %arg0
// CHECK:         %[[LEFT:.*]] = tensor.expand_shape %[[ALL]] {{\[\[}}0, 1], [2], [3]] output_shape [4, 8, 16, 64]
// CHECK:         linalg.contract {{.*}} ins(%[[LEFT]]

// -----

// What is used as it is stays, and so does what is split otherwise.
func.func @kept(%arg0: tensor<6x4x8xf32>, %arg1: tensor<6x8x4xf32>) -> (tensor<6x4x4xf32>, tensor<2x3x4x4xf32>, tensor<6x2x2x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<6x4x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
  %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<6x4x8xf32>, tensor<6x8x4xf32>) outs(%1 : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2], [3]] output_shape [2, 3, 4, 4] : tensor<6x4x4xf32> into tensor<2x3x4x4xf32>
  %4 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<6x4x8xf32>, tensor<6x8x4xf32>) outs(%1 : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
  %5 = tensor.expand_shape %4 [[0], [1, 2], [3]] output_shape [6, 2, 2, 4] : tensor<6x4x4xf32> into tensor<6x2x2x4xf32>
  return %2, %3, %5 : tensor<6x4x4xf32>, tensor<2x3x4x4xf32>, tensor<6x2x2x4xf32>
}
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     linalg.contract
