// RUN: torch-refine-opt %s --reduce-innermost | filecheck %s

// Means of channels: the image is read channel by channel.
func.func @channels(%arg0: tensor<8x3x7x7xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<8x3x7x7xf32>) outs(%arg1 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// CHECK: #[[READ:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
// CHECK: #[[WRITTEN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0)>
// CHECK-LABEL: func.func @channels
// CHECK:         linalg.generic {indexing_maps = [#[[READ]], #[[WRITTEN]]], iterator_types = ["parallel", "reduction", "reduction", "reduction"]}

// Rows are added to a row.
func.func @rows(%arg0: tensor<8x3x7xf32>, %arg1: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%arg0 : tensor<8x3x7xf32>) outs(%arg1 : tensor<3x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
// CHECK-LABEL: func.func @rows
// CHECK:         iterator_types = ["reduction", "parallel", "parallel"]

// Which place it is would be another number.
func.func @places(%arg0: tensor<8x3x7xi64>, %arg1: tensor<3xi64>) -> tensor<3xi64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%arg0 : tensor<8x3x7xi64>) outs(%arg1 : tensor<3xi64>) {
  ^bb0(%in: i64, %out: i64):
    %1 = linalg.index 0 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.addi %2, %out : i64
    linalg.yield %3 : i64
  } -> tensor<3xi64>
  return %0 : tensor<3xi64>
}
// CHECK-LABEL: func.func @places
// CHECK:         iterator_types = ["reduction", "parallel", "reduction"]
