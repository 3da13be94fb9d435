// RUN: torch-refine-opt %s --torch-convert-runtime-asserts --split-input-file --verify-diagnostics

func.func @dtype(%arg0: !torch.vtensor<[1],f32>) {
  %none = torch.constant.none
  %int7 = torch.constant.int 7
  // expected-error @+1 {{torch.aten._assert_tensor_metadata is not lowered: the dtype must be float64, got f32}}
  torch.aten._assert_tensor_metadata %arg0, %none, %none, %int7, %none, %none : !torch.vtensor<[1],f32>, !torch.none, !torch.none, !torch.int, !torch.none, !torch.none
  return
}

// -----

func.func @many(%arg0: !torch.vtensor<[?],i1>) {
  %str = torch.constant.str "any"
  // expected-error @+1 {{torch.aten._assert_async.msg is not lowered: its operand must have one element}}
  torch.operator "torch.aten._assert_async.msg"(%arg0, %str) : (!torch.vtensor<[?],i1>, !torch.str) -> ()
  return
}
