// RUN: torch-refine-opt %s --collapse-contiguous-dimensions | filecheck %s

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#first = affine_map<(d0, d1, d2) -> (d0)>
#middle = affine_map<(d0, d1, d2) -> (d1)>

// All numbers, one after the other.
func.func private @one(%arg0: tensor<?x?x7xf32>, %arg1: tensor<?x?x7xf32>) -> tensor<?x?x7xf32> attributes {torch_refine.kernel = "loops"} {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x?x7xf32>) outs(%arg1 : tensor<?x?x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x7xf32>
  return %0 : tensor<?x?x7xf32>
}
// CHECK-LABEL: func.func private @one
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%{{.*}} : tensor<?xf32>)
// CHECK:         tensor.expand_shape {{.*}} : tensor<?xf32> into tensor<?x?x7xf32>

// A number for each second index is between the others.
func.func private @between(%arg0: tensor<8x5x7xf32>, %arg1: tensor<5xf32>, %arg2: tensor<8x5x7xf32>) -> tensor<8x5x7xf32> attributes {torch_refine.kernel = "loops"} {
  %0 = linalg.generic {indexing_maps = [#all, #middle, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<8x5x7xf32>, tensor<5xf32>) outs(%arg2 : tensor<8x5x7xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %1 = arith.mulf %in, %factor : f32
    linalg.yield %1 : f32
  } -> tensor<8x5x7xf32>
  return %0 : tensor<8x5x7xf32>
}
// CHECK-LABEL: func.func private @between
// CHECK-NOT:     tensor.collapse_shape

// Of a slice, only the last two dimensions lie in one piece.
func.func private @slice(%arg0: tensor<8x5x7xf32> {bufferization.buffer_layout = strided<[70, 7, 1], offset: ?>}, %arg1: tensor<8x5x7xf32>) -> tensor<8x5x7xf32> attributes {torch_refine.kernel = "loops"} {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<8x5x7xf32>) outs(%arg1 : tensor<8x5x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<8x5x7xf32>
  return %0 : tensor<8x5x7xf32>
}
// CHECK-LABEL: func.func private @slice
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<8x35xf32>)

// Of this one, nobody knows.
func.func private @any(%arg0: tensor<8x5x7xf32> {bufferization.buffer_layout = strided<[?, ?, 1]>}, %arg1: tensor<8x5x7xf32>) -> tensor<8x5x7xf32> attributes {torch_refine.kernel = "loops"} {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<8x5x7xf32>) outs(%arg1 : tensor<8x5x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<8x5x7xf32>
  return %0 : tensor<8x5x7xf32>
}
// CHECK-LABEL: func.func private @any
// CHECK-NOT:     tensor.collapse_shape

// Row by row: the loops of a row become one in all members, as long as they agree about what one
// gives to the other. The loop over rows is left.
func.func private @members(%arg0: tensor<8x5x7xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x5x7xf32>) -> tensor<8x5x7xf32> attributes {torch_refine.kernel = "rows", torch_refine.rows = 1 : i64} {
  %0 = linalg.generic {indexing_maps = [#all, #first], iterator_types = ["parallel", "reduction", "reduction"]} ins(%arg0 : tensor<8x5x7xf32>) outs(%arg1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #first, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %0 : tensor<8x5x7xf32>, tensor<8xf32>) outs(%arg2 : tensor<8x5x7xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %3 = arith.divf %in, %sum : f32
    linalg.yield %3 : f32
  } -> tensor<8x5x7xf32>
  return %1 : tensor<8x5x7xf32>
}
// CHECK-LABEL: func.func private @members
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]

func.func private @disagreeing(%arg0: tensor<8x5x7xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x5x7xf32>, %arg3: tensor<5xf32>) -> tensor<8xf32> attributes {torch_refine.kernel = "rows", torch_refine.rows = 1 : i64} {
  %0 = linalg.generic {indexing_maps = [#all, #middle, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg3 : tensor<8x5x7xf32>, tensor<5xf32>) outs(%arg2 : tensor<8x5x7xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %3 = arith.mulf %in, %factor : f32
    linalg.yield %3 : f32
  } -> tensor<8x5x7xf32>
  %1 = linalg.generic {indexing_maps = [#all, #first], iterator_types = ["parallel", "reduction", "reduction"]} ins(%0 : tensor<8x5x7xf32>) outs(%arg1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%arg1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = math.sqrt %in : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
// CHECK-LABEL: func.func private @disagreeing
// CHECK-NOT:     tensor.collapse_shape

// A slice of a tensor without elements: the distance of its rows is known, too, it is 0.
func.func private @nothing(%at: index, %arg0: tensor<8x4x0xf32>, %arg1: tensor<3x4x0xf32>) -> tensor<3x4x0xf32> attributes {torch_refine.kernel = "loops"} {
  %0 = tensor.extract_slice %arg0[2, 0, %at] [3, 4, 0] [1, 1, 1] : tensor<8x4x0xf32> to tensor<3x4x0xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<3x4x0xf32>) outs(%arg1 : tensor<3x4x0xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = math.exp %in : f32
    linalg.yield %2 : f32
  } -> tensor<3x4x0xf32>
  return %1 : tensor<3x4x0xf32>
}
// CHECK-LABEL: func.func private @nothing
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%{{.*}} : tensor<0xf32>)

// Dimensions that a transpose keeps adjacent.
func.func private @transposed(%arg0: tensor<8x3x3x16xf32>, %arg1: tensor<16x8x3x3xf32>) -> tensor<16x8x3x3xf32> attributes {torch_refine.kernel = "transposes"} {
  %0 = linalg.transpose ins(%arg0 : tensor<8x3x3x16xf32>) outs(%arg1 : tensor<16x8x3x3xf32>) permutation = [3, 0, 1, 2]
  return %0 : tensor<16x8x3x3xf32>
}
// CHECK-LABEL: func.func private @transposed
// CHECK:         %[[FROM:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2], [3]]
// CHECK:         %[[TO:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0], [1, 2, 3]]
// CHECK:         linalg.transpose ins(%[[FROM]] : tensor<72x16xf32>) outs(%[[TO]] : tensor<16x72xf32>) permutation = [1, 0]
// CHECK:         tensor.expand_shape

// Not those that a slice keeps apart.
func.func private @transposed_slice(%arg0: tensor<8x3x4x16xf32>, %arg1: tensor<16x8x3x3xf32>) -> tensor<16x8x3x3xf32> attributes {torch_refine.kernel = "transposes"} {
  %0 = tensor.extract_slice %arg0[0, 0, 1, 0] [8, 3, 3, 16] [1, 1, 1, 1] : tensor<8x3x4x16xf32> to tensor<8x3x3x16xf32>
  %1 = linalg.transpose ins(%0 : tensor<8x3x3x16xf32>) outs(%arg1 : tensor<16x8x3x3xf32>) permutation = [3, 0, 1, 2]
  return %1 : tensor<16x8x3x3xf32>
}
// CHECK-LABEL: func.func private @transposed_slice
// CHECK:         tensor.collapse_shape {{.*}} {{\[\[}}0, 1], [2], [3]]
// CHECK:         linalg.transpose {{.*}} permutation = [2, 0, 1]
