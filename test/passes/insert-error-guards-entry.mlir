// RUN: torch-refine-opt %s --split-input-file --torch-insert-error-guards=hoist=entry | filecheck %s

// Conditions on arguments alone are asserted at entry, those on other values where they are known.

func.func @hoisted(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?,?],f32>, %arg2: !torch.vtensor<[?],f32>) {
  %0 = torch.aten.relu %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor
  %1 = torch.aten.nonzero %0 : !torch.vtensor -> !torch.vtensor
  %2 = torch.aten.mv %arg1, %arg2 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor
  %3 = torch.aten.dot %0, %2 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  %4 = torch.aten.mm %1, %1 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @hoisted
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?,?],f32>, %[[ARG2:.*]]: !torch.vtensor<[?],f32>) {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG1]], %[[INT1]] : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.size.int %[[ARG2]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.eq.int %[[V0]], %[[V1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V2]], "aten::mv: inner dimensions must match, got arg1.size(1) and arg2.size(0)"
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.eq.int %[[V3]], %[[V4]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V5]], "aten::dot: sizes must match, got arg0.size(0) and arg1.size(0)"
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.relu %[[ARG0]] : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.nonzero %[[V6]] : !torch.vtensor<[?],f32> -> !torch.vtensor<[?,1],si64>
// CHECK-NEXT:      %[[V8:.*]] = torch.aten.mv %[[ARG1]], %[[ARG2]] : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
// CHECK-NEXT:      %[[V9:.*]] = torch.aten.dot %[[V6]], %[[V8]] : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[],f32>
// CHECK-NEXT:      %[[V10:.*]] = torch.aten.size.int %[[V7]], %[[INT0]] : !torch.vtensor<[?,1],si64>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V11:.*]] = torch.aten.eq.int %[[V10]], %[[INT1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V11]], "aten::mm: inner dimensions must match, got 1 and aten.nonzero.size(0)"
// CHECK-NEXT:      %[[V12:.*]] = torch.aten.mm %[[V7]], %[[V7]] : !torch.vtensor<[?,1],si64>, !torch.vtensor<[?,1],si64> -> !torch.vtensor<[1,1],si64>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// What a guard of a later operator implies is left out, too.

func.func @implied_by_a_later_one(%arg0: !torch.vtensor<[1,?],f32>, %arg1: !torch.vtensor<[5,4],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %0 = torch.aten.narrow %arg0, %int1, %int0, %int3 : !torch.vtensor<[1,?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor
  %1 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[1,?],f32>, !torch.vtensor<[5,4],f32> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @implied_by_a_later_one
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[1,?],f32>, %[[ARG1:.*]]: !torch.vtensor<[5,4],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[INT5:.*]] = torch.constant.int 5
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[1,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.eq.int %[[V0]], %[[INT5]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V1]], "aten::mm: inner dimensions must match, got arg0.size(1) and 5"
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.narrow %[[ARG0]], %[[INT1]], %[[INT0]], %[[INT3]] : !torch.vtensor<[1,?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[1,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.mm %[[ARG0]], %[[ARG1]] : !torch.vtensor<[1,?],f32>, !torch.vtensor<[5,4],f32> -> !torch.vtensor<[1,4],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// One side of a branch constrains the runs that take it; what a loop may not reach stays in it.

func.func @regions(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?],f32>, %arg2: !torch.int) {
  %int4 = torch.constant.int 4
  %true = torch.constant.bool true
  %0 = torch.aten.lt.int %arg2, %int4 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    %1 = torch.aten.dot %arg0, %arg1 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  torch.prim.Loop %arg2, %true, init() {
  ^bb0(%arg3: !torch.int):
    %1 = torch.aten.dot %arg0, %arg1 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return
}

// CHECK-LABEL: func.func @regions
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?],f32>, %[[ARG2:.*]]: !torch.int) {
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.ge.int %[[ARG2]], %[[INT4]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.eq.int %[[V0]], %[[V1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.__or__.bool %[[V2]], %[[V3]] : !torch.bool, !torch.bool -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V4]], "aten::dot: sizes must match, got arg0.size(0) and arg1.size(0)"
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.lt.int %[[ARG2]], %[[INT4]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.prim.If %[[V5]] -> () {
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.dot %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[],f32>
// CHECK-NEXT:        torch.prim.If.yield
// CHECK-NEXT:      } else {
// CHECK-NEXT:        torch.prim.If.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      torch.prim.Loop %[[ARG2]], %[[TRUE]], init() {
// CHECK-NEXT:      ^bb0(%[[ARG3:.*]]: !torch.int):
// CHECK-NEXT:        %[[V6]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V7:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V8:.*]] = torch.aten.eq.int %[[V6]], %[[V7]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        torch.runtime.assert %[[V8]], "aten::dot: sizes must match, got arg0.size(0) and arg1.size(0)"
// CHECK-NEXT:        %[[V9:.*]] = torch.aten.dot %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[],f32>
// CHECK-NEXT:        torch.prim.Loop.condition %[[TRUE]], iter()
// CHECK-NEXT:      } : (!torch.int, !torch.bool) -> ()
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A symbol is computed from a size that is a multiple of it; a scalar is named by its argument.

func.func @solved(%arg0: !torch.vtensor<[?],f32> loc("x"), %arg1: !torch.vtensor<[?],f32> loc("weights"), %arg2: !torch.int loc("start")) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %s0 = torch.symbolic_int "s0" {min_val = 0, max_val = 9223372036854775807} : !torch.int
  torch.bind_symbolic_shape %arg0, [%s0], affine_map<()[s0] -> (s0 * 8 + 3)> : !torch.vtensor<[?],f32>
  %0 = torch.aten.dot %arg0, %arg1 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor
  %1 = torch.aten.narrow %arg1, %int0, %arg2, %int1 : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @solved
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?],f32>, %[[ARG2:.*]]: !torch.int) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[INT8:.*]] = torch.constant.int 8
// CHECK-NEXT:      %[[INT_1:.*]] = torch.constant.int -1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.sub.int %[[V0]], %[[INT3]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.floordiv.int %[[V1]], %[[INT8]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.mul.int %[[V2]], %[[INT8]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.add.int %[[V4]], %[[INT3]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.eq.int %[[V5]], %[[V3]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V6]], "aten::dot: sizes must match, got 8*((x.size(0) - 3) // 8) + 3 and weights.size(0)"
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.add.int %[[V3]], %[[ARG2]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V8:.*]] = torch.aten.ge.int %[[V7]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V9:.*]] = torch.aten.ge.int %[[V3]], %[[ARG2]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V10:.*]] = torch.aten.__and__.bool %[[V8]], %[[V9]] : !torch.bool, !torch.bool -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V10]], "aten::narrow: start start is out of range for size weights.size(0)"
// CHECK-NEXT:      %[[V11:.*]] = torch.aten.le.int %[[ARG2]], %[[INT_1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V12:.*]] = torch.aten.add.int %[[ARG2]], %[[INT1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V13:.*]] = torch.aten.ge.int %[[V3]], %[[V12]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V14:.*]] = torch.aten.__or__.bool %[[V11]], %[[V13]] : !torch.bool, !torch.bool -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V14]], "aten::narrow: start + length must be at most weights.size(0), got start + 1"
// CHECK-NEXT:      %[[V15:.*]] = torch.symbolic_int "s0" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG0]], [%[[V15]]], affine_map<()[s0] -> (s0 * 8 + 3)> : !torch.vtensor<[?],f32>
// CHECK-NEXT:      %[[V16:.*]] = torch.aten.dot %[[ARG0]], %[[ARG1]] : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[],f32>
// CHECK-NEXT:      %[[V17:.*]] = torch.aten.narrow %[[ARG1]], %[[INT0]], %[[ARG2]], %[[INT1]] : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[1],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }
