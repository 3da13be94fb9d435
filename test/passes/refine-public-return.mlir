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

// -----

// A tensor that is only returned is the value that it was copied from, with what casts say of it.

func.func @copy(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor) -> (!torch.tensor, !torch.tensor<[2,3],f32>, !torch.tensor<[2,3],f32>) {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1 = torch.copy.to_tensor %0 : !torch.tensor
  %2 = torch.copy.to_tensor %arg1 : !torch.tensor
  %3 = torch.tensor_static_info_cast %2 : !torch.tensor to !torch.tensor<[2,3],f32>
  return %1, %3, %3 : !torch.tensor, !torch.tensor<[2,3],f32>, !torch.tensor<[2,3],f32>
}

// CHECK-LABEL: func.func @copy
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: !torch.vtensor) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return %[[ARG0]], %[[V0]], %[[V0]] : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:    }

// -----

// One that something else uses, also under another type, may have been written to: it is copied.

func.func @written(%arg0: !torch.vtensor<[2,3],f32>) -> (!torch.tensor, !torch.tensor) {
  %0 = torch.copy.to_tensor %arg0 : !torch.tensor<[2,3],f32>
  %1 = torch.tensor_static_info_cast %0 : !torch.tensor<[2,3],f32> to !torch.tensor
  %2 = torch.aten.tanh_ %0 : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %3 = torch.copy.to_tensor %arg0 : !torch.tensor<[2,3],f32>
  %4 = torch.tensor_static_info_cast %3 : !torch.tensor<[2,3],f32> to !torch.tensor
  %5 = torch.aten.tanh_ %4 : !torch.tensor -> !torch.tensor
  return %1, %4 : !torch.tensor, !torch.tensor
}

// CHECK-LABEL: func.func @written
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.copy.to_tensor %[[ARG0]] : !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.tanh_ %[[V0]] : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.copy.to_tensor %[[ARG0]] : !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.tensor<[2,3],f32> to !torch.tensor
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.tanh_ %[[V3]] : !torch.tensor -> !torch.tensor
// CHECK-NEXT:      %[[V5:.*]] = torch.copy.to_vtensor %[[V0]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V6:.*]] = torch.copy.to_vtensor %[[V2]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return %[[V5]], %[[V6]] : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:    }

// -----

// A tensor that is no copy stays.

func.func @tensor(%arg0: !torch.tensor<[2,3],f32>) -> !torch.tensor {
  %0 = torch.aten.tanh %arg0 : !torch.tensor<[2,3],f32> -> !torch.tensor
  return %0 : !torch.tensor
}

// CHECK-LABEL: func.func @tensor
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor<[2,3],f32>) -> !torch.tensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.tensor<[2,3],f32> -> !torch.tensor
// CHECK-NEXT:      return %[[V0]] : !torch.tensor
// CHECK-NEXT:    }

// -----

// So does one that calls itself.

func.func @recursive(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.bool) -> !torch.vtensor {
  %0 = torch.prim.If %arg1 -> (!torch.vtensor) {
    %2 = func.call @recursive(%arg0, %arg1) : (!torch.vtensor<[2],f32>, !torch.bool) -> !torch.vtensor
    torch.prim.If.yield %2 : !torch.vtensor
  } else {
    %2 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2],f32> to !torch.vtensor
    torch.prim.If.yield %2 : !torch.vtensor
  }
  %1 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2],f32> to !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @recursive
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>, %[[ARG1:.*]]: !torch.bool) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG1]] -> (!torch.vtensor) {
// CHECK-NEXT:        %[[V2:.*]] = func.call @recursive(%[[ARG0]], %[[ARG1]]) : (!torch.vtensor<[2],f32>, !torch.bool) -> !torch.vtensor
// CHECK-NEXT:        torch.prim.If.yield %[[V2]] : !torch.vtensor
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V2]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2],f32> to !torch.vtensor
// CHECK-NEXT:        torch.prim.If.yield %[[V2]] : !torch.vtensor
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A tensor that is returned as an optional one is returned as it is; None, and a private function's
// result, stay.

func.func @optional(%arg0: !torch.vtensor<[2],f32>) -> (!torch.optional<vtensor>, !torch.optional<vtensor>) {
  %none = torch.constant.none
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2],f32> to !torch.vtensor
  %1 = torch.derefine %0 : !torch.vtensor to !torch.optional<vtensor>
  %2 = torch.derefine %none : !torch.none to !torch.optional<vtensor>
  return %1, %2 : !torch.optional<vtensor>, !torch.optional<vtensor>
}

func.func private @inner(%arg0: !torch.vtensor<[2],f32>) -> !torch.optional<vtensor<[2],f32>> {
  %0 = torch.derefine %arg0 : !torch.vtensor<[2],f32> to !torch.optional<vtensor<[2],f32>>
  return %0 : !torch.optional<vtensor<[2],f32>>
}

// CHECK-LABEL: func.func @optional
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.optional<vtensor>) {
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]] = torch.derefine %[[NONE]] : !torch.none to !torch.optional<vtensor>
// CHECK-NEXT:      return %[[ARG0]], %[[V0]] : !torch.vtensor<[2],f32>, !torch.optional<vtensor>
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @inner
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.optional<vtensor<[2],f32>> {
// CHECK-NEXT:      %[[V0:.*]] = torch.derefine %[[ARG0]] : !torch.vtensor<[2],f32> to !torch.optional<vtensor<[2],f32>>
// CHECK-NEXT:      return %[[V0]] : !torch.optional<vtensor<[2],f32>>
// CHECK-NEXT:    }
