// RUN: torch-refine-opt %s --crop-before-padding | filecheck %s

// CHECK-LABEL: @both
func.func @both(%arg0: tensor<?x9xf32>, %arg1: f32) -> tensor<?x8xf32> {
  // CHECK: %[[ROWS:.*]] = tensor.dim %arg0
  // CHECK: %[[LESS:.*]] = arith.subi %[[ROWS]], %c3
  // CHECK: %[[CUT:.*]] = tensor.extract_slice %arg0[3, 0] [%[[LESS]], 7] [1, 1]
  // CHECK: tensor.pad %[[CUT]] low[0, 1] high[2, 0]
  %0 = tensor.pad %arg0 low[-3, 1] high[2, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %arg1 : f32
  } : tensor<?x9xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// The sign of an amount that is not known yet is asked for when the program runs.

// CHECK-LABEL: @unknown
func.func @unknown(%arg0: tensor<4xf32>, %arg1: f32, %arg2: index) -> tensor<?xf32> {
  // CHECK: %[[OPPOSITE:.*]] = arith.subi %c0{{.*}}, %arg2
  // CHECK: %[[TAKEN:.*]] = arith.maxsi %[[OPPOSITE]], %c0
  // CHECK: %[[LEFT:.*]] = arith.subi %c4, %[[TAKEN]]
  // CHECK: %[[HOLDS:.*]] = arith.cmpi sge, %[[LEFT]], %c0
  // CHECK: cf.assert %[[HOLDS]], "a negative padding crops more than the size of the dimension"
  // CHECK: %[[CUT:.*]] = tensor.extract_slice %arg0[0] [%[[LEFT]]] [1]
  // CHECK: %[[ADDED:.*]] = arith.maxsi %arg2, %c0
  // CHECK: tensor.pad %[[CUT]] low[0] high[%[[ADDED]]]
  %0 = tensor.pad %arg0 low[0] high[%arg2] {
  ^bb0(%i: index):
    tensor.yield %arg1 : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// What is taken from one end and added at the other leaves the type as it was.

// CHECK-LABEL: @shift
func.func @shift(%arg0: tensor<4xf32>, %arg1: f32) -> tensor<4xf32> {
  // CHECK: %[[CUT:.*]] = tensor.extract_slice %arg0[1] [3] [1]
  // CHECK: tensor.pad %[[CUT]] low[0] high[1]
  %0 = tensor.pad %arg0 low[-1] high[1] {
  ^bb0(%i: index):
    tensor.yield %arg1 : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @more
// CHECK-NOT: extract_slice
func.func @more(%arg0: tensor<4xf32>, %arg1: f32) -> tensor<7xf32> {
  %0 = tensor.pad %arg0 low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %arg1 : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %0 : tensor<7xf32>
}

// A tensor without elements has none to cut.

// CHECK-LABEL: @of_none
func.func @of_none(%arg0: tensor<3x0xf32>, %arg1: f32) -> tensor<2x2xf32> {
  // CHECK: %[[NONE:.*]] = tensor.empty() : tensor<2x0xf32>
  // CHECK: tensor.pad %[[NONE]] low[0, 1] high[0, 1]
  %0 = tensor.pad %arg0 low[-1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %arg1 : f32
  } : tensor<3x0xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
