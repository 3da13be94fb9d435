// RUN: torch-refine-opt %s --torch-match-scalars | filecheck %s

// CHECK-LABEL: func.func @bools(
// CHECK:         %[[WIDE:.*]] = torch.aten.to.dtype %{{.*}} -> !torch.vtensor<[2],si64>
// CHECK:         torch.aten.lt.Scalar %[[WIDE]], %{{.*}} : !torch.vtensor<[2],si64>, !torch.int
func.func @bools(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.int) -> !torch.vtensor<[2],i1> {
  %0 = torch.aten.lt.Scalar %arg0, %arg1 : !torch.vtensor<[2],i1>, !torch.int -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

// CHECK-LABEL: func.func @integers(
// CHECK:         %[[FLOAT:.*]] = torch.aten.to.dtype %{{.*}} -> !torch.vtensor<[2],f32>
// CHECK:         torch.aten.ge.Scalar %[[FLOAT]], %{{.*}} : !torch.vtensor<[2],f32>, !torch.float
func.func @integers(%arg0: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],i1> {
  %float5.000000e-01 = torch.constant.float 5.000000e-01
  %0 = torch.aten.ge.Scalar %arg0, %float5.000000e-01 : !torch.vtensor<[2],si64>, !torch.float -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

// CHECK-LABEL: func.func @matched(
// CHECK-NOT:     torch.aten.to.dtype
func.func @matched(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.int) -> !torch.vtensor<[2],i1> {
  %0 = torch.aten.eq.Scalar %arg0, %arg1 : !torch.vtensor<[2],si64>, !torch.int -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

// CHECK-LABEL: func.func @floats(
// CHECK:         torch.aten.mul.Scalar %arg0, %float-2.000000e00
// CHECK:         torch.aten.sub.Tensor %arg0, %{{.*}}, %float3.000000e00
// CHECK:         torch.aten.pow.Tensor_Scalar %{{.*}}, %int2
// CHECK:         torch.aten.add.Scalar %arg1, %int-2, %int3
func.func @floats(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],si64>) {
  %int-2 = torch.constant.int -2
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %0 = torch.aten.mul.Scalar %arg0, %int-2 : !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  %1 = torch.aten.sub.Tensor %arg0, %0, %int3 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  %2 = torch.aten.pow.Tensor_Scalar %1, %int2 : !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  %3 = torch.aten.add.Scalar %arg1, %int-2, %int3 : !torch.vtensor<[2],si64>, !torch.int, !torch.int -> !torch.vtensor<[2],si64>
  return %2, %3 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],si64>
}
