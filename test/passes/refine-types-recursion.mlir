// RUN: torch-refine-opt %s --split-input-file --torch-refine-types | filecheck %s

// Each call gives what the paths that do not call again give.

func.func @entry(%arg0: !torch.bool, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1 = func.call @again(%arg0, %0) : (!torch.bool, !torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}
func.func private @again(%arg0: !torch.bool, %arg1: !torch.vtensor) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %0 = torch.prim.If %arg0 -> (!torch.vtensor) {
    %1 = torch.aten.relu %arg1 : !torch.vtensor -> !torch.vtensor
    torch.prim.If.yield %arg1 : !torch.vtensor
  } else {
    %1 = torch.aten.tanh %arg1 : !torch.vtensor -> !torch.vtensor
    %2 = func.call @again(%arg0, %1) : (!torch.bool, !torch.vtensor) -> !torch.vtensor
    torch.prim.If.yield %2 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @entry
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = call @again(%[[ARG0]], %[[ARG1]]) : (!torch.bool, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V1]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @again
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG0]] -> (!torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.relu %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[ARG1]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V1]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V2:.*]] = func.call @again(%[[ARG0]], %[[V1]]) : (!torch.bool, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V2]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:    }

// -----

// Two functions that call each other, with a tensor that grows.

func.func @growing(%arg0: !torch.bool, %arg1: !torch.vtensor<[1,3],f32>) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[1,3],f32> to !torch.vtensor
  %1 = func.call @even(%arg0, %0) : (!torch.bool, !torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}
func.func private @even(%arg0: !torch.bool, %arg1: !torch.vtensor) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %0 = torch.prim.If %arg0 -> (!torch.vtensor) {
    torch.prim.If.yield %arg1 : !torch.vtensor
  } else {
    %1 = torch.prim.ListConstruct %arg1, %arg1 : (!torch.vtensor, !torch.vtensor) -> !torch.list<vtensor>
    %2 = torch.aten.cat %1, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
    %3 = func.call @odd(%arg0, %2) : (!torch.bool, !torch.vtensor) -> !torch.vtensor
    torch.prim.If.yield %3 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}
func.func private @odd(%arg0: !torch.bool, %arg1: !torch.vtensor) -> !torch.vtensor {
  %0 = torch.aten.tanh %arg1 : !torch.vtensor -> !torch.vtensor
  %1 = func.call @even(%arg0, %0) : (!torch.bool, !torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @growing
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[1,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = call @even(%[[ARG0]], %[[V0]]) : (!torch.bool, !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[?,3],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V3]] : !torch.vtensor
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @even
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG0]] -> (!torch.vtensor<[?,3],f32>) {
// CHECK-NEXT:        torch.prim.If.yield %[[ARG1]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V1:.*]] = torch.prim.ListConstruct %[[ARG1]], %[[ARG1]] : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.cat %[[V1]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:        %[[V3:.*]] = func.call @odd(%[[ARG0]], %[[V2]]) : (!torch.bool, !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V3]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @odd
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = call @even(%[[ARG0]], %[[V0]]) : (!torch.bool, !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:    }

// -----

// A public function keeps its signature; the call in it does not tell what its argument is.

func.func @public(%arg0: !torch.bool, %arg1: !torch.vtensor, %arg2: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0 = torch.prim.If %arg0 -> (!torch.vtensor) {
    %1 = torch.tensor_static_info_cast %arg2 : !torch.vtensor<[2,3],f32> to !torch.vtensor
    %6 = torch.aten.relu %1 : !torch.vtensor -> !torch.vtensor
    %2 = func.call @public(%arg0, %6, %arg2) : (!torch.bool, !torch.vtensor, !torch.vtensor<[2,3],f32>) -> !torch.vtensor
    %3 = torch.aten.tanh %arg1 : !torch.vtensor -> !torch.vtensor
    torch.prim.If.yield %2 : !torch.vtensor
  } else {
    %1 = torch.tensor_static_info_cast %arg2 : !torch.vtensor<[2,3],f32> to !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @public
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor, %[[ARG2:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG0]] -> (!torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        %[[V2:.*]] = torch.tensor_static_info_cast %[[ARG2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.relu %[[V2]] : !torch.vtensor -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[V3]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:        %[[V5:.*]] = func.call @public(%[[ARG0]], %[[V4]], %[[ARG2]]) : (!torch.bool, !torch.vtensor, !torch.vtensor<[2,3],f32>) -> !torch.vtensor
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor -> !torch.vtensor
// CHECK-NEXT:        %[[V7:.*]] = torch.tensor_static_info_cast %[[V5]] : !torch.vtensor to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V7]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V2]] = torch.tensor_static_info_cast %[[ARG2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:        torch.prim.If.yield %[[ARG2]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Several returns, and branches between blocks.

func.func @several(%arg0: i1, %arg1: !torch.vtensor<[2,3],f32>) {
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1 = func.call @returns(%arg0, %0) : (i1, !torch.vtensor) -> !torch.vtensor
  %2 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
  return
}
func.func private @returns(%arg0: i1, %arg1: !torch.vtensor) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  return %arg1 : !torch.vtensor
^bb2:
  %0 = torch.prim.ListConstruct %arg1, %arg1 : (!torch.vtensor, !torch.vtensor) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @several
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = call @returns(%[[ARG0]], %[[ARG1]]) : (i1, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @returns
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[?,3],f32> {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.cond_br %[[ARG0]], ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListConstruct %[[ARG1]], %[[ARG1]] : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.cat %[[V1]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[4,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return %[[V3]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:    }

// -----

// A call gives as much as its operand has: the first difference is 0, of the other nothing is known.

func.func @same(%arg0: !torch.bool, %arg1: !torch.vtensor<[?],f32>) {
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[?],f32> to !torch.vtensor
  %1 = func.call @as_long(%arg0, %0) : (!torch.bool, !torch.vtensor) -> !torch.vtensor
  return
}
func.func private @as_long(%arg0: !torch.bool, %arg1: !torch.vtensor) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %0 = torch.prim.If %arg0 -> (!torch.vtensor) {
    torch.prim.If.yield %arg1 : !torch.vtensor
  } else {
    %1 = torch.prim.ListConstruct %arg1, %arg1 : (!torch.vtensor, !torch.vtensor) -> !torch.list<vtensor>
    %2 = torch.aten.cat %1, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
    %3 = func.call @as_long(%arg0, %2) : (!torch.bool, !torch.vtensor) -> !torch.vtensor
    %4 = func.call @as_long(%arg0, %arg1) : (!torch.bool, !torch.vtensor) -> !torch.vtensor
    %5 = torch.aten.size.int %2, %int0 : !torch.vtensor, !torch.int -> !torch.int
    %6 = torch.aten.size.int %3, %int0 : !torch.vtensor, !torch.int -> !torch.int
    %7 = torch.aten.size.int %4, %int0 : !torch.vtensor, !torch.int -> !torch.int
    %8 = torch.aten.sub.int %5, %6 : !torch.int, !torch.int -> !torch.int
    %9 = torch.aten.sub.int %6, %7 : !torch.int, !torch.int -> !torch.int
    %10 = torch.prim.ListConstruct %8, %9 : (!torch.int, !torch.int) -> !torch.list<int>
    %11 = torch.aten.zeros %10, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
    torch.prim.If.yield %4 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @same
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[?],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[?],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = call @as_long(%[[ARG0]], %[[ARG1]]) : (!torch.bool, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @as_long
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG0]] -> (!torch.vtensor<[?],f32>) {
// CHECK-NEXT:        torch.prim.If.yield %[[ARG1]] : !torch.vtensor<[?],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V1:.*]] = torch.prim.ListConstruct %[[ARG1]], %[[ARG1]] : (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.cat %[[V1]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
// CHECK-NEXT:        %[[V3:.*]] = func.call @as_long(%[[ARG0]], %[[V2]]) : (!torch.bool, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
// CHECK-NEXT:        %[[V4:.*]] = func.call @as_long(%[[ARG0]], %[[ARG1]]) : (!torch.bool, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.size.int %[[V2]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.size.int %[[V3]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V7:.*]] = torch.aten.size.int %[[V4]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V8:.*]] = torch.aten.sub.int %[[V5]], %[[V6]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V9:.*]] = torch.aten.sub.int %[[V6]], %[[V7]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V10:.*]] = torch.prim.ListConstruct %[[V8]], %[[V9]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        %[[V11:.*]] = torch.aten.zeros %[[V10]], %[[NONE]], %[[NONE]], %[[NONE]], %[[NONE]] : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[0,?],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V4]] : !torch.vtensor<[?],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[?],f32>
// CHECK-NEXT:    }

// -----

// A number that the recursive calls change is the caller's own in the result of its call.

func.func @number(%arg0: !torch.bool) {
  %int5 = torch.constant.int 5
  %0 = func.call @ones_of_number(%int5, %arg0) : (!torch.int, !torch.bool) -> !torch.vtensor
  %1 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor
  return
}
func.func private @ones_of_number(%arg0: !torch.int, %arg1: !torch.bool) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  torch.prim.If %arg1 -> () {
    %2 = torch.aten.add.int %arg0, %int1 : !torch.int, !torch.int -> !torch.int
    %3 = func.call @ones_of_number(%2, %arg1) : (!torch.int, !torch.bool) -> !torch.vtensor
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %0 = torch.prim.ListConstruct %arg0 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.ones %0, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @number
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool) {
// CHECK-NEXT:      %[[INT5:.*]] = torch.constant.int 5
// CHECK-NEXT:      %[[V0:.*]] = call @ones_of_number(%[[INT5]], %[[ARG0]]) : (!torch.int, !torch.bool) -> !torch.vtensor<[?],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[?],f32> to !torch.vtensor<[5],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[5],f32> -> !torch.vtensor<[5],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-NEXT:    func.func private @ones_of_number(%[[ARG0]]: !torch.int, %[[ARG1:.*]]: !torch.bool) -> !torch.vtensor<[?],f32> {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      torch.prim.If %[[ARG1]] -> () {
// CHECK-NEXT:        %[[V2]] = torch.aten.add.int %[[ARG0]], %[[INT1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = func.call @ones_of_number(%[[V2]], %[[ARG1]]) : (!torch.int, !torch.bool) -> !torch.vtensor<[?],f32>
// CHECK-NEXT:        torch.prim.If.yield
// CHECK-NEXT:      } else {
// CHECK-NEXT:        torch.prim.If.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V0]] = torch.prim.ListConstruct %[[ARG0]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1]] = torch.aten.ones %[[V0]], %[[NONE]], %[[NONE]], %[[NONE]], %[[NONE]] : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor<[?],f32>
// CHECK-NEXT:    }
