// RUN: torch-refine-opt %s --hoist-constant-expressions --hoist-constant-expressions | filecheck %s
// RUN: torch-refine-opt %s --hoist-constant-expressions --pack-contractions --hoist-constant-expressions | filecheck %s --check-prefix=PACKED

// A view of something prepared stays where it is used; what is large only by spreading is not kept.

func.func @main(%arg0: tensor<64xf32>, %arg1: tensor<64x4096xf32>) -> tensor<64x4096xf32> attributes {torch_refine.state = array<i64: 0>} {
  %0 = tensor.empty() : tensor<64xf32>
  %1 = linalg.exp ins(%arg0 : tensor<64xf32>) outs(%0 : tensor<64xf32>) -> tensor<64xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<64x1xf32> into tensor<64xf32>
  %4 = tensor.empty() : tensor<64x4096xf32>
  %5 = linalg.broadcast ins(%3 : tensor<64xf32>) outs(%4 : tensor<64x4096xf32>) dimensions = [1]
  %6 = linalg.add ins(%5, %arg1 : tensor<64x4096xf32>, tensor<64x4096xf32>) outs(%4 : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  return %6 : tensor<64x4096xf32>
}

// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[PREPARED:[a-z0-9]+]]: tensor<64xf32>) -> tensor<64x4096xf32>
// CHECK-SAME:    torch_refine.prepared = 1
// CHECK:         %[[VIEW:.*]] = tensor.expand_shape %[[PREPARED]]
// CHECK:         %[[BACK:.*]] = tensor.collapse_shape %[[VIEW]]
// CHECK:         linalg.broadcast ins(%[[BACK]]

// CHECK-LABEL: func.func @slices
// CHECK:         cf.assert
// CHECK-NEXT:    tensor.extract_slice
// CHECK:         linalg.exp

// CHECK-LABEL: func.func @prepare_main
// CHECK-SAME:    (%[[STATE:.*]]: tensor<64xf32>) -> tensor<64xf32>
// CHECK:         %[[EXP:.*]] = linalg.exp ins(%[[STATE]]
// CHECK-NOT:     linalg.broadcast
// CHECK:         return %[[EXP]]

// What a later pass makes of prepared values is prepared too, and replaces them.

// PACKED-LABEL: func.func @product
// PACKED-SAME:    tensor<64x1024x16xf32>) -> tensor<512x1024xf32>
// PACKED-SAME:    torch_refine.prepared = 1
// PACKED-LABEL: func.func @prepare_product
// PACKED:         linalg.exp
// PACKED:         linalg.pack
// PACKED:         return %{{.*}} : tensor<64x1024x16xf32>

func.func @product(%arg0: tensor<1024x1024xf32>, %arg1: tensor<512x1024xf32>, %arg2: tensor<512x1024xf32>) -> tensor<512x1024xf32> attributes {torch_refine.state = array<i64: 0>} {
  %0 = tensor.empty() : tensor<1024x1024xf32>
  %1 = linalg.exp ins(%arg0 : tensor<1024x1024xf32>) outs(%0 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %2 = linalg.matmul ins(%arg1, %1 : tensor<512x1024xf32>, tensor<1024x1024xf32>) outs(%arg2 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %2 : tensor<512x1024xf32>
}

// A slice whose bounds are computed stays behind what is asserted of them.
func.func @slices(%arg0: tensor<8xf32>, %arg1: tensor<i64>) -> tensor<1xf32>
    attributes {torch_refine.state = array<i64: 0, 1>} {
  %c8 = arith.constant 8 : index
  %0 = tensor.extract %arg1[] : tensor<i64>
  %1 = arith.index_cast %0 : i64 to index
  %2 = arith.cmpi ult, %1, %c8 : index
  cf.assert %2, "slice is out of bounds"
  %3 = tensor.extract_slice %arg0[%1] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %4 = tensor.empty() : tensor<1xf32>
  %5 = linalg.exp ins(%3 : tensor<1xf32>) outs(%4 : tensor<1xf32>) -> tensor<1xf32>
  return %5 : tensor<1xf32>
}
