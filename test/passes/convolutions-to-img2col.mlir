// RUN: torch-refine-opt %s --convolutions-to-img2col | filecheck %s

func.func @known(%arg0: tensor<2x5x9x9xf32>, %arg1: tensor<7x5x3x3xf32>, %arg2: tensor<2x7x4x4xf32>) -> tensor<2x7x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %arg1 : tensor<2x5x9x9xf32>, tensor<7x5x3x3xf32>) outs(%arg2 : tensor<2x7x4x4xf32>) -> tensor<2x7x4x4xf32>
  return %0 : tensor<2x7x4x4xf32>
}
// CHECK-LABEL: func.func @known
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x45x16xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      torch_refine.product
// CHECK:         tensor.expand_shape

// Not known, or with gaps: they stay.
func.func @other(%arg0: tensor<?x5x9x9xf32>, %arg1: tensor<7x5x3x3xf32>, %arg2: tensor<?x7x7x7xf32>, %arg3: tensor<1x5x9x9xf32>, %arg4: tensor<1x7x5x5xf32>) -> (tensor<?x7x7x7xf32>, tensor<1x7x5x5xf32>) {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<?x5x9x9xf32>, tensor<7x5x3x3xf32>) outs(%arg2 : tensor<?x7x7x7xf32>) -> tensor<?x7x7x7xf32>
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg3, %arg1 : tensor<1x5x9x9xf32>, tensor<7x5x3x3xf32>) outs(%arg4 : tensor<1x7x5x5xf32>) -> tensor<1x7x5x5xf32>
  return %0, %1 : tensor<?x7x7x7xf32>, tensor<1x7x5x5xf32>
}
// CHECK-LABEL: func.func @other
// CHECK-COUNT-2: linalg.conv_2d_nchw_fchw
