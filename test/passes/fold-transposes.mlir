// RUN: torch-refine-opt %s --fold-transposes | filecheck %s

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>

// Channels come last in one operand, first in the other.
func.func @residual(%arg0: tensor<8x64x32xf32>, %arg1: tensor<8x32x64xf32>, %memory: tensor<8x32x64xf32>) -> tensor<8x32x64xf32> {
  %0 = linalg.transpose ins(%arg0 : tensor<8x64x32xf32>) outs(%memory : tensor<8x32x64xf32>) permutation = [0, 2, 1]
  %1 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %0 : tensor<8x32x64xf32>, tensor<8x32x64xf32>) outs(%memory : tensor<8x32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %2 = arith.addf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<8x32x64xf32>
  return %1 : tensor<8x32x64xf32>
}
// CHECK: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: #[[TURNED:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: func.func @residual
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {indexing_maps = [#[[ALL]], #[[TURNED]], #[[ALL]]]{{.*}} ins(%arg1, %arg0

// What is computed takes long: in registers, it would be code for 256 numbers.
func.func @long(%arg0: tensor<8x64x32xf32>, %memory: tensor<8x32x64xf32>) -> tensor<8x32x64xf32> {
  %0 = linalg.transpose ins(%arg0 : tensor<8x64x32xf32>) outs(%memory : tensor<8x32x64xf32>) permutation = [0, 2, 1]
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<8x32x64xf32>) outs(%memory : tensor<8x32x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %2 = math.exp %a : f32
    linalg.yield %2 : f32
  } -> tensor<8x32x64xf32>
  return %1 : tensor<8x32x64xf32>
}
// CHECK-LABEL: func.func @long
// CHECK:         linalg.transpose

// Somebody else needs it.
func.func @shared(%arg0: tensor<8x64x32xf32>, %memory: tensor<8x32x64xf32>) -> (tensor<8x32x64xf32>, tensor<8x32x64xf32>) {
  %0 = linalg.transpose ins(%arg0 : tensor<8x64x32xf32>) outs(%memory : tensor<8x32x64xf32>) permutation = [0, 2, 1]
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<8x32x64xf32>) outs(%memory : tensor<8x32x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %2 = arith.negf %a : f32
    linalg.yield %2 : f32
  } -> tensor<8x32x64xf32>
  return %0, %1 : tensor<8x32x64xf32>, tensor<8x32x64xf32>
}
// CHECK-LABEL: func.func @shared
// CHECK:         linalg.transpose

// Other rows, but the same numbers side by side.
func.func @rows(%arg0: tensor<32x8x64xf32>, %memory: tensor<8x32x64xf32>) -> tensor<8x32x64xf32> {
  %0 = linalg.transpose ins(%arg0 : tensor<32x8x64xf32>) outs(%memory : tensor<8x32x64xf32>) permutation = [1, 0, 2]
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<8x32x64xf32>) outs(%memory : tensor<8x32x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %2 = arith.negf %a : f32
    linalg.yield %2 : f32
  } -> tensor<8x32x64xf32>
  return %1 : tensor<8x32x64xf32>
}
// CHECK-LABEL: func.func @rows
// CHECK:         linalg.transpose

// Single elements are taken where they lie.
func.func @elements(%arg0: tensor<8x64x32xf32>, %room: tensor<32x8x64xf32>, %memory: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.transpose ins(%arg0 : tensor<8x64x32xf32>) outs(%room : tensor<32x8x64xf32>) permutation = [2, 0, 1]
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%memory : tensor<16xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %3 = tensor.extract %0[%2, %c1, %c2] : tensor<32x8x64xf32>
    linalg.yield %3 : f32
  } -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
// CHECK-LABEL: func.func @elements
// CHECK-NOT:     linalg.transpose
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         %[[INDEX:.*]] = linalg.index 0 : index
// CHECK:         tensor.extract %arg0[%[[ONE]], %[[TWO]], %[[INDEX]]] : tensor<8x64x32xf32>
