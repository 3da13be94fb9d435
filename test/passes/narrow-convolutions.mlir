// RUN: torch-refine-opt %s --narrow-convolutions | filecheck %s

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Sums of 64 bits that are truncated have 32.
// CHECK-LABEL: func.func @truncated
// CHECK:         %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<1x8x4x4xi32>
// CHECK:         %[[SUMS:.*]] = linalg.conv_2d_nchw_fchw {{.*}}strides = dense<2>{{.*}} ins(%arg0, %arg1 : tensor<1x4x9x9xi8>, tensor<8x4x3x3xi8>) outs(%[[ZEROS]] : tensor<1x8x4x4xi32>)
// CHECK-NOT:     arith.trunci
// CHECK:         return %[[SUMS]] : tensor<1x8x4x4xi32>
func.func @truncated(%a: tensor<1x4x9x9xi8>, %b: tensor<8x4x3x3xi8>) -> tensor<1x8x4x4xi32> {
  %zero = arith.constant 0 : i64
  %w = tensor.empty() : tensor<1x4x9x9xi32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<1x4x9x9xi8>) outs(%w : tensor<1x4x9x9xi32>) {
  ^bb0(%in: i8, %out: i32):
    %9 = arith.extsi %in : i8 to i32
    linalg.yield %9 : i32
  } -> tensor<1x4x9x9xi32>
  %v = tensor.empty() : tensor<8x4x3x3xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b : tensor<8x4x3x3xi8>) outs(%v : tensor<8x4x3x3xi32>) {
  ^bb0(%in: i8, %out: i32):
    %9 = arith.extsi %in : i8 to i32
    linalg.yield %9 : i32
  } -> tensor<8x4x3x3xi32>
  %e = tensor.empty() : tensor<1x8x4x4xi64>
  %2 = linalg.fill ins(%zero : i64) outs(%e : tensor<1x8x4x4xi64>) -> tensor<1x8x4x4xi64>
  %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%0, %1 : tensor<1x4x9x9xi32>, tensor<8x4x3x3xi32>) outs(%2 : tensor<1x8x4x4xi64>) -> tensor<1x8x4x4xi64>
  %f = tensor.empty() : tensor<1x8x4x4xi32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%3 : tensor<1x8x4x4xi64>) outs(%f : tensor<1x8x4x4xi32>) {
  ^bb0(%in: i64, %out: i32):
    %9 = arith.trunci %in : i64 to i32
    linalg.yield %9 : i32
  } -> tensor<1x8x4x4xi32>
  return %4 : tensor<1x8x4x4xi32>
}

// Sums of 64 bits that are used as such stay; so do unsigned operands.
// CHECK-LABEL: func.func @kept
// CHECK:         linalg.conv_2d_nchw_fchw {{.*}} : tensor<1x4x9x9xi32>, tensor<8x4x3x3xi32>) outs(%{{.*}} : tensor<1x8x7x7xi64>)
// CHECK:         linalg.conv_2d_nchw_fchw {{.*}} : tensor<1x4x9x9xi32>, tensor<8x4x3x3xi32>) outs(%{{.*}} : tensor<1x8x7x7xi32>)
func.func @kept(%a: tensor<1x4x9x9xi8>, %b: tensor<8x4x3x3xi8>, %c: tensor<1x8x7x7xi64>, %d: tensor<1x8x7x7xi32>) -> (tensor<1x8x7x7xi64>, tensor<1x8x7x7xi32>) {
  %w = tensor.empty() : tensor<1x4x9x9xi32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<1x4x9x9xi8>) outs(%w : tensor<1x4x9x9xi32>) {
  ^bb0(%in: i8, %out: i32):
    %9 = arith.extsi %in : i8 to i32
    linalg.yield %9 : i32
  } -> tensor<1x4x9x9xi32>
  %u = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<1x4x9x9xi8>) outs(%w : tensor<1x4x9x9xi32>) {
  ^bb0(%in: i8, %out: i32):
    %9 = arith.extui %in : i8 to i32
    linalg.yield %9 : i32
  } -> tensor<1x4x9x9xi32>
  %v = tensor.empty() : tensor<8x4x3x3xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b : tensor<8x4x3x3xi8>) outs(%v : tensor<8x4x3x3xi32>) {
  ^bb0(%in: i8, %out: i32):
    %9 = arith.extsi %in : i8 to i32
    linalg.yield %9 : i32
  } -> tensor<8x4x3x3xi32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%0, %1 : tensor<1x4x9x9xi32>, tensor<8x4x3x3xi32>) outs(%c : tensor<1x8x7x7xi64>) -> tensor<1x8x7x7xi64>
  %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%u, %1 : tensor<1x4x9x9xi32>, tensor<8x4x3x3xi32>) outs(%d : tensor<1x8x7x7xi32>) -> tensor<1x8x7x7xi32>
  return %2, %3 : tensor<1x8x7x7xi64>, tensor<1x8x7x7xi32>
}
