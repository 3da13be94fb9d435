// RUN: torch-refine-opt %s --split-input-file --torch-refine-types | filecheck %s

// An unknown size that must be another one, or be broadcast to it, is that one.

func.func @broadcast(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[2,3],f32>) {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @broadcast
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[ARG1]], %[[INT1]] : !torch.vtensor<[?,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A size that was computed in two ways is one size: what is left of the view is known.

func.func @same_size(%arg0: !torch.vtensor<[?,12,64],f32>) {
  %int0 = torch.constant.int 0
  %int-1 = torch.constant.int -1
  %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?,12,64],f32>, !torch.int -> !torch.int
  %1 = torch.prim.ListConstruct %0, %int-1 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.view %arg0, %1 : !torch.vtensor<[?,12,64],f32>, !torch.list<int> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @same_size
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,12,64],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT:.*]]-1 = torch.constant.int -1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?,12,64],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListConstruct %[[V0]], %[[INT]]-1 : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.view %[[ARG0]], %[[V1]] : !torch.vtensor<[?,12,64],f32>, !torch.list<int> -> !torch.vtensor<[?,768],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Sizes of one name are one size, and lie within their bounds.

func.func @named_sizes(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.vtensor<[4,?],f32>) {
  %0 = torch.symbolic_int "s0" {min_val = 2, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
  torch.bind_symbolic_shape %arg1, [%0], affine_map<()[s0] -> (4, s0)> : !torch.vtensor<[4,?],f32>
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %1 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
  %2 = torch.aten.size.int %arg1, %int1 : !torch.vtensor<[4,?],f32>, !torch.int -> !torch.int
  %3 = torch.aten.floordiv.int %1, %2 : !torch.int, !torch.int -> !torch.int
  %int6 = torch.constant.int 6
  %4 = torch.prim.ListConstruct %3, %int6 : (!torch.int, !torch.int) -> !torch.list<int>
  %none = torch.constant.none
  %5 = torch.aten.zeros %4, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @named_sizes
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,4],f32>, %[[ARG1:.*]]: !torch.vtensor<[4,?],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.symbolic_int "s0" {min_val = 2, max_val = 64} : !torch.int
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG0]], [%[[V0]]], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
// CHECK-NEXT:      torch.bind_symbolic_shape %[[ARG1]], [%[[V0]]], affine_map<()[s0] -> (4, s0)> : !torch.vtensor<[4,?],f32>
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.size.int %[[ARG1]], %[[INT1]] : !torch.vtensor<[4,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.floordiv.int %[[V1]], %[[V2]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[INT6:.*]] = torch.constant.int 6
// CHECK-NEXT:      %[[V4:.*]] = torch.prim.ListConstruct %[[V3]], %[[INT6]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.zeros %[[V4]], %[[NONE]], %[[NONE]], %[[NONE]], %[[NONE]] : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[1,6],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Shape arithmetic that is done in tensors.

func.func @elements(%arg0: !torch.vtensor<[2,3,4],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.vtensor.literal(dense<[6, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %1 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[2,3,4],f32>, !torch.int -> !torch.int
  %2 = torch.prim.NumToTensor.Scalar %1 : !torch.int -> !torch.vtensor<[],si64>
  %3 = torch.aten.mul.Tensor %0, %2 : !torch.vtensor<[2],si64>, !torch.vtensor<[],si64> -> !torch.vtensor
  %4 = torch.aten.select.int %3, %int0, %int0 : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %5 = torch.aten.Int.Tensor %4 : !torch.vtensor -> !torch.int
  %6 = torch.prim.ListConstruct %5, %1 : (!torch.int, !torch.int) -> !torch.list<int>
  %7 = torch.aten.view %arg0, %6 : !torch.vtensor<[2,3,4],f32>, !torch.list<int> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @elements
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3,4],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.vtensor.literal(dense<[6, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[2,3,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.NumToTensor.Scalar %[[V1]] : !torch.int -> !torch.vtensor<[],si64>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.mul.Tensor %[[V0]], %[[V2]] : !torch.vtensor<[2],si64>, !torch.vtensor<[],si64> -> !torch.vtensor<[2],si64>
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.select.int %[[V3]], %[[INT0]], %[[INT0]] : !torch.vtensor<[2],si64>, !torch.int, !torch.int -> !torch.vtensor<[],si64>
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.Int.Tensor %[[V4]] : !torch.vtensor<[],si64> -> !torch.int
// CHECK-NEXT:      %[[V6:.*]] = torch.prim.ListConstruct %[[V5]], %[[V1]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.view %[[ARG0]], %[[V6]] : !torch.vtensor<[2,3,4],f32>, !torch.list<int> -> !torch.vtensor<[12,2],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Sizes that are concatenated, stacked, or computed from one that is not known.

func.func @lists_of_elements(%arg0: !torch.vtensor<[2,3,?],f32>) {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %0 = torch.vtensor.literal(dense<6> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  %1 = torch.aten.size.int %arg0, %int2 : !torch.vtensor<[2,3,?],f32>, !torch.int -> !torch.int
  %2 = torch.prim.NumToTensor.Scalar %1 : !torch.int -> !torch.vtensor<[],si64>
  %3 = torch.prim.ListConstruct %2 : (!torch.vtensor<[],si64>) -> !torch.list<vtensor>
  %4 = torch.aten.stack %3, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %5 = torch.prim.ListConstruct %0, %4 : (!torch.vtensor<[1],si64>, !torch.vtensor) -> !torch.list<vtensor>
  %6 = torch.aten.cat %5, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %7 = torch.aten.select.int %6, %int0, %int0 : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %8 = torch.aten.Int.Tensor %7 : !torch.vtensor -> !torch.int
  %9 = torch.prim.ListConstruct %8, %1 : (!torch.int, !torch.int) -> !torch.list<int>
  %10 = torch.aten.view %arg0, %9 : !torch.vtensor<[2,3,?],f32>, !torch.list<int> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @lists_of_elements
// CHECK:           torch.aten.stack {{.*}} -> !torch.vtensor<[1],si64>
// CHECK:           torch.aten.cat {{.*}} -> !torch.vtensor<[2],si64>
// CHECK:           torch.aten.view {{.*}} -> !torch.vtensor<[6,?],f32>

// -----

// Elements of an `arange`.

func.func @range_elements(%arg0: !torch.vtensor<[8,5],f32>) {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %int9 = torch.constant.int 9
  %0 = torch.aten.arange.start_step %int2, %int9, %int3, %none, %none, %none, %none : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  %1 = torch.aten.select.int %0, %int0, %int1 : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %2 = torch.aten.Int.Tensor %1 : !torch.vtensor -> !torch.int
  %3 = torch.aten.select.int %0, %int0, %int2 : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %4 = torch.aten.Int.Tensor %3 : !torch.vtensor -> !torch.int
  %5 = torch.prim.ListConstruct %2, %4 : (!torch.int, !torch.int) -> !torch.list<int>
  %6 = torch.aten.view %arg0, %5 : !torch.vtensor<[8,5],f32>, !torch.list<int> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @range_elements
// CHECK:           torch.aten.arange.start_step {{.*}} -> !torch.vtensor<[3],si64>
// CHECK:           torch.aten.view {{.*}} -> !torch.vtensor<[5,8],f32>

// -----

// Elements that are reduced, and those of a tensor that has none.

func.func @reduced_elements(%arg0: !torch.vtensor<[12,5],f32>) {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int5 = torch.constant.int 5
  %0 = torch.vtensor.literal(dense<[6, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %1 = torch.aten.prod %0, %none : !torch.vtensor<[2],si64>, !torch.none -> !torch.vtensor
  %2 = torch.aten.Int.Tensor %1 : !torch.vtensor -> !torch.int
  %3 = torch.prim.ListConstruct %int5, %2 : (!torch.int, !torch.int) -> !torch.list<int>
  %4 = torch.aten.view %arg0, %3 : !torch.vtensor<[12,5],f32>, !torch.list<int> -> !torch.vtensor
  %5 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %6 = torch.aten.full %5, %int5, %none, %none, %none, %none : !torch.list<int>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  %7 = torch.prim.ListConstruct %6, %0 : (!torch.vtensor, !torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  %8 = torch.aten.cat %7, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %9 = torch.aten.select.int %8, %int0, %int0 : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %10 = torch.aten.Int.Tensor %9 : !torch.vtensor -> !torch.int
  %11 = torch.prim.ListConstruct %10 : (!torch.int) -> !torch.list<int>
  %12 = torch.aten.zeros %11, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @reduced_elements
// CHECK:           torch.aten.view {{.*}} -> !torch.vtensor<[5,12],f32>
// CHECK:           torch.aten.full {{.*}} -> !torch.vtensor<[0],si64>
// CHECK:           torch.aten.zeros {{.*}} -> !torch.vtensor<[6],f32>

// -----

// Of tensors whose elements are not known, nothing is computed.

func.func @unknown_elements(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[12],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.vtensor.literal(dense<[6, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %1 = torch.aten.mul.Tensor %0, %arg0 : !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64> -> !torch.vtensor
  %2 = torch.aten.select.int %1, %int0, %int0 : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  %3 = torch.aten.Int.Tensor %2 : !torch.vtensor -> !torch.int
  %4 = torch.prim.ListConstruct %3 : (!torch.int) -> !torch.list<int>
  %5 = torch.aten.view %arg1, %4 : !torch.vtensor<[12],f32>, !torch.list<int> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @unknown_elements
// CHECK:           torch.aten.mul.Tensor {{.*}} -> !torch.vtensor<[2],si64>
// CHECK:           torch.aten.view {{.*}} -> !torch.vtensor<[{{.*}}],f32>

// -----

// An operand that may be none or not gives what both have in common.

func.func @unknown_option(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.optional<int>) {
  %false = torch.constant.bool false
  %0 = torch.aten.argmax %arg0, %arg1, %false : !torch.vtensor<[2,3],f32>, !torch.optional<int>, !torch.bool -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @unknown_option
// CHECK:           torch.aten.argmax {{.*}} -> !torch.vtensor<*,si64>

// -----

// An int that was cast from a bool may stand for the bool, so what it promotes to is not known.

func.func @bool_number(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.bool) {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.Int.bool %arg1 : !torch.bool -> !torch.int
  %1 = torch.aten.add.Scalar %arg0, %0, %int1 : !torch.vtensor<[2],i1>, !torch.int, !torch.int -> !torch.vtensor
  %2 = torch.aten.clamp %arg0, %0, %none : !torch.vtensor<[2],i1>, !torch.int, !torch.none -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @bool_number
// CHECK:           torch.aten.add.Scalar {{.*}} -> !torch.vtensor<[2],unk>
// CHECK:           torch.aten.clamp {{.*}} -> !torch.vtensor<[2],unk>

// -----

// Branches that agree in part, and one that cannot be left.

func.func @if(%arg0: !torch.bool, %arg1: !torch.vtensor<[2,3],f32>, %arg2: !torch.vtensor<[2,4],f32>, %arg3: !torch.str) -> (!torch.vtensor, !torch.vtensor) {
  %none = torch.constant.none
  %0:2 = torch.prim.If %arg0 -> (!torch.vtensor, !torch.vtensor) {
    %1 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    torch.prim.If.yield %1, %1 : !torch.vtensor, !torch.vtensor
  } else {
    %1 = torch.aten.tanh %arg2 : !torch.vtensor<[2,4],f32> -> !torch.vtensor
    %2 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    torch.prim.If.yield %1, %2 : !torch.vtensor, !torch.vtensor
  }
  %3 = torch.prim.If %arg0 -> (!torch.vtensor) {
    torch.prim.RaiseException %arg3, %none : !torch.str, !torch.none
    torch.prim.If.yield %0#0 : !torch.vtensor
  } else {
    %1 = torch.aten.relu %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  }
  return %0#1, %3 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @if
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG2:.*]]: !torch.vtensor<[2,4],f32>, %[[ARG3:.*]]: !torch.str) -> (!torch.vtensor, !torch.vtensor) {
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]]:2 = torch.prim.If %[[ARG0]] -> (!torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V5:.*]] = torch.tensor_static_info_cast %[[V4]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V5]], %[[V4]] : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V4]] = torch.aten.tanh %[[ARG2]] : !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
// CHECK-NEXT:        %[[V5]] = torch.tensor_static_info_cast %[[V4]] : !torch.vtensor<[2,4],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V5]], %[[V6]] : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]]#1 : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.If %[[ARG0]] -> (!torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        torch.prim.RaiseException %[[ARG3]], %[[NONE]] : !torch.str, !torch.none
// CHECK-NEXT:        %[[V4]] = torch.tensor_static_info_cast %[[V0]]#0 : !torch.vtensor<[2,?],f32> to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V4]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V4]] = torch.aten.relu %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.If.yield %[[V4]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]], %[[V3]] : !torch.vtensor, !torch.vtensor
// CHECK-NEXT:    }

// -----

// A dimension that grows from turn to turn is unknown, its sibling stays known.

func.func @loop(%arg0: !torch.vtensor<[1,3],f32>, %arg1: !torch.int) {
  %true = torch.constant.bool true
  %int0 = torch.constant.int 0
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[1,3],f32> to !torch.vtensor
  %1 = torch.prim.Loop %arg1, %true, init(%0) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor):
    %2 = torch.prim.ListConstruct %x, %arg0 : (!torch.vtensor, !torch.vtensor<[1,3],f32>) -> !torch.list<vtensor>
    %3 = torch.aten.cat %2, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
    torch.prim.Loop.condition %true, iter(%3 : !torch.vtensor)
  } : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
  %4 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @loop
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[1,3],f32>, %[[ARG1:.*]]: !torch.int) {
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.Loop %[[ARG1]], %[[TRUE]], init(%[[V0]]) {
// CHECK-NEXT:      ^bb0(%[[ARG2:.*]]: !torch.int, %[[ARG3:.*]]: !torch.vtensor<[?,3],f32>):
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.ListConstruct %[[ARG3]], %[[ARG0]] : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[1,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.cat %[[V4]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:        torch.prim.Loop.condition %[[TRUE]], iter(%[[V5]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:      } : (!torch.int, !torch.bool, !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.tanh %[[V2]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Lists of tensors, from what makes them to what takes them apart.

func.func @lists(%arg0: !torch.vtensor<[10,3],f32>, %arg1: !torch.vtensor<[?,3],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %0 = torch.aten.split.Tensor %arg0, %int4, %int0 : !torch.vtensor<[10,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %1:3 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor, !torch.vtensor
  %2 = torch.aten.unbind.int %arg1, %int1 : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.list<vtensor>
  %3 = torch.aten.__getitem__.t %2, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %4 = torch.aten.split.Tensor %arg1, %int4, %int0 : !torch.vtensor<[?,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %5 = torch.aten.__getitem__.t %4, %int1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %6 = torch.prim.TupleConstruct %1#2, %3 : !torch.vtensor, !torch.vtensor -> !torch.tuple<vtensor, vtensor>
  %7 = torch.prim.TupleIndex %6, %int0 : !torch.tuple<vtensor, vtensor>, !torch.int -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @lists
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[10,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[?,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.split.Tensor %[[ARG0]], %[[INT4]], %[[INT0]] : !torch.vtensor<[10,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]]:3 = torch.prim.ListUnpack %[[V0]] : !torch.list<vtensor> -> !torch.vtensor<[4,3],f32>, !torch.vtensor<[4,3],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V1]]#2 : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.unbind.int %[[ARG1]], %[[INT1]] : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.__getitem__.t %[[V3]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],f32>
// CHECK-NEXT:      %[[V5:.*]] = torch.tensor_static_info_cast %[[V4]] : !torch.vtensor<[?],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.split.Tensor %[[ARG1]], %[[INT4]], %[[INT0]] : !torch.vtensor<[?,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.__getitem__.t %[[V6]], %[[INT1]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V8:.*]] = torch.prim.TupleConstruct %[[V2]], %[[V5]] : !torch.vtensor, !torch.vtensor -> !torch.tuple<vtensor, vtensor>
// CHECK-NEXT:      %[[V9:.*]] = torch.prim.TupleIndex %[[V8]], %[[INT0]] : !torch.tuple<vtensor, vtensor>, !torch.int -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// What an optional holds.

func.func @optional(%arg0: !torch.vtensor<[2,3],f32>) {
  %0 = torch.derefine %arg0 : !torch.vtensor<[2,3],f32> to !torch.optional<vtensor>
  %1 = torch.prim.unchecked_cast %0 : !torch.optional<vtensor> -> !torch.vtensor
  %2 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @optional
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.derefine %[[ARG0]] : !torch.vtensor<[2,3],f32> to !torch.optional<vtensor>
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.unchecked_cast %[[V0]] : !torch.optional<vtensor> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A private function is refined for all of its calls, and each call for its own operands.

func.func @calls(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,4],f32>) {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[2,4],f32> to !torch.vtensor
  %2 = func.call @callee(%0) : (!torch.vtensor) -> !torch.vtensor
  %3 = func.call @callee(%1) : (!torch.vtensor) -> !torch.vtensor
  %4 = torch.aten.relu %2 : !torch.vtensor -> !torch.vtensor
  %5 = torch.aten.relu %3 : !torch.vtensor -> !torch.vtensor
  return
}
func.func private @callee(%arg0: !torch.vtensor) -> !torch.vtensor {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @calls
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[2,4],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,4],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,4],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V4:.*]] = call @callee(%[[V1]]) : (!torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32>
// CHECK-NEXT:      %[[V5:.*]] = torch.tensor_static_info_cast %[[V4]] : !torch.vtensor<[2,?],f32> to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V6:.*]] = call @callee(%[[V0]]) : (!torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32>
// CHECK-NEXT:      %[[V7:.*]] = torch.tensor_static_info_cast %[[V6]] : !torch.vtensor<[2,?],f32> to !torch.vtensor<[2,4],f32>
// CHECK-NEXT:      %[[V8:.*]] = torch.aten.relu %[[V5]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V9:.*]] = torch.aten.relu %[[V7]] : !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @callee
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[2,?],f32>
// CHECK-NEXT:    }

// -----

// A function that never returns keeps what it declares of its results.

func.func @entry(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1 = func.call @recursive(%0) : (!torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}
func.func private @recursive(%arg0: !torch.vtensor) -> !torch.vtensor {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor -> !torch.vtensor
  %1 = func.call @recursive(%0) : (!torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @entry
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = call @recursive(%[[ARG0]]) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @recursive
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = call @recursive(%[[V0]]) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// An operator that the dialect does not define, and one of which nothing is known.

func.func @others(%arg0: !torch.vtensor<[2,3],f32>) {
  %int1 = torch.constant.int 1
  %0 = torch.operator "torch.aten.special_expit"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
  %1 = torch.operator "torch.mine.op"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
  %2 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @others
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.operator "torch.aten.special_expit"(%[[ARG0]]) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.operator "torch.mine.op"(%[[ARG0]]) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V1]] : !torch.vtensor -> !torch.vtensor
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A tensor whose sizes are changed in place keeps those that it declares.

func.func @in_place(%arg0: !torch.tensor<[2,3],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.aten.tanh %arg0 : !torch.tensor<[2,3],f32> -> !torch.tensor
  %1 = torch.aten.unsqueeze_ %0, %int0 : !torch.tensor, !torch.int -> !torch.tensor
  %2 = torch.aten.relu %0 : !torch.tensor -> !torch.tensor
  return
}

// CHECK-LABEL: func.func @in_place
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor<[2,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.tensor<[2,3],f32> -> !torch.tensor<*,f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.unsqueeze_ %[[V0]], %[[INT0]] : !torch.tensor<*,f32>, !torch.int -> !torch.tensor
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.relu %[[V0]] : !torch.tensor<*,f32> -> !torch.tensor<*,f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A list that grows after an operator made it is not taken for what the operator gave.

func.func @list_grows(%arg0: !torch.vtensor<[4,3],f32>) {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %0 = torch.aten.split.Tensor %arg0, %int2, %int0 : !torch.vtensor<[4,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %1 = torch.aten.append.t %0, %arg0 : !torch.list<vtensor>, !torch.vtensor<[4,3],f32> -> !torch.list<vtensor>
  %2:3 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor, !torch.vtensor
  return
}

// CHECK-LABEL: func.func @list_grows
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[4,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.split.Tensor %[[ARG0]], %[[INT2]], %[[INT0]] : !torch.vtensor<[4,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.append.t %[[V0]], %[[ARG0]] : !torch.list<vtensor>, !torch.vtensor<[4,3],f32> -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V2:.*]]:3 = torch.prim.ListUnpack %[[V0]] : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor, !torch.vtensor
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Elements that are complex say nothing of sizes.

func.func @complex_literal() -> !torch.vtensor {
  // CHECK-LABEL: func.func @complex_literal
  // CHECK:         torch.aten.relu %{{.*}} -> !torch.vtensor<[],complex<f32>>
  %0 = torch.vtensor.literal(dense<(4.000000e-01,0.000000e+00)> : tensor<complex<f32>>) : !torch.vtensor<[],complex<f32>>
  %1 = torch.aten.relu %0 : !torch.vtensor<[],complex<f32>> -> !torch.vtensor
  return %1 : !torch.vtensor
}

// -----

// A custom operator changes no sizes of tensors that it is not given.

func.func @custom_without_tensors_to_change(%arg0: !torch.tensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],f32>, %arg2: !torch.int) -> !torch.tensor {
  %0 = torch.operator "my.custom"(%arg1, %arg2) : (!torch.vtensor<[2,3],f32>, !torch.int) -> !torch.vtensor
  %1 = torch.aten.tanh %arg0 : !torch.tensor<[2,3],f32> -> !torch.tensor
  return %1 : !torch.tensor
}

// CHECK-LABEL: func.func @custom_without_tensors_to_change
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor<[2,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG2:.*]]: !torch.int) -> !torch.tensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.operator "my.custom"(%[[ARG1]], %[[ARG2]]) : (!torch.vtensor<[2,3],f32>, !torch.int) -> !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.tanh %[[ARG0]] : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V1]] : !torch.tensor<[2,3],f32> to !torch.tensor
// CHECK-NEXT:      return %[[V2]] : !torch.tensor
// CHECK-NEXT:    }

// -----

// The size that a function returns is in terms of the caller's sizes: `n + 1` from `n` on is 1.

func.func @sizes_of_the_caller(%arg0: !torch.vtensor<[?,3],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.int
  %1 = torch.aten.add.int %0, %int1 : !torch.int, !torch.int -> !torch.int
  %2 = func.call @ones(%1) : (!torch.int) -> !torch.vtensor
  %3 = torch.aten.slice.Tensor %2, %int0, %0, %1, %int1 : !torch.vtensor, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor
  return
}
func.func private @ones(%arg0: !torch.int) -> !torch.vtensor {
  %none = torch.constant.none
  %0 = torch.prim.ListConstruct %arg0 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.ones %0, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @sizes_of_the_caller
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.add.int %[[V0]], %[[INT1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = call @ones(%[[V1]]) : (!torch.int) -> !torch.vtensor<[?],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.slice.Tensor %[[V2]], %[[INT0]], %[[V0]], %[[V1]], %[[INT1]] : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[1],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-NEXT:    func.func private @ones(%[[ARG0]]: !torch.int) -> !torch.vtensor<[?],f32> {
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0]] = torch.prim.ListConstruct %[[ARG0]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1]] = torch.aten.ones %[[V0]], %[[NONE]], %[[NONE]], %[[NONE]], %[[NONE]] : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor<[?],f32>
// CHECK-NEXT:    }
