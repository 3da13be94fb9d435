// RUN: torch-refine-opt --torch-verify-onnx-converted %s | filecheck %s

// CHECK-LABEL: func.func @f
// CHECK: torch.operator "torch.my.op"
func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0 = torch.operator "torch.my.op"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
  return %0 : !torch.vtensor
}
