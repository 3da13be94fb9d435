// RUN: torch-refine-opt %s --torch-lower-index-reduce | filecheck %s

// CHECK-LABEL: func.func @extremes
// CHECK:         %[[COUNT:.*]] = tensor.dim %[[INDEX:.*]], %c0
// CHECK:         %[[PLACES:.*]] = tensor.expand_shape %[[INDEX]] {{\[\[0, 1\]\]}} output_shape [%[[COUNT]], 1]
// CHECK:         tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%{{.*}}, %[[PLACES]] : tensor<?x?xf32>, tensor<?x1xi64>)
// CHECK:         ^bb0(%[[NEW:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK-NEXT:      %[[FOUND:.*]] = arith.minimumf %[[OLD]], %[[NEW]] : f32
// CHECK-NEXT:      tm_tensor.yield %[[FOUND]] : f32
func.func @extremes(%arg0: !torch.vtensor<[3,?],f32>, %arg1: !torch.vtensor<[?],si64>, %arg2: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[3,?],f32> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "amin"
  %true = torch.constant.bool true
  %0 = torch.operator "torch.aten.index_reduce"(%arg0, %int0, %arg1, %arg2, %str, %true) : (!torch.vtensor<[3,?],f32>, !torch.int, !torch.vtensor<[?],si64>, !torch.vtensor<[?,?],f32>, !torch.str, !torch.bool) -> !torch.vtensor<[3,?],f32>
  return %0 : !torch.vtensor<[3,?],f32>
}

// CHECK-LABEL: func.func @products
// CHECK:         tm_tensor.scatter {{.*}} tensor<5xi32>, tensor<5x1xi64>
// CHECK:           arith.muli
func.func @products(%arg0: !torch.vtensor<[3],si32>, %arg1: !torch.vtensor<[5],si64>, %arg2: !torch.vtensor<[5],si32>) -> !torch.vtensor<[3],si32> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "prod"
  %true = torch.constant.bool true
  %0 = torch.operator "torch.aten.index_reduce"(%arg0, %int0, %arg1, %arg2, %str, %true) : (!torch.vtensor<[3],si32>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5],si32>, !torch.str, !torch.bool) -> !torch.vtensor<[3],si32>
  return %0 : !torch.vtensor<[3],si32>
}
