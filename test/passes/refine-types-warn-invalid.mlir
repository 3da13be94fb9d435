// RUN: torch-refine-opt %s --split-input-file --torch-refine-types=invalid-program=warn --verify-diagnostics

// With invalid-program=warn the program goes on, as far as it is not wrong.

func.func @mm(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[4,5],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{torch.aten.mm always raises: inner dimensions must match, got 3 and 4}}
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor
  %1 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor
  return %1 : !torch.vtensor
}

// -----

func.func @cast(%arg0: !torch.vtensor<[2,3],f32>) {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
  // expected-warning @+1 {{torch.tensor_static_info_cast is declared !torch.vtensor<[4,3],f32>, but its operand is !torch.vtensor<[2,3],f32>}}
  %1 = torch.tensor_static_info_cast %0 : !torch.vtensor to !torch.vtensor<[4,3],f32>
  return
}

// -----

// Why nothing is inferred, although the program is valid: the list has any length.

func.func @grows(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %arg0, %arg0 : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.append.t %0, %arg0 : !torch.list<vtensor>, !torch.vtensor<[2,3],f32> -> !torch.list<vtensor>
  // expected-warning @+1 {{cannot infer the shape of aten::cat: a loop does not reach a fixed point}}
  %2 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %2 : !torch.vtensor
}
