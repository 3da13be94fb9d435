// RUN: torch-refine-opt %s --torch-promote-operands | filecheck %s

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

// A bool is compared as an integer.
// CHECK-LABEL: func.func @two_bools(
// CHECK-COUNT-2: torch.aten.to.dtype %{{.*}} -> !torch.vtensor<[2],si32>
// CHECK:         torch.aten.gt.Tensor %{{.*}} : !torch.vtensor<[2],si32>, !torch.vtensor<[2],si32> -> !torch.vtensor<[2],i1>
func.func @two_bools(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.vtensor<[2],i1>) -> !torch.vtensor<[2],i1> {
  %0 = torch.aten.gt.Tensor %arg0, %arg1 : !torch.vtensor<[2],i1>, !torch.vtensor<[2],i1> -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

// The scalar that elements of f16 are compared with is rounded to f16.
// CHECK-LABEL: func.func @rounded(
// CHECK:         %[[F16:.*]] = torch.constant.float 0.0999755859375
// CHECK:         torch.aten.lt.Scalar %arg0, %[[F16]]
// CHECK:         %[[BF16:.*]] = torch.constant.float 0.10009765625
// CHECK:         torch.aten.lt.Scalar %arg1, %[[BF16]]
func.func @rounded(%arg0: !torch.vtensor<[2],f16>, %arg1: !torch.vtensor<[2],bf16>) -> (!torch.vtensor<[2],i1>, !torch.vtensor<[2],i1>) {
  %float = torch.constant.float 1.000000e-01
  %0 = torch.aten.lt.Scalar %arg0, %float : !torch.vtensor<[2],f16>, !torch.float -> !torch.vtensor<[2],i1>
  %1 = torch.aten.lt.Scalar %arg1, %float : !torch.vtensor<[2],bf16>, !torch.float -> !torch.vtensor<[2],i1>
  return %0, %1 : !torch.vtensor<[2],i1>, !torch.vtensor<[2],i1>
}

// Products of bytes are computed in 32 bits, with an operand that was converted to a byte before.
// CHECK-LABEL: func.func @bytes(
// CHECK:         torch.aten.to.dtype %arg0, {{.*}} -> !torch.vtensor<[2],si32>
// CHECK:         torch.aten.to.dtype %arg1, {{.*}} -> !torch.vtensor<[],si8>
// CHECK:         torch.aten.to.dtype %{{.*}} : !torch.vtensor<[],si8>{{.*}} -> !torch.vtensor<[],si32>
// CHECK:         %[[WIDE:.*]] = torch.aten.remainder.Tensor {{.*}} -> !torch.vtensor<[2],si32>
// CHECK:         torch.aten.to.dtype %[[WIDE]], {{.*}} -> !torch.vtensor<[2],si8>
func.func @bytes(%arg0: !torch.vtensor<[2],si8>, %arg1: !torch.vtensor<[],si64>) -> !torch.vtensor<[2],si8> {
  %0 = torch.aten.remainder.Tensor %arg0, %arg1 : !torch.vtensor<[2],si8>, !torch.vtensor<[],si64> -> !torch.vtensor<[2],si8>
  return %0 : !torch.vtensor<[2],si8>
}

// CHECK-LABEL: func.func @quotient(
// CHECK:         torch.aten.to.dtype %arg0, {{.*}} -> !torch.vtensor<[2],f32>
// CHECK:         torch.aten.to.dtype %arg1, {{.*}} -> !torch.vtensor<[2],f32>
// CHECK:         torch.aten.div.Tensor {{.*}} : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
func.func @quotient(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],f32> {
  %0 = torch.aten.div.Tensor %arg0, %arg1 : !torch.vtensor<[2],si64>, !torch.vtensor<[2],ui8> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// The tensors of a list promote without regard to their ranks.
// CHECK-LABEL: func.func @joined(
// CHECK:         %[[CAST:.*]] = torch.aten.to.dtype %arg0, {{.*}} -> !torch.vtensor<[2],f32>
// CHECK:         torch.prim.ListConstruct %[[CAST]], %arg1 : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
func.func @joined(%arg0: !torch.vtensor<[2],ui8>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[2],ui8>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

// The condition keeps its dtype.
// CHECK-LABEL: func.func @selected(
// CHECK:         %[[CAST:.*]] = torch.aten.to.dtype %arg1, {{.*}} -> !torch.vtensor<[2],f64>
// CHECK:         torch.aten.where.self %arg0, %[[CAST]], %arg2
func.func @selected(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.vtensor<[2],si8>, %arg2: !torch.vtensor<[2],f64>) -> !torch.vtensor<[2],f64> {
  %0 = torch.aten.where.self %arg0, %arg1, %arg2 : !torch.vtensor<[2],i1>, !torch.vtensor<[2],si8>, !torch.vtensor<[2],f64> -> !torch.vtensor<[2],f64>
  return %0 : !torch.vtensor<[2],f64>
}

// A rank that is not known may promote in two ways.
// CHECK-LABEL: func.func @unranked(
// CHECK-NOT:     torch.aten.to.dtype
func.func @unranked(%arg0: !torch.vtensor<*,f32>, %arg1: !torch.vtensor<[2],ui8>) -> !torch.vtensor<*,f32> {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<*,f32>, !torch.vtensor<[2],ui8>, !torch.int -> !torch.vtensor<*,f32>
  return %0 : !torch.vtensor<*,f32>
}

// A number that divides 16-bit floats is not rounded to them.
func.func @halves(%arg0: !torch.vtensor<[2],f16>, %arg1: !torch.vtensor<[],f32>) -> (!torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>) {
  %number = torch.constant.float 1.000000e+05
  %0 = torch.aten.div.Scalar %arg0, %number : !torch.vtensor<[2],f16>, !torch.float -> !torch.vtensor<[2],f16>
  %1 = torch.aten.mul.Tensor %arg0, %arg1 : !torch.vtensor<[2],f16>, !torch.vtensor<[],f32> -> !torch.vtensor<[2],f16>
  %third = torch.constant.float 0.3333
  %2 = torch.aten.add.Tensor %arg0, %arg0, %third : !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>, !torch.float -> !torch.vtensor<[2],f16>
  %3 = torch.aten.mul.Tensor %arg0, %arg0 : !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16> -> !torch.vtensor<[2],f16>
  return %0, %1, %2, %3 : !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>
}
// CHECK-LABEL: func.func @halves
// CHECK:         %[[WIDE:.*]] = torch.aten.to.dtype %arg0, {{.*}} -> !torch.vtensor<[2],f32>
// CHECK:         torch.aten.div.Scalar %[[WIDE]], %{{.*}} -> !torch.vtensor<[2],f32>
// CHECK:         torch.aten.mul.Tensor %{{.*}}, %arg1 : !torch.vtensor<[2],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[2],f32>
// CHECK:         %[[ALPHA:.*]] = torch.constant.float 0.333251953125
// CHECK:         torch.aten.add.Tensor %{{.*}}, %{{.*}}, %[[ALPHA]] : {{.*}} -> !torch.vtensor<[2],f32>
// CHECK:         torch.aten.mul.Tensor %arg0, %arg0
