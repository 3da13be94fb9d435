// RUN: torch-refine-opt --torch-decompose-ops --split-input-file %s | filecheck %s
// RUN: torch-refine-opt --torch-decompose-ops='keep=aten::rad2deg' --split-input-file %s | filecheck --check-prefix=KEEP %s
// RUN: torch-refine-opt --torch-decompose-ops='ops=aten::rad2deg' --split-input-file %s | filecheck --check-prefix=ONLY %s
// RUN: torch-refine-opt --torch-decompose-ops --split-input-file --remarks-filter-missed=.* %s 2>&1 | filecheck --check-prefix=MISSED %s

// CHECK-LABEL: func.func @one_operator
// CHECK-SAME: %[[X:.*]]: !torch.vtensor<[?,4],si64>
// CHECK: %[[FACTOR:.*]] = torch.constant.float 57.29{{.*}}
// CHECK: %[[Y:.*]] = torch.aten.mul.Scalar %[[X]], %[[FACTOR]] : {{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return %[[Y]]
// KEEP-LABEL: func.func @one_operator
// KEEP: torch.aten.rad2deg
// ONLY-LABEL: func.func @one_operator
// ONLY-NOT: torch.aten.rad2deg
func.func @one_operator(%arg0: !torch.vtensor<[?,4],si64>) -> !torch.vtensor<[?,4],f32> {
  %0 = torch.aten.rad2deg %arg0 : !torch.vtensor<[?,4],si64> -> !torch.vtensor<[?,4],f32>
  return %0 : !torch.vtensor<[?,4],f32>
}

// -----

// Optional arguments and ranks are resolved: a sample without a batch is a batch of one.
// CHECK-LABEL: func.func @optional_and_rank
// CHECK-NOT: torch.prim.If
// CHECK: torch.aten.unsqueeze {{.*}} -> !torch.vtensor<[1,3,?,8],f32>
// CHECK: torch.aten.convolution {{.*}} -> !torch.vtensor<[1,4,?,6],f32>
// CHECK: torch.aten.squeeze.dim {{.*}} -> !torch.vtensor<[4,?,6],f32>
// ONLY-LABEL: func.func @optional_and_rank
// ONLY: torch.aten.conv2d
func.func @optional_and_rank(%arg0: !torch.vtensor<[3,?,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[4,?,6],f32> {
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %ones = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %0 = torch.aten.conv2d %arg0, %arg1, %none, %ones, %zeros, %ones, %int1 : !torch.vtensor<[3,?,8],f32>, !torch.vtensor<[4,3,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[4,?,6],f32>
  return %0 : !torch.vtensor<[4,?,6],f32>
}

// -----

// A list is taken and returned; a decomposition calls operators that are decomposed in their turn.
// CHECK-LABEL: func.func @lists
// CHECK-SAME: %[[A:.*]]: !torch.vtensor<[?],f32>, %[[B:.*]]: !torch.vtensor<[2,2],f32>
// CHECK: %[[ROW:.*]] = torch.aten.unsqueeze %[[A]], {{.*}} -> !torch.vtensor<[1,?],f32>
// CHECK: torch.prim.ListConstruct %[[ROW]], {{.*}} -> !torch.list<vtensor>
// CHECK: torch.aten.cat {{.*}} -> !torch.vtensor<[3,2],f32>
// CHECK: %[[FIRST:.*]] = torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[2,2],f32>
// CHECK: %[[REST:.*]] = torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[1,2],f32>
// CHECK: torch.prim.ListConstruct %[[FIRST]], %[[REST]]
func.func @lists(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[2,2],f32>) -> (!torch.vtensor<[2,2],f32>, !torch.vtensor<[1,2],f32>) {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[?],f32>, !torch.vtensor<[2,2],f32>) -> !torch.list<vtensor>
  %1 = torch.operator "torch.aten.vstack"(%0) : (!torch.list<vtensor>) -> !torch.vtensor<[3,2],f32>
  %2 = torch.aten.chunk %1, %int2, %int0 : !torch.vtensor<[3,2],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %3:2 = torch.prim.ListUnpack %2 : !torch.list<vtensor> -> !torch.vtensor<[2,2],f32>, !torch.vtensor<[1,2],f32>
  return %3#0, %3#1 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[1,2],f32>
}

// -----

// What is known without sizes is not enough to choose: the operator remains.
// CHECK-LABEL: func.func @open_condition
// CHECK: torch.aten.chunk
// MISSED: remark: [Missed] aten::chunk | Category:torch-decompose-ops | Function=open_condition | Reason="
func.func @open_condition(%arg0: !torch.vtensor<[?,2],f32>) -> !torch.list<vtensor> {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %0 = torch.aten.chunk %arg0, %int2, %int0 : !torch.vtensor<[?,2],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return %0 : !torch.list<vtensor>
}

// -----

// A result that nothing uses may have another type than the function gives, here [0] for [3].
// CHECK-LABEL: func.func @unused_result
// CHECK-NOT: _embedding_bag
// CHECK: torch.aten.scatter_add
func.func @unused_result(%arg0: !torch.vtensor<[4,3],f32>, %arg1: !torch.vtensor<[3],si64>, %arg2: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32> {
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %int-1 = torch.constant.int -1
  %none = torch.constant.none
  %0:4 = torch.aten._embedding_bag %arg0, %arg1, %arg2, %false, %int0, %false, %none, %false, %int-1 : !torch.vtensor<[4,3],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],si64>, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool, !torch.int -> !torch.vtensor<[2,3],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>
  return %0#0 : !torch.vtensor<[2,3],f32>
}
