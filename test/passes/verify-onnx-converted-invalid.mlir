// RUN: torch-refine-opt --torch-verify-onnx-converted --split-input-file --verify-diagnostics %s

func.func @kind(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  // expected-error @+1 {{onnx.NoSuch is not converted: the wheel has no conversion for (!torch.vtensor<[2,3],f32>)}}
  %0 = torch.operator "onnx.NoSuch"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @types(%arg0: !torch.vtensor<*,f32>) -> !torch.vtensor {
  // expected-error @+1 {{onnx.Relu is not converted: its types are unknown (operand 0 is !torch.vtensor<*,f32>, result 0 is !torch.vtensor)}}
  %0 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<*,f32>) -> !torch.vtensor
  return %0 : !torch.vtensor
}
