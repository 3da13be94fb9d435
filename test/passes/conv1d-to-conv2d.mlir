// RUN: torch-refine-opt %s --torch-conv1d-to-conv2d | filecheck %s

// Steps, padding and gaps are those of columns. What is not known stays so.
func.func @convolution(%arg0: !torch.vtensor<[?,4,?],f32>, %arg1: !torch.vtensor<[8,2,3],f32>) -> !torch.vtensor<[?,8,?],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %three = torch.constant.int 3
  %five = torch.constant.int 5
  %stride = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %three : (!torch.int) -> !torch.list<int>
  %dilation = torch.prim.ListConstruct %five : (!torch.int) -> !torch.list<int>
  %added = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %0 = torch.aten.convolution %arg0, %arg1, %none, %stride, %padding, %dilation, %false, %added, %two : !torch.vtensor<[?,4,?],f32>, !torch.vtensor<[8,2,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[?,8,?],f32>
  return %0 : !torch.vtensor<[?,8,?],f32>
}
// CHECK-LABEL: func.func @convolution
// CHECK:         %[[IMAGE:.*]] = torch.aten.unsqueeze %arg0, %{{.*}} -> !torch.vtensor<[?,4,1,?],f32>
// CHECK:         %[[WEIGHTS:.*]] = torch.aten.unsqueeze %arg1, %{{.*}} -> !torch.vtensor<[8,2,1,3],f32>
// CHECK:         %[[ONE:.*]] = torch.constant.int 1
// CHECK-NEXT:    %[[STRIDE:.*]] = torch.prim.ListConstruct %[[ONE]], %int2 :
// CHECK:         %[[ZERO:.*]] = torch.constant.int 0
// CHECK-NEXT:    %[[PADDING:.*]] = torch.prim.ListConstruct %[[ZERO]], %int3 :
// CHECK:         %[[ANOTHER:.*]] = torch.constant.int 1
// CHECK-NEXT:    %[[DILATION:.*]] = torch.prim.ListConstruct %[[ANOTHER]], %int5 :
// CHECK:         %[[WIDE:.*]] = torch.aten.convolution %[[IMAGE]], %[[WEIGHTS]], %none, %[[STRIDE]], %[[PADDING]], %[[DILATION]], {{.*}} -> !torch.vtensor<[?,8,1,?],f32>
// CHECK:         torch.aten.squeeze.dim %[[WIDE]], {{.*}} -> !torch.vtensor<[?,8,?],f32>

// It is one of images already.
func.func @images(%arg0: !torch.vtensor<[1,4,9,9],f32>, %arg1: !torch.vtensor<[8,4,3,3],f32>) -> !torch.vtensor<[1,8,7,7],f32> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.convolution %arg0, %arg1, %none, %ones, %zeros, %ones, %false, %zeros, %one : !torch.vtensor<[1,4,9,9],f32>, !torch.vtensor<[8,4,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,8,7,7],f32>
  return %0 : !torch.vtensor<[1,8,7,7],f32>
}
// CHECK-LABEL: func.func @images
// CHECK-NOT:     unsqueeze
