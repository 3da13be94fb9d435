// RUN: torch-refine-opt %s --channels-last --canonicalize --cse | filecheck %s

// What lies between two convolutions is turned with them; padding takes its place along.

func.func @between(%arg0: tensor<?x8x16x16xf32>, %arg1: tensor<8x8x3x3xf32>, %arg2: tensor<?x8x14x14xf32>, %arg3: tensor<8xf32>) -> tensor<?x8x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %arg0, %c0 : tensor<?x8x16x16xf32>
  %e = tensor.empty(%n) : tensor<?x8x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x14x14xf32>) -> tensor<?x8x14x14xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<?x8x16x16xf32>, tensor<8x8x3x3xf32>) outs(%f : tensor<?x8x14x14xf32>) -> tensor<?x8x14x14xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %arg3 : tensor<?x8x14x14xf32>, tensor<8xf32>) outs(%e : tensor<?x8x14x14xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %k : f32
    linalg.yield %t : f32
  } -> tensor<?x8x14x14xf32>
  %p = tensor.pad %b low[0, 0, 1, 2] high[0, 0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<?x8x14x14xf32> to tensor<?x8x16x16xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %arg1 : tensor<?x8x16x16xf32>, tensor<8x8x3x3xf32>) outs(%f : tensor<?x8x14x14xf32>) -> tensor<?x8x14x14xf32>
  return %c : tensor<?x8x14x14xf32>
}

// CHECK:       #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK:       #[[CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-LABEL: func.func @between
// CHECK:         linalg.transpose ins(%arg0 {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         linalg.transpose ins(%arg1 {{.*}} permutation = [2, 3, 1, 0]
// CHECK:         linalg.conv_2d_nhwc_hwcf
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {indexing_maps = [#[[IMAGE]], #[[CHANNEL]], #[[IMAGE]]]
// CHECK:         linalg.index 3
// CHECK:         tensor.pad %{{.*}} low[0, 1, 2, 0] high[0, 1, 0, 0]
// CHECK:         linalg.conv_2d_nhwc_hwcf
// CHECK:         linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return

// What is added is added to the sums.

func.func @columns(%arg0: tensor<1x8x19x19xf32>, %arg1: tensor<8x8x3x3xf32>, %arg2: tensor<1x8x17x17xf32>) -> tensor<1x8x17x17xf32> {
  %a = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<1x8x19x19xf32>, tensor<8x8x3x3xf32>) outs(%arg2 : tensor<1x8x17x17xf32>) -> tensor<1x8x17x17xf32>
  return %a : tensor<1x8x17x17xf32>
}

// CHECK-LABEL: func.func @columns
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.conv_2d_nhwc_hwcf {{.*}} -> tensor<1x17x17x8xf32>
// CHECK:         arith.addf

// Integers stay as they are.

func.func @integers(%arg0: tensor<1x8x16x16xi32>, %arg1: tensor<8x8x3x3xi32>, %arg2: tensor<1x8x14x14xi32>) -> tensor<1x8x14x14xi32> {
  %a = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<1x8x16x16xi32>, tensor<8x8x3x3xi32>) outs(%arg2 : tensor<1x8x14x14xi32>) -> tensor<1x8x14x14xi32>
  return %a : tensor<1x8x14x14xi32>
}

// CHECK-LABEL: func.func @integers
// CHECK-NEXT:    linalg.conv_2d_nchw_fchw

// Sums of 16-bit floats are floats of 32 bits.

func.func @half(%arg0: tensor<1x8x16x16xbf16>, %arg1: tensor<8x8x3x3xbf16>, %arg2: tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32> {
  %a = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<1x8x16x16xbf16>, tensor<8x8x3x3xbf16>) outs(%arg2 : tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32>
  return %a : tensor<1x8x14x14xf32>
}

// CHECK-LABEL: func.func @half
// CHECK:         linalg.conv_2d_nhwc_hwcf {{.*}} : tensor<1x16x16x8xbf16>, tensor<3x3x8x8xbf16>) outs({{.*}} : tensor<1x14x14x8xf32>)

// Columns may be unknown.

func.func @any_columns(%arg0: tensor<1x8x16x?xf32>, %arg1: tensor<32x8x3x3xf32>, %arg2: index) -> tensor<1x32x14x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%arg2) : tensor<1x32x14x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x14x?xf32>) -> tensor<1x32x14x?xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<1x8x16x?xf32>, tensor<32x8x3x3xf32>) outs(%f : tensor<1x32x14x?xf32>) -> tensor<1x32x14x?xf32>
  return %a : tensor<1x32x14x?xf32>
}

// CHECK-LABEL: func.func @any_columns
// CHECK:         linalg.conv_2d_nhwc_hwcf {{.*}} -> tensor<1x14x?x32xf32>

// A convolution of groups takes whole images, as a call that `pack-convolutions` replaces.

func.func @groups(%arg0: tensor<1x8x9x9xf32>, %arg1: tensor<2x6x4x3x3xf32>) -> tensor<1x12x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x6x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x6x7x7xf32>) -> tensor<1x2x6x7x7xf32>
  %a = tensor.expand_shape %arg0 [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 9, 9] : tensor<1x8x9x9xf32> into tensor<1x2x4x9x9xf32>
  %b = linalg.conv_2d_ngchw_gfchw ins(%a, %arg1 : tensor<1x2x4x9x9xf32>, tensor<2x6x4x3x3xf32>) outs(%f : tensor<1x2x6x7x7xf32>) -> tensor<1x2x6x7x7xf32>
  %c = tensor.collapse_shape %b [[0], [1, 2], [3], [4]] : tensor<1x2x6x7x7xf32> into tensor<1x12x7x7xf32>
  return %c : tensor<1x12x7x7xf32>
}

// CHECK-LABEL: func.func @groups
// CHECK:         %[[IMAGE:.*]] = linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         call @grouped_convolution_0(%[[IMAGE]], %arg1, %{{.*}}) {dilations = array<i64: 1, 1>, strides = array<i64: 1, 1>, torch_refine.grouped_convolution} : (tensor<1x9x9x8xf32>, tensor<2x6x4x3x3xf32>, tensor<1x7x7x12xf32>) -> tensor<1x7x7x12xf32>
// CHECK:         linalg.transpose {{.*}} permutation = [0, 3, 1, 2]

// A depthwise one that skips no columns keeps its channels first; what is added is added after it.

func.func @depthwise(%arg0: tensor<1x8x9x9xf32>, %arg1: tensor<8x3x3xf32>, %arg2: tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32> {
  %a = linalg.depthwise_conv_2d_nchw_chw ins(%arg0, %arg1 : tensor<1x8x9x9xf32>, tensor<8x3x3xf32>) outs(%arg2 : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  return %a : tensor<1x8x7x7xf32>
}

// CHECK-LABEL: func.func @depthwise
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.depthwise_conv_2d_nchw_chw
// CHECK:         arith.addf

// Slices of images, and images put into slices, with offsets that are not known.

func.func @slices(%arg0: tensor<1x8x9x9xf32>, %arg1: tensor<4x8x3x3xf32>, %row: index, %rows: index) -> tensor<1x4x?x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<1x8x9x9xf32>, tensor<4x8x3x3xf32>) outs(%f : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  %b = tensor.empty() : tensor<1x4x7x14xf32>
  %c = tensor.insert_slice %a into %b[0, 0, 0, 0] [1, 4, 7, 7] [1, 1, 1, 2] : tensor<1x4x7x7xf32> into tensor<1x4x7x14xf32>
  %d = tensor.insert_slice %a into %c[0, 0, 0, 1] [1, 4, 7, 7] [1, 1, 1, 2] : tensor<1x4x7x7xf32> into tensor<1x4x7x14xf32>
  %g = tensor.extract_slice %d[0, 0, %row, 0] [1, 4, %rows, 14] [1, 1, 1, 1] : tensor<1x4x7x14xf32> to tensor<1x4x?x14xf32>
  return %g : tensor<1x4x?x14xf32>
}

// CHECK-LABEL: func.func @slices
// CHECK:         %[[RESULT:.*]] = linalg.conv_2d_nhwc_hwcf
// CHECK:         %[[MEMORY:.*]] = tensor.empty() : tensor<1x7x14x4xf32>
// CHECK:         %[[EVEN:.*]] = tensor.insert_slice %[[RESULT]] into %[[MEMORY]][0, 0, 0, 0] [1, 7, 7, 4] [1, 1, 2, 1]
// CHECK:         %[[ODD:.*]] = tensor.insert_slice %[[RESULT]] into %[[EVEN]][0, 0, 1, 0] [1, 7, 7, 4] [1, 1, 2, 1]
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[ODD]][0, %arg2, 0, 0] [1, %arg3, 14, 4] [1, 1, 1, 1]
// CHECK:         linalg.transpose ins(%[[ROWS]]

// A depthwise one that skips columns is turned, and so are its weights.

func.func @strided_depthwise(%arg0: tensor<1x8x9x9xf32>, %arg1: tensor<8x3x5xf32>) -> tensor<1x8x4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x4x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x4x3xf32>) -> tensor<1x8x4x3xf32>
  %a = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x8x9x9xf32>, tensor<8x3x5xf32>) outs(%f : tensor<1x8x4x3xf32>) -> tensor<1x8x4x3xf32>
  return %a : tensor<1x8x4x3xf32>
}

// CHECK-LABEL: func.func @strided_depthwise
// CHECK:         linalg.transpose ins(%arg0 {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         linalg.transpose ins(%arg1 : tensor<8x3x5xf32>) outs(%{{.*}} : tensor<3x5x8xf32>) permutation = [1, 2, 0]
// CHECK:         linalg.depthwise_conv_2d_nhwc_hwc {{.*}} -> tensor<1x4x3x8xf32>
// CHECK:         linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
