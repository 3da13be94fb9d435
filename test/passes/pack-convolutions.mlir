// RUN: torch-refine-opt %s --pack-convolutions | filecheck %s

// A stride is a factor of the map; channels that fill no panel are left out of the result.

func.func @strides(%arg0: tensor<?x57x57x64xf32>, %arg1: tensor<3x3x64x100xf32>, %arg2: index) -> tensor<?x28x28x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%arg2) : tensor<?x28x28x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x28x28x100xf32>) -> tensor<?x28x28x100xf32>
  %a = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<?x57x57x64xf32>, tensor<3x3x64x100xf32>) outs(%f : tensor<?x28x28x100xf32>) -> tensor<?x28x28x100xf32>
  return %a : tensor<?x28x28x100xf32>
}

// CHECK:       affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>
// CHECK-LABEL: func.func @strides
// CHECK:         linalg.pack %arg1 {{.*}} -> tensor<7x3x3x64x16xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.*}} : tensor<?x28x28x7x16xf32>) attrs = {torch_refine.contraction = {{{.*}}columns = 16 : i64{{.*}}rows = 6 : i64{{.*}}}}
// CHECK:         linalg.unpack {{.*}} -> tensor<?x28x28x100xf32>

// What is added to something is left alone.

func.func @others(%arg0: tensor<1x16x?x8xf32>, %arg1: tensor<3x3x8x8xf32>, %arg2: tensor<1x14x?x8xf32>, %arg3: tensor<1x16x16x8xf32>, %arg4: tensor<1x14x14x8xf32>) -> (tensor<1x14x?x8xf32>, tensor<1x14x14x8xf32>) {
  %a = linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : tensor<1x16x?x8xf32>, tensor<3x3x8x8xf32>) outs(%arg2 : tensor<1x14x?x8xf32>) -> tensor<1x14x?x8xf32>
  %b = linalg.conv_2d_nhwc_hwcf ins(%arg3, %arg1 : tensor<1x16x16x8xf32>, tensor<3x3x8x8xf32>) outs(%arg4 : tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
  return %a, %b : tensor<1x14x?x8xf32>, tensor<1x14x14x8xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-NEXT:    linalg.conv_2d_nhwc_hwcf
// CHECK-NEXT:    linalg.conv_2d_nhwc_hwcf

// Columns may be unknown; a schedule that is given is kept.

func.func @any_columns(%arg0: tensor<1x16x?x8xf32>, %arg1: tensor<3x3x8x32xf32>, %arg2: index) -> tensor<1x14x?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%arg2) : tensor<1x14x?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x?x32xf32>) -> tensor<1x14x?x32xf32>
  %a = linalg.conv_2d_nhwc_hwcf {torch_refine.contraction = {rows = 3 : i64, columns = 24 : i64}} ins(%arg0, %arg1 : tensor<1x16x?x8xf32>, tensor<3x3x8x32xf32>) outs(%f : tensor<1x14x?x32xf32>) -> tensor<1x14x?x32xf32>
  return %a : tensor<1x14x?x32xf32>
}

// CHECK-LABEL: func.func @any_columns
// CHECK:         linalg.generic
// CHECK-SAME:      torch_refine.contraction = {{{.*}}columns = 24 : i64{{.*}}rows = 3 : i64
// CHECK:         linalg.unpack {{.*}} : tensor<1x14x?x2x24xf32> -> tensor<1x14x?x32xf32>

// A depthwise one reads vectors of the image, in three dimensions weights are packed as in two, and
// the groups of an image are apart.

func.func @depthwise(%arg0: tensor<1x8x9x9xf32>, %arg1: tensor<8x3x3xf32>) -> tensor<1x8x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  %a = linalg.depthwise_conv_2d_nchw_chw ins(%arg0, %arg1 : tensor<1x8x9x9xf32>, tensor<8x3x3xf32>) outs(%f : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  return %a : tensor<1x8x7x7xf32>
}

// CHECK-LABEL: func.func @depthwise
// CHECK-NOT:     linalg.pack
// CHECK:         linalg.generic
// CHECK-SAME:      torch_refine.contraction

func.func @volume(%arg0: tensor<1x4x8x9x9xf32>, %arg1: tensor<6x4x3x3x3xf32>) -> tensor<1x6x6x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x7x7xf32>) -> tensor<1x6x6x7x7xf32>
  %a = linalg.conv_3d_ncdhw_fcdhw ins(%arg0, %arg1 : tensor<1x4x8x9x9xf32>, tensor<6x4x3x3x3xf32>) outs(%f : tensor<1x6x6x7x7xf32>) -> tensor<1x6x6x7x7xf32>
  return %a : tensor<1x6x6x7x7xf32>
}

// CHECK-LABEL: func.func @volume
// CHECK:         linalg.pack %arg1 {{.*}} -> tensor<1x3x3x3x4x8xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      torch_refine.contraction
// CHECK:         linalg.transpose {{.*}} permutation = [0, 4, 1, 2, 3]

func.func private @convolve(%a0: tensor<1x9x9x8xf32>, %a1: tensor<2x6x4x3x3xf32>, %a2: tensor<1x7x7x12xf32>) -> tensor<1x7x7x12xf32> attributes {no_inline} {
  return %a2 : tensor<1x7x7x12xf32>
}
func.func @groups(%arg0: tensor<1x9x9x8xf32>, %arg1: tensor<2x6x4x3x3xf32>, %arg2: tensor<1x7x7x12xf32>) -> tensor<1x7x7x12xf32> {
  %0 = call @convolve(%arg0, %arg1, %arg2) {dilations = array<i64: 1, 1>, strides = array<i64: 1, 1>, torch_refine.grouped_convolution} : (tensor<1x9x9x8xf32>, tensor<2x6x4x3x3xf32>, tensor<1x7x7x12xf32>) -> tensor<1x7x7x12xf32>
  return %0 : tensor<1x7x7x12xf32>
}

// CHECK-NOT:   @convolve
// CHECK-LABEL: func.func @groups
// CHECK:         linalg.pack %arg1 {{.*}} -> tensor<2x1x3x3x4x8xf32>
// CHECK:         tensor.expand_shape %arg0 {{.*}} output_shape [1, 9, 9, 2, 4]
// CHECK:         linalg.generic
// CHECK-SAME:      torch_refine.contraction
// CHECK:         tensor.collapse_shape {{.*}} : tensor<1x7x7x2x6xf32> into tensor<1x7x7x12xf32>

// Weights whose columns come first are packed as they are, not transposed before.

func.func @weights(%arg0: tensor<1x9x9x8xf32>, %arg1: tensor<32x8x3x3xf32>) -> tensor<1x7x7x32xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<3x3x8x32xf32>
  %w = linalg.transpose ins(%arg1 : tensor<32x8x3x3xf32>) outs(%t : tensor<3x3x8x32xf32>) permutation = [2, 3, 1, 0]
  %e = tensor.empty() : tensor<1x7x7x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %a = linalg.conv_2d_nhwc_hwcf ins(%arg0, %w : tensor<1x9x9x8xf32>, tensor<3x3x8x32xf32>) outs(%f : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %a : tensor<1x7x7x32xf32>
}

// CHECK-LABEL: func.func @weights
// CHECK:         linalg.pack %arg1 {{.*}} outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [0] {{.*}} tensor<32x8x3x3xf32>

// Halves have no squares.

func.func @halves(%arg0: tensor<1x9x9x8xf16>, %arg1: tensor<32x8x3x3xf16>) -> tensor<1x7x7x32xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<3x3x8x32xf16>
  %w = linalg.transpose ins(%arg1 : tensor<32x8x3x3xf16>) outs(%t : tensor<3x3x8x32xf16>) permutation = [2, 3, 1, 0]
  %e = tensor.empty() : tensor<1x7x7x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %a = linalg.conv_2d_nhwc_hwcf ins(%arg0, %w : tensor<1x9x9x8xf16>, tensor<3x3x8x32xf16>) outs(%f : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %a : tensor<1x7x7x32xf32>
}

// CHECK-LABEL: func.func @halves
// CHECK:         %[[TRANSPOSED:.*]] = linalg.transpose
// CHECK:         linalg.pack %[[TRANSPOSED]] {{.*}} outer_dims_perm = [3, 0, 1, 2]
