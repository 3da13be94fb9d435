// RUN: torch-refine-opt %s --torch-convert-runtime-asserts | filecheck %s

// CHECK-LABEL: func.func @number
// CHECK:       %[[N:.*]] = torch_c.to_i64 %arg0
// CHECK:       %[[LEAST:.*]] = arith.cmpi sge, %[[N]], %c1_i64
// CHECK:       cf.assert %[[LEAST]], "must be >= 1"
// CHECK:       arith.cmpi sle
// CHECK:       cf.assert %{{.*}}, "must be <= 6"
// CHECK:       arith.cmpi sge, %{{.*}}, %c0_i64
// CHECK:       cf.assert %{{.*}}, "must be >= 0"
// CHECK:       arith.cmpi ne
// CHECK:       cf.assert %{{.*}}, "not zero"
// CHECK-NOT:   constrain_range
func.func @number(%arg0: !torch.int) {
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %int6 = torch.constant.int 6
  %str = torch.constant.str "not zero"
  torch.aten.sym_constrain_range %arg0, %int1, %int6 : !torch.int, !torch.int, !torch.int
  torch.aten.sym_constrain_range_for_size %arg0, %none, %none : !torch.int, !torch.none, !torch.none
  torch.aten._assert_scalar %arg0, %str : !torch.int, !torch.str
  return
}

// CHECK-LABEL: func.func @tensor
// CHECK:       %[[VALUE:.*]] = tensor.extract
// CHECK:       %[[HELD:.*]] = arith.cmpf une, %[[VALUE]]
// CHECK:       cf.assert %[[HELD]], "any"
// CHECK-NOT:   _assert_tensor_metadata
func.func @tensor(%arg0: !torch.vtensor<[1],f32>) {
  %none = torch.constant.none
  %int6 = torch.constant.int 6
  %str = torch.constant.str "any"
  torch.operator "torch.aten._assert_async.msg"(%arg0, %str) : (!torch.vtensor<[1],f32>, !torch.str) -> ()
  torch.aten._assert_tensor_metadata %arg0, %none, %none, %int6, %none, %none : !torch.vtensor<[1],f32>, !torch.none, !torch.none, !torch.int, !torch.none, !torch.none
  return
}

// CHECK-LABEL: func.func @functional
// CHECK:       %[[VALUE:.*]] = tensor.extract
// CHECK:       %[[HELD:.*]] = arith.cmpf une, %[[VALUE]]
// CHECK:       cf.assert %[[HELD]], "some"
// CHECK:       return %arg1
func.func @functional(%arg0: !torch.vtensor<[1],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %str = torch.constant.str "some"
  %0 = torch.operator "torch.aten._functional_assert_async.msg"(%arg0, %str, %arg1) : (!torch.vtensor<[1],f32>, !torch.str, !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
