// RUN: torch-refine-opt %s --fold-empty-loops | filecheck %s

// A sum over no rows is what it starts from; one over rows of unknown number stays.

func.func @sum(%arg0: tensor<0x3xf32>, %arg1: tensor<?x3xf32>, %arg2: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = linalg.reduce ins(%arg0 : tensor<0x3xf32>) outs(%arg2 : tensor<3xf32>) dimensions = [0]
    (%in: f32, %init: f32) {
      %2 = arith.addf %in, %init : f32
      linalg.yield %2 : f32
    }
  %1 = linalg.reduce ins(%arg1 : tensor<?x3xf32>) outs(%arg2 : tensor<3xf32>) dimensions = [0]
    (%in: f32, %init: f32) {
      %2 = arith.addf %in, %init : f32
      linalg.yield %2 : f32
    }
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @sum
// CHECK-NEXT:    %[[SUM:.*]] = linalg.reduce
// CHECK:         return %arg2, %[[SUM]]
