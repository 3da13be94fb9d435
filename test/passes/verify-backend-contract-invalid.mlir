// RUN: torch-refine-opt %s --split-input-file --torch-verify-backend-contract --verify-diagnostics

// expected-error @+1 {{argument 0 is !torch.vtensor<*,f32>: its rank is unknown}}
func.func @argument(%arg0: !torch.vtensor<*,f32>) {
  return
}

// -----

func.func @unknown_operator(%arg0: !torch.vtensor<[2],f32>) {
  // expected-error @+1 {{result 0 of my.op is !torch.vtensor: its rank is unknown, its dtype is unknown (no shape and no dtype function)}}
  %0 = torch.operator "my.op"(%arg0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor
  return
}

// -----

func.func @written(%arg0: !torch.vtensor<[2],f32>) {
  // expected-error @+1 {{a mutable tensor remains}}
  %0 = torch.copy.to_tensor %arg0 : !torch.tensor<[2],f32>
  return
}
