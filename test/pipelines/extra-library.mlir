// RUN: torch-refine-opt %s --split-input-file --torch-refinement-pipeline="extra-library=%S/Inputs/my_library.mlir" | filecheck %s

// An operator of the user's own is inferred by the user's functions.

func.func @mine(%arg0: !torch.vtensor<[2,3],f16>) -> !torch.vtensor {
  %0 = torch.operator "torch.my.double"(%arg0) : (!torch.vtensor<[2,3],f16>) -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @mine
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f16>) -> !torch.vtensor<[2,3,2,3],f16> {
// CHECK-NEXT:      %[[V0:.*]] = torch.operator "torch.my.double"(%[[ARG0]]) : (!torch.vtensor<[2,3],f16>) -> !torch.vtensor<[2,3,2,3],f16>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[2,3,2,3],f16>
// CHECK-NEXT:    }

// -----

// They precede the shipped ones.

func.func @replaced(%arg0: !torch.vtensor<[2,3],f16>) -> !torch.vtensor {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f16> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @replaced
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f16>) -> !torch.vtensor<[7],f16> {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,3],f16> -> !torch.vtensor<[7],f16>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[7],f16>
// CHECK-NEXT:    }
