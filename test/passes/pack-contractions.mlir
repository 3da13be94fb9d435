// RUN: torch-refine-opt %s --pack-contractions | filecheck %s

// Columns that no panel divides are filled up; a transposed operand is packed with its strides, and
// what the sums are added to is added after them.

func.func @main(%arg0: tensor<?x30xf32>, %arg1: tensor<50x30xf32>, %arg2: tensor<?x50xf32>) -> tensor<?x50xf32> {
  %0 = tensor.empty() : tensor<30x50xf32>
  %1 = linalg.transpose ins(%arg1 : tensor<50x30xf32>) outs(%0 : tensor<30x50xf32>) permutation = [1, 0]
  %2 = linalg.matmul ins(%arg0, %1 : tensor<?x30xf32>, tensor<30x50xf32>) outs(%arg2 : tensor<?x50xf32>) -> tensor<?x50xf32>
  return %2 : tensor<?x50xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         linalg.pack %arg1 {{.*}} outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [16] into %{{.*}} : tensor<50x30xf32> -> tensor<4x30x16xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%arg0, %{{.*}} : tensor<?x30xf32>, tensor<4x30x16xf32>)
// CHECK-SAME:      torch_refine.contraction = {{{.*}}columns = 16 : i64{{.*}}rows = 6 : i64
// CHECK:         linalg.unpack
// CHECK:         arith.addf

// For a few rows nothing is packed that is not kept; of 16 bits the sums have 32.

func.func @few(%arg0: tensor<3x64xbf16>, %arg1: tensor<64x50xbf16>) -> tensor<3x50xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x50xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x50xf32>) -> tensor<3x50xf32>
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<3x64xbf16>, tensor<64x50xbf16>) outs(%f : tensor<3x50xf32>) -> tensor<3x50xf32>
  return %0 : tensor<3x50xf32>
}

// CHECK-LABEL: func.func @few
// CHECK-NOT:     linalg.pack
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%arg0, %arg1 : tensor<3x64xbf16>, tensor<64x50xbf16>)
// CHECK-SAME:      torch_refine.contraction
// CHECK-COUNT-2:   arith.extf

// Neither are the rows of a transposed operand, whose reshape is undone with the transpose.

func.func @rows(%arg0: tensor<6x2x64xf32>, %arg1: tensor<2x3x?x64xf32>, %n: index) -> tensor<6x2x?xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty(%n) : tensor<2x3x64x?xf32>
  %1 = linalg.transpose ins(%arg1 : tensor<2x3x?x64xf32>) outs(%t : tensor<2x3x64x?xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<2x3x64x?xf32> into tensor<6x64x?xf32>
  %e = tensor.empty(%n) : tensor<6x2x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x2x?xf32>) -> tensor<6x2x?xf32>
  %3 = linalg.batch_matmul ins(%arg0, %2 : tensor<6x2x64xf32>, tensor<6x64x?xf32>) outs(%f : tensor<6x2x?xf32>) -> tensor<6x2x?xf32>
  return %3 : tensor<6x2x?xf32>
}

// CHECK-LABEL: func.func @rows
// CHECK-NOT:     linalg.pack
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[KEYS:.*]] = tensor.collapse_shape %arg1 {{\[}}[0, 1], [2], [3]] : tensor<2x3x?x64xf32> into tensor<6x?x64xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%arg0, %[[KEYS]] : tensor<6x2x64xf32>, tensor<6x?x64xf32>)
// CHECK-SAME:      torch_refine.contraction = {{{.*}}columns = 8 : i64

// A matrix that is repeated along the batch lacks its loop, and columns of one panel are used in place.

#matrix = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @repeated(%arg0: tensor<1x32x64xf32>, %arg1: tensor<?x64x16xf32>, %n: index) -> tensor<?x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty(%n) : tensor<?x1x32x64xf32>
  %1 = linalg.generic {indexing_maps = [#matrix, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x32x64xf32>) outs(%t : tensor<?x1x32x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x1x32x64xf32>
  %2 = tensor.collapse_shape %1 [[0], [1, 2], [3]] : tensor<?x1x32x64xf32> into tensor<?x32x64xf32>
  %e = tensor.empty(%n) : tensor<?x32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32x16xf32>) -> tensor<?x32x16xf32>
  %3 = linalg.batch_matmul ins(%2, %arg1 : tensor<?x32x64xf32>, tensor<?x64x16xf32>) outs(%f : tensor<?x32x16xf32>) -> tensor<?x32x16xf32>
  return %3 : tensor<?x32x16xf32>
}

// CHECK-LABEL: func.func @repeated
// CHECK-NOT:     linalg.pack
// CHECK:         %[[MATRIX:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
// CHECK-NOT:     linalg.pack
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[MATRIX]], %arg1 : tensor<32x64xf32>, tensor<?x64x16xf32>)
// CHECK-SAME:      torch_refine.contraction

// Other numbers, and few of them, are left alone.

func.func @others(%arg0: tensor<64x64xi32>, %arg1: tensor<64x64xi64>, %arg2: tensor<2x2xf32>) -> (tensor<64x64xi64>, tensor<2x2xf32>) {
  %0 = linalg.matmul ins(%arg0, %arg0 : tensor<64x64xi32>, tensor<64x64xi32>) outs(%arg1 : tensor<64x64xi64>) -> tensor<64x64xi64>
  %1 = linalg.matmul ins(%arg2, %arg2 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%arg2 : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<64x64xi64>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: linalg.matmul
