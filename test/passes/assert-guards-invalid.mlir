// RUN: torch-refine-opt %s --torch-assert-guards --split-input-file --verify-diagnostics

// expected-error @+1 {{a guard cannot be checked: arg0.size(0) + arg1: arg0.size(0) + arg1 is not a condition}}
func.func @number(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.int)
    attributes {torch_refine.guards = [{condition = "arg0.size(0) + arg1", message = ""}]} {
  return
}

// -----

// expected-error @+1 {{a guard cannot be checked: __import__(3) == 1: __import__ is not supported}}
func.func @call(%arg0: !torch.vtensor<[?],f32>)
    attributes {torch_refine.guards = [{condition = "__import__(3) == 1", message = ""}]} {
  return
}

// -----

// expected-error @+1 {{a guard cannot be checked: 2 ** arg0.size(0) == 4: the exponent arg0.size(0) is not constant}}
func.func @power(%arg0: !torch.vtensor<[?],f32>)
    attributes {torch_refine.guards = [{condition = "2 ** arg0.size(0) == 4", message = ""}]} {
  return
}

// -----

// expected-error @+1 {{a guard cannot be checked: arg0.size(0) ** 0 == 1: the exponent 0 is not supported}}
func.func @zeroth(%arg0: !torch.vtensor<[?],f32>)
    attributes {torch_refine.guards = [{condition = "arg0.size(0) ** 0 == 1", message = ""}]} {
  return
}

// -----

// expected-error @+1 {{there is no argument 3}}
func.func @missing(%arg0: !torch.vtensor<[?],f32>)
    attributes {torch_refine.guards = [{condition = "arg3.size(0) == 1", message = ""}]} {
  return
}

// -----

// expected-error @+1 {{torch_refine.guards is not a list of conditions and messages}}
func.func @no_list(%arg0: !torch.vtensor<[?],f32>) attributes {torch_refine.guards = ["x"]} {
  return
}

// -----

func.func @unsolved(%arg0: !torch.vtensor<[?],f32>) {
  %s0 = torch.symbolic_int "s0" {min_val = 0, max_val = 64} : !torch.int
  %s1 = torch.symbolic_int "s1" {min_val = 0, max_val = 64} : !torch.int
  // expected-error @+1 {{no size determines s0 and s1 of argument 0.size(0)}}
  torch.bind_symbolic_shape %arg0, [%s0, %s1], affine_map<()[s0, s1] -> (s0 + s1)> : !torch.vtensor<[?],f32>
  return
}
