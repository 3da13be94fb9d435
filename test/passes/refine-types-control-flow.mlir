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
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.relu %[[V0]]#1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V0]]#0 : !torch.vtensor<[2,?],f32> to !torch.vtensor
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor
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
// CHECK-NEXT:      %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:      %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V2:.*]]:2 = scf.for %[[ARG2:.*]] = %[[C0]] to %[[ARG0]] step %[[C1]] iter_args(%[[ARG3:.*]] = %[[V1]], %[[ARG4:.*]] = %[[ARG1]]) -> (!torch.vtensor<[?,3],f32>, !torch.vtensor<[1,3],f32>) {
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
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.br ^bb1(%[[V1]] : !torch.vtensor<[?,3],f32>)
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
// CHECK-NEXT:      %[[V0:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[ARG2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[ARG1]] : !torch.vtensor<[1,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[ARG2]] : !torch.vtensor<[2,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK-NEXT:      cf.switch %[[ARG0]] : i32, [
// CHECK-NEXT:        default: ^bb1(%[[V2]] : !torch.vtensor<[?,3],f32>),
// CHECK-NEXT:        42: ^bb1(%[[V3]] : !torch.vtensor<[?,3],f32>),
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
