// RUN: torch-refine-opt %s --split-input-file --verify-diagnostics --torch-refinement-pipeline="extra-library=%S/Inputs/misfit_library.mlir"
// RUN: torch-refine-opt %s --split-input-file --verify-diagnostics --torch-reified-refinement-pipeline="extra-library=%S/Inputs/misfit_library.mlir"

// An op that does not fit a function of the user's own is warned of, each time.

func.func @operands(%arg0: !torch.vtensor<[2,3],f16>) -> (!torch.vtensor, !torch.vtensor) {
  // expected-warning @below {{my::double: shape function of the extra library takes 3 arguments, the op has 1 operand}}
  // expected-warning @below {{my::double: dtype function of the extra library takes int, the op has a tensor as operand #0}}
  %0 = torch.operator "torch.my.double"(%arg0) : (!torch.vtensor<[2,3],f16>) -> !torch.vtensor
  // expected-warning @below {{my::double: shape function of the extra library takes 3 arguments, the op has 1 operand}}
  // expected-warning @below {{my::double: dtype function of the extra library takes int, the op has a tensor as operand #0}}
  %1 = torch.operator "torch.my.double"(%arg0) : (!torch.vtensor<[2,3],f16>) -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}

// -----

func.func @results(%arg0: !torch.vtensor<[2,3],f16>) -> !torch.vtensor {
  // expected-warning @below {{aten::tanh: shape function of the extra library gives 2 results, the op has 1 tensor result}}
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f16> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// In a loop, where ops are visited several times, too.

func.func @loop(%arg0: !torch.vtensor<[2,3],f16>, %arg1: !torch.int) -> !torch.vtensor {
  %true = torch.constant.bool true
  %init = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f16> to !torch.vtensor
  %0 = torch.prim.Loop %arg1, %true, init(%init) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor):
    // expected-warning @below {{aten::tanh: shape function of the extra library gives 2 results}}
    %1 = torch.aten.tanh %x : !torch.vtensor -> !torch.vtensor
    torch.prim.Loop.condition %true, iter(%1 : !torch.vtensor)
  } : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
  return %0 : !torch.vtensor
}
