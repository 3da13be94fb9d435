// RUN: torch-refine-opt %s --split-input-file --torch-verify-lowerable --verify-diagnostics

func.func @complex(%arg0: !torch.vtensor<[2],complex<f32>>) -> !torch.vtensor<[2],complex<f32>> {
  // expected-error @+1 {{torch.aten.exp is not lowered: for complex numbers}}
  %0 = torch.aten.exp %arg0 : !torch.vtensor<[2],complex<f32>> -> !torch.vtensor<[2],complex<f32>>
  return %0 : !torch.vtensor<[2],complex<f32>>
}

// -----

func.func @unsigned(%arg0: !torch.vtensor<[2],ui8>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{torch.aten.mul.Tensor is not lowered: for unsigned numbers and floats together: cast them before}}
  %0 = torch.aten.mul.Tensor %arg0, %arg1 : !torch.vtensor<[2],ui8>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// Tensors in a list count.

func.func @list(%arg0: !torch.vtensor<[2],ui8>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[2],ui8>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  // expected-error @+1 {{torch.aten.cat is not lowered: for unsigned numbers and floats together}}
  %1 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

// -----

func.func @same(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],i1> {
  // expected-error @+1 {{torch.aten.eq.Tensor is not lowered: for a float and itself, which is folded as if there were no NaN}}
  %0 = torch.aten.eq.Tensor %arg0, %arg0 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}
