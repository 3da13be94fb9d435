// RUN: torch-refine-opt %s --torch-lower-element-scatters | filecheck %s

// CHECK-LABEL: func.func @sums
// CHECK:         %[[END:.*]] = tensor.dim %[[MEMORY:.*]], %{{.*}} : tensor<3x?xf32>
// CHECK:         cf.assert %{{.*}}, "the index of a scatter has more elements in dimension 0 than the tensor or the source"
// CHECK:         %[[TUPLES:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<?x4xi64>) outs(%{{.*}} : tensor<?x4x2xi64>)
// CHECK:         ^bb0(%[[PLACE:.*]]: i64, %{{.*}}: i64):
// CHECK:           %[[AT:.*]] = arith.index_cast %[[PLACE]]
// CHECK:           %[[OK:.*]] = arith.cmpi ult, %[[AT]], %[[END]]
// CHECK:           cf.assert %[[OK]], "index is out of bounds for dimension 1"
// CHECK:         %[[PLACES:.*]] = tensor.collapse_shape %[[TUPLES]] {{\[\[}}0, 1], [2]]
// CHECK:         %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%{{.*}}, 4] [1, 1] : tensor<?x5xf32> to tensor<?x4xf32>
// CHECK:         %[[VALUES:.*]] = tensor.collapse_shape %[[PART]]
// CHECK:         tm_tensor.scatter {dimension_map = array<i64: 0, 1>, torch_refine.checked} unique_indices(false) ins(%[[VALUES]], %[[PLACES]] : tensor<?xf32>, tensor<?x2xi64>) outs(%[[MEMORY]]
// CHECK:         ^bb0(%[[NEW:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK-NEXT:      %[[FOUND:.*]] = arith.addf %[[OLD]], %[[NEW]] : f32
// CHECK-NEXT:      tm_tensor.yield %[[FOUND]] : f32
func.func @sums(%arg0: !torch.vtensor<[3,?],f32>, %arg1: !torch.vtensor<[?,4],si64>, %arg2: !torch.vtensor<[?,5],f32>) -> !torch.vtensor<[3,?],f32> {
  %int-1 = torch.constant.int -1
  %0 = torch.aten.scatter_add %arg0, %int-1, %arg1, %arg2 : !torch.vtensor<[3,?],f32>, !torch.int, !torch.vtensor<[?,4],si64>, !torch.vtensor<[?,5],f32> -> !torch.vtensor<[3,?],f32>
  return %0 : !torch.vtensor<[3,?],f32>
}

// CHECK-LABEL: func.func @greatest
// CHECK:         arith.maxui
func.func @greatest(%arg0: !torch.vtensor<[3],ui8>, %arg1: !torch.vtensor<[5],si64>, %arg2: !torch.vtensor<[5],ui8>) -> !torch.vtensor<[3],ui8> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "amax"
  %true = torch.constant.bool true
  %0 = torch.aten.scatter_reduce.two %arg0, %int0, %arg1, %arg2, %str, %true : !torch.vtensor<[3],ui8>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5],ui8>, !torch.str, !torch.bool -> !torch.vtensor<[3],ui8>
  return %0 : !torch.vtensor<[3],ui8>
}

// Means, bools, and dimensions that are no constants have no code here.

// CHECK-LABEL: func.func @others
// CHECK-NOT:     tm_tensor
// CHECK:         torch.aten.scatter_reduce.two
// CHECK:         torch.aten.scatter.src
// CHECK:         torch.aten.scatter_add
func.func @others(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[5],si64>, %arg2: !torch.vtensor<[5],f32>, %arg3: !torch.vtensor<[3],i1>, %arg4: !torch.vtensor<[5],i1>, %arg5: !torch.int) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],i1>, !torch.vtensor<[3],f32>) {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "mean"
  %true = torch.constant.bool true
  %0 = torch.aten.scatter_reduce.two %arg0, %int0, %arg1, %arg2, %str, %true : !torch.vtensor<[3],f32>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5],f32>, !torch.str, !torch.bool -> !torch.vtensor<[3],f32>
  %1 = torch.aten.scatter.src %arg3, %int0, %arg1, %arg4 : !torch.vtensor<[3],i1>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5],i1> -> !torch.vtensor<[3],i1>
  %2 = torch.aten.scatter_add %arg0, %arg5, %arg1, %arg2 : !torch.vtensor<[3],f32>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5],f32> -> !torch.vtensor<[3],f32>
  return %0, %1, %2 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],i1>, !torch.vtensor<[3],f32>
}
