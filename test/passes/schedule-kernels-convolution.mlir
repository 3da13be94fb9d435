// RUN: torch-refine-opt %s --split-input-file --schedule-kernels | filecheck %s

// Sums of 8 channels and 16 columns stay in a vector over three loops.

func.func private @kernel(%arg0: tensor<1x4x10x34xf32>, %arg1: tensor<8x4x3x3xf32>, %arg2: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> attributes {torch_refine.kernel = "convolution"} {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x4x10x34xf32>, tensor<8x4x3x3xf32>) outs(%arg2 : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// CHECK-LABEL:   func.func private @kernel
// CHECK-COUNT-3: scf.for {{.*}} -> (vector<8x16xf32>)

// -----

// No vector divides rows of 31: the columns become the innermost loop.

func.func private @kernel(%arg0: tensor<1x4x10x33xf32>, %arg1: tensor<8x4x3x3xf32>, %arg2: tensor<1x8x8x31xf32>) -> tensor<1x8x8x31xf32> attributes {torch_refine.kernel = "convolution"} {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x4x10x33xf32>, tensor<8x4x3x3xf32>) outs(%arg2 : tensor<1x8x8x31xf32>) -> tensor<1x8x8x31xf32>
  return %0 : tensor<1x8x8x31xf32>
}

// CHECK-LABEL: func.func private @kernel
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel"]
