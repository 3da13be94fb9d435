// RUN: torch-refine-opt %s --split-input-file --torch-refine-types | filecheck %s

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
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG2:.*]]: !torch.vtensor<[2,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]]:2 = scf.if %[[ARG0]] -> (!torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[V3]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:        scf.yield %[[V4]], %[[V3]] : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V3]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V4]] = torch.aten.relu %[[ARG2]] : !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
// CHECK-NEXT:        %[[V5:.*]] = torch.tensor_static_info_cast %[[V4]] : !torch.vtensor<[2,4],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:        scf.yield %[[V5]], %[[V3]] : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]]#0 : !torch.vtensor<[2,?],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.relu %[[V0]]#1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A condition that is known; the other side is refined too, and agrees with the result.

func.func @known(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,4],f32>) {
  %false = torch.constant.bool false
  %0 = torch_c.to_i1 %false
  %1 = scf.if %0 -> (!torch.vtensor) {
    %2 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    scf.yield %2 : !torch.vtensor
  } else {
    %2 = torch.aten.relu %arg1 : !torch.vtensor<[2,4],f32> -> !torch.vtensor
    scf.yield %2 : !torch.vtensor
  }
  scf.if %0 {
    %2 = torch.aten.tanh %1 : !torch.vtensor -> !torch.vtensor
  }
  return
}

// CHECK-LABEL: func.func @known
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[2,4],f32>) {
// CHECK-NEXT:      %[[FALSE:.*]] = torch.constant.bool false
// CHECK-NEXT:      %[[V0:.*]] = torch_c.to_i1 %[[FALSE]]
// CHECK-NEXT:      %[[V1:.*]] = scf.if %[[V0]] -> (!torch.vtensor<[2,4],f32>) {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[V3]] : !torch.vtensor to !torch.vtensor<[2,4],f32>
// CHECK-NEXT:        scf.yield %[[V4]] : !torch.vtensor<[2,4],f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V2]] = torch.aten.relu %[[ARG1]] : !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
// CHECK-NEXT:        scf.yield %[[V2]] : !torch.vtensor<[2,4],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.if %[[V0]] {
// CHECK-NEXT:        %[[V2]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Cases, and a region of several blocks.

func.func @switch(%arg0: index, %arg1: !torch.vtensor<[2,3],f32>, %arg2: !torch.vtensor<[4,3],f32>) {
  %0 = scf.index_switch %arg0 -> !torch.vtensor
  case 1 {
    %1 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    scf.yield %1 : !torch.vtensor
  }
  default {
    %1 = torch.aten.relu %arg2 : !torch.vtensor<[4,3],f32> -> !torch.vtensor
    scf.yield %1 : !torch.vtensor
  }
  %2 = scf.execute_region -> !torch.vtensor {
    cf.br ^bb1(%0 : !torch.vtensor)
  ^bb1(%3: !torch.vtensor):
    %4 = torch.aten.relu %3 : !torch.vtensor -> !torch.vtensor
    scf.yield %4 : !torch.vtensor
  }
  %5 = torch.aten.tanh %2 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @switch
// CHECK-SAME:  (%[[ARG0:.*]]: index, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG2:.*]]: !torch.vtensor<[4,3],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = scf.index_switch %[[ARG0]] -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      case 1 {
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[V3]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:        scf.yield %[[V4]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      default {
// CHECK-NEXT:        %[[V3]] = torch.aten.relu %[[ARG2]] : !torch.vtensor<[4,3],f32> -> !torch.vtensor<[4,3],f32>
// CHECK-NEXT:        %[[V4]] = torch.tensor_static_info_cast %[[V3]] : !torch.vtensor<[4,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:        scf.yield %[[V4]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = scf.execute_region -> !torch.vtensor<[?,3],f32> {
// CHECK-NEXT:        cf.br ^bb1(%[[V0]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:      ^bb1(%[[V3]]: !torch.vtensor<[?,3],f32>):
// CHECK-NEXT:        %[[V4]] = torch.aten.relu %[[V3]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:        scf.yield %[[V4]] : !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// One carried tensor grows, the other keeps its sizes.

func.func @for(%arg0: index, %arg1: !torch.vtensor<[1,3],f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %int0 = torch.constant.int 0
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[1,3],f32> to !torch.vtensor
  %1:2 = scf.for %i = %c0 to %arg0 step %c1 iter_args(%a = %0, %b = %0) -> (!torch.vtensor, !torch.vtensor) {
    %2 = torch.prim.ListConstruct %a, %arg1 : (!torch.vtensor, !torch.vtensor<[1,3],f32>) -> !torch.list<vtensor>
    %3 = torch.aten.cat %2, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
    %4 = torch.aten.tanh %b : !torch.vtensor -> !torch.vtensor
    scf.yield %3, %4 : !torch.vtensor, !torch.vtensor
  }
  %2 = torch.aten.tanh %1#1 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @for
// CHECK-SAME:  (%[[ARG0:.*]]: index, %[[ARG1:.*]]: !torch.vtensor<[1,3],f32>) {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:      %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]]:2 = scf.for %[[ARG2:.*]] = %[[C0]] to %[[ARG0]] step %[[C1]] iter_args(%[[ARG3:.*]] = %[[V0]], %[[ARG4:.*]] = %[[ARG1]]) -> (!torch.vtensor<[?,3],f32>, !torch.vtensor<[1,3],f32>) {
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.ListConstruct %[[ARG3]], %[[ARG1]] : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[1,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.cat %[[V4]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.tanh %[[ARG4]] : !torch.vtensor<[1,3],f32> -> !torch.vtensor<[1,3],f32>
// CHECK-NEXT:        scf.yield %[[V5]], %[[V6]] : !torch.vtensor<[?,3],f32>, !torch.vtensor<[1,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.tanh %[[V2]]#1 : !torch.vtensor<[1,3],f32> -> !torch.vtensor<[1,3],f32>
// CHECK-NEXT:      return
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
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V1:.*]] = scf.while (%[[ARG2:.*]] = %[[ARG1]]) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,2,3],f32> {
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.unsqueeze %[[ARG2]], %[[INT0]] : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[1,2,3],f32>
// CHECK-NEXT:        scf.condition(%[[ARG0]]) %[[V3]] : !torch.vtensor<[1,2,3],f32>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%[[ARG2]]: !torch.vtensor<[1,2,3],f32>):
// CHECK-NEXT:        %[[V3]] = torch.aten.squeeze.dim %[[ARG2]], %[[INT0]] : !torch.vtensor<[1,2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        scf.yield %[[V3]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[1,2,3],f32> -> !torch.vtensor<[1,2,3],f32>
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
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      cf.br ^bb1(%[[V0]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    ^bb1(%[[V2:.*]]: !torch.vtensor<[?,3],f32>):
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.tanh %[[V2]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.cond_br %[[ARG0]], ^bb2, ^bb3(%[[V3]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %[[V4:.*]] = torch.prim.ListConstruct %[[V3]], %[[ARG1]] : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[1,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.cat %[[V4]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.br ^bb1(%[[V5]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    ^bb3(%[[V6:.*]]: !torch.vtensor<[?,3],f32>):
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.relu %[[V6]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V8:.*]] = torch.aten.relu %[[V3]] : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Two branches of one op lead to one block with different values; nothing leads to the last block.

func.func @branches(%arg0: i32, %arg1: !torch.vtensor<[1,3],f32>, %arg2: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[1,3],f32> to !torch.vtensor
  %1 = torch.tensor_static_info_cast %arg2 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  cf.switch %arg0 : i32, [
    default: ^bb1(%0 : !torch.vtensor),
    42: ^bb1(%1 : !torch.vtensor),
    43: ^bb2(%0, %1 : !torch.vtensor, !torch.vtensor)
  ]
^bb1(%2: !torch.vtensor):
  return %2 : !torch.vtensor
^bb2(%3: !torch.vtensor, %4: !torch.vtensor):
  cf.br ^bb1(%4 : !torch.vtensor)
^bb3:
  %int0 = torch.constant.int 0
  %5 = torch.aten.unsqueeze %arg1, %int0 : !torch.vtensor<[1,3],f32>, !torch.int -> !torch.vtensor
  cf.br ^bb1(%5 : !torch.vtensor)
}

// CHECK-LABEL: func.func @branches
// CHECK-SAME:  (%[[ARG0:.*]]: i32, %[[ARG1:.*]]: !torch.vtensor<[1,3],f32>, %[[ARG2:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[ARG2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      cf.switch %[[ARG0]] : i32, [
// CHECK-NEXT:        default: ^bb1(%[[V1]] : !torch.vtensor<[?,3],f32>),
// CHECK-NEXT:        42: ^bb1(%[[V0]] : !torch.vtensor<[?,3],f32>),
// CHECK-NEXT:        43: ^bb2(%[[ARG1]], %[[ARG2]] : !torch.vtensor<[1,3],f32>, !torch.vtensor<[2,3],f32>)
// CHECK-NEXT:      ]
// CHECK-NEXT:    ^bb1(%[[V4:.*]]: !torch.vtensor<[?,3],f32>):
// CHECK-NEXT:      %[[V5:.*]] = torch.tensor_static_info_cast %[[V4]] : !torch.vtensor<[?,3],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V5]] : !torch.vtensor
// CHECK-NEXT:    ^bb2(%[[V6:.*]]: !torch.vtensor<[1,3],f32>, %[[V7:.*]]: !torch.vtensor<[2,3],f32>):
// CHECK-NEXT:      %[[V8:.*]] = torch.tensor_static_info_cast %[[V7]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.br ^bb1(%[[V8]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    ^bb3:
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V9:.*]] = torch.aten.unsqueeze %[[ARG1]], %[[INT0]] : !torch.vtensor<[1,3],f32>, !torch.int -> !torch.vtensor<[1,1,3],f32>
// CHECK-NEXT:      %[[V10:.*]] = torch.tensor_static_info_cast %[[V9]] : !torch.vtensor<[1,1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V11:.*]] = torch.tensor_static_info_cast %[[V10]] : !torch.vtensor to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.br ^bb1(%[[V11]] : !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    }

// -----

// A block that always raises leads nowhere.

func.func @raises(%arg0: i1, %arg1: !torch.str, %arg2: !torch.vtensor<[1,3],f32>, %arg3: !torch.vtensor<[2,3],f32>) {
  %none = torch.constant.none
  %0 = torch.tensor_static_info_cast %arg2 : !torch.vtensor<[1,3],f32> to !torch.vtensor
  %1 = torch.tensor_static_info_cast %arg3 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  cf.cond_br %arg0, ^bb1, ^bb2(%0 : !torch.vtensor)
^bb1:
  torch.prim.RaiseException %arg1, %none : !torch.str, !torch.none
  cf.br ^bb2(%1 : !torch.vtensor)
^bb2(%2: !torch.vtensor):
  %3 = torch.aten.tanh %2 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @raises
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.str, %[[ARG2:.*]]: !torch.vtensor<[1,3],f32>, %[[ARG3:.*]]: !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG2]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG3]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      cf.cond_br %[[ARG0]], ^bb1, ^bb2(%[[ARG2]] : !torch.vtensor<[1,3],f32>)
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      torch.prim.RaiseException %[[ARG1]], %[[NONE]] : !torch.str, !torch.none
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V1]] : !torch.vtensor to !torch.vtensor<[1,3],f32>
// CHECK-NEXT:      cf.br ^bb2(%[[V2]] : !torch.vtensor<[1,3],f32>)
// CHECK-NEXT:    ^bb2(%[[V3:.*]]: !torch.vtensor<[1,3],f32>):
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.tanh %[[V3]] : !torch.vtensor<[1,3],f32> -> !torch.vtensor<[1,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A list that goes through regions and blocks, and is not changed anywhere.

func.func @list(%arg0: i1, %arg1: !torch.vtensor<[6,2],f32>) {
  %int3 = torch.constant.int 3
  %int4 = torch.constant.int 4
  %0 = torch.prim.ListConstruct %int3, %int4 : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = scf.if %arg0 -> (!torch.list<int>) {
    scf.yield %0 : !torch.list<int>
  } else {
    %2 = torch.prim.ListConstruct %int4, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
    scf.yield %2 : !torch.list<int>
  }
  cf.br ^bb1(%0 : !torch.list<int>)
^bb1(%3: !torch.list<int>):
  %4 = torch.aten.view %arg1, %3 : !torch.vtensor<[6,2],f32>, !torch.list<int> -> !torch.vtensor
  %5 = torch.aten.view %arg1, %1 : !torch.vtensor<[6,2],f32>, !torch.list<int> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @list
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[6,2],f32>) {
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[INT3]], %[[INT4]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = scf.if %[[ARG0]] -> (!torch.list<int>) {
// CHECK-NEXT:        scf.yield %[[V0]] : !torch.list<int>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V5:.*]] = torch.prim.ListConstruct %[[INT4]], %[[INT3]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        scf.yield %[[V5]] : !torch.list<int>
// CHECK-NEXT:      }
// CHECK-NEXT:      cf.br ^bb1(%[[V0]] : !torch.list<int>)
// CHECK-NEXT:    ^bb1(%[[V2:.*]]: !torch.list<int>):
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.view %[[ARG1]], %[[V2]] : !torch.vtensor<[6,2],f32>, !torch.list<int> -> !torch.vtensor<[3,4],f32>
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.view %[[ARG1]], %[[V1]] : !torch.vtensor<[6,2],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Loops that run no iteration give what they are given.

func.func @no_iteration(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.int, %arg2: index) {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1 = torch.prim.Loop %int0, %true, init(%0) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor):
    %5 = torch.aten.unsqueeze %x, %int0 : !torch.vtensor, !torch.int -> !torch.vtensor
    torch.prim.Loop.condition %true, iter(%5 : !torch.vtensor)
  } : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
  %2 = torch.prim.Loop %arg1, %false, init(%1) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor):
    %5 = torch.aten.unsqueeze %x, %int0 : !torch.vtensor, !torch.int -> !torch.vtensor
    torch.prim.Loop.condition %true, iter(%5 : !torch.vtensor)
  } : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
  %3 = scf.for %i = %c3 to %c1 step %arg2 iter_args(%x = %2) -> (!torch.vtensor) {
    %5 = torch.aten.unsqueeze %x, %int0 : !torch.vtensor, !torch.int -> !torch.vtensor
    scf.yield %5 : !torch.vtensor
  }
  %4 = torch.aten.tanh %3 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @no_iteration
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: !torch.int, %[[ARG2:.*]]: index) {
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[FALSE:.*]] = torch.constant.bool false
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:      %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.Loop %[[INT0]], %[[TRUE]], init(%[[ARG0]]) {
// CHECK-NEXT:      ^bb0(%[[ARG3:.*]]: !torch.int, %[[ARG4:.*]]: !torch.vtensor<[2,3],f32>):
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.unsqueeze %[[ARG4]], %[[INT0]] : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[1,2,3],f32>
// CHECK-NEXT:        %[[V6:.*]] = torch.tensor_static_info_cast %[[V5]] : !torch.vtensor<[1,2,3],f32> to !torch.vtensor
// CHECK-NEXT:        %[[V7:.*]] = torch.tensor_static_info_cast %[[V6]] : !torch.vtensor to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.Loop.condition %[[TRUE]], iter(%[[V7]] : !torch.vtensor<[2,3],f32>)
// CHECK-NEXT:      } : (!torch.int, !torch.bool, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.Loop %[[ARG1]], %[[FALSE]], init(%[[V1]]) {
// CHECK-NEXT:      ^bb0(%[[ARG3]]: !torch.int, %[[ARG4]]: !torch.vtensor<[2,3],f32>):
// CHECK-NEXT:        %[[V5]] = torch.aten.unsqueeze %[[ARG4]], %[[INT0]] : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[1,2,3],f32>
// CHECK-NEXT:        %[[V6]] = torch.tensor_static_info_cast %[[V5]] : !torch.vtensor<[1,2,3],f32> to !torch.vtensor
// CHECK-NEXT:        %[[V7]] = torch.tensor_static_info_cast %[[V6]] : !torch.vtensor to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        torch.prim.Loop.condition %[[TRUE]], iter(%[[V7]] : !torch.vtensor<[2,3],f32>)
// CHECK-NEXT:      } : (!torch.int, !torch.bool, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = scf.for %[[ARG3]] = %[[C3]] to %[[C1]] step %[[ARG2]] iter_args(%[[ARG4]] = %[[V2]]) -> (!torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        %[[V5]] = torch.aten.unsqueeze %[[ARG4]], %[[INT0]] : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[1,2,3],f32>
// CHECK-NEXT:        %[[V6]] = torch.tensor_static_info_cast %[[V5]] : !torch.vtensor<[1,2,3],f32> to !torch.vtensor
// CHECK-NEXT:        %[[V7]] = torch.tensor_static_info_cast %[[V6]] : !torch.vtensor to !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        scf.yield %[[V7]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.tanh %[[V3]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A loop whose condition comes from its body; the number of an iteration is known by its bounds.

func.func @condition(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.bool) {
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1:2 = torch.prim.Loop %int9223372036854775807, %arg1, init(%0, %arg1) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor, %c: !torch.bool):
    %2 = torch.aten.tanh %x : !torch.vtensor -> !torch.vtensor
    %3 = torch.aten.__not__ %c : !torch.bool -> !torch.bool
    torch.prim.Loop.condition %3, iter(%2, %3 : !torch.vtensor, !torch.bool)
  } : (!torch.int, !torch.bool, !torch.vtensor, !torch.bool) -> (!torch.vtensor, !torch.bool)
  %2 = torch.aten.tanh %1#0 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @condition
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: !torch.bool) {
// CHECK-NEXT:      %[[INT9223372036854775807:.*]] = torch.constant.int 9223372036854775807
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]]:2 = torch.prim.Loop %[[INT9223372036854775807]], %[[ARG1]], init(%[[ARG0]], %[[ARG1]]) {
// CHECK-NEXT:      ^bb0(%[[ARG2:.*]]: !torch.int, %[[ARG3:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG4:.*]]: !torch.bool):
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.tanh %[[ARG3]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.__not__ %[[ARG4]] : !torch.bool -> !torch.bool
// CHECK-NEXT:        torch.prim.Loop.condition %[[V4]], iter(%[[V3]], %[[V4]] : !torch.vtensor<[2,3],f32>, !torch.bool)
// CHECK-NEXT:      } : (!torch.int, !torch.bool, !torch.vtensor<[2,3],f32>, !torch.bool) -> (!torch.vtensor<[2,3],f32>, !torch.bool)
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.tanh %[[V1]]#0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A list that is changed under another name is not followed.

func.func @changed(%arg0: i1, %arg1: !torch.vtensor<[6,2],f32>) {
  %int3 = torch.constant.int 3
  %int4 = torch.constant.int 4
  %0 = torch.prim.ListConstruct %int3, %int4 : (!torch.int, !torch.int) -> !torch.list<int>
  cf.cond_br %arg0, ^bb1(%0 : !torch.list<int>), ^bb2
^bb1(%1: !torch.list<int>):
  %2 = torch.aten.append.t %1, %int3 : !torch.list<int>, !torch.int -> !torch.list<int>
  cf.br ^bb2
^bb2:
  %3 = torch.aten.view %arg1, %0 : !torch.vtensor<[6,2],f32>, !torch.list<int> -> !torch.vtensor
  %4 = torch.prim.ListConstruct %int3, %int4 : (!torch.int, !torch.int) -> !torch.list<int>
  %5 = scf.while (%a = %4) : (!torch.list<int>) -> (!torch.list<int>) {
    scf.condition(%arg0) %a : !torch.list<int>
  } do {
  ^bb0(%b: !torch.list<int>):
    %7 = torch.aten.append.t %b, %int3 : !torch.list<int>, !torch.int -> !torch.list<int>
    scf.yield %b : !torch.list<int>
  }
  %6 = torch.aten.view %arg1, %4 : !torch.vtensor<[6,2],f32>, !torch.list<int> -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @changed
// CHECK-SAME:  (%[[ARG0:.*]]: i1, %[[ARG1:.*]]: !torch.vtensor<[6,2],f32>) {
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[INT3]], %[[INT4]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      cf.cond_br %[[ARG0]], ^bb1(%[[V0]] : !torch.list<int>), ^bb2
// CHECK-NEXT:    ^bb1(%[[V1:.*]]: !torch.list<int>):
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.append.t %[[V1]], %[[INT3]] : !torch.list<int>, !torch.int -> !torch.list<int>
// CHECK-NEXT:      cf.br ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.view %[[ARG1]], %[[V0]] : !torch.vtensor<[6,2],f32>, !torch.list<int> -> !torch.vtensor<*,f32>
// CHECK-NEXT:      %[[V4:.*]] = torch.prim.ListConstruct %[[INT3]], %[[INT4]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V5:.*]] = scf.while (%[[ARG2:.*]] = %[[V4]]) : (!torch.list<int>) -> !torch.list<int> {
// CHECK-NEXT:        scf.condition(%[[ARG0]]) %[[ARG2]] : !torch.list<int>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%[[ARG2]]: !torch.list<int>):
// CHECK-NEXT:        %[[V7:.*]] = torch.aten.append.t %[[ARG2]], %[[INT3]] : !torch.list<int>, !torch.int -> !torch.list<int>
// CHECK-NEXT:        scf.yield %[[ARG2]] : !torch.list<int>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.view %[[ARG1]], %[[V4]] : !torch.vtensor<[6,2],f32>, !torch.list<int> -> !torch.vtensor<*,f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// An op whose regions are not followed: what stands in them is refined by what they declare.

func.func @other(%arg0: index, %arg1: !torch.vtensor<[2,3],f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = torch.tensor_static_info_cast %arg1 : !torch.vtensor<[2,3],f32> to !torch.vtensor
  %1 = scf.parallel (%i) = (%c0) to (%arg0) step (%c1) init (%0) -> !torch.vtensor {
    %2 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor
    scf.reduce(%2 : !torch.vtensor) {
    ^bb0(%a: !torch.vtensor, %b: !torch.vtensor):
      %3 = torch.aten.relu %a : !torch.vtensor -> !torch.vtensor
      scf.reduce.return %3 : !torch.vtensor
    }
  }
  %2 = torch.aten.relu %1 : !torch.vtensor -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @other
// CHECK-SAME:  (%[[ARG0:.*]]: index, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:      %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:      %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = scf.parallel (%[[ARG2:.*]]) = (%[[C0]]) to (%[[ARG0]]) step (%[[C1]]) init (%[[V0]]) -> !torch.vtensor {
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.tanh %[[V0]] : !torch.vtensor -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[V3]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:        scf.reduce(%[[V4]] : !torch.vtensor) {
// CHECK-NEXT:        ^bb0(%[[ARG3:.*]]: !torch.vtensor, %[[ARG4:.*]]: !torch.vtensor):
// CHECK-NEXT:          %[[V5:.*]] = torch.aten.relu %[[ARG3]] : !torch.vtensor -> !torch.vtensor
// CHECK-NEXT:          scf.reduce.return %[[V5]] : !torch.vtensor
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.relu %[[V1]] : !torch.vtensor -> !torch.vtensor
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Modules in a module have symbols of their own.

module @one {
  func.func @main(%arg0: !torch.vtensor<[2,3],f32>) {
    %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
    %1 = func.call @callee(%0) : (!torch.vtensor) -> !torch.vtensor
    return
  }
  func.func private @callee(%arg0: !torch.vtensor) -> !torch.vtensor {
    return %arg0 : !torch.vtensor
  }
}
module @other {
  func.func @main(%arg0: !torch.vtensor<[4],f64>) {
    %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[4],f64> to !torch.vtensor
    %1 = func.call @callee(%0) : (!torch.vtensor) -> !torch.vtensor
    return
  }
  func.func private @callee(%arg0: !torch.vtensor) -> !torch.vtensor {
    return %arg0 : !torch.vtensor
  }
}

// CHECK-LABEL: module @one {
// CHECK-NEXT:      func.func @main(%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) {
// CHECK-NEXT:        %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:        %[[V1:.*]] = call @callee(%[[ARG0]]) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        return
// CHECK-NEXT:      }
// CHECK-NEXT:      func.func private @callee(%[[ARG0]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
// CHECK-NEXT:        return %[[ARG0]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-LABEL: module @other {
// CHECK-NEXT:      func.func @main(%[[ARG0:.*]]: !torch.vtensor<[4],f64>) {
// CHECK-NEXT:        %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor<[4],f64> to !torch.vtensor
// CHECK-NEXT:        %[[V1:.*]] = call @callee(%[[ARG0]]) : (!torch.vtensor<[4],f64>) -> !torch.vtensor<[4],f64>
// CHECK-NEXT:        return
// CHECK-NEXT:      }
// CHECK-NEXT:      func.func private @callee(%[[ARG0]]: !torch.vtensor<[4],f64>) -> !torch.vtensor<[4],f64> {
// CHECK-NEXT:        return %[[ARG0]] : !torch.vtensor<[4],f64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }

// -----

// A tensor whose sizes are changed in place has no sizes that hold in all iterations.

func.func @in_place(%arg0: !torch.tensor<[2,3],f32>, %arg1: !torch.int) {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %0 = torch.aten.tanh %arg0 : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
  %1 = torch.tensor_static_info_cast %0 : !torch.tensor<[2,3],f32> to !torch.tensor
  %2 = torch.prim.Loop %arg1, %true, init(%1) {
  ^bb0(%i: !torch.int, %x: !torch.tensor):
    %3 = torch.aten.unsqueeze_ %x, %int0 : !torch.tensor, !torch.int -> !torch.tensor
    torch.prim.Loop.condition %true, iter(%x : !torch.tensor)
  } : (!torch.int, !torch.bool, !torch.tensor) -> !torch.tensor
  %4 = torch.aten.relu %2 : !torch.tensor -> !torch.tensor
  return
}

// CHECK-LABEL: func.func @in_place
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor<[2,3],f32>, %[[ARG1:.*]]: !torch.int) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.tensor<[2,3],f32> -> !torch.tensor<[2,3],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.tensor<[2,3],f32> to !torch.tensor<*,f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.tensor<[2,3],f32> to !torch.tensor
// CHECK-NEXT:      %[[V3:.*]] = torch.prim.Loop %[[ARG1]], %[[TRUE]], init(%[[V1]]) {
// CHECK-NEXT:      ^bb0(%[[ARG2:.*]]: !torch.int, %[[ARG3:.*]]: !torch.tensor<*,f32>):
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.unsqueeze_ %[[ARG3]], %[[INT0]] : !torch.tensor<*,f32>, !torch.int -> !torch.tensor<*,f32>
// CHECK-NEXT:        torch.prim.Loop.condition %[[TRUE]], iter(%[[ARG3]] : !torch.tensor<*,f32>)
// CHECK-NEXT:      } : (!torch.int, !torch.bool, !torch.tensor<*,f32>) -> !torch.tensor<*,f32>
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.relu %[[V3]] : !torch.tensor<*,f32> -> !torch.tensor<*,f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// A loop that passes a list on may change it in its body, so that its length is not known after it.

func.func @list_grows_in_while(%arg0: !torch.vtensor<[2,3],f32>, %arg1: i1) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %arg0, %arg0 : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.list<vtensor>
  %1 = scf.while (%arg2 = %0) : (!torch.list<vtensor>) -> !torch.list<vtensor> {
    %3 = torch.aten.append.t %arg2, %arg0 : !torch.list<vtensor>, !torch.vtensor<[2,3],f32> -> !torch.list<vtensor>
    scf.condition(%arg1) %arg2 : !torch.list<vtensor>
  } do {
  ^bb0(%arg2: !torch.list<vtensor>):
    scf.yield %arg2 : !torch.list<vtensor>
  }
  %2 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %2 : !torch.vtensor
}

// CHECK-LABEL: func.func @list_grows_in_while
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: i1) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[ARG0]], %[[ARG0]] : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]] = scf.while (%[[ARG2:.*]] = %[[V0]]) : (!torch.list<vtensor>) -> !torch.list<vtensor> {
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.append.t %[[ARG2]], %[[ARG0]] : !torch.list<vtensor>, !torch.vtensor<[2,3],f32> -> !torch.list<vtensor>
// CHECK-NEXT:        scf.condition(%[[ARG1]]) %[[ARG2]] : !torch.list<vtensor>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%[[ARG2]]: !torch.list<vtensor>):
// CHECK-NEXT:        scf.yield %[[ARG2]] : !torch.list<vtensor>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.cat %[[V0]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A list that a loop only passes on is known in it and after it.

func.func @list_through_while(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[4,3],f32>, %arg2: i1) {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[4,3],f32>) -> !torch.list<vtensor>
  %1 = scf.while (%arg3 = %0) : (!torch.list<vtensor>) -> !torch.list<vtensor> {
    scf.condition(%arg2) %arg3 : !torch.list<vtensor>
  } do {
  ^bb0(%arg3: !torch.list<vtensor>):
    %2 = torch.aten.cat %arg3, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
    scf.yield %arg3 : !torch.list<vtensor>
  }
  %3 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return
}

// CHECK-LABEL: func.func @list_through_while
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[4,3],f32>, %[[ARG2:.*]]: i1) {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[ARG0]], %[[ARG1]] : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[4,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]] = scf.while (%[[ARG3:.*]] = %[[V0]]) : (!torch.list<vtensor>) -> !torch.list<vtensor> {
// CHECK-NEXT:        scf.condition(%[[ARG2]]) %[[ARG3]] : !torch.list<vtensor>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%[[ARG3]]: !torch.list<vtensor>):
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.cat %[[ARG3]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[6,3],f32>
// CHECK-NEXT:        scf.yield %[[ARG3]] : !torch.list<vtensor>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.cat %[[V0]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[6,3],f32>
// CHECK-NEXT:      return
// CHECK-NEXT:    }

// -----

// Blocks of a region may yield different sizes.

func.func @region_of_blocks(%arg0: !torch.vtensor<[2,2],f32>, %arg1: !torch.vtensor<[2,3],f32>, %arg2: i1) -> !torch.vtensor {
  %0 = scf.execute_region -> !torch.vtensor {
    cf.cond_br %arg2, ^bb1, ^bb2
  ^bb1:
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,2],f32> -> !torch.vtensor
    scf.yield %1 : !torch.vtensor
  ^bb2:
    %2 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    scf.yield %2 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @region_of_blocks
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,2],f32>, %[[ARG1:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG2:.*]]: i1) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = scf.execute_region -> !torch.vtensor<[2,?],f32> {
// CHECK-NEXT:        cf.cond_br %[[ARG2]], ^bb1, ^bb2
// CHECK-NEXT:      ^bb1:  // pred: ^bb0
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
// CHECK-NEXT:        %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[2,2],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:        scf.yield %[[V3]] : !torch.vtensor<[2,?],f32>
// CHECK-NEXT:      ^bb2:  // pred: ^bb0
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.tanh %[[ARG1]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        %[[V5:.*]] = torch.tensor_static_info_cast %[[V4]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,?],f32>
// CHECK-NEXT:        scf.yield %[[V5]] : !torch.vtensor<[2,?],f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[2,?],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A block that ends as unreachable yields nothing that would be joined.

func.func @unreachable_block(%arg0: !torch.vtensor<[2,3],f32>, %arg1: i1) -> !torch.vtensor {
  %0 = scf.execute_region -> !torch.vtensor {
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    scf.yield %1 : !torch.vtensor
  ^bb2:
    ub.unreachable
  }
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @unreachable_block
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: i1) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = scf.execute_region -> !torch.vtensor<[2,3],f32> {
// CHECK-NEXT:        cf.cond_br %[[ARG1]], ^bb1, ^bb2
// CHECK-NEXT:      ^bb1:  // pred: ^bb0
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:        scf.yield %[[V2]] : !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      ^bb2:  // pred: ^bb0
// CHECK-NEXT:        ub.unreachable
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }
