// RUN: torch-refine-opt %s --torch-split-complex-literals | filecheck %s

// Numbers are kept bit by bit, and one number for all elements is repeated.

// CHECK-LABEL: func.func @constants
// CHECK:         %[[LIST:.*]] = torch.vtensor.literal(dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 0x7FC00001]]> : tensor<2x2xf32>)
// CHECK:         torch.aten.view_as_complex %[[LIST]] : !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2],complex<f32>>
// CHECK:         %[[SCALAR:.*]] = torch.vtensor.literal(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>)
// CHECK:         torch.aten.view_as_complex %[[SCALAR]] : !torch.vtensor<[2],f64> -> !torch.vtensor<[],complex<f64>>
// CHECK:         %[[ALL:.*]] = torch.aten.broadcast_to %{{.*}} -> !torch.vtensor<[3,2,2],f32>
// CHECK:         torch.aten.view_as_complex %[[ALL]] : !torch.vtensor<[3,2,2],f32> -> !torch.vtensor<[3,2],complex<f32>>
// CHECK:         %[[NONE:.*]] = torch.vtensor.literal(dense<> : tensor<0x2xf32>)
// CHECK:         torch.aten.view_as_complex %[[NONE]]
// CHECK-NOT:     complex<f32>>) :
func.func @constants() -> (!torch.vtensor<[2],complex<f32>>, !torch.vtensor<[],complex<f64>>, !torch.vtensor<[3,2],complex<f32>>, !torch.vtensor<[0],complex<f32>>) {
  %0 = torch.vtensor.literal(dense<[(1.0,2.0), (3.0,0x7FC00001)]> : tensor<2xcomplex<f32>>) : !torch.vtensor<[2],complex<f32>>
  %1 = torch.vtensor.literal(dense<(1.0,2.0)> : tensor<complex<f64>>) : !torch.vtensor<[],complex<f64>>
  %2 = torch.vtensor.literal(dense<(1.0,2.0)> : tensor<3x2xcomplex<f32>>) : !torch.vtensor<[3,2],complex<f32>>
  %3 = torch.vtensor.literal(dense<> : tensor<0xcomplex<f32>>) : !torch.vtensor<[0],complex<f32>>
  return %0, %1, %2, %3 : !torch.vtensor<[2],complex<f32>>, !torch.vtensor<[],complex<f64>>, !torch.vtensor<[3,2],complex<f32>>, !torch.vtensor<[0],complex<f32>>
}
