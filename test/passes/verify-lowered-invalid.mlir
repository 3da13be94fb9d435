// RUN: torch-refine-opt %s --split-input-file --torch-verify-lowered --verify-diagnostics

// The operator is told of, not the list that it takes.

func.func @f(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2,1],f32> {
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.foo has no lowering to linalg}}
  %1 = torch.operator "torch.aten.foo"(%arg0, %0) : (!torch.vtensor<[2],f32>, !torch.list<int>) -> !torch.vtensor<[2,1],f32>
  return %1 : !torch.vtensor<[2,1],f32>
}
