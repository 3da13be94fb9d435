// RUN: torch-refine-opt %s --split-input-file --torch-refine-types=symbolic-shapes=all | filecheck %s --check-prefixes=CHECK,ALL
// RUN: torch-refine-opt %s --split-input-file --torch-refine-types=symbolic-shapes=results | filecheck %s --check-prefixes=CHECK,RESULTS

// One symbol for equal sizes at entry, with the bounds that it had; sizes of results in these.

func.func @declared(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %0 = torch.symbolic_int "batch" {min_val = 2, max_val = 64} : !torch.int
  %1 = torch.symbolic_int "batch" {min_val = 2, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
  torch.bind_symbolic_shape %arg1, [%1], affine_map<()[s0] -> (s0 * 8, s0)> : !torch.vtensor<[?,?],f32>
  %2 = torch.aten.tanh %arg1 : !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  %3 = torch.aten.mm %2, %arg0 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,?],f32>
  return %3 : !torch.vtensor<[?,?],f32>
}

// CHECK-LABEL:   func.func @declared
// CHECK-SAME:    (%[[ARG0:.*]]: !torch.vtensor<[?,4],f32>, %[[ARG1:.*]]: !torch.vtensor<[?,?],f32>)
// CHECK-NEXT:        %[[BATCH:.*]] = torch.symbolic_int "batch" {min_val = 2, max_val = 64} : !torch.int
// CHECK-NEXT:        torch.bind_symbolic_shape %[[ARG0]], [%[[BATCH]]], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
// CHECK-NEXT:        torch.bind_symbolic_shape %[[ARG1]], [%[[BATCH]]], affine_map<()[s0] -> (s0 * 8, s0)> : !torch.vtensor<[?,?],f32>
// CHECK-NEXT:        %[[V0:.*]] = torch.aten.tanh %[[ARG1]]
// ALL-NEXT:          torch.bind_symbolic_shape %[[V0]], [%[[BATCH]]], affine_map<()[s0] -> (s0 * 8, s0)> : !torch.vtensor<[?,?],f32>
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.mm %[[V0]], %[[ARG0]]
// CHECK-NEXT:        torch.bind_symbolic_shape %[[V1]], [%[[BATCH]]], affine_map<()[s0] -> (s0 * 8, 4)> : !torch.vtensor<[?,4],f32>

// -----

// Sizes without names get some. What an operator requires of its operands holds for its result:
// the width of %arg0 is the height of %arg1. Divisions are exact, rounded down or up.

func.func @unnamed(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?,?],f32>) -> (!torch.vtensor, !torch.vtensor) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int-1 = torch.constant.int -1
  %none = torch.constant.none
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor
  %1 = torch.aten.slice.Tensor %arg1, %int0, %none, %none, %int2 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.none, !torch.none, !torch.int -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL:   func.func @unnamed
// CHECK-SAME:    (%[[ARG0:.*]]: !torch.vtensor<[?,?],f32>, %[[ARG1:.*]]: !torch.vtensor<[?,?],f32>)
// CHECK-NEXT:        %[[S0:.*]] = torch.symbolic_int "s0" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:        %[[S1:.*]] = torch.symbolic_int "s1" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:        %[[S2:.*]] = torch.symbolic_int "s2" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:        %[[S3:.*]] = torch.symbolic_int "s3" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:        torch.bind_symbolic_shape %[[ARG0]], [%[[S0]], %[[S1]]], affine_map<()[s0, s1] -> (s0, s1)> : !torch.vtensor<[?,?],f32>
// CHECK-NEXT:        torch.bind_symbolic_shape %[[ARG1]], [%[[S2]], %[[S3]]], affine_map<()[s0, s1] -> (s0, s1)> : !torch.vtensor<[?,?],f32>
// CHECK:             %[[V0:.*]] = torch.aten.mm
// CHECK-NEXT:        torch.bind_symbolic_shape %[[V0]], [%[[S0]], %[[S3]]], affine_map<()[s0, s1] -> (s0, s1)> : !torch.vtensor<[?,?],f32>
// CHECK:             %[[V1:.*]] = torch.aten.slice.Tensor
// CHECK-NEXT:        torch.bind_symbolic_shape %[[V1]], [%[[S1]], %[[S3]]], affine_map<()[s0, s1] -> (s0 ceildiv 2, s1)> : !torch.vtensor<[?,?],f32>

// -----

// A size that depends on data is a symbol, the same at all of its uses; a maximum, which no affine
// expression gives, is one that is named by its expression.

func.func @others(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.int) -> (!torch.vtensor, !torch.vtensor) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %none = torch.constant.none
  %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor
  %1 = torch.aten.t %0 : !torch.vtensor -> !torch.vtensor
  %2 = torch.aten.slice.Tensor %arg0, %int0, %int3, %none, %int1 : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.none, !torch.int -> !torch.vtensor
  return %1, %2 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL:   func.func @others
// CHECK-NEXT:        %[[S0:.*]] = torch.symbolic_int "s0" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:        %[[U0:.*]] = torch.symbolic_int "u0" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK:             %[[MIN:.*]] = torch.symbolic_int "min(3, s0)" {min_val = 0, max_val = 3} : !torch.int
// CHECK-NEXT:        torch.bind_symbolic_shape %{{.*}}, [%[[S0]]], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
// ALL:               torch.bind_symbolic_shape %{{.*}}, [%[[U0]]], affine_map<()[s0] -> (s0, 1)> : !torch.vtensor<[?,1],si64>
// CHECK:             torch.bind_symbolic_shape %{{.*}}, [%[[U0]]], affine_map<()[s0] -> (1, s0)> : !torch.vtensor<[1,?],si64>
// CHECK:             torch.bind_symbolic_shape %{{.*}}, [%[[S0]], %[[MIN]]], affine_map<()[s0, s1] -> (s0 - s1)> : !torch.vtensor<[?],f32>

// -----

// In a loop, a size that differs from iteration to iteration has no symbol of the function.

func.func @loop(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.int) -> !torch.vtensor<[?],f32> {
  %true = torch.constant.bool true
  %0 = torch.prim.Loop %arg1, %true, init(%arg0) {
  ^bb0(%iteration: !torch.int, %value: !torch.vtensor<[?],f32>):
    %1 = torch.aten.nonzero %value : !torch.vtensor<[?],f32> -> !torch.vtensor<[?,1],si64>
    %2 = torch.aten.tanh %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
    torch.prim.Loop.condition %true, iter(%2 : !torch.vtensor<[?],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}

// CHECK-LABEL:   func.func @loop
// CHECK:             %[[S0:.*]] = torch.symbolic_int "s0"
// CHECK:             torch.prim.Loop
// CHECK:               torch.aten.nonzero
// CHECK-NEXT:          %[[V0:.*]] = torch.aten.tanh
// ALL-NEXT:            torch.bind_symbolic_shape %[[V0]], [%[[S0]]], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
// CHECK-NEXT:          torch.prim.Loop.condition
// CHECK:             torch.bind_symbolic_shape %{{.*}}, [%[[S0]]], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>

// -----

// What a private function requires holds for its calls only, and that of a side of a branch for
// runs that take it: here the width of %arg1 need not be the height of %arg2.

func.func private @called(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?,7],f32>) -> !torch.vtensor<[?,7],f32> {
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,7],f32> -> !torch.vtensor<[?,7],f32>
  return %0 : !torch.vtensor<[?,7],f32>
}

func.func @sometimes(%arg0: !torch.bool, %arg1: !torch.vtensor<[?,?],f32>, %arg2: !torch.vtensor<[?,7],f32>) -> !torch.vtensor<[?,7],f32> {
  %0 = torch.prim.If %arg0 -> (!torch.vtensor<[?,7],f32>) {
    %2 = func.call @called(%arg1, %arg2) : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,7],f32>) -> !torch.vtensor<[?,7],f32>
    torch.prim.If.yield %2 : !torch.vtensor<[?,7],f32>
  } else {
    torch.prim.If.yield %arg2 : !torch.vtensor<[?,7],f32>
  }
  %1 = torch.aten.tanh %arg2 : !torch.vtensor<[?,7],f32> -> !torch.vtensor<[?,7],f32>
  return %1 : !torch.vtensor<[?,7],f32>
}

// CHECK-LABEL:   func.func @sometimes
// CHECK:             %[[S2:.*]] = torch.symbolic_int "s2"
// CHECK:             torch.bind_symbolic_shape %[[ARG2:.*]], [%[[S2]]], affine_map<()[s0] -> (s0, 7)>
// CHECK:             %[[V1:.*]] = torch.aten.tanh %[[ARG2]]
// CHECK-NEXT:        torch.bind_symbolic_shape %[[V1]], [%[[S2]]], affine_map<()[s0] -> (s0, 7)>

// -----

// The sizes of a permutation are those of its argument, too: the first rows are one row.

func.func @permuted(%arg0: !torch.vtensor<[?,?],f32>) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.symbolic_int "rows" {min_val = 2, max_val = 64} : !torch.int
  %1 = torch.symbolic_int "columns" {min_val = 0, max_val = 64} : !torch.int
  %2 = torch.prim.ListConstruct %int1, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %3 = torch.aten.permute %arg0, %2 : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  torch.bind_symbolic_shape %3, [%0, %1], affine_map<()[s0, s1] -> (s0, s1)> : !torch.vtensor<[?,?],f32>
  %4 = torch.aten.slice.Tensor %3, %int0, %int0, %int1, %int1 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor
  return %4 : !torch.vtensor
}

// CHECK-LABEL:   func.func @permuted
// CHECK:             %[[SLICE:.*]] = torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[1,?],f32>
