// RUN: torch-refine-opt %s --outline-kernels | filecheck %s

// Two views of memory that nothing was written to are memory of their own each: a kernel that gets
// both writes to both.
func.func @views(%arg0: tensor<1x?xf32>, %size: index) -> tensor<1x?xf32> {
  %empty = tensor.empty(%size) : tensor<?xf32>
  %one = tensor.expand_shape %empty [[0, 1]] output_shape [1, %size] : tensor<?xf32> into tensor<1x?xf32>
  %other = tensor.expand_shape %empty [[0, 1]] output_shape [1, %size] : tensor<?xf32> into tensor<1x?xf32>
  %0 = linalg.exp ins(%arg0 : tensor<1x?xf32>) outs(%one : tensor<1x?xf32>) -> tensor<1x?xf32>
  %1 = linalg.add ins(%0, %arg0 : tensor<1x?xf32>, tensor<1x?xf32>) outs(%other : tensor<1x?xf32>) -> tensor<1x?xf32>
  return %1 : tensor<1x?xf32>
}
// CHECK-LABEL: func.func @views
// CHECK-NOT:     tensor.expand_shape
// CHECK:         %[[ONE:.*]] = tensor.empty(%arg1) : tensor<1x?xf32>
// CHECK-NOT:     tensor.expand_shape
// CHECK:         call @{{.*}}, %[[ONE]])
