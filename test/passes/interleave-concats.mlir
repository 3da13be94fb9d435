// RUN: torch-refine-opt %s --interleave-concats | filecheck %s

// CHECK: #[[COLUMN:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// The first of the operands whose place it is, the last one otherwise.

func.func @three(%arg0: tensor<?x4x1xi8>, %arg1: tensor<?x4x1xi8>, %arg2: tensor<?x4x1xi8>) -> tensor<?x4x3xi8> {
  %0 = tensor.concat dim(2) %arg0, %arg1, %arg2 : (tensor<?x4x1xi8>, tensor<?x4x1xi8>, tensor<?x4x1xi8>) -> tensor<?x4x3xi8>
  return %0 : tensor<?x4x3xi8>
}

// CHECK-LABEL: func.func @three
// CHECK:         %[[FIRST:.+]] = tensor.collapse_shape %arg0 {{\[\[}}0], [1, 2]] : tensor<?x4x1xi8> into tensor<?x4xi8>
// CHECK:         %[[SIZE:.+]] = tensor.dim %[[FIRST]]
// CHECK:         tensor.empty(%[[SIZE]]) : tensor<?x4x3xi8>
// CHECK:         linalg.generic {indexing_maps = [#[[COLUMN]], #[[COLUMN]], #[[COLUMN]], #{{.+}}]
// CHECK:         ^bb0(%[[A:.+]]: i8, %[[B:.+]]: i8, %[[C:.+]]: i8, %{{.+}}: i8):
// CHECK:           %[[PLACE:.+]] = linalg.index 2
// CHECK:           arith.cmpi eq, %[[PLACE]], %c1
// CHECK:           %[[OTHERS:.+]] = arith.select %{{.+}}, %[[B]], %[[C]]
// CHECK:           arith.cmpi eq, %[[PLACE]], %c0
// CHECK:           %[[ALL:.+]] = arith.select %{{.+}}, %[[A]], %[[OTHERS]]
// CHECK:           linalg.yield %[[ALL]]

// Along another dimension, with wider operands, of a single dimension, and of many columns.

func.func @others(%arg0: tensor<1x4xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<1xf32>, %arg3: tensor<4x1xf32>) -> (tensor<2x4xf32>, tensor<4x3xf32>, tensor<2xf32>, tensor<4x5xf32>) {
  %0 = tensor.concat dim(0) %arg0, %arg0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %1 = tensor.concat dim(1) %arg1, %arg3 : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  %2 = tensor.concat dim(0) %arg2, %arg2 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %3 = tensor.concat dim(1) %arg3, %arg3, %arg3, %arg3, %arg3 : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x5xf32>
  return %0, %1, %2, %3 : tensor<2x4xf32>, tensor<4x3xf32>, tensor<2xf32>, tensor<4x5xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: tensor.concat
// CHECK:         return
