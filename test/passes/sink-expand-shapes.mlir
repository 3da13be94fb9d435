// RUN: torch-refine-opt %s --sink-expand-shapes | filecheck %s

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2)>
#batch = affine_map<(d0, d1, d2) -> (d0, d2)>

// One after the other; another operand has all dimensions, too.
func.func @chain(%left: tensor<?x3xf32>, %right: tensor<3x5xf32>, %sums: tensor<?x5xf32>, %bias: tensor<5xf32>, %other: tensor<?x2x5xf32>, %memory: tensor<?x2x5xf32>, %batch: index) -> tensor<?x2x5xf32> {
  %0 = linalg.matmul ins(%left, %right : tensor<?x3xf32>, tensor<3x5xf32>) outs(%sums : tensor<?x5xf32>) -> tensor<?x5xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%batch, 2, 5] : tensor<?x5xf32> into tensor<?x2x5xf32>
  %2 = linalg.generic {indexing_maps = [#all, #columns, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %bias : tensor<?x2x5xf32>, tensor<5xf32>) outs(%memory : tensor<?x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %5 = arith.addf %a, %b : f32
    linalg.yield %5 : f32
  } -> tensor<?x2x5xf32>
  %3 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %other : tensor<?x2x5xf32>, tensor<?x2x5xf32>) outs(%memory : tensor<?x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %5 = arith.mulf %a, %b : f32
    linalg.yield %5 : f32
  } -> tensor<?x2x5xf32>
  return %3 : tensor<?x2x5xf32>
}
// CHECK-LABEL: func.func @chain
// CHECK:         %[[PRODUCT:.*]] = linalg.matmul
// CHECK:         %[[FIRST:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[PRODUCT]], %{{.*}} : tensor<?x5xf32>, tensor<5xf32>)
// CHECK:         %[[OTHER:.*]] = tensor.collapse_shape %arg4
// CHECK:         %[[SECOND:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[FIRST]], %[[OTHER]] : tensor<?x5xf32>, tensor<?x5xf32>)
// CHECK:         %[[SEEN:.*]] = tensor.expand_shape %[[SECOND]] {{.*}} : tensor<?x5xf32> into tensor<?x2x5xf32>
// CHECK-NEXT:    return %[[SEEN]]

// An operand is the same along one of the dimensions only.
func.func @apart(%left: tensor<8x3xf32>, %right: tensor<3x5xf32>, %sums: tensor<8x5xf32>, %each: tensor<4x5xf32>, %memory: tensor<4x2x5xf32>) -> tensor<4x2x5xf32> {
  %0 = linalg.matmul ins(%left, %right : tensor<8x3xf32>, tensor<3x5xf32>) outs(%sums : tensor<8x5xf32>) -> tensor<8x5xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 2, 5] : tensor<8x5xf32> into tensor<4x2x5xf32>
  %2 = linalg.generic {indexing_maps = [#all, #batch, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %each : tensor<4x2x5xf32>, tensor<4x5xf32>) outs(%memory : tensor<4x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %5 = arith.addf %a, %b : f32
    linalg.yield %5 : f32
  } -> tensor<4x2x5xf32>
  return %2 : tensor<4x2x5xf32>
}
// CHECK-LABEL: func.func @apart
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]}

// It looks at where it is.
func.func @place(%left: tensor<8x3xf32>, %right: tensor<3x5xf32>, %sums: tensor<8x5xf32>, %memory: tensor<4x2x5xf32>) -> tensor<4x2x5xf32> {
  %0 = linalg.matmul ins(%left, %right : tensor<8x3xf32>, tensor<3x5xf32>) outs(%sums : tensor<8x5xf32>) -> tensor<8x5xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 2, 5] : tensor<8x5xf32> into tensor<4x2x5xf32>
  %2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x2x5xf32>) outs(%memory : tensor<4x2x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %3 = linalg.index 1 : index
    %4 = arith.index_cast %3 : index to i32
    %5 = arith.sitofp %4 : i32 to f32
    %6 = arith.addf %a, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<4x2x5xf32>
  return %2 : tensor<4x2x5xf32>
}
// CHECK-LABEL: func.func @place
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]}
