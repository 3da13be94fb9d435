// RUN: torch-refine-opt %s --split-input-file --torch-refinement-pipeline | filecheck %s

// Shapes and dtypes, through to the public result.

func.func @mlp(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.vtensor<[8,4],f32>, %arg2: !torch.vtensor<[8],f32>) -> !torch.vtensor {
  %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[8,4],f32>, !torch.vtensor<[8],f32> -> !torch.vtensor
  %1 = torch.aten.relu %0 : !torch.vtensor -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @mlp
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,4],f32>, %[[ARG1:.*]]: !torch.vtensor<[8,4],f32>, %[[ARG2:.*]]: !torch.vtensor<[8],f32>) -> !torch.vtensor<[?,8],f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.linear %[[ARG0]], %[[ARG1]], %[[ARG2]] : !torch.vtensor<[?,4],f32>, !torch.vtensor<[8,4],f32>, !torch.vtensor<[8],f32> -> !torch.vtensor<[?,8],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.relu %[[V0]] : !torch.vtensor<[?,8],f32> -> !torch.vtensor<[?,8],f32>
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor<[?,8],f32>
// CHECK-NEXT:    }

// -----

// Sizes that the program computes.

func.func @view(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %int-1 = torch.constant.int -1
  %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[2,3,4],f32>, !torch.int -> !torch.int
  %1 = torch.prim.ListConstruct %0, %int-1 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.view %arg0, %1 : !torch.vtensor<[2,3,4],f32>, !torch.list<int> -> !torch.vtensor
  return %2 : !torch.vtensor
}

// CHECK-LABEL: func.func @view
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,12],f32> {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT:.*]]-1 = torch.constant.int -1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[2,3,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListConstruct %[[V0]], %[[INT]]-1 : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.view %[[ARG0]], %[[V1]] : !torch.vtensor<[2,3,4],f32>, !torch.list<int> -> !torch.vtensor<[2,12],f32>
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor<[2,12],f32>
// CHECK-NEXT:    }

// -----

// A list that the program changes is not taken for what it was built with.

func.func @changed_list(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %int6 = torch.constant.int 6
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %int6 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.append.t %0, %int1 : !torch.list<int>, !torch.int -> !torch.list<int>
  %2 = torch.aten.view %arg0, %0 : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor
  return %2 : !torch.vtensor
}

// CHECK-LABEL: func.func @changed_list
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<*,f32> {
// CHECK-NEXT:      %[[INT6:.*]] = torch.constant.int 6
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[INT6]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.append.t %[[V0]], %[[INT1]] : !torch.list<int>, !torch.int -> !torch.list<int>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.view %[[ARG0]], %[[V0]] : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<*,f32>
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor<*,f32>
// CHECK-NEXT:    }

// -----

// A shape that depends on a dtype that is inferred: indexing with a mask.

func.func @mask(%arg0: !torch.vtensor<[4,3],f32>, %arg1: !torch.vtensor<[4],f32>) -> (!torch.vtensor, !torch.vtensor) {
  %int0 = torch.constant.int 0
  %0 = torch.aten.gt.Scalar %arg1, %int0 : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor
  %1 = torch.prim.ListConstruct %0 : (!torch.vtensor) -> !torch.list<optional<vtensor>>
  %2 = torch.aten.index.Tensor %arg0, %1 : !torch.vtensor<[4,3],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor
  return %0, %2 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @mask
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[4,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],i1>, !torch.vtensor<[?,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.gt.Scalar %[[ARG1]], %[[INT0]] : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],i1>
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListConstruct %[[V0]] : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.index.Tensor %[[ARG0]], %[[V1]] : !torch.vtensor<[4,3],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return %[[V0]], %[[V2]] : !torch.vtensor<[4],i1>, !torch.vtensor<[?,3],f32>
// CHECK-NEXT:    }

// -----

// Pieces of a list of tensors have types of their own.

func.func @split(%arg0: !torch.vtensor<[5,3],f32>) -> (!torch.vtensor, !torch.vtensor) {
  %int0 = torch.constant.int 0
  %int3 = torch.constant.int 3
  %0 = torch.aten.split.Tensor %arg0, %int3, %int0 : !torch.vtensor<[5,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %1:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  return %1#0, %1#1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @split
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[5,3],f32>) -> (!torch.vtensor<[3,3],f32>, !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.split.Tensor %[[ARG0]], %[[INT3]], %[[INT0]] : !torch.vtensor<[5,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]]:2 = torch.prim.ListUnpack %[[V0]] : !torch.list<vtensor> -> !torch.vtensor<[3,3],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return %[[V1]]#0, %[[V1]]#1 : !torch.vtensor<[3,3],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:    }

// -----

// Users that need the old type get a cast; the others see the new one.

func.func private @callee(%arg0: !torch.vtensor) -> !torch.vtensor

func.func @cast(%arg0: !torch.vtensor<[2],f32>) -> (!torch.vtensor, !torch.vtensor) {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor
  %1 = func.call @callee(%0) : (!torch.vtensor) -> !torch.vtensor
  %2 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor
  return %1, %2 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func private @callee
// CHECK-SAME:  (!torch.vtensor) -> !torch.vtensor
// CHECK-LABEL: func.func @cast
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> (!torch.vtensor, !torch.vtensor<[2],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[2],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = call @callee(%[[V1]]) : (!torch.vtensor) -> !torch.vtensor
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.tanh %[[V0]] : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
// CHECK-NEXT:      return %[[V2]], %[[V3]] : !torch.vtensor, !torch.vtensor<[2],f32>
// CHECK-NEXT:    }

// -----

// Inside regions, too; what a region yields keeps its type.

func.func @region(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.bool) -> !torch.vtensor {
  %0 = torch.prim.If %arg1 -> (!torch.vtensor) {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor
    %2 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
    torch.prim.If.yield %2 : !torch.vtensor
  } else {
    %1 = torch.aten.sin %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @region
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>, %[[ARG1:.*]]: !torch.bool) -> !torch.vtensor<[2],f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG1]] -> (!torch.vtensor<[2],f32>) {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V2]] : !torch.vtensor<[2],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V1]] = torch.aten.sin %[[ARG0]] : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V1]] : !torch.vtensor<[2],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[2],f32>
// CHECK-NEXT:    }

// -----

// Nor is one that is changed under another type.

func.func @changed_through_a_cast(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %int6 = torch.constant.int 6
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %int6 : (!torch.int) -> !torch.list<int>
  %1 = torch.derefine %0 : !torch.list<int> to !torch.optional<list<int>>
  %2 = torch.prim.unchecked_cast %1 : !torch.optional<list<int>> -> !torch.list<int>
  %3 = torch.aten.append.t %2, %int1 : !torch.list<int>, !torch.int -> !torch.list<int>
  %4 = torch.aten.view %arg0, %0 : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor
  return %4 : !torch.vtensor
}

// CHECK-LABEL: func.func @changed_through_a_cast
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<*,f32> {
// CHECK-NEXT:      %[[INT6:.*]] = torch.constant.int 6
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[INT6]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = torch.derefine %[[V0]] : !torch.list<int> to !torch.optional<list<int>>
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.unchecked_cast %[[V1]] : !torch.optional<list<int>> -> !torch.list<int>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.append.t %[[V2]], %[[INT1]] : !torch.list<int>, !torch.int -> !torch.list<int>
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.view %[[ARG0]], %[[V0]] : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<*,f32>
// CHECK-NEXT:      return %[[V4]] : !torch.vtensor<*,f32>
// CHECK-NEXT:    }
