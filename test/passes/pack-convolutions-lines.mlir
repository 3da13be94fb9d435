// RUN: torch-refine-opt %s --set-cpu-target="cpu=znver4" --pack-convolutions | filecheck %s
// RUN: torch-refine-opt %s --set-cpu-target="cpu=znver5" --pack-convolutions | filecheck %s --check-prefix=WHOLE

// Vectors along lines of an image start at any element, so many cross a cache line. A processor that
// executes 512 bits in two steps takes vectors of 256.

// CHECK: lanes = 8 : i64
// WHOLE-NOT: lanes =
// WHOLE: columns = 16 : i64

func.func @depthwise(%arg0: tensor<1x8x58x58xf32>, %arg1: tensor<8x3x3xf32>) -> tensor<1x8x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x56x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x56x56xf32>) -> tensor<1x8x56x56xf32>
  %a = linalg.depthwise_conv_2d_nchw_chw ins(%arg0, %arg1 : tensor<1x8x58x58xf32>, tensor<8x3x3xf32>) outs(%f : tensor<1x8x56x56xf32>) -> tensor<1x8x56x56xf32>
  return %a : tensor<1x8x56x56xf32>
}
