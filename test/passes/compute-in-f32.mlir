// RUN: torch-refine-opt %s --torch-compute-in-f32 | filecheck %s

// CHECK-LABEL: @sigmoid
func.func @sigmoid(%arg0: !torch.vtensor<[2,?],f16>) -> !torch.vtensor<[2,?],f16> {
  // CHECK: %[[WIDE:.*]] = torch.aten.to.dtype %arg0, %int6{{.*}} -> !torch.vtensor<[2,?],f32>
  // CHECK: %[[SIGMOID:.*]] = torch.aten.sigmoid %[[WIDE]] : {{.*}} -> !torch.vtensor<[2,?],f32>
  // CHECK: %[[NARROW:.*]] = torch.aten.to.dtype %[[SIGMOID]], %int5{{.*}} -> !torch.vtensor<[2,?],f16>
  // CHECK: return %[[NARROW]]
  %0 = torch.aten.sigmoid %arg0 : !torch.vtensor<[2,?],f16> -> !torch.vtensor<[2,?],f16>
  return %0 : !torch.vtensor<[2,?],f16>
}

// A dtype that is asked for is that of the result, not of the computation.

// CHECK-LABEL: @cumsum
func.func @cumsum(%arg0: !torch.vtensor<[2,3],bf16>) -> !torch.vtensor<[2,3],bf16> {
  %int1 = torch.constant.int 1
  %int15 = torch.constant.int 15
  // CHECK: torch.aten.cumsum %{{.*}}, %int1, %none{{.*}} -> !torch.vtensor<[2,3],f32>
  %0 = torch.aten.cumsum %arg0, %int1, %int15 : !torch.vtensor<[2,3],bf16>, !torch.int, !torch.int -> !torch.vtensor<[2,3],bf16>
  return %0 : !torch.vtensor<[2,3],bf16>
}

// One step rounds once as it is.

// CHECK-LABEL: @add
// CHECK-NOT: to.dtype
func.func @add(%arg0: !torch.vtensor<[2],f16>, %arg1: !torch.vtensor<[2],f16>) -> !torch.vtensor<[2],f16> {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>, !torch.int -> !torch.vtensor<[2],f16>
  return %0 : !torch.vtensor<[2],f16>
}

// An operator that has an attribute, which is kept.

// CHECK-LABEL: @sigmoid_backward
func.func @sigmoid_backward(%arg0: !torch.vtensor<[],bf16>) -> !torch.vtensor<[],bf16> {
  // CHECK: %[[GRADIENT:.*]] = torch.operator "torch.aten.sigmoid_backward"(%{{.*}}, %{{.*}}) : (!torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32>
  // CHECK: torch.aten.to.dtype %[[GRADIENT]], {{.*}} -> !torch.vtensor<[],bf16>
  %0 = torch.operator "torch.aten.sigmoid_backward"(%arg0, %arg0) : (!torch.vtensor<[],bf16>, !torch.vtensor<[],bf16>) -> !torch.vtensor<[],bf16>
  return %0 : !torch.vtensor<[],bf16>
}

// Between formats of 8 bits, and to bools, casts are from f32; products are rounded once.

// CHECK-LABEL: @float8
func.func @float8(%arg0: !torch.vtensor<[2,2],f8E5M2>) -> (!torch.vtensor<[2,2],f8E4M3FN>, !torch.vtensor<[2,2],f8E5M2>) {
  %int24 = torch.constant.int 24
  %false = torch.constant.bool false
  %none = torch.constant.none
  // CHECK: %[[WIDE:.*]] = torch.aten.to.dtype %arg0, %int6{{.*}} -> !torch.vtensor<[2,2],f32>
  // CHECK: torch.aten.to.dtype %[[WIDE]], %int24{{.*}} -> !torch.vtensor<[2,2],f8E4M3FN>
  %0 = torch.aten.to.dtype %arg0, %int24, %false, %false, %none : !torch.vtensor<[2,2],f8E5M2>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2,2],f8E4M3FN>
  // CHECK: %[[PRODUCT:.*]] = torch.aten.mm {{.*}} -> !torch.vtensor<[2,2],f32>
  // CHECK: torch.aten.to.dtype %[[PRODUCT]], %int23{{.*}} -> !torch.vtensor<[2,2],f8E5M2>
  %1 = torch.aten.mm %arg0, %arg0 : !torch.vtensor<[2,2],f8E5M2>, !torch.vtensor<[2,2],f8E5M2> -> !torch.vtensor<[2,2],f8E5M2>
  return %0, %1 : !torch.vtensor<[2,2],f8E4M3FN>, !torch.vtensor<[2,2],f8E5M2>
}
