// RUN: torch-refine-opt %s --split-input-file --pack-convolutions --outline-kernels --schedule-kernels | filecheck %s

// The sums of 6 columns by 16 channels stay in vectors over three loops, whatever the stride is.

func.func @strides(%arg0: tensor<?x57x57x64xf32>, %arg1: tensor<3x3x64x128xf32>, %arg2: index) -> tensor<?x28x28x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%arg2) : tensor<?x28x28x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
  %a = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<?x57x57x64xf32>, tensor<3x3x64x128xf32>) outs(%f : tensor<?x28x28x128xf32>) -> tensor<?x28x28x128xf32>
  return %a : tensor<?x28x28x128xf32>
}

// CHECK-LABEL:    func.func private @contraction_
// CHECK-COUNT-3:    %{{.*}}:12 = scf.for
// CHECK-COUNT-2:    vector.transfer_read {{.*}} vector<8xf32>
// CHECK-COUNT-6:    tensor.extract
// CHECK-COUNT-12:   vector.transfer_write

// -----

// Where there is something to add to, the channels become the innermost loop.

func.func @plain(%arg0: tensor<1x16x?x8xf32>, %arg1: tensor<3x3x8x8xf32>, %arg2: tensor<1x14x?x8xf32>) -> tensor<1x14x?x8xf32> {
  %a = linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : tensor<1x16x?x8xf32>, tensor<3x3x8x8xf32>) outs(%arg2 : tensor<1x14x?x8xf32>) -> tensor<1x14x?x8xf32>
  return %a : tensor<1x14x?x8xf32>
}

// CHECK-LABEL: func.func private @windows_
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel"]

// -----

// A transpose goes block by block, each in registers; where a block of unknown sizes is cut off, it is
// masked.

func.func @transposed(%arg0: tensor<1x64x56x?xf32>, %arg1: tensor<1x56x?x64xf32>) -> tensor<1x56x?x64xf32> {
  %a = linalg.transpose ins(%arg0 : tensor<1x64x56x?xf32>) outs(%arg1 : tensor<1x56x?x64xf32>) permutation = [0, 2, 3, 1]
  return %a : tensor<1x56x?x64xf32>
}

// CHECK-LABEL:   func.func private @transposes_
// CHECK-COUNT-4:   scf.for
// CHECK:             %[[MASK:.*]] = vector.create_mask {{.*}} : vector<1x8x1x8xi1>
// CHECK:             vector.mask %[[MASK]] { vector.transfer_read {{.*}}vector<1x1x8x8xf32>
// CHECK:             vector.transfer_write

// -----

// Short dimensions of the source are read as one; the last squares overlap those before them, and
// their rows go where they belong.

func.func @short(%arg0: tensor<64x5x3xf32>, %arg1: tensor<3x5x64xf32>) -> tensor<3x5x64xf32> {
  %a = linalg.transpose ins(%arg0 : tensor<64x5x3xf32>) outs(%arg1 : tensor<3x5x64xf32>) permutation = [2, 1, 0]
  return %a : tensor<3x5x64xf32>
}

// CHECK-LABEL:   func.func private @transposes_
// CHECK:           tensor.collapse_shape {{.*}} into tensor<64x15xf32>
// CHECK-COUNT-2:   scf.for
// CHECK:             arith.minui
// CHECK-COUNT-8:     vector.transfer_read {{.*}} vector<8xf32>
// CHECK-COUNT-24:    vector.shuffle
// CHECK-COUNT-8:     vector.transfer_write {{.*}} tensor<3x5x64xf32>

// -----

// Short dimensions of the result are written as one.

func.func @short_result(%arg0: tensor<3x5x64xf32>, %arg1: tensor<64x5x3xf32>) -> tensor<64x5x3xf32> {
  %a = linalg.transpose ins(%arg0 : tensor<3x5x64xf32>) outs(%arg1 : tensor<64x5x3xf32>) permutation = [2, 1, 0]
  return %a : tensor<64x5x3xf32>
}

// CHECK-LABEL:   func.func private @transposes_
// CHECK:           tensor.collapse_shape {{.*}} into tensor<64x15xf32>
// CHECK-COUNT-2:   scf.for
// CHECK-COUNT-8:     vector.transfer_read {{.*}} tensor<3x5x64xf32>, vector<8xf32>
// CHECK-COUNT-8:     vector.transfer_write {{.*}} tensor<64x15xf32>
// CHECK:           tensor.expand_shape {{.*}} into tensor<64x5x3xf32>

// -----

// Weights with their columns first are packed by squares, all other dimensions read as one. Their last
// panel ends with zeros.

func.func @panels(%arg0: tensor<32x5x3x3xf32>, %arg1: tensor<2x3x3x5x24xf32>) -> tensor<2x3x3x5x24xf32> {
  %zero = arith.constant 0.0 : f32
  %a = linalg.pack %arg0 padding_value(%zero : f32) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [0] inner_tiles = [24] into %arg1 : tensor<32x5x3x3xf32> -> tensor<2x3x3x5x24xf32>
  return %a : tensor<2x3x3x5x24xf32>
}

// CHECK-LABEL:   func.func private @packing_
// CHECK:           tensor.collapse_shape {{.*}} into tensor<32x45xf32>
// CHECK:           scf.for
// CHECK:             arith.minui
// CHECK-COUNT-24:    vector.transfer_read {{.*}} tensor<32x45xf32>, vector<8xf32>
// CHECK:           scf.for
// CHECK-COUNT-8:     vector.transfer_read {{.*}} tensor<32x45xf32>, vector<8xf32>
// CHECK-COUNT-16:    vector.transfer_write %cst
// CHECK-NOT:         vector.transfer_read

// -----

// Other padding is left to the schedule.

func.func @padded(%arg0: tensor<32x40xf32>, %arg1: tensor<2x40x24xf32>) -> tensor<2x40x24xf32> {
  %one = arith.constant 1.0 : f32
  %a = linalg.pack %arg0 padding_value(%one : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [24] into %arg1 : tensor<32x40xf32> -> tensor<2x40x24xf32>
  return %a : tensor<2x40x24xf32>
}

// CHECK-LABEL:   func.func private @packing_
// CHECK:           tensor.pad
// CHECK-NOT:       vector.shuffle
