// RUN: torch-refine-opt %s --split-input-file --propagate-nans | filecheck %s

// Both bounds of a clamp; a choice between other values is left as it is.

func.func @clamp(%arg0: f32, %arg1: f32, %arg2: f32) -> (f32, f32) {
  %0 = arith.cmpf ult, %arg0, %arg1 : f32
  %1 = arith.select %0, %arg1, %arg0 : f32
  %2 = arith.cmpf ugt, %1, %arg2 : f32
  %3 = arith.select %2, %arg2, %1 : f32
  %4 = arith.select %2, %arg0, %arg1 : f32
  return %3, %4 : f32, f32
}

// CHECK-LABEL: func.func @clamp
// CHECK-NEXT:    %[[LOW:.*]] = arith.maximumf %arg0, %arg1 : f32
// CHECK-NEXT:    %[[GREATER:.*]] = arith.cmpf ugt, %[[LOW]], %arg2 : f32
// CHECK-NEXT:    %[[BOTH:.*]] = arith.minimumf %[[LOW]], %arg2 : f32
// CHECK-NEXT:    %[[OTHER:.*]] = arith.select %[[GREATER]], %arg0, %arg1 : f32
// CHECK-NEXT:    return %[[BOTH]], %[[OTHER]]

// -----

// The index of a maximum: what is not a number is greater than what was there, unless that is none.

func.func @argmax(%arg0: f32, %arg1: f32, %arg2: i64, %arg3: i64) -> (f32, i64) {
  %0 = arith.maximumf %arg0, %arg1 : f32
  %1 = arith.cmpf ogt, %arg0, %arg1 : f32
  %2 = arith.select %1, %arg2, %arg3 : i64
  return %0, %2 : f32, i64
}

// CHECK-LABEL: func.func @argmax
// CHECK:         %[[GREATER:.*]] = arith.cmpf ugt, %arg0, %arg1 : f32
// CHECK:         %[[KNOWN:.*]] = arith.cmpf ord, %arg1, %arg1 : f32
// CHECK:         %[[BOTH:.*]] = arith.andi %[[GREATER]], %[[KNOWN]] : i1
// CHECK:         arith.select %[[BOTH]], %arg2, %arg3 : i64

// -----

// A comparison without a maximum beside it stays.

func.func @where(%arg0: f32, %arg1: f32, %arg2: i64, %arg3: i64) -> i64 {
  %0 = arith.cmpf ogt, %arg0, %arg1 : f32
  %1 = arith.select %0, %arg2, %arg3 : i64
  return %1 : i64
}

// CHECK-LABEL: func.func @where
// CHECK-NEXT:    arith.cmpf ogt, %arg0, %arg1 : f32
// CHECK-NEXT:    arith.select

// -----

// The place of a pool's maximum.

func.func @pool(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<i64> {
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : i64
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<f32>) outs(%arg2 : tensor<i64>) {
  ^bb0(%in: f32, %out: i64):
    %extracted = tensor.extract %arg0[%c0] : tensor<4xf32>
    %1 = arith.cmpf oeq, %extracted, %in : f32
    %2 = arith.index_cast %c0 : index to i64
    %3 = arith.select %1, %2, %out : i64
    %4 = arith.cmpi eq, %out, %c-1 : i64
    %5 = arith.select %4, %3, %out : i64
    linalg.yield %5 : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: func.func @pool
// CHECK:         %[[VALUE:.*]] = tensor.extract
// CHECK:         %[[MISSING:.*]] = arith.cmpf uno, %[[VALUE]], %[[VALUE]] : f32
// CHECK:         %[[EQUAL:.*]] = arith.cmpf oeq, %[[VALUE]], %in : f32
// CHECK:         %[[HERE:.*]] = arith.ori %[[EQUAL]], %[[MISSING]] : i1
// CHECK:         %[[PLACE:.*]] = arith.select %[[HERE]]
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq
// CHECK:         %[[TAKEN:.*]] = arith.ori %[[FIRST]], %[[MISSING]] : i1
// CHECK:         arith.select %[[TAKEN]], %[[PLACE]], %out : i64

// -----

// The padding of a pool equals a maximum of -inf; none of it is its place.

func.func @padded(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<i64> {
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : i64
  %cst = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %arg0 low[1] high[2] {
  ^bb0(%arg3: index):
    tensor.yield %cst : f32
  } : tensor<4xf32> to tensor<7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<f32>) outs(%arg2 : tensor<i64>) {
  ^bb0(%in: f32, %out: i64):
    %extracted = tensor.extract %padded[%c0] : tensor<7xf32>
    %1 = arith.cmpf oeq, %extracted, %in : f32
    %2 = arith.index_cast %c0 : index to i64
    %3 = arith.select %1, %2, %out : i64
    %4 = arith.cmpi eq, %out, %c-1 : i64
    %5 = arith.select %4, %3, %out : i64
    linalg.yield %5 : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: func.func @padded
// CHECK:         %[[EQUAL:.*]] = arith.cmpf oeq, %{{.*}}, %in : f32
// CHECK:         %[[SIZE:.*]] = tensor.dim %arg0, %{{.*}} : tensor<4xf32>
// CHECK:         %[[OFFSET:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %[[OFFSET]], %[[SIZE]] : index
// CHECK:         %[[BOTH:.*]] = arith.andi %[[EQUAL]], %[[INSIDE]] : i1
// CHECK:         arith.ori %[[BOTH]], %{{.*}} : i1
