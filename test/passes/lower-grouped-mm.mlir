// RUN: torch-refine-opt %s --split-input-file --torch-lower-grouped-mm | filecheck %s

// The rows of a group are those up to its offset, which is clamped, and checked.

// CHECK-LABEL: func.func @plain
// CHECK:         %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<6x5xf32>)
// CHECK:         scf.for {{.*}} iter_args(%[[START:.*]] = %{{.*}}, %{{.*}} = %[[ZEROS]]) -> (i64, tensor<6x5xf32>)
// CHECK:           %[[AT_MOST:.*]] = arith.minsi
// CHECK:           %[[END:.*]] = arith.maxsi %[[AT_MOST]], %[[START]]
// CHECK:           cf.assert %{{.*}}, "grouped_mm: offsets must not decrease, nor exceed the number of rows"
// CHECK:           scf.if
// CHECK:             linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<4x5xf32>) outs(%{{.*}} : tensor<?x5xf32>)
// CHECK:           scf.yield %[[END]]
func.func @plain(%arg0: !torch.vtensor<[6,4],f32>, %arg1: !torch.vtensor<[3,4,5],f32>, %arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[6,5],f32> {
  %0 = torch.operator "torch.transformers.grouped_mm_fallback"(%arg0, %arg1, %arg2) : (!torch.vtensor<[6,4],f32>, !torch.vtensor<[3,4,5],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[6,5],f32>
  return %0 : !torch.vtensor<[6,5],f32>
}

// -----

// Sums of 16-bit floats are f32.

// CHECK-LABEL: func.func @halves
// CHECK:         arith.extsi %{{.*}} : i32 to i64
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<?x4xbf16>, tensor<4x?xbf16>) outs(%{{.*}} : tensor<?x?xf32>)
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
func.func @halves(%arg0: !torch.vtensor<[?,4],bf16>, %arg1: !torch.vtensor<[?,4,?],bf16>, %arg2: !torch.vtensor<[?],si32>) -> !torch.vtensor<[?,?],bf16> {
  %none = torch.constant.none
  %0 = torch.operator "torch.aten._grouped_mm"(%arg0, %arg1, %arg2, %none, %none) : (!torch.vtensor<[?,4],bf16>, !torch.vtensor<[?,4,?],bf16>, !torch.vtensor<[?],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,?],bf16>
  return %0 : !torch.vtensor<[?,?],bf16>
}
