// RUN: torch-refine-opt %s --hold-broadcast-operands | filecheck %s

#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#line = affine_map<(d0) -> (d0)>

// Expensive, but the producers of the operand count, too.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[EXP:.*]] = linalg.generic
// CHECK:           math.exp
// CHECK:         %[[NEG:.*]] = linalg.generic {{.*}} ins(%[[EXP]]
// CHECK:           arith.negf
// CHECK:         %[[HELD:.*]] = call @held_0(%[[NEG]])
// CHECK:         linalg.generic {{.*}} ins(%[[HELD]]
func.func @chain(%arg0: tensor<9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%arg0 : tensor<9xf32>) outs(%arg1 : tensor<9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = math.exp %in : f32
    linalg.yield %3 : f32
  } -> tensor<9xf32>
  %1 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%0 : tensor<9xf32>) outs(%arg1 : tensor<9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.negf %in : f32
    linalg.yield %3 : f32
  } -> tensor<9xf32>
  %2 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<9xf32>) outs(%arg2 : tensor<8x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x9xf32>
  return %2 : tensor<8x9xf32>
}

// Of unknown sizes, and a remainder of indices.
// CHECK-LABEL: func.func @dynamic
// CHECK:         arith.remsi
// CHECK:         call @held_1(%{{.*}}) : (tensor<?xi64>) -> tensor<?xi64>
func.func @dynamic(%arg0: i64, %arg1: tensor<?xi64>, %arg2: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %0 = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%arg1 : tensor<?xi64>) {
  ^bb0(%out: i64):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    %4 = arith.remsi %3, %arg0 : i64
    linalg.yield %4 : i64
  } -> tensor<?xi64>
  %1 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?xi64>) outs(%arg2 : tensor<?x?xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<?x?xi64>
  return %1 : tensor<?x?xi64>
}

// Cheap; constant in the innermost loop; broadcast to few rows; with another use.
// CHECK-LABEL: func.func @fused
// CHECK-NOT:     call
// CHECK:         return
func.func @fused(%arg0: tensor<9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<8x9xf32>, %arg3: tensor<9x8xf32>, %arg4: tensor<3x9xf32>) -> (tensor<8x9xf32>, tensor<9x8xf32>, tensor<3x9xf32>, tensor<8x9xf32>, tensor<9xf32>) {
  %0 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%arg0 : tensor<9xf32>) outs(%arg1 : tensor<9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.negf %in : f32
    linalg.yield %8 : f32
  } -> tensor<9xf32>
  %1 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<9xf32>) outs(%arg2 : tensor<8x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x9xf32>
  %2 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%arg0 : tensor<9xf32>) outs(%arg1 : tensor<9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = math.exp %in : f32
    linalg.yield %8 : f32
  } -> tensor<9xf32>
  %3 = linalg.generic {indexing_maps = [#column, #all], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<9xf32>) outs(%arg3 : tensor<9x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<9x8xf32>
  %4 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%arg0 : tensor<9xf32>) outs(%arg1 : tensor<9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = math.exp %in : f32
    linalg.yield %8 : f32
  } -> tensor<9xf32>
  %5 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<9xf32>) outs(%arg4 : tensor<3x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x9xf32>
  %6 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%arg0 : tensor<9xf32>) outs(%arg1 : tensor<9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = math.exp %in : f32
    linalg.yield %8 : f32
  } -> tensor<9xf32>
  %7 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<9xf32>) outs(%arg2 : tensor<8x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x9xf32>
  return %1, %3, %5, %7, %6 : tensor<8x9xf32>, tensor<9x8xf32>, tensor<3x9xf32>, tensor<8x9xf32>, tensor<9xf32>
}

// CHECK:       func.func private @held_0(%[[ARG:.*]]: tensor<9xf32>) -> tensor<9xf32>
// CHECK-NEXT:    return %[[ARG]]
