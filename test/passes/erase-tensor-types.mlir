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

// CHECK-LABEL: func.func @region
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>, %[[ARG1:.*]]: !torch.bool) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG1]] -> (!torch.vtensor) {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2],f32> -> !torch.vtensor
// CHECK-NEXT:        torch.prim.If.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V1]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2],f32> to !torch.vtensor
// CHECK-NEXT:        torch.prim.If.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      }
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// And through calls, whose arguments are inputs.

func.func private @callee(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  return %arg0 : !torch.vtensor<[2],f32>
}

func.func @caller(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %1 = call @callee(%0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func private @callee
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @caller
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2],f32> -> !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor to !torch.vtensor<[2],f32>
// CHECK-NEXT:      %[[V2:.*]] = call @callee(%[[V1]]) : (!torch.vtensor<[2],f32>) -> !torch.vtensor
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// In regions and blocks, too.

func.func @regions(%arg0: i1, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %0 = scf.if %arg0 -> (!torch.vtensor<[2,3],f32>) {
    scf.yield %arg1 : !torch.vtensor<[2,3],f32>
  } else {
    %1 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
    scf.yield %1 : !torch.vtensor<[2,3],f32>
  }
  %1 = scf.while (%a = %0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
    scf.condition(%arg0) %a : !torch.vtensor<[2,3],f32>
  } do {
  ^bb0(%b: !torch.vtensor<[2,3],f32>):
    scf.yield %b : !torch.vtensor<[2,3],f32>
  }
  cf.cond_br %arg0, ^bb1(%1 : !torch.vtensor<[2,3],f32>), ^bb1(%arg1 : !torch.vtensor<[2,3],f32>)
^bb1(%2: !torch.vtensor<[2,3],f32>):
  return %2 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @regions
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = scf.if %[[ARG0]] -> (!torch.vtensor) {
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:        scf.yield %[[V4]] : !torch.vtensor
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V4]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor
// CHECK-NEXT:        scf.yield %[[V4]] : !torch.vtensor
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = scf.while (%[[ARG2:.*]] = %[[V0]]) : (!torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:        scf.condition(%[[ARG0]]) %[[ARG2]] : !torch.vtensor
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%[[ARG2]]: !torch.vtensor):
// CHECK-NEXT:        scf.yield %[[ARG2]] : !torch.vtensor
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      cf.cond_br %[[ARG0]], ^bb1(%[[V1]] : !torch.vtensor), ^bb1(%[[V2]] : !torch.vtensor)
// CHECK-NEXT:    ^bb1(%[[V3:.*]]: !torch.vtensor):
// CHECK-NEXT:      return %[[V3]] : !torch.vtensor
// CHECK-NEXT:    }
