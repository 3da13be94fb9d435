// RUN: torch-refine-opt %s --split-contractions | filecheck %s

// A linear layer: the sum of the parts is computed with its bias.
func.func @linear(%arg0: tensor<128x512xf32>, %arg1: tensor<64x512xf32>, %arg2: tensor<64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %memory = tensor.empty() : tensor<512x64xf32>
  %weights = linalg.transpose ins(%arg1 : tensor<64x512xf32>) outs(%memory : tensor<512x64xf32>) permutation = [1, 0]
  %empty = tensor.empty() : tensor<128x64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %0 = linalg.matmul ins(%arg0, %weights : tensor<128x512xf32>, tensor<512x64xf32>) outs(%start : tensor<128x64xf32>) -> tensor<128x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %arg2 : tensor<128x64xf32>, tensor<64xf32>) outs(%empty : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %2 = arith.addf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<128x64xf32>
  return %1 : tensor<128x64xf32>
}
// CHECK-LABEL: func.func @linear
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<128x512xf32>) outs(%{{.*}} : tensor<8x128x64xf32>)
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<64x512xf32>) outs(%{{.*}} : tensor<8x64x64xf32>)
// CHECK:         %[[PARTS:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[A]], %[[B]] : {{.*}} outs(%{{.*}} : tensor<8x128x64xf32>) attrs =  {torch_refine.product}
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %arg2 : tensor<f32>, tensor<64xf32>)
// CHECK-COUNT-8:   tensor.extract %[[PARTS]]
// CHECK:         return %[[SUM]]

// Many tiles; a short reduction; 16-bit floats, of which warpgroups multiply larger tiles.
func.func @others(%arg0: tensor<2048x1024xf32>, %arg1: tensor<1024x2048xf32>, %arg2: tensor<2048x2048xf32>, %arg3: tensor<64x96xf32>, %arg4: tensor<96x64xf32>, %arg5: tensor<64x64xf32>, %arg6: tensor<64x512xbf16>, %arg7: tensor<512x64xbf16>) -> (tensor<2048x2048xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<2048x1024xf32>, tensor<1024x2048xf32>) outs(%arg2 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %1 = linalg.matmul ins(%arg3, %arg4 : tensor<64x96xf32>, tensor<96x64xf32>) outs(%arg5 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%arg6, %arg7 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%arg5 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1, %2 : tensor<2048x2048xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
// CHECK-LABEL:   func.func @others
// CHECK-COUNT-3: linalg.matmul
// CHECK:         return

// A kernel has its schedule, of attention here, whose scores are in no memory.
func.func private @scheduled(%arg0: tensor<128x512xf32>, %arg1: tensor<512x64xf32>, %arg2: tensor<128x64xf32>) -> tensor<128x64xf32> attributes {torch_refine.kernel = "scheduled"} {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<128x512xf32>, tensor<512x64xf32>) outs(%arg2 : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}
// CHECK-LABEL: func.func private @scheduled
// CHECK-NEXT:    linalg.matmul
// CHECK-NEXT:    return
