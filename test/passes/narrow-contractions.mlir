// RUN: torch-refine-opt %s --set-cpu-target="cpu=sapphirerapids" --narrow-contractions | filecheck %s
// RUN: torch-refine-opt %s --set-cpu-target="cpu=x86-64-v4" --narrow-contractions | filecheck %s --check-prefix=WIDE
// RUN: torch-refine-opt %s --narrow-contractions="tensor-cores=true" | filecheck %s --check-prefix=CORES

#map = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Both operands were bfloat16; one is seen through a reshape.
// CHECK-LABEL: func.func @both
// CHECK:         %[[LEFT:.*]] = tensor.collapse_shape %arg0 {{.*}} : tensor<1x4x8xbf16> into tensor<4x8xbf16>
// CHECK:         linalg.matmul ins(%[[LEFT]], %arg1 : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%arg3 : tensor<4x8xf32>)
// WIDE-LABEL:  func.func @both
// WIDE:          linalg.matmul ins({{.*}} : tensor<4x8xf32>, tensor<8x8xf32>)
// CORES-LABEL: func.func @both
// CORES:         linalg.matmul ins({{.*}} : tensor<4x8xbf16>, tensor<8x8xbf16>)
func.func @both(%a: tensor<1x4x8xbf16>, %b: tensor<8x8xbf16>, %w: tensor<1x4x8xf32>, %c: tensor<4x8xf32>, %d: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<1x4x8xbf16>) outs(%w : tensor<1x4x8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %5 = arith.extf %in : bf16 to f32
    linalg.yield %5 : f32
  } -> tensor<1x4x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<8x8xbf16>) outs(%d : tensor<8x8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %5 = arith.extf %in : bf16 to f32
    linalg.yield %5 : f32
  } -> tensor<8x8xf32>
  %3 = linalg.matmul ins(%1, %2 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// Sums of an odd number of products are padded with a zero when they are packed.
// CHECK-LABEL: func.func @odd
// CHECK:         linalg.matmul ins({{.*}} : tensor<4x7xbf16>, tensor<7x4xbf16>)
func.func @odd(%a: tensor<4x7xbf16>, %b: tensor<7x4xbf16>, %w: tensor<4x7xf32>, %c: tensor<4x4xf32>, %d: tensor<7x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x7xbf16>) outs(%w : tensor<4x7xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %5 = arith.extf %in : bf16 to f32
    linalg.yield %5 : f32
  } -> tensor<4x7xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<7x4xbf16>) outs(%d : tensor<7x4xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %5 = arith.extf %in : bf16 to f32
    linalg.yield %5 : f32
  } -> tensor<7x4xf32>
  %3 = linalg.matmul ins(%0, %2 : tensor<4x7xf32>, tensor<7x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// Tensor cores multiply f16, too; a reshape may stand between.
// CHECK-LABEL: func.func @half
// CHECK:         linalg.batch_matmul ins({{.*}} : tensor<3x4x8xf32>, tensor<3x8x4xf32>)
// CORES-LABEL: func.func @half
// CORES:         %[[LEFT:.*]] = tensor.expand_shape %arg0 {{.*}} : tensor<12x8xf16> into tensor<3x4x8xf16>
// CORES:         linalg.batch_matmul ins(%[[LEFT]], %arg1 : tensor<3x4x8xf16>, tensor<3x8x4xf16>)
func.func @half(%a: tensor<12x8xf16>, %b: tensor<3x8x4xf16>, %w: tensor<12x8xf32>, %c: tensor<3x4x4xf32>, %d: tensor<3x8x4xf32>) -> tensor<3x4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<12x8xf16>) outs(%w : tensor<12x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %5 = arith.extf %in : f16 to f32
    linalg.yield %5 : f32
  } -> tensor<12x8xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [3, 4, 8] : tensor<12x8xf32> into tensor<3x4x8xf32>
  %2 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<3x8x4xf16>) outs(%d : tensor<3x8x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %5 = arith.extf %in : f16 to f32
    linalg.yield %5 : f32
  } -> tensor<3x8x4xf32>
  %3 = linalg.batch_matmul ins(%1, %2 : tensor<3x4x8xf32>, tensor<3x8x4xf32>) outs(%c : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %3 : tensor<3x4x4xf32>
}

// Operands of two types are not multiplied.
// CORES-LABEL: func.func @mixed
// CORES:         linalg.matmul ins({{.*}} : tensor<4x8xf32>, tensor<8x8xf32>)
func.func @mixed(%a: tensor<4x8xf16>, %b: tensor<8x8xbf16>, %w: tensor<4x8xf32>, %c: tensor<4x8xf32>, %d: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf16>) outs(%w : tensor<4x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %5 = arith.extf %in : f16 to f32
    linalg.yield %5 : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<8x8xbf16>) outs(%d : tensor<8x8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %5 = arith.extf %in : bf16 to f32
    linalg.yield %5 : f32
  } -> tensor<8x8xf32>
  %3 = linalg.matmul ins(%0, %2 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// The maximum of each row is subtracted from the scores of attention, which is one kernel of f32.
// CHECK-LABEL: func.func @scores
// CHECK:         linalg.matmul ins({{.*}} : tensor<4x8xf32>, tensor<8x4xf32>)
// CORES-LABEL: func.func @scores
// CORES:         linalg.matmul ins({{.*}} : tensor<4x8xbf16>, tensor<8x4xbf16>)
func.func @scores(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>, %w: tensor<4x8xf32>, %c: tensor<4x4xf32>, %d: tensor<8x4xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xbf16>) outs(%w : tensor<4x8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %5 = arith.extf %in : bf16 to f32
    linalg.yield %5 : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<8x4xbf16>) outs(%d : tensor<8x4xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %5 = arith.extf %in : bf16 to f32
    linalg.yield %5 : f32
  } -> tensor<8x4xf32>
  %3 = linalg.matmul ins(%0, %2 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = linalg.generic {indexing_maps = [#map, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%3 : tensor<4x4xf32>) outs(%m : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.maximumf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Scores of attention and their weights are narrowed for tile registers, if the result is rounded:
// weights are rounded first.
// CHECK-LABEL: func.func @attention
// CHECK:         %[[SCORES:.*]] = linalg.batch_matmul ins(%arg0, %arg1 : tensor<2x32x16xbf16>, tensor<2x16x64xbf16>)
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// CHECK:         linalg.batch_matmul ins(%{{.*}}, %arg2 : tensor<2x32x64xbf16>, tensor<2x64x16xbf16>)
// WIDE-LABEL:  func.func @attention
// WIDE-COUNT-2: linalg.batch_matmul ins({{.*}}xf32>)
func.func @attention(%arg0: tensor<2x32x16xbf16>, %arg1: tensor<2x16x64xbf16>, %arg2: tensor<2x64x16xbf16>, %arg3: tensor<2x32x1xf32>) -> tensor<2x32x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %qe = tensor.empty() : tensor<2x32x16xf32>
  %q = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%arg0 : tensor<2x32x16xbf16>) outs(%qe : tensor<2x32x16xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %x = arith.extf %in : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<2x32x16xf32>
  %ke = tensor.empty() : tensor<2x16x64xf32>
  %k = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%arg1 : tensor<2x16x64xbf16>) outs(%ke : tensor<2x16x64xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %x = arith.extf %in : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<2x16x64xf32>
  %ve = tensor.empty() : tensor<2x64x16xf32>
  %v = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%arg2 : tensor<2x64x16xbf16>) outs(%ve : tensor<2x64x16xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %x = arith.extf %in : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<2x64x16xf32>
  %se = tensor.empty() : tensor<2x32x64xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x32x16xf32>, tensor<2x16x64xf32>) outs(%sf : tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  %w = linalg.generic {indexing_maps = [#map3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %arg3 : tensor<2x32x64xf32>, tensor<2x32x1xf32>) outs(%se : tensor<2x32x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %x = math.exp %in : f32
    %y = arith.divf %x, %sum : f32
    linalg.yield %y : f32
  } -> tensor<2x32x64xf32>
  %oe = tensor.empty() : tensor<2x32x16xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x32x64xf32>, tensor<2x64x16xf32>) outs(%of : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
  %re = tensor.empty() : tensor<2x32x16xbf16>
  %r = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o : tensor<2x32x16xf32>) outs(%re : tensor<2x32x16xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %x = arith.truncf %in : f32 to bf16
    linalg.yield %x : bf16
  } -> tensor<2x32x16xbf16>
  return %r : tensor<2x32x16xbf16>
}

// In f32 they are not rounded.
// CHECK-LABEL: func.func @unrounded
// CHECK-NOT:     arith.truncf
// CHECK:         return
func.func @unrounded(%arg0: tensor<2x32x16xbf16>, %arg1: tensor<2x16x64xbf16>, %arg2: tensor<2x64x16xbf16>, %arg3: tensor<2x32x1xf32>) -> tensor<2x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %qe = tensor.empty() : tensor<2x32x16xf32>
  %q = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%arg0 : tensor<2x32x16xbf16>) outs(%qe : tensor<2x32x16xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %x = arith.extf %in : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<2x32x16xf32>
  %ke = tensor.empty() : tensor<2x16x64xf32>
  %k = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%arg1 : tensor<2x16x64xbf16>) outs(%ke : tensor<2x16x64xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %x = arith.extf %in : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<2x16x64xf32>
  %ve = tensor.empty() : tensor<2x64x16xf32>
  %v = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%arg2 : tensor<2x64x16xbf16>) outs(%ve : tensor<2x64x16xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %x = arith.extf %in : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<2x64x16xf32>
  %se = tensor.empty() : tensor<2x32x64xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x32x16xf32>, tensor<2x16x64xf32>) outs(%sf : tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  %w = linalg.generic {indexing_maps = [#map3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #map3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %arg3 : tensor<2x32x64xf32>, tensor<2x32x1xf32>) outs(%se : tensor<2x32x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %x = math.exp %in : f32
    %y = arith.divf %x, %sum : f32
    linalg.yield %y : f32
  } -> tensor<2x32x64xf32>
  %oe = tensor.empty() : tensor<2x32x16xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x32x64xf32>, tensor<2x64x16xf32>) outs(%of : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
  return %o : tensor<2x32x16xf32>
}
