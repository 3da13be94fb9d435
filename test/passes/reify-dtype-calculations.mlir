// RUN: torch-refine-opt %s --split-input-file --torch-reify-dtype-calculations | filecheck %s

// A tensor becomes its rank and dtype, a number the number that it is.

func.func @tensor_and_number(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %float2 = torch.constant.float 2.000000e+00
  %0 = torch.aten.add.Scalar %arg0, %float2, %int1 : !torch.vtensor<[2,3],f32>, !torch.float, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @tensor_and_number(%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[FLOAT2:.*]].000000e00 = torch.constant.float 2.000000e+00
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Scalar %[[ARG0]], %[[FLOAT2]].000000e00, %[[INT1]] : !torch.vtensor<[2,3],f32>, !torch.float, !torch.int -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A bool that stands for a number has no direct cast in the dialect.

func.func @bool_as_number(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.operator "torch.aten.add.Scalar"(%arg0, %true, %int1) : (!torch.vtensor<[2,3],f32>, !torch.bool, !torch.int) -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @bool_as_number(%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[V0:.*]] = torch.operator "torch.aten.add.Scalar"(%[[ARG0]], %[[TRUE]], %[[INT1]]) : (!torch.vtensor<[2,3],f32>, !torch.bool, !torch.int) -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A lone dtype stands for all tensors of a list.

func.func @list_result(%arg0: !torch.vtensor) -> !torch.vtensor {
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %0 = torch.aten.split.Tensor %arg0, %int2, %int0 : !torch.vtensor, !torch.int, !torch.int -> !torch.list<vtensor>
  %1 = torch.aten.__getitem__.t %0, %int2 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @list_result(%[[ARG0:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.split.Tensor %[[ARG0]], %[[INT2]], %[[INT0]] : !torch.vtensor, !torch.int, !torch.int -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.__getitem__.t %[[V0]], %[[INT2]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }
