// RUN: torch-refine-opt --torch-onnx-to-torch-pipeline --split-input-file %s | filecheck %s

// The rank of the second operator is known when the first one is refined: both alternate.
// CHECK-LABEL: func.func @alternating
// CHECK-SAME: -> !torch.vtensor<[3,4],f32>
// CHECK-NOT: onnx.{{[A-Z]}}
// CHECK: return {{.*}} : !torch.vtensor<[3,4],f32>
func.func @alternating(%a: !torch.vtensor<[3,2,1,2],f32>, %b: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<*,f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.Shape"(%b) : (!torch.vtensor<[3,4],f32>) -> !torch.vtensor<*,si64>
  %1 = torch.operator "onnx.Identity"(%0) : (!torch.vtensor<*,si64>) -> !torch.vtensor<*,si64>
  %2 = torch.operator "onnx.Reshape"(%a, %1) : (!torch.vtensor<[3,2,1,2],f32>, !torch.vtensor<*,si64>) -> !torch.vtensor<*,f32>
  %3 = torch.operator "onnx.Tanh"(%2) : (!torch.vtensor<*,f32>) -> !torch.vtensor<*,f32>
  return %3 : !torch.vtensor<*,f32>
}

// -----

// CHECK-LABEL: func.func @sizes_and_dtypes
// CHECK: torch.aten.matmul {{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.gt.Tensor {{.*}} -> !torch.vtensor<[?,4],i1>
func.func @sizes_and_dtypes(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[3,4],f32>) -> !torch.vtensor attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.MatMul"(%a, %b) : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor
  %1 = torch.operator "onnx.Greater"(%0, %0) : (!torch.vtensor, !torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}
