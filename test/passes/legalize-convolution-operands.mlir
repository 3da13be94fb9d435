// RUN: torch-refine-opt %s --set-cpu-target="cpu=sapphirerapids" --legalize-convolution-operands | filecheck %s
// RUN: torch-refine-opt %s --set-cpu-target="cpu=x86-64-v4" --legalize-convolution-operands | filecheck %s --check-prefix=WIDE

// Pairs of channels are multiplied as they are, where the target has the instructions.

func.func @pairs(%a: tensor<1x?x6x4xbf16>, %w: tensor<3x3x4x8xbf16>, %s: tensor<1x?x4x8xf32>) -> tensor<1x?x4x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %w : tensor<1x?x6x4xbf16>, tensor<3x3x4x8xbf16>) outs(%s : tensor<1x?x4x8xf32>) -> tensor<1x?x4x8xf32>
  return %0 : tensor<1x?x4x8xf32>
}

// CHECK-LABEL: func.func @pairs
// CHECK-NEXT:    linalg.conv_2d_nhwc_hwcf {{.*}} ins(%arg0, %arg1 : tensor<1x?x6x4xbf16>
// WIDE-LABEL:  func.func @pairs
// WIDE:          arith.extf %{{.*}} : bf16 to f32
// WIDE:          arith.extf %{{.*}} : bf16 to f32
// WIDE:          linalg.conv_2d_nhwc_hwcf {{.*}} : tensor<1x?x6x4xf32>, tensor<3x3x4x8xf32>)

// An odd number of channels gets another one, of zeros, with the padding that the image has.

func.func @odd(%a: tensor<1x6x6x3xbf16>, %w: tensor<3x3x3x8xbf16>, %s: tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32> {
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<1x6x6x3xbf16> to tensor<1x8x8x3xbf16>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x8x8x3xbf16>, tensor<3x3x3x8xbf16>) outs(%s : tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>
  return %0 : tensor<1x3x3x8xf32>
}

// CHECK-LABEL: func.func @odd
// CHECK:         tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 1]
// CHECK:         tensor.pad %arg1 low[0, 0, 0, 0] high[0, 0, 1, 0]
// CHECK:         linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins({{.*}} : tensor<1x8x8x4xbf16>, tensor<3x3x4x8xbf16>)
// The padding is behind the extension.
// WIDE-LABEL:  func.func @odd
// WIDE:          linalg.generic {{.*}} ins(%arg0
// WIDE:          %[[P:.*]] = tensor.pad %{{.*}} low[0, 1, 1, 0] high[0, 1, 1, 0]
// WIDE:          linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[P]], %{{.*}} : tensor<1x8x8x3xf32>

// Other padding than by zeros, and padding of dynamic size, stays in front.

func.func @ones(%a: tensor<1x6x6x3xbf16>, %w: tensor<3x3x3x8xbf16>, %s: tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32> {
  %one = arith.constant 1.0 : bf16
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : bf16
  } : tensor<1x6x6x3xbf16> to tensor<1x8x8x3xbf16>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x8x8x3xbf16>, tensor<3x3x3x8xbf16>) outs(%s : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %0 : tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func.func @ones
// CHECK:         %[[P:.*]] = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:         tensor.pad %[[P]] low[0, 0, 0, 0] high[0, 0, 0, 1]

// float16 has no such instructions; a depthwise convolution extends vectors as it loads them.

func.func @others(%a: tensor<1x4x6x6x6xf16>, %w: tensor<8x4x3x3x3xf16>, %s: tensor<1x8x4x4x4xf32>, %b: tensor<1x8x9x9xbf16>, %v: tensor<8x3x3xbf16>, %t: tensor<1x8x7x7xf32>) -> (tensor<1x8x4x4x4xf32>, tensor<1x8x7x7xf32>) {
  %0 = linalg.conv_3d_ncdhw_fcdhw ins(%a, %w : tensor<1x4x6x6x6xf16>, tensor<8x4x3x3x3xf16>) outs(%s : tensor<1x8x4x4x4xf32>) -> tensor<1x8x4x4x4xf32>
  %1 = linalg.depthwise_conv_2d_nchw_chw ins(%b, %v : tensor<1x8x9x9xbf16>, tensor<8x3x3xbf16>) outs(%t : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  return %0, %1 : tensor<1x8x4x4x4xf32>, tensor<1x8x7x7xf32>
}

// CHECK-LABEL: func.func @others
// CHECK:         linalg.conv_3d_ncdhw_fcdhw {{.*}} : tensor<1x4x6x6x6xf32>, tensor<8x4x3x3x3xf32>)
// CHECK:         linalg.depthwise_conv_2d_nchw_chw ins({{.*}} : tensor<1x8x9x9xbf16>, tensor<8x3x3xbf16>)
