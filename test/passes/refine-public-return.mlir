// RUN: torch-refine-opt %s --split-input-file --torch-refine-public-return | filecheck %s

// Casts that hide what is known are returned through.

func.func @cast(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor) -> (!torch.vtensor, !torch.vtensor) {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  return %0, %arg1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @cast
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: !torch.vtensor) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor) {
// CHECK-NEXT:      return %[[ARG0]], %[[ARG1]] : !torch.vtensor<[2,3],f32>, !torch.vtensor
// CHECK-NEXT:    }

// -----

// A cast to something more precise stays.

func.func @narrowing(%arg0: !torch.vtensor) -> !torch.vtensor<[2],f32> {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor to !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @narrowing
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> !torch.vtensor<[2],f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor to !torch.vtensor<[2],f32>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[2],f32>
// CHECK-NEXT:    }

// -----

// Private functions, and functions that the module calls, keep what they declare.

func.func private @private(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2],f32> to !torch.vtensor
  return %0 : !torch.vtensor
}

func.func @called(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2],f32> to !torch.vtensor
  return %0 : !torch.vtensor
}

func.func @caller(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  %0 = call @called(%arg0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func private @private
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @called
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @caller
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = call @called(%[[ARG0]]) : (!torch.vtensor<[2],f32>) -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }
