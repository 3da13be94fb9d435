// RUN: torch-refine-opt --torch-decompose-ops='ops=aten::relu' --verify-diagnostics %s

// expected-error @+1 {{torch-decompose-ops: aten::relu has no decomposition function}}
module {
  func.func @f(%arg0: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],f32> {
    return %arg0 : !torch.vtensor<[2,2],f32>
  }
}
