// RUN: torch-refine-opt %s --split-input-file --torch-insert-error-guards --verify-diagnostics

// An operator that raises for the sizes that are known is an error, not a guard.

func.func @always_raises(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[4,?],f32>) {
  // expected-error @+1 {{torch.aten.mm always raises: inner dimensions must match, got 3 and 4}}
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[4,?],f32> -> !torch.vtensor
  return
}

// -----

// So is one whose precondition contradicts the guards before it.

func.func @contradiction(%arg0: !torch.vtensor<[2,?],f32>, %arg1: !torch.vtensor<[3,2],f32>, %arg2: !torch.vtensor<[4,2],f32>) {
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,?],f32>, !torch.vtensor<[3,2],f32> -> !torch.vtensor
  // expected-error @+1 {{torch.aten.mm always raises behind the guards before it: aten::mm: inner dimensions must match, got arg0.size(1) and 4}}
  %1 = torch.aten.mm %arg0, %arg2 : !torch.vtensor<[2,?],f32>, !torch.vtensor<[4,2],f32> -> !torch.vtensor
  return
}

// -----

// expected-error @+1 {{torch_refine.guards is not a list of conditions and messages}}
func.func @attribute(%arg0: !torch.vtensor<[?],f32>) attributes {torch_refine.guards = "x"} {
  return
}
