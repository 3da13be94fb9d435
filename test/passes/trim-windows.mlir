// RUN: torch-refine-opt %s --split-input-file --trim-windows | filecheck %s

// Two windows of 3, 3 apart, read 6 of 7; windows that read all are left as they are.

func.func @f(%arg0: tensor<4x7xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<3xf32>, %arg3: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 * 3 + d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg2 : tensor<4x7xf32>, tensor<3xf32>) outs(%arg3 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %window: f32, %out: f32):
    %2 = arith.maximumf %in, %out : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 * 3 + d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg1, %arg2 : tensor<4x6xf32>, tensor<3xf32>) outs(%arg3 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %window: f32, %out: f32):
    %2 = arith.maximumf %in, %out : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    %[[FRONT:.*]] = tensor.extract_slice %arg0[0, 0] [4, 6] [1, 1] : tensor<4x7xf32> to tensor<4x6xf32>
// CHECK-NEXT:    linalg.generic
// CHECK-SAME:      ins(%[[FRONT]], %arg2
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%arg1, %arg2

// -----

// An unknown size stays whole.

func.func @g(%arg0: tensor<?x5xf32>, %arg1: tensor<3xf32>, %arg2: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 * 3 + d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x5xf32>, tensor<3xf32>) outs(%arg2 : tensor<?x1xf32>) {
  ^bb0(%in: f32, %window: f32, %out: f32):
    %2 = arith.maximumf %in, %out : f32
    linalg.yield %2 : f32
  } -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

// CHECK-LABEL: func.func @g
// CHECK:         %[[ROWS:.*]] = tensor.dim %arg0
// CHECK:         tensor.extract_slice %arg0[0, 0] [%[[ROWS]], 3] [1, 1] : tensor<?x5xf32> to tensor<?x3xf32>
