// RUN: torch-refine-opt %s --torch-fold-complex-views | filecheck %s

// Both directions; a conversion with another use stays.
// CHECK-LABEL: func.func @f
// CHECK:         %[[COMPLEX:.*]] = torch.aten.view_as_complex %arg0
// CHECK-NEXT:    return %arg0, %[[COMPLEX]], %arg1
func.func @f(%arg0: !torch.vtensor<[3,2],f32>, %arg1: !torch.vtensor<[?],complex<f64>>) -> (!torch.vtensor<[3,2],f32>, !torch.vtensor<[3],complex<f32>>, !torch.vtensor<[?],complex<f64>>) {
  %0 = torch.aten.view_as_complex %arg0 : !torch.vtensor<[3,2],f32> -> !torch.vtensor<[3],complex<f32>>
  %1 = torch.aten.view_as_real %0 : !torch.vtensor<[3],complex<f32>> -> !torch.vtensor<[3,2],f32>
  %2 = torch.aten.view_as_real %arg1 : !torch.vtensor<[?],complex<f64>> -> !torch.vtensor<[?,2],f64>
  %3 = torch.aten.view_as_complex %2 : !torch.vtensor<[?,2],f64> -> !torch.vtensor<[?],complex<f64>>
  return %1, %0, %3 : !torch.vtensor<[3,2],f32>, !torch.vtensor<[3],complex<f32>>, !torch.vtensor<[?],complex<f64>>
}

// The types differ, or the tensors may be written to.
// CHECK-LABEL: func.func @kept
// CHECK:         torch.aten.view_as_complex
// CHECK-NEXT:    torch.aten.view_as_real
// CHECK-NEXT:    torch.aten.view_as_complex
// CHECK-NEXT:    torch.aten.view_as_real
func.func @kept(%arg0: !torch.vtensor<[3,2],f32>, %arg1: !torch.tensor<[3,2],f32>) -> (!torch.vtensor<[?,2],f32>, !torch.tensor<[3,2],f32>) {
  %0 = torch.aten.view_as_complex %arg0 : !torch.vtensor<[3,2],f32> -> !torch.vtensor<[?],complex<f32>>
  %1 = torch.aten.view_as_real %0 : !torch.vtensor<[?],complex<f32>> -> !torch.vtensor<[?,2],f32>
  %2 = torch.aten.view_as_complex %arg1 : !torch.tensor<[3,2],f32> -> !torch.tensor<[3],complex<f32>>
  %3 = torch.aten.view_as_real %2 : !torch.tensor<[3],complex<f32>> -> !torch.tensor<[3,2],f32>
  return %1, %3 : !torch.vtensor<[?,2],f32>, !torch.tensor<[3,2],f32>
}
