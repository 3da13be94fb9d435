// RUN: torch-refine-opt %s --pointwise-convolutions-to-matmul | filecheck %s

// One image is a matmul; a batch is a contraction, whose weights are the same for all. What is added to
// the sums is added behind it.

// CHECK:       #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-LABEL: func.func @one
// CHECK:         %[[W1:.*]] = tensor.collapse_shape %arg1 {{\[\[0\], \[1, 2, 3\]\]}} : tensor<8x3x1x1xf32> into tensor<8x3xf32>
// CHECK:         %[[X1:.*]] = tensor.collapse_shape %arg0 {{\[\[0, 1\], \[2, 3\]\]}} : tensor<1x3x16x16xf32> into tensor<3x256xf32>
// CHECK:         linalg.matmul ins(%[[W1]], %[[X1]] : tensor<8x3xf32>, tensor<3x256xf32>)
// CHECK:         tensor.expand_shape
// CHECK:         arith.addf

func.func @one(%a: tensor<1x3x16x16xf32>, %w: tensor<8x3x1x1xf32>, %s: tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%a, %w : tensor<1x3x16x16xf32>, tensor<8x3x1x1xf32>) outs(%s : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  return %0 : tensor<1x8x16x16xf32>
}

// CHECK-LABEL: func.func @batch
// CHECK:         linalg.contract indexing_maps = [#[[W]], {{.*}}] ins({{.*}} : tensor<8x3xf32>, tensor<?x3x?xf32>)
// CHECK-NOT:     arith.addf

func.func @batch(%a: tensor<?x3x?x16xf32>, %w: tensor<8x3x1x1xf32>, %n: index, %h: index) -> tensor<?x8x?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n, %h) : tensor<?x8x?x16xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x?x16xf32>) -> tensor<?x8x?x16xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%a, %w : tensor<?x3x?x16xf32>, tensor<8x3x1x1xf32>) outs(%s : tensor<?x8x?x16xf32>) -> tensor<?x8x?x16xf32>
  return %0 : tensor<?x8x?x16xf32>
}

// Small images, strides, other windows and 16-bit floats are for channels last.

// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: linalg.conv_2d_nchw_fchw

func.func @others(%a: tensor<1x3x15x15xf32>, %b: tensor<1x3x32x32xf32>, %h: tensor<1x3x32x32xbf16>, %w: tensor<8x3x1x1xf32>, %v: tensor<8x3x3x3xf32>, %u: tensor<8x3x1x1xbf16>, %s: tensor<1x8x15x15xf32>, %t: tensor<1x8x16x16xf32>, %r: tensor<1x8x30x30xf32>, %q: tensor<1x8x32x32xf32>) {
  %0 = linalg.conv_2d_nchw_fchw ins(%a, %w : tensor<1x3x15x15xf32>, tensor<8x3x1x1xf32>) outs(%s : tensor<1x8x15x15xf32>) -> tensor<1x8x15x15xf32>
  %1 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%b, %w : tensor<1x3x32x32xf32>, tensor<8x3x1x1xf32>) outs(%t : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%b, %v : tensor<1x3x32x32xf32>, tensor<8x3x3x3xf32>) outs(%r : tensor<1x8x30x30xf32>) -> tensor<1x8x30x30xf32>
  %3 = linalg.conv_2d_nchw_fchw ins(%h, %u : tensor<1x3x32x32xbf16>, tensor<8x3x1x1xbf16>) outs(%q : tensor<1x8x32x32xf32>) -> tensor<1x8x32x32xf32>
  return
}
