// RUN: torch-refine-opt %s --split-input-file --verify-diagnostics --torch-refinement-pipeline

// What a group always rejects is a diagnostic at the operator.

func.func @not_divisible(%x: !torch.vtensor<[5,3],f32>) -> !torch.vtensor {
  %group = torch.constant.str "0"
  %sum = torch.constant.str "sum"
  %two = torch.constant.int 2
  // expected-error @below {{dimension 0 must be divisible by the size of the group, got 5 and 2}}
  %0 = torch.operator "torch._c10d_functional.reduce_scatter_tensor"(%x, %sum, %two, %group) : (!torch.vtensor<[5,3],f32>, !torch.str, !torch.int, !torch.str) -> !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

func.func @reduction(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor {
  %group = torch.constant.str "0"
  %mean = torch.constant.str "mean"
  // expected-error @below {{there is no reduction mean}}
  %0 = torch.operator "torch._c10d_functional.all_reduce"(%x, %mean, %group) : (!torch.vtensor<[?],f32>, !torch.str, !torch.str) -> !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

func.func @splits(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor {
  %group = torch.constant.str "0"
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %received = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %sent = torch.prim.ListConstruct %one, %two : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{input_split_sizes must sum to the size of dimension 0, got 3 and 4}}
  %0 = torch.operator "torch._c10d_functional.all_to_all_single"(%x, %received, %sent, %group) : (!torch.vtensor<[4,3],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor
  return %0 : !torch.vtensor
}
