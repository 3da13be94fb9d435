// RUN: torch-refine-opt %s --fuse-concats | filecheck %s

// CHECK: #[[PART:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>

// The first of the operands whose place it is, the last one otherwise.

func.func @three(%arg0: tensor<?x4x1xi8>, %arg1: tensor<?x4x1xi8>, %arg2: tensor<?x4x1xi8>) -> tensor<?x4x3xi8> {
  %0 = tensor.concat dim(2) %arg0, %arg1, %arg2 : (tensor<?x4x1xi8>, tensor<?x4x1xi8>, tensor<?x4x1xi8>) -> tensor<?x4x3xi8>
  return %0 : tensor<?x4x3xi8>
}

// CHECK-LABEL: func.func @three
// CHECK:         %[[SIZE:.+]] = tensor.dim %arg0
// CHECK:         tensor.empty(%[[SIZE]]) : tensor<?x4x3x1xi8>
// CHECK:         linalg.generic {indexing_maps = [#[[PART]], #[[PART]], #[[PART]], #{{.+}}]
// CHECK:         ^bb0(%[[A:.+]]: i8, %[[B:.+]]: i8, %[[C:.+]]: i8, %{{.+}}: i8):
// CHECK:           %[[PLACE:.+]] = linalg.index 2
// CHECK:           arith.cmpi eq, %[[PLACE]], %c1
// CHECK:           %[[OTHERS:.+]] = arith.select %{{.+}}, %[[B]], %[[C]]
// CHECK:           arith.cmpi eq, %[[PLACE]], %c0
// CHECK:           %[[ALL:.+]] = arith.select %{{.+}}, %[[A]], %[[OTHERS]]
// CHECK:           linalg.yield %[[ALL]]
// CHECK:         tensor.collapse_shape %{{.+}} {{\[\[}}0], [1], [2, 3]] : tensor<?x4x3x1xi8> into tensor<?x4x3xi8>

// Parts of rows that an elementwise op reads. One that takes long to compute is computed once.

#same = affine_map<(d0, d1) -> (d0, d1)>

func.func @halves(%arg0: tensor<5x8xf32>, %arg1: tensor<5x4xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %0 = tensor.extract_slice %arg0[0, 0] [5, 4] [1, 1] : tensor<5x8xf32> to tensor<5x4xf32>
  %1 = tensor.empty() : tensor<5x4xf32>
  %2 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<5x4xf32>) outs(%1 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.negf %in : f32
    linalg.yield %10 : f32
  } -> tensor<5x4xf32>
  %3 = tensor.concat dim(1) %2, %0 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
  %4 = tensor.empty() : tensor<5x8xf32>
  %5 = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%3, %arg0 : tensor<5x8xf32>, tensor<5x8xf32>) outs(%4 : tensor<5x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %10 = arith.mulf %in, %in_0 : f32
    linalg.yield %10 : f32
  } -> tensor<5x8xf32>
  %6 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<5x4xf32>) outs(%1 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = math.exp %in : f32
    linalg.yield %10 : f32
  } -> tensor<5x4xf32>
  %7 = tensor.concat dim(1) %6, %0 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
  %8 = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%7, %arg0 : tensor<5x8xf32>, tensor<5x8xf32>) outs(%4 : tensor<5x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %10 = arith.mulf %in, %in_0 : f32
    linalg.yield %10 : f32
  } -> tensor<5x8xf32>
  return %5, %8 : tensor<5x8xf32>, tensor<5x8xf32>
}

// CHECK-LABEL: func.func @halves
// CHECK-NOT:     tensor.concat
// CHECK:         tensor.collapse_shape %{{.+}} {{\[\[}}0], [1, 2]] : tensor<5x2x4xf32> into tensor<5x8xf32>
// CHECK:         math.exp
// CHECK:         tensor.concat

// A named op reads the result, or computes an operand.

func.func @named(%arg0: tensor<5x4xf32>, %arg1: tensor<8x3xf32>, %arg2: f32) -> (tensor<5x3xf32>, tensor<5x8xf32>) {
  %0 = tensor.concat dim(1) %arg0, %arg0 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
  %1 = tensor.empty() : tensor<5x3xf32>
  %2 = linalg.matmul ins(%0, %arg1 : tensor<5x8xf32>, tensor<8x3xf32>) outs(%1 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %3 = tensor.empty() : tensor<5x4xf32>
  %4 = linalg.fill ins(%arg2 : f32) outs(%3 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %5 = tensor.concat dim(1) %arg0, %4 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
  %6 = tensor.empty() : tensor<5x8xf32>
  %7 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<5x8xf32>) outs(%6 : tensor<5x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.negf %in : f32
    linalg.yield %10 : f32
  } -> tensor<5x8xf32>
  return %2, %7 : tensor<5x3xf32>, tensor<5x8xf32>
}

// CHECK-LABEL: func.func @named
// CHECK-COUNT-2: tensor.concat
// CHECK:         return

// Along another dimension, of a single dimension, of many columns, and what is returned.

func.func @others(%arg0: tensor<1x4xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<1xf32>, %arg3: tensor<4x1xf32>) -> (tensor<2x4xf32>, tensor<4x3xf32>, tensor<2xf32>, tensor<4x5xf32>, tensor<4x4xf32>) {
  %0 = tensor.concat dim(0) %arg0, %arg0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %1 = tensor.concat dim(1) %arg1, %arg3 : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  %2 = tensor.concat dim(0) %arg2, %arg2 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %3 = tensor.concat dim(1) %arg3, %arg3, %arg3, %arg3, %arg3 : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x5xf32>
  %4 = tensor.concat dim(1) %arg1, %arg1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3, %4 : tensor<2x4xf32>, tensor<4x3xf32>, tensor<2xf32>, tensor<4x5xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-COUNT-5: tensor.concat
// CHECK:         return
