// RUN: torch-refine-opt %s --torch-compute-in-i32 | filecheck %s
// RUN: torch-refine-opt %s --torch-to-linalg-pipeline | filecheck %s --check-prefix=LINALG

// CHECK-LABEL: func.func @unsigned
// CHECK-DAG:     %[[LEFT:.*]] = torch.aten.to.dtype %arg0, {{.*}} -> !torch.vtensor<[2,4,3],si32>
// CHECK-DAG:     %[[RIGHT:.*]] = torch.aten.to.dtype %arg1, {{.*}} -> !torch.vtensor<[2,3,?],si32>
// CHECK:         %[[WIDE:.*]] = torch.aten.bmm %[[LEFT]], %[[RIGHT]] : {{.*}} -> !torch.vtensor<[2,4,?],si32>
// CHECK:         torch.aten.to.dtype %[[WIDE]], {{.*}} -> !torch.vtensor<[2,4,?],ui8>
// LINALG-LABEL: func.func @unsigned
// LINALG:         arith.extui
// LINALG:         linalg.batch_matmul
func.func @unsigned(%a: !torch.vtensor<[2,4,3],ui8>, %b: !torch.vtensor<[2,3,?],ui8>) -> !torch.vtensor<[2,4,?],ui8> {
  %0 = torch.aten.bmm %a, %b : !torch.vtensor<[2,4,3],ui8>, !torch.vtensor<[2,3,?],ui8> -> !torch.vtensor<[2,4,?],ui8>
  return %0 : !torch.vtensor<[2,4,?],ui8>
}

// A bias that is none stays.
// CHECK-LABEL: func.func @convolution
// CHECK:         torch.aten.convolution %{{.*}}, %{{.*}}, %none{{.*}} : !torch.vtensor<[1,3,8,8],si32>, {{.*}} -> !torch.vtensor<[1,5,6,6],si32>
// LINALG-LABEL: func.func @convolution
// LINALG:         linalg.conv_2d_nchw_fchw
func.func @convolution(%a: !torch.vtensor<[1,3,8,8],si8>, %b: !torch.vtensor<[5,3,3,3],si8>) -> !torch.vtensor<[1,5,6,6],si8> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %ones = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.convolution %a, %b, %none, %ones, %zeros, %ones, %false, %zeros, %int1 : !torch.vtensor<[1,3,8,8],si8>, !torch.vtensor<[5,3,3,3],si8>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,5,6,6],si8>
  return %0 : !torch.vtensor<[1,5,6,6],si8>
}

// Sums of 32 bits, and other products, do not change.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     torch.aten.to.dtype
func.func @kept(%a: !torch.vtensor<[4,3],si8>, %b: !torch.vtensor<[3,2],si8>, %c: !torch.vtensor<[4,3],f32>, %d: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[4,2],si32>, !torch.vtensor<[4,2],f32>) {
  %0 = torch.aten._int_mm %a, %b : !torch.vtensor<[4,3],si8>, !torch.vtensor<[3,2],si8> -> !torch.vtensor<[4,2],si32>
  %1 = torch.aten.mm %c, %d : !torch.vtensor<[4,3],f32>, !torch.vtensor<[3,2],f32> -> !torch.vtensor<[4,2],f32>
  return %0, %1 : !torch.vtensor<[4,2],si32>, !torch.vtensor<[4,2],f32>
}
