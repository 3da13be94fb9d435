// RUN: torch-refine-opt %s --split-input-file --torch-erase-tensor-types | filecheck %s

// Inputs and literals keep their types; what operators give loses them.

func.func @program(%arg0: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.int) {
  %int1 = torch.constant.int 1
  %0 = torch.vtensor.literal(dense<1.000000e+00> : tensor<2x3xf32>) : !torch.vtensor<[2,3],f32>
  %1 = torch.aten.add.Tensor %arg0, %0, %int1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  return %1, %int1 : !torch.vtensor<[2,3],f32>, !torch.int
}

// CHECK-LABEL: func.func @program
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor, !torch.int) {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.vtensor.literal(dense<1.000000e+00> : tensor<2x3xf32>) : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[V0]], %[[INT1]] : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor
// CHECK-NEXT:      return %[[V1]], %[[INT1]] : !torch.vtensor, !torch.int
// CHECK-NEXT:    }

// -----

// Also in regions.

func.func @region(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.bool) -> !torch.vtensor<[2],f32> {
  %0 = torch.prim.If %arg1 -> (!torch.vtensor<[2],f32>) {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %1 : !torch.vtensor<[2],f32>
  } else {
    torch.prim.If.yield %arg0 : !torch.vtensor<[2],f32>
  }
  return %0 : !torch.vtensor<[2],f32>
}
