// RUN: torch-refine-opt %s --split-input-file --torch-refine-types | filecheck %s

// What a private slot is initialized with, if nothing sets it; ints too.

torch.global_slot.module_initializer {
  %0 = torch.tensor.literal(dense<0.0> : tensor<2x3xf32>) : !torch.tensor<[2,3],f32>
  %int2 = torch.constant.int 2
  torch.initialize.global_slots [
    @weight(%0 : !torch.tensor<[2,3],f32>)
    @dim(%int2 : !torch.int)
  ]
}
torch.global_slot "private" @weight : !torch.tensor
torch.global_slot "private" @dim : !torch.int
func.func @initialized() {
  %0 = torch.global_slot.get @weight : !torch.tensor
  %1 = torch.global_slot.get @dim : !torch.int
  %2 = torch.aten.tanh %0 : !torch.tensor -> !torch.tensor
  %3 = torch.aten.unsqueeze %2, %1 : !torch.tensor, !torch.int -> !torch.tensor
  return
}

// CHECK-LABEL: torch.global_slot.module_initializer {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor.literal(dense<0.000000e+00> : tensor<2x3xf32>) : !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      torch.initialize.global_slots [
// CHECK-NEXT:        @weight(%[[V0]] : !torch.tensor<[2,3],f32>)
// CHECK-NEXT:        @dim(%[[INT2]] : !torch.int)
// CHECK-NEXT:      ]
// CHECK-NEXT:    }
// CHECK-LABEL: torch.global_slot "private" @weight : !torch.tensor
// CHECK-LABEL: torch.global_slot "private" @dim : !torch.int
// CHECK-LABEL: func.func @initialized
// CHECK-SAME:  () {
// CHECK-NEXT:      %[[V0:.*]] = torch.global_slot.get @weight : !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.global_slot.get @dim : !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V0]] : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.unsqueeze %[[V2]], %[[V1]] : !torch.tensor<[2,3],f32>, !torch.int -> !torch.tensor<[2,3,1],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A slot that anybody may set holds what its bound says.

torch.global_slot.module_initializer {
  %0 = torch.tensor.literal(dense<0.0> : tensor<2x3xf32>) : !torch.tensor<[2,3],f32>
  torch.initialize.global_slots [
    @public(%0 : !torch.tensor<[2,3],f32>)
  ]
}
torch.global_slot @public : !torch.tensor<[?,3],f32>
func.func @bound() {
  %0 = torch.global_slot.get @public : !torch.tensor
  %1 = torch.aten.tanh %0 : !torch.tensor -> !torch.tensor
  return
}

// CHECK-LABEL: torch.global_slot.module_initializer {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor.literal(dense<0.000000e+00> : tensor<2x3xf32>) : !torch.tensor<[2,3],f32>
// CHECK-NEXT:      torch.initialize.global_slots [
// CHECK-NEXT:        @public(%[[V0]] : !torch.tensor<[2,3],f32>)
// CHECK-NEXT:      ]
// CHECK-NEXT:    }
// CHECK-LABEL: torch.global_slot @public : !torch.tensor<[?,3],f32>
// CHECK-LABEL: func.func @bound
// CHECK-SAME:  () {
// CHECK-NEXT:      %[[V0:.*]] = torch.global_slot.get @public : !torch.tensor<[?,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.tanh %[[V0]] : !torch.tensor<[?,3],f32> -> !torch.tensor<[?,3],f32>
// CHECK-NEXT:      return
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

// Two reads of a slot that is set between them may give different sizes.

torch.global_slot.module_initializer {
  %0 = torch.tensor.literal(dense<0.0> : tensor<1xf32>) : !torch.tensor<[1],f32>
  torch.initialize.global_slots [
    @state(%0 : !torch.tensor<[1],f32>)
  ]
}
torch.global_slot "private" @state : !torch.tensor
func.func @reads(%arg0: !torch.tensor<[?],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.global_slot.get @state : !torch.tensor
  torch.global_slot.set @state = %arg0 : !torch.tensor<[?],f32>
  %1 = torch.global_slot.get @state : !torch.tensor
  %2 = torch.aten.size.int %0, %int0 : !torch.tensor, !torch.int -> !torch.int
  %3 = torch.aten.size.int %1, %int0 : !torch.tensor, !torch.int -> !torch.int
  %4 = torch.aten.sub.int %2, %3 : !torch.int, !torch.int -> !torch.int
  %5 = torch.prim.ListConstruct %4 : (!torch.int) -> !torch.list<int>
  %none = torch.constant.none
  %6 = torch.aten.zeros %5, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  return
}

// CHECK-LABEL: torch.global_slot.module_initializer {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor.literal(dense<0.000000e+00> : tensor<1xf32>) : !torch.tensor<[1],f32>
// CHECK-NEXT:      torch.initialize.global_slots [
// CHECK-NEXT:        @state(%[[V0]] : !torch.tensor<[1],f32>)
// CHECK-NEXT:      ]
// CHECK-NEXT:    }
// CHECK-LABEL: torch.global_slot "private" @state : !torch.tensor
// CHECK-LABEL: func.func @reads
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor<[?],f32>) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.global_slot.get @state : !torch.tensor<[?],f32>
// CHECK-NEXT:      torch.global_slot.set @state = %[[ARG0]] : !torch.tensor<[?],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.global_slot.get @state : !torch.tensor<[?],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.size.int %[[V0]], %[[INT0]] : !torch.tensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.size.int %[[V1]], %[[INT0]] : !torch.tensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.sub.int %[[V2]], %[[V3]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V5:.*]] = torch.prim.ListConstruct %[[V4]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.zeros %[[V5]], %[[NONE]], %[[NONE]], %[[NONE]], %[[NONE]] : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
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

// -----

// Where sizes are changed in place, a bound says the dtype only.

func.func @in_place(%arg0: !torch.tensor {torch.type_bound = !torch.vtensor<[2,3],f32>}) {
  %int0 = torch.constant.int 0
  %0 = torch.aten.unsqueeze_ %arg0, %int0 : !torch.tensor, !torch.int -> !torch.tensor
  %1 = torch.aten.tanh %arg0 : !torch.tensor -> !torch.tensor
  return
}

// CHECK-LABEL: func.func @in_place
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor {torch.type_bound = !torch.vtensor<[2,3],f32>}) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.tensor to !torch.tensor<*,f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.unsqueeze_ %[[V0]], %[[INT0]] : !torch.tensor<*,f32>, !torch.int -> !torch.tensor<*,f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V0]] : !torch.tensor<*,f32> -> !torch.tensor<*,f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }
