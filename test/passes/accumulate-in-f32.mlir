// RUN: torch-refine-opt %s --accumulate-in-f32 | filecheck %s
// RUN: torch-refine-opt %s --accumulate-in-f32=maxima=true | filecheck %s --check-prefix=MAXIMA

// MAXIMA: arith.maximumf %{{.*}} : f32

#rows = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @sum
func.func @sum(%arg0: tensor<?x9xbf16>, %arg1: tensor<?xbf16>) -> tensor<?xbf16> {
  %zero = arith.constant 0.0 : bf16
  // CHECK: %[[START:.*]] = linalg.fill {{.*}} -> tensor<?xf32>
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[START]] : tensor<?xf32>)
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
  // CHECK: arith.addf %[[WIDE]], %{{.*}} : f32
  // CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<?xf32>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %start = linalg.fill ins(%zero : bf16) outs(%arg1 : tensor<?xbf16>) -> tensor<?xbf16>
  %sum = linalg.generic {indexing_maps = [#rows, #out], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x9xbf16>) outs(%start : tensor<?xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.addf %in, %out : bf16
    linalg.yield %0 : bf16
  } -> tensor<?xbf16>
  return %sum : tensor<?xbf16>
}

// What a product goes on from need not be one number.

// CHECK-LABEL: @product
func.func @product(%arg0: tensor<4x9xf16>, %arg1: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK: arith.extf
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
  // CHECK: arith.mulf %{{.*}} : f32
  %0 = linalg.generic {indexing_maps = [#rows, #out], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x9xf16>) outs(%arg1 : tensor<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %1 = arith.mulf %out, %in : f16
    linalg.yield %1 : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// The greatest needs no more bits than there are.

// CHECK-LABEL: @greatest
// CHECK-NOT: f32
func.func @greatest(%arg0: tensor<4x9xf16>, %arg1: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.generic {indexing_maps = [#rows, #out], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x9xf16>) outs(%arg1 : tensor<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %1 = arith.maximumf %in, %out : f16
    linalg.yield %1 : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
