// RUN: torch-refine-opt %s --sum-in-parts | filecheck %s

#both = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#outer = affine_map<(d0, d1, d2) -> (d0, d2)>

// Short rows are added several at a time, and their sums in parts again.
// CHECK-LABEL: func.func @narrow
// CHECK:         tensor.expand_shape {{.*}} output_shape [64, 64, 32, 16]
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
// CHECK:         tensor.collapse_shape {{.*}} : tensor<64x32x16xf32> into tensor<2048x16xf32>
// CHECK:         tensor.expand_shape {{.*}} output_shape [1, 64, 32, 16]
// CHECK:         linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]}
// CHECK-SAME:      ins({{.*}} : tensor<32x16xf32>) outs(%arg1
func.func @narrow(%x: tensor<131072x16xf32>, %o: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.generic {indexing_maps = [#both, #columns],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<131072x16xf32>) outs(%o : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// The rows that are left are added first. A part has the ops on its elements.
// CHECK-LABEL: func.func @rest
// CHECK:         tensor.extract_slice %arg0[0, 448, 0] [3, 13, 700]
// CHECK:         %[[REST:.*]] = linalg.generic
// CHECK-SAME:      outs(%arg1
// CHECK:         tensor.extract_slice %arg0[0, 0, 0] [3, 448, 700]
// CHECK:         tensor.expand_shape {{.*}} output_shape [3, 7, 64, 700]
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
// CHECK-SAME:      outs({{.*}} : tensor<7x3x700xf32>)
// CHECK:           arith.mulf
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%[[REST]]
func.func @rest(%x: tensor<3x461x700xf32>, %o: tensor<3x700xf32>) -> tensor<3x700xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #outer],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<3x461x700xf32>) outs(%o : tensor<3x700xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<3x700xf32>
  return %0 : tensor<3x700xf32>
}

// Few rows, dynamic sizes and maxima stay as they are.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     tensor.expand_shape
func.func @others(%x: tensor<256x16xf32>, %y: tensor<?x16xf32>, %z: tensor<4096x16xf32>,
    %o: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %0 = linalg.generic {indexing_maps = [#both, #columns],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<256x16xf32>) outs(%o : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<16xf32>
  %1 = linalg.generic {indexing_maps = [#both, #columns],
                       iterator_types = ["reduction", "parallel"]}
      ins(%y : tensor<?x16xf32>) outs(%o : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<16xf32>
  %2 = linalg.generic {indexing_maps = [#both, #columns],
                       iterator_types = ["reduction", "parallel"]}
      ins(%z : tensor<4096x16xf32>) outs(%o : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.maximumf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<16xf32>
  return %0, %1, %2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
