// RUN: torch-refine-opt %s --split-input-file --torch-refine-types=only-control-flow=true | filecheck %s

// Only what control flow passes on is refined: results of operators keep their types.

func.func @yields(%arg0: !torch.bool, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0 = torch.prim.If %arg0 -> (!torch.vtensor) {
    %1 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  } else {
    %1 = torch.aten.relu %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @yields
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG0]] -> (!torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor
// CHECK-NEXT:        %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V3]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V2]] = torch.aten.relu %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor
// CHECK-NEXT:        %[[V3]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V3]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A module without control flow stays as it is.

func.func @straight(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @straight
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }
