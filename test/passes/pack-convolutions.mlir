// RUN: torch-refine-opt %s --pack-convolutions | filecheck %s

// A stride is a factor of the map; channels that fill no panel are left out of the result.

func.func @strides(%arg0: tensor<?x57x57x64xf32>, %arg1: tensor<3x3x64x100xf32>, %arg2: index) -> tensor<?x28x28x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%arg2) : tensor<?x28x28x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x28x28x100xf32>) -> tensor<?x28x28x100xf32>
  %a = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<?x57x57x64xf32>, tensor<3x3x64x100xf32>) outs(%f : tensor<?x28x28x100xf32>) -> tensor<?x28x28x100xf32>
  return %a : tensor<?x28x28x100xf32>
}

// CHECK:       affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d2 * 2 + d4, d3 * 28 + d7 * 2 + d5, d6)>
// CHECK-LABEL: func.func @strides
// CHECK:         linalg.pack %arg1 {{.*}} -> tensor<4x3x3x64x32xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.*}} : tensor<?x28x2x14x4x32xf32>) attrs = {torch_refine.image_product}
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0, 0] [%{{.*}}, 28, 28, 100]

// What is added to, and columns of which nobody says that they fill tiles, are left alone.

func.func @others(%arg0: tensor<1x16x?x8xf32>, %arg1: tensor<3x3x8x8xf32>, %arg2: tensor<1x14x?x8xf32>, %arg3: tensor<1x16x16x8xf32>, %arg4: tensor<1x14x14x8xf32>) -> (tensor<1x14x?x8xf32>, tensor<1x14x14x8xf32>) {
  %a = linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : tensor<1x16x?x8xf32>, tensor<3x3x8x8xf32>) outs(%arg2 : tensor<1x14x?x8xf32>) -> tensor<1x14x?x8xf32>
  %b = linalg.conv_2d_nhwc_hwcf ins(%arg3, %arg1 : tensor<1x16x16x8xf32>, tensor<3x3x8x8xf32>) outs(%arg4 : tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
  return %a, %b : tensor<1x14x?x8xf32>, tensor<1x14x14x8xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-NEXT:    linalg.conv_2d_nhwc_hwcf
// CHECK-NEXT:    linalg.conv_2d_nhwc_hwcf

// These fill tiles of eight.

func.func @any_columns(%arg0: tensor<1x16x?x8xf32>, %arg1: tensor<3x3x8x32xf32>, %arg2: index) -> tensor<1x14x?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%arg2) : tensor<1x14x?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x?x32xf32>) -> tensor<1x14x?x32xf32>
  %a = linalg.conv_2d_nhwc_hwcf {torch_refine.widened} ins(%arg0, %arg1 : tensor<1x16x?x8xf32>, tensor<3x3x8x32xf32>) outs(%f : tensor<1x14x?x32xf32>) -> tensor<1x14x?x32xf32>
  return %a : tensor<1x14x?x32xf32>
}

// CHECK-LABEL: func.func @any_columns
// CHECK:         %[[TILES:.*]] = arith.divui
// CHECK:         tensor.empty(%[[TILES]]) : tensor<1x14x?x8x1x32xf32>
// CHECK:         tensor.collapse_shape {{.*}} : tensor<1x14x?x8x1x32xf32> into tensor<1x14x?x32xf32>
