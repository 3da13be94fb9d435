// RUN: torch-refine-opt %s --torch-assert-squeezed-sizes | filecheck %s

// CHECK-LABEL: func.func @kept
// CHECK:       %[[NOT:.*]] = arith.cmpi ne
// CHECK-NEXT:  cf.assert %[[NOT]], "squeeze: size 0 was assumed not to be 1"
// CHECK:       %[[OTHER:.*]] = arith.cmpi ne
// CHECK-NEXT:  cf.assert %[[OTHER]], "squeeze: size 3 was assumed not to be 1"
// CHECK-NOT:   cf.assert
func.func @kept(%arg0: !torch.vtensor<[?,1,5,?],f32>) -> !torch.vtensor<[?,5,?],f32> {
  %0 = torch.aten.squeeze %arg0 : !torch.vtensor<[?,1,5,?],f32> -> !torch.vtensor<[?,5,?],f32>
  return %0 : !torch.vtensor<[?,5,?],f32>
}

// CHECK-LABEL: func.func @one_kept
// CHECK:       cf.assert %{{.*}}, "squeeze: size 1 was assumed not to be 1"
// CHECK-NEXT:  return %arg0
func.func @one_kept(%arg0: !torch.vtensor<[3,?],f32>) -> !torch.vtensor<[3,?],f32> {
  %int-1 = torch.constant.int -1
  %0 = torch.aten.squeeze.dim %arg0, %int-1 : !torch.vtensor<[3,?],f32>, !torch.int -> !torch.vtensor<[3,?],f32>
  return %0 : !torch.vtensor<[3,?],f32>
}

// CHECK-LABEL: func.func @dropped
// CHECK:       %[[ONE:.*]] = arith.cmpi eq
// CHECK-NEXT:  cf.assert %[[ONE]], "squeeze: size 1 was assumed to be 1"
func.func @dropped(%arg0: !torch.vtensor<[3,?],f32>) -> !torch.vtensor<[3],f32> {
  %int-1 = torch.constant.int -1
  %0 = torch.aten.squeeze.dim %arg0, %int-1 : !torch.vtensor<[3,?],f32>, !torch.int -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}

// CHECK-LABEL: func.func @known
// CHECK-NOT:   cf.assert
func.func @known(%arg0: !torch.vtensor<[1,3],f32>) -> !torch.vtensor<[3],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.squeeze.dim %arg0, %int0 : !torch.vtensor<[1,3],f32>, !torch.int -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}
