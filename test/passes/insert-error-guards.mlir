// RUN: torch-refine-opt %s --split-input-file --torch-insert-error-guards | filecheck %s

// A precondition that is not proven is asserted in front of its operator.

func.func @asserted(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[?,4],f32>) {
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,4],f32> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @asserted
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[?,4],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.eq.int %[[V0]], %[[INT3]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V1]], "aten::mm: inner dimensions must match, got 3 and arg1.size(0)"
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.mm %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// What known sizes satisfy is not asserted.

func.func @proven(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[3,4],f32>) {
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[3,4],f32> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @proven
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[3,4],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.mm %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?,3],f32>, !torch.vtensor<[3,4],f32> -> !torch.vtensor<[?,4],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Operators with the same condition share the guard of the first.

func.func @merged(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?,?],f32>) {
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor
  %1 = torch.aten.matmul %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @merged
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?,?],f32>) {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.eq.int %[[V0]], %[[V1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V2]], "aten::mm: inner dimensions must match, got arg0.size(1) and arg1.size(0)"
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.mm %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.matmul %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A guard that follows from those before it is left out: a row of 5 has more than 3 elements.

func.func @implied(%arg0: !torch.vtensor<[1,?],f32>, %arg1: !torch.vtensor<[5,4],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[1,?],f32>, !torch.vtensor<[5,4],f32> -> !torch.vtensor
  %1 = torch.aten.narrow %arg0, %int1, %int0, %int3 : !torch.vtensor<[1,?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @implied
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[1,?],f32>, %[[ARG1:.*]]: !torch.vtensor<[5,4],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[INT5:.*]] = torch.constant.int 5
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[1,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.eq.int %[[V0]], %[[INT5]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V1]], "aten::mm: inner dimensions must match, got arg0.size(1) and 5"
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.mm %[[ARG0]], %[[ARG1]] : !torch.vtensor<[1,?],f32>, !torch.vtensor<[5,4],f32> -> !torch.vtensor<[1,4],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.narrow %[[ARG0]], %[[INT1]], %[[INT0]], %[[INT3]] : !torch.vtensor<[1,?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[1,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Sizes that the program declares are known: no check is left of this convolution.

func.func @declared(%arg0: !torch.vtensor<[1,4,?,?],f32>, %arg1: !torch.vtensor<[8,4,3,3],f32>) {
  %s0 = torch.symbolic_int "s0" {min_val = 3, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %arg0, [%s0], affine_map<()[s0] -> (1, 4, s0, s0 * 2)> : !torch.vtensor<[1,4,?,?],f32>
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.conv2d %arg0, %arg1, %none, %0, %1, %0, %int1 : !torch.vtensor<[1,4,?,?],f32>, !torch.vtensor<[8,4,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @declared
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[1,4,?,?],f32>, %[[ARG1:.*]]: !torch.vtensor<[8,4,3,3],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.symbolic_int "s0" {min_val = 3, max_val = 64} : !torch.int
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG0]], [%[[V0]]], affine_map<()[s0] -> (1, 4, s0, s0 * 2)> : !torch.vtensor<[1,4,?,?],f32>
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListConstruct %[[INT1]], %[[INT1]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.ListConstruct %[[INT0]], %[[INT0]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.conv2d %[[ARG0]], %[[ARG1]], %[[NONE]], %[[V1]], %[[V2]], %[[V1]], %[[INT1]] : !torch.vtensor<[1,4,?,?],f32>, !torch.vtensor<[8,4,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[1,8,?,?],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// So are attached guards.

func.func @attached(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?],f32>)
    attributes {torch_refine.guards = [{condition = "arg0.size(0) == 2*arg1.size(0) // 2", message = "equal"}]} {
  %0 = torch.aten.dot %arg0, %arg1 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @attached
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?],f32>) attributes {torch_refine.guards = [{condition = "arg0.size(0) == 2*arg1.size(0) // 2", message = "equal"}]} {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.dot %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// And assertions of the program.

func.func @stated(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %1 = torch.aten.size.int %arg1, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.runtime.assert %2, "they differ"
  %3 = torch.aten.dot %arg0, %arg1 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @stated
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.eq.int %[[V0]], %[[V1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V2]], "they differ"
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.dot %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A size that depends on data is asserted where it is known.

func.func @data_dependent(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?,2],si64>) {
  %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor
  %1 = torch.aten.matmul %0, %arg1 : !torch.vtensor, !torch.vtensor<[?,2],si64> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @data_dependent
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?,2],si64>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.nonzero %[[ARG0]] : !torch.vtensor<[?],f32> -> !torch.vtensor<[?,1],si64>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?,2],si64>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.eq.int %[[V1]], %[[INT1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V2]], "aten::matmul: inner dimensions must match, got 1 and arg1.size(0)"
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.matmul %[[V0]], %[[ARG1]] : !torch.vtensor<[?,1],si64>, !torch.vtensor<[?,2],si64> -> !torch.vtensor<[?,2],si64>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// On one side of a branch, its condition is known.

func.func @branch(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?],f32>, %arg2: !torch.int) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %int4 = torch.constant.int 4
  %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %1 = torch.aten.gt.int %0, %int4 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.vtensor) {
    %3 = torch.aten.select.int %arg0, %int0, %int4 : !torch.vtensor<[?],f32>, !torch.int, !torch.int -> !torch.vtensor
    torch.prim.If.yield %3 : !torch.vtensor
  } else {
    %3 = torch.aten.dot %arg0, %arg1 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor
    torch.prim.If.yield %3 : !torch.vtensor
  }
  return %2 : !torch.vtensor
}

// CHECK-LABEL: func.func @branch
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?],f32>, %[[ARG2:.*]]: !torch.int) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.gt.int %[[V0]], %[[INT4]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.If %[[V1]] -> (!torch.vtensor<[],f32>) {
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.select.int %[[ARG0]], %[[INT0]], %[[INT4]] : !torch.vtensor<[?],f32>, !torch.int, !torch.int -> !torch.vtensor<[],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V4]] : !torch.vtensor<[],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V4]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.eq.int %[[V4]], %[[V5]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        torch.runtime.assert %[[V6]], "aten::dot: sizes must match, got arg0.size(0) and arg1.size(0)"
// CHECK-NEXT:        %[[V7:.*]] = torch.aten.dot %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V7]] : !torch.vtensor<[],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V3]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A condition that a divisor must not be zero for is computed only if it is not.

func.func @remainder(%arg0: !torch.vtensor<[?,6],f32>, %arg1: !torch.int) {
  %int-1 = torch.constant.int -1
  %0 = torch.prim.ListConstruct %arg1, %int-1 : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.view %arg0, %0 : !torch.vtensor<[?,6],f32>, !torch.list<int> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @remainder
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,6],f32>, %[[ARG1:.*]]: !torch.int) {
// CHECK-NEXT:      %[[INT_1:.*]] = torch.constant.int -1
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT6:.*]] = torch.constant.int 6
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[ARG1]], %[[INT_1]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.ge.int %[[ARG1]], %[[INT_1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V1]], "aten::view: sizes must not be negative except for one -1, got [arg1, -1]"
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.ne.int %[[ARG1]], %[[INT_1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V2]], "aten::view: only one size can be -1, got [arg1, -1]"
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.ne.int %[[ARG1]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V3]], "aten::view: cannot infer -1 beside a size of 0, got [0, -1]"
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?,6],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.mul.int %[[V4]], %[[INT6]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.remainder.int %[[V5]], %[[ARG1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.eq.int %[[V6]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V7]], "aten::view: shape [arg0.size(0), 6] cannot be viewed as [arg1, -1]"
// CHECK-NEXT:      %[[V8:.*]] = torch.aten.view %[[ARG0]], %[[V0]] : !torch.vtensor<[?,6],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }
