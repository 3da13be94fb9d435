// RUN: torch-refine-opt %s --split-input-file --torch-reified-refinement-pipeline | filecheck %s

// What the sides of `scf.if` agree on.

func.func @if(%arg0: i1, %arg1: !torch.vtensor<[2,3],f32>, %arg2: !torch.vtensor<[2,4],f32>) -> !torch.vtensor {
  %0:2 = scf.if %arg0 -> (!torch.vtensor, !torch.vtensor) {
    %1 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    scf.yield %1, %1 : !torch.vtensor, !torch.vtensor
  } else {
    %1 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    %2 = torch.aten.relu %arg2 : !torch.vtensor<[2,4],f32> -> !torch.vtensor
    scf.yield %2, %1 : !torch.vtensor, !torch.vtensor
  }
  %1 = torch.aten.relu %0#1 : !torch.vtensor -> !torch.vtensor
  return %0#0 : !torch.vtensor
}

// CHECK-LABEL: func.func @if
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG2:.*]]: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,?],f32> {
// CHECK-NEXT:      %[[V0:.*]]:2 = scf.if %[[ARG0]] -> (!torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:        scf.yield %[[V3]], %[[V2]] : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V2]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V3]] = torch.aten.relu %[[ARG2]] : !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[V3]] : !torch.vtensor<[2,4],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:        scf.yield %[[V4]], %[[V2]] : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.relu %[[V0]]#1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return %[[V0]]#0 : !torch.vtensor<[2,?],f32>
// CHECK-NEXT:    }

// -----

// The regions of `scf.while` take different values.

func.func @while(%arg0: i1, %arg1: !torch.vtensor<[2,3],f32>) {
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %int0 = torch.constant.int 0
  %1 = scf.while (%a = %0) : (!torch.vtensor) -> (!torch.vtensor) {
    %2 = torch.aten.unsqueeze %a, %int0 : !torch.vtensor, !torch.int -> !torch.vtensor
    scf.condition(%arg0) %2 : !torch.vtensor
  } do {
  ^bb0(%b: !torch.vtensor):
    %2 = torch.aten.squeeze.dim %b, %int0 : !torch.vtensor, !torch.int -> !torch.vtensor
    scf.yield %2 : !torch.vtensor
  }
  %2 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @while
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = scf.while (%[[ARG2:.*]] = %[[ARG1]]) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,2,3],f32> {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.unsqueeze %[[ARG2]], %[[INT0]] : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[1,2,3],f32>
// CHECK-NEXT:        scf.condition(%[[ARG0]]) %[[V2]] : !torch.vtensor<[1,2,3],f32>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%[[ARG2]]: !torch.vtensor<[1,2,3],f32>):
// CHECK-NEXT:        %[[V2]] = torch.aten.squeeze.dim %[[ARG2]], %[[INT0]] : !torch.vtensor<[1,2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        scf.yield %[[V2]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.tanh %[[V0]] : !torch.vtensor<[1,2,3],f32> -> !torch.vtensor<[1,2,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A loop of blocks. What is used behind it is that of its last iteration.

func.func @blocks(%arg0: i1, %arg1: !torch.vtensor<[1,3],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[1,3],f32> to !torch.vtensor
  cf.br ^bb1(%0 : !torch.vtensor)
^bb1(%1: !torch.vtensor):
  %2 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
  cf.cond_br %arg0, ^bb2, ^bb3(%2 : !torch.vtensor)
^bb2:
  %3 = torch.prim.ListConstruct %2, %arg1 : (!torch.vtensor, !torch.vtensor<[1,3],f32>) -> !torch.list<vtensor>
  %4 = torch.aten.cat %3, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  cf.br ^bb1(%4 : !torch.vtensor)
^bb3(%5: !torch.vtensor):
  %6 = torch.aten.relu %5 : !torch.vtensor -> !torch.vtensor
  %7 = torch.aten.relu %2 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @blocks
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[1,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.br ^bb1(%[[V0]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    ^bb1(%[[V1:.*]]: !torch.vtensor<[?,3],f32>):
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.cond_br %[[ARG0]], ^bb2, ^bb3(%[[V2]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %[[V3:.*]] = torch.prim.ListConstruct %[[V2]], %[[ARG1]] : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[1,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.cat %[[V3]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.br ^bb1(%[[V4]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    ^bb3(%[[V5:.*]]: !torch.vtensor<[?,3],f32>):
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.relu %[[V5]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.relu %[[V2]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return
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
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.bool, %[[ARG1:.*]]: !torch.vtensor<[1,3],f32>) -> !torch.vtensor<[?,3],f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = call @even(%[[ARG0]], %[[V0]]) : (!torch.bool, !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor<[?,3],f32>
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

// What is set is joined with what was there, also if it is computed of that.

torch.global_slot.module_initializer {
  %0 = torch.tensor.literal(dense<0.0> : tensor<1x3xf32>) : !torch.tensor<[1,3],f32>
  torch.initialize.global_slots [
    @cache(%0 : !torch.tensor<[1,3],f32>)
    @same(%0 : !torch.tensor<[1,3],f32>)
  ]
}
torch.global_slot "private" @cache : !torch.tensor
torch.global_slot "private" @same : !torch.tensor
func.func @set(%arg0: !torch.tensor<[1,3],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.global_slot.get @cache : !torch.tensor
  %1 = torch.prim.ListConstruct %0, %arg0 : (!torch.tensor, !torch.tensor<[1,3],f32>) -> !torch.list<tensor>
  %2 = torch.aten.cat %1, %int0 : !torch.list<tensor>, !torch.int -> !torch.tensor
  torch.global_slot.set @cache = %2 : !torch.tensor
  %3 = torch.global_slot.get @same : !torch.tensor
  func.call @store(%3) : (!torch.tensor) -> ()
  return
}
func.func private @store(%arg0: !torch.tensor) {
  %0 = torch.aten.tanh %arg0 : !torch.tensor -> !torch.tensor
  torch.global_slot.set @same = %0 : !torch.tensor
  return
}

// CHECK-LABEL: torch.global_slot.module_initializer {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor.literal(dense<0.000000e+00> : tensor<1x3xf32>) : !torch.tensor<[1,3],f32>
// CHECK-NEXT:      torch.initialize.global_slots [
// CHECK-NEXT:        @cache(%[[V0]] : !torch.tensor<[1,3],f32>)
// CHECK-NEXT:        @same(%[[V0]] : !torch.tensor<[1,3],f32>)
// CHECK-NEXT:      ]
// CHECK-NEXT:    }
// CHECK-LABEL: torch.global_slot "private" @cache : !torch.tensor
// CHECK-LABEL: torch.global_slot "private" @same : !torch.tensor
// CHECK-LABEL: func.func @set
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor<[1,3],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.global_slot.get @cache : !torch.tensor<[?,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListConstruct %[[V0]], %[[ARG0]] : (!torch.tensor<[?,3],f32>, !torch.tensor<[1,3],f32>) -> !torch.list<tensor>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.cat %[[V1]], %[[INT0]] : !torch.list<tensor>, !torch.int -> !torch.tensor<[?,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.tensor<[?,3],f32> to !torch.tensor
// CHECK-NEXT:      torch.global_slot.set @cache = %[[V3]] : !torch.tensor
// CHECK-NEXT:      %[[V4:.*]] = torch.global_slot.get @same : !torch.tensor<[1,3],f32>
// CHECK-NEXT:      call @store(%[[V4]]) : (!torch.tensor<[1,3],f32>) -> ()
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-LABEL: func.func private @store
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor<[1,3],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.tensor<[1,3],f32> -> !torch.tensor<[1,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.tensor<[1,3],f32> to !torch.tensor
// CHECK-NEXT:      torch.global_slot.set @same = %[[V1]] : !torch.tensor
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// An argument with a bound is that; the signature stays.

func.func @argument(%arg0: !torch.tensor {torch.type_bound = !torch.vtensor<[2,3],f32>}) -> !torch.tensor {
  %0 = torch.aten.tanh %arg0 : !torch.tensor -> !torch.tensor
  return %arg0 : !torch.tensor
}

// CHECK-LABEL: func.func @argument
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor {torch.type_bound = !torch.vtensor<[2,3],f32>}) -> !torch.tensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.tensor to !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.tanh %[[V0]] : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
// CHECK-NEXT:      return %[[ARG0]] : !torch.tensor
// CHECK-NEXT:    }
