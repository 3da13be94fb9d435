// RUN: torch-refine-opt %s --simplify-reshapes --split-input-file | filecheck %s

// The size of the first dimension is asserted to be that of another tensor, by which it is split.
func.func @asserted(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?x5xf32>) -> tensor<?x8x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %batch = tensor.dim %arg1, %c0 : tensor<?x5xf32>
  %all = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
  %rows = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
  %columns = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
  %product = arith.muli %batch, %c8 : index
  %equal = arith.cmpi eq, %product, %all : index
  cf.assert %equal, "a view has another number of elements"
  %0 = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<?x?x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2, 3]] output_shape [%batch, 8, %rows, %columns] : tensor<?xf32> into tensor<?x8x?x?xf32>
  return %1 : tensor<?x8x?x?xf32>
}
// CHECK-LABEL: func.func @asserted
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         tensor.expand_shape %arg0 {{\[\[}}0, 1], [2], [3]]

// -----

// Without the assertion nothing is known.
func.func @unknown(%arg0: tensor<?x?x?xf32>, %batch: index, %rows: index, %columns: index) -> tensor<?x8x?x?xf32> {
  %0 = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<?x?x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2, 3]] output_shape [%batch, 8, %rows, %columns] : tensor<?xf32> into tensor<?x8x?x?xf32>
  return %1 : tensor<?x8x?x?xf32>
}
// CHECK-LABEL: func.func @unknown
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.expand_shape

// -----

// An assertion that comes later says nothing of what is before it.
func.func @later(%arg0: tensor<?x?xf32>, %rows: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %arg0, %c1 : tensor<?x?xf32>
  %0 = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%rows, %columns] : tensor<?xf32> into tensor<?x?xf32>
  %equal = arith.cmpi eq, %size, %rows : index
  cf.assert %equal, "other rows"
  return %1 : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @later
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.expand_shape

// -----

// Twice the same shape: the tensor itself. What its type does not know is cast.
func.func @same(%arg0: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %arg0, %c0 : tensor<?x4xf32>
  %0 = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%rows, 4] : tensor<?xf32> into tensor<?x4xf32>
  %2 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [%rows, %c1, 4] : tensor<?xf32> into tensor<?x?x4xf32>
  return %1, %2 : tensor<?x4xf32>, tensor<?x?x4xf32>
}
// CHECK-LABEL: func.func @same
// CHECK:         %[[CAST:.*]] = tensor.cast %arg0 : tensor<?x4xf32> to tensor<?x?xf32>
// CHECK:         %[[UNIT:.*]] = tensor.expand_shape %[[CAST]] {{\[\[}}0], [1, 2]]
// CHECK:         return %arg0, %[[UNIT]]

// -----

// What is transposed in between is not a reshape of the whole.
func.func @mixed(%arg0: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %arg0, %c0 : tensor<?x6xf32>
  %0 = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x6xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [2, %rows, 3] : tensor<?xf32> into tensor<2x?x3xf32>
  return %1 : tensor<2x?x3xf32>
}
// CHECK-LABEL: func.func @mixed
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.expand_shape
