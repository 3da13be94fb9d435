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

// Gaps, groups and volumes are read by other maps.
func.func @gaps(%arg0: tensor<1x5x9x9xf32>, %arg1: tensor<7x5x3x3xf32>, %arg2: tensor<1x7x5x5xf32>) -> tensor<1x7x5x5xf32> {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x5x9x9xf32>, tensor<7x5x3x3xf32>) outs(%arg2 : tensor<1x7x5x5xf32>) -> tensor<1x7x5x5xf32>
  return %0 : tensor<1x7x5x5xf32>
}
// CHECK-LABEL: func.func @gaps
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x45x25xf32>)
// CHECK:         linalg.generic {{.*}} attrs = {torch_refine.product}

func.func @groups(%arg0: tensor<2x3x4x9x9xf16>, %arg1: tensor<3x8x4x3x3xf16>, %arg2: tensor<2x3x8x7x7xf32>) -> tensor<2x3x8x7x7xf32> {
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<2x3x4x9x9xf16>, tensor<3x8x4x3x3xf16>) outs(%arg2 : tensor<2x3x8x7x7xf32>) -> tensor<2x3x8x7x7xf32>
  return %0 : tensor<2x3x8x7x7xf32>
}
// CHECK-LABEL: func.func @groups
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x36x49xf16>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x8x36xf16>, tensor<2x3x36x49xf16>) outs(%{{.*}} : tensor<2x3x8x49xf32>)
// CHECK-SAME:      torch_refine.product
// CHECK:           arith.extf
// CHECK:         tensor.expand_shape {{.*}} into tensor<2x3x8x7x7xf32>

func.func @volumes(%arg0: tensor<1x2x5x6x7xf32>, %arg1: tensor<8x2x3x3x3xf32>, %arg2: tensor<1x8x3x4x5xf32>) -> tensor<1x8x3x4x5xf32> {
  %0 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : vector<3xi64>, strides = dense<1> : vector<3xi64>} ins(%arg0, %arg1 : tensor<1x2x5x6x7xf32>, tensor<8x2x3x3x3xf32>) outs(%arg2 : tensor<1x8x3x4x5xf32>) -> tensor<1x8x3x4x5xf32>
  return %0 : tensor<1x8x3x4x5xf32>
}
// CHECK-LABEL: func.func @volumes
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x54x60xf32>)
// CHECK:         linalg.generic {{.*}} attrs = {torch_refine.product}

// Sizes that are not known, and groups of few filters: they stay.
func.func @other(%arg0: tensor<?x5x9x9xf32>, %arg1: tensor<7x5x3x3xf32>, %arg2: tensor<?x7x7x7xf32>, %arg3: tensor<1x5x1x9x9xf32>, %arg4: tensor<5x1x1x3x3xf32>, %arg5: tensor<1x5x1x7x7xf32>) -> (tensor<?x7x7x7xf32>, tensor<1x5x1x7x7xf32>) {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<?x5x9x9xf32>, tensor<7x5x3x3xf32>) outs(%arg2 : tensor<?x7x7x7xf32>) -> tensor<?x7x7x7xf32>
  %1 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg3, %arg4 : tensor<1x5x1x9x9xf32>, tensor<5x1x1x3x3xf32>) outs(%arg5 : tensor<1x5x1x7x7xf32>) -> tensor<1x5x1x7x7xf32>
  return %0, %1 : tensor<?x7x7x7xf32>, tensor<1x5x1x7x7xf32>
}
// CHECK-LABEL: func.func @other
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK:         linalg.conv_2d_ngchw_gfchw
