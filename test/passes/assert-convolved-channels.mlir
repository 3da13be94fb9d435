// RUN: torch-refine-opt %s --torch-assert-convolved-channels | filecheck %s

// CHECK-LABEL: func.func @unknown
// CHECK:       %[[SOME:.*]] = arith.cmpi sgt
// CHECK-NEXT:  cf.assert %[[SOME]], "convolution: the input was assumed to have channels"
// CHECK-NEXT:  %[[FOUND:.*]] = torch.aten.convolution {{.*}} -> !torch.vtensor<[2,4,?],f32>
// CHECK-NEXT:  torch.tensor_static_info_cast %[[FOUND]] : !torch.vtensor<[2,4,?],f32> to !torch.vtensor<[2,?,?],f32>
func.func @unknown(%arg0: !torch.vtensor<[2,?,9],f32>, %arg1: !torch.vtensor<[4,?,3],f32>, %arg2: !torch.list<int>, %arg3: !torch.int) -> !torch.vtensor<[2,?,?],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.convolution %arg0, %arg1, %none, %arg2, %arg2, %arg2, %false, %arg2, %arg3 : !torch.vtensor<[2,?,9],f32>, !torch.vtensor<[4,?,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[2,?,?],f32>
  return %0 : !torch.vtensor<[2,?,?],f32>
}

// A transposed convolution has the channels of its weight in any case.

// CHECK-LABEL: func.func @transposed
// CHECK-NOT:   cf.assert
func.func @transposed(%arg0: !torch.vtensor<[2,4,9],f32>, %arg1: !torch.vtensor<[4,?,3],f32>, %arg2: !torch.list<int>, %arg3: !torch.int) -> !torch.vtensor<[2,?,?],f32> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.convolution %arg0, %arg1, %none, %arg2, %arg2, %arg2, %true, %arg2, %arg3 : !torch.vtensor<[2,4,9],f32>, !torch.vtensor<[4,?,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[2,?,?],f32>
  return %0 : !torch.vtensor<[2,?,?],f32>
}
