// RUN: torch-refine-opt %s --write-into-slices | filecheck %s

// A concatenation that is padded: each part is written where it ends up, behind the check.
func.func @nested(%a: tensor<4x3xf32>, %b: tensor<4x5xf32>, %inside: i1) -> tensor<6x8xf32> {
  %0 = tensor.empty() : tensor<4x3xf32>
  %1 = linalg.map { math.exp } ins(%a : tensor<4x3xf32>) outs(%0 : tensor<4x3xf32>)
  %2 = tensor.empty() : tensor<4x5xf32>
  %3 = linalg.map { math.tanh } ins(%b : tensor<4x5xf32>) outs(%2 : tensor<4x5xf32>)
  cf.assert %inside, "out of bounds"
  %4 = tensor.empty() : tensor<4x8xf32>
  %5 = tensor.insert_slice %1 into %4[0, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x8xf32>
  %6 = tensor.insert_slice %3 into %5[0, 3] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x8xf32>
  %7 = tensor.empty() : tensor<6x8xf32>
  %8 = tensor.insert_slice %6 into %7[1, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<6x8xf32>
  return %8 : tensor<6x8xf32>
}
// CHECK-LABEL: func.func @nested
// CHECK:         cf.assert
// CHECK:         %[[WHOLE:.*]] = tensor.empty() : tensor<6x8xf32>
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[WHOLE]][1, 0] [4, 8]
// CHECK:         %[[LEFT:.*]] = tensor.extract_slice %[[ROWS]][0, 0] [4, 3]
// CHECK:         %[[EXP:.*]] = linalg.map { math.exp } {{.*}} outs(%[[LEFT]]
// CHECK:         %[[FIRST:.*]] = tensor.insert_slice %[[EXP]] into %[[ROWS]]
// CHECK:         %[[RIGHT:.*]] = tensor.extract_slice %[[FIRST]][0, 3] [4, 5]
// CHECK:         %[[TANH:.*]] = linalg.map { math.tanh } {{.*}} outs(%[[RIGHT]]
// CHECK:         %[[SECOND:.*]] = tensor.insert_slice %[[TANH]] into %[[FIRST]]
// CHECK:         tensor.insert_slice %[[SECOND]] into %[[WHOLE]]

// A dimension of size 1 is dropped before: it is kept.
func.func @unit(%a: tensor<1x4xf32>) -> tensor<2x4xf32> {
  %0 = tensor.empty() : tensor<1x4xf32>
  %1 = linalg.map { math.exp } ins(%a : tensor<1x4xf32>) outs(%0 : tensor<1x4xf32>)
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  %3 = tensor.empty() : tensor<2x4xf32>
  %4 = tensor.insert_slice %2 into %3[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @unit
// CHECK:         %[[PLACE:.*]] = tensor.extract_slice %{{.*}}[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<1x4xf32>
// CHECK:         linalg.map { math.exp } {{.*}} outs(%[[PLACE]]

// What is used by something else stays where it is, and so does what would be apart number by number.
func.func @kept(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.map { math.exp } ins(%a : tensor<4xf32>) outs(%0 : tensor<4xf32>)
  %2 = tensor.empty() : tensor<8xf32>
  %3 = tensor.insert_slice %1 into %2[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %4 = tensor.empty() : tensor<4xf32>
  %5 = linalg.map { math.tanh } ins(%a : tensor<4xf32>) outs(%4 : tensor<4xf32>)
  %6 = tensor.empty() : tensor<8xf32>
  %7 = tensor.insert_slice %5 into %6[0] [4] [2] : tensor<4xf32> into tensor<8xf32>
  return %1, %3, %7 : tensor<4xf32>, tensor<8xf32>, tensor<8xf32>
}
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     extract_slice

// An argument is the caller's: nothing is written to it before it is copied.
func.func @argument(%a: tensor<4xf32>, %cache: tensor<8xf32>, %place: index) -> tensor<8xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.map { math.exp } ins(%a : tensor<4xf32>) outs(%0 : tensor<4xf32>)
  %2 = tensor.insert_slice %1 into %cache[%place] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>
}
// CHECK-LABEL: func.func @argument
// CHECK-NOT:     extract_slice
