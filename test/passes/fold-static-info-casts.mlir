// RUN: torch-refine-opt %s --split-input-file --torch-fold-static-info-casts | filecheck %s

// A cast between equal types goes.

func.func @equal(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2],f32> to !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @equal
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
// CHECK-NEXT:      return %[[ARG0]] : !torch.vtensor<[2],f32>
// CHECK-NEXT:    }

// -----

// One that a user needs stays for that user.

func.func @needed(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2],f32> to !torch.vtensor
  %1 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @needed
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2],f32> -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// So does one to something more precise.

func.func @narrowing(%arg0: !torch.vtensor) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor to !torch.vtensor<[2],f32>
  %1 = torch.aten.tanh %0 : !torch.vtensor<[2],f32> -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @narrowing
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor to !torch.vtensor<[2],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.tanh %[[V0]] : !torch.vtensor<[2],f32> -> !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Where nothing leads, a cast may be its own operand.

func.func @own_operand(%arg0: !torch.vtensor) -> !torch.vtensor {
  return %arg0 : !torch.vtensor
^bb1:
  %0 = torch.tensor_static_info_cast %0 : !torch.vtensor to !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @own_operand
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      return %[[ARG0]] : !torch.vtensor
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor to !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }
