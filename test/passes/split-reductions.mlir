// RUN: torch-refine-opt %s --split-reductions | filecheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#columns = affine_map<(d0, d1) -> (d1)>

// The rows of a matrix are partial results as they are; their sums are 16 parts, which are one row.
func.func @all(%arg0: tensor<16384x4096xf32>, %arg1: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<16384x4096xf32>) outs(%arg1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
// CHECK-LABEL: func.func @all
// CHECK:         %[[ROWS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg0
// CHECK-SAME:      outs(%{{.*}} : tensor<16384xf32>) attrs = {torch_refine.partial}
// CHECK:           arith.mulf
// CHECK:         %[[PARTS:.*]] = tensor.expand_shape %[[ROWS]] {{\[}}[0, 1]] output_shape [16, 1024]
// CHECK:         %[[FEW:.*]] = linalg.generic {{.*}} ins(%[[PARTS]]
// CHECK-NOT:       arith.mulf
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[FEW]] : tensor<16xf32>) outs(%arg1

// The greatest of no element is the least number there is.
func.func @columns(%arg0: tensor<512x4096xi32>, %arg1: tensor<4096xi32>) -> tensor<4096xi32> {
  %0 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<512x4096xi32>) outs(%arg1 : tensor<4096xi32>) {
  ^bb0(%in: i32, %out: i32):
    %1 = arith.maxsi %in, %out : i32
    linalg.yield %1 : i32
  } -> tensor<4096xi32>
  return %0 : tensor<4096xi32>
}
// CHECK-LABEL: func.func @columns
// CHECK:         %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK:         linalg.fill ins(%[[LEAST]]
// CHECK:         tensor.expand_shape %arg0 {{\[}}[0, 1], [2]] output_shape [32, 16, 4096]
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} {{.*}} outs(%arg1

// There are enough columns; a prime number of rows has no parts; a size may be unknown.
func.func @others(%arg0: tensor<512x131072xf32>, %arg1: tensor<131072xf32>, %arg2: tensor<509x7xf32>, %arg3: tensor<7xf32>, %arg4: tensor<?x7xf32>) -> (tensor<131072xf32>, tensor<7xf32>, tensor<7xf32>) {
  %0 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<512x131072xf32>) outs(%arg1 : tensor<131072xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<131072xf32>
  %1 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%arg2 : tensor<509x7xf32>) outs(%arg3 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<7xf32>
  %2 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%arg4 : tensor<?x7xf32>) outs(%arg3 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<7xf32>
  return %0, %1, %2 : tensor<131072xf32>, tensor<7xf32>, tensor<7xf32>
}
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT:     linalg.generic

// A kernel has its schedule.
func.func private @scheduled(%arg0: tensor<4096x64xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> attributes {torch_refine.kernel = "scheduled"} {
  %0 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<4096x64xf32>) outs(%arg1 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
// CHECK-LABEL: func.func private @scheduled
// CHECK-NEXT:    linalg.generic
