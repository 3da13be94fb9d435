// RUN: torch-refine-opt %s --split-input-file --torch-simplify-shape-calculations | filecheck %s

// Known sizes become part of the type; unknown ones stay as IR.

func.func @sizes(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %out = torch.aten.size %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @sizes
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[2,?,4],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[2,?,4],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.prim.ListConstruct %[[INT2]], %[[V2]], %[[INT4]] : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V3]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[2,?,4],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[2,?,4],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Arithmetic on what is known is computed.

func.func @fold(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %2 = torch.aten.size.int %arg0, %int2 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %3 = torch.aten.add.int %2, %int1 : !torch.int, !torch.int -> !torch.int
    %4 = torch.aten.floordiv.int %3, %int2 : !torch.int, !torch.int -> !torch.int
    %5 = torch.aten.mul.int %4, %3 : !torch.int, !torch.int -> !torch.int
    %out = torch.prim.ListConstruct %3, %4, %5 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @fold
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT5:.*]] = torch.constant.int 5
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT10:.*]] = torch.constant.int 10
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[5,2,10],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[5,2,10],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.prim.ListConstruct %[[INT5]], %[[INT2]], %[[INT10]] : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V2]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[5,2,10],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[5,2,10],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Lists are followed through append, insert, set_item and slices, with indices from either end.

func.func @lists(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int0 = torch.constant.int 0
    %int1 = torch.constant.int 1
    %int-1 = torch.constant.int -1
    %int7 = torch.constant.int 7
    %none = torch.constant.none
    %2 = torch.aten.size %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.list<int>
    %3 = torch.aten.slice.t %2, %int1, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
    %4 = torch.aten.append.t %3, %int7 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.aten.insert.t %3, %int0, %int1 : !torch.list<int>, !torch.int, !torch.int
    %5 = torch.aten.__getitem__.t %2, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten._set_item.t %3, %int-1, %5 : !torch.list<int>, !torch.int, !torch.int -> !torch.list<int>
    %out = torch.aten.add.t %3, %3 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @lists
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[1,?,4,4,1,?,4,4],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[1,?,4,4,1,?,4,4],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.prim.ListConstruct %[[INT1]], %[[V2]], %[[INT4]], %[[INT4]], %[[INT1]], %[[V2]], %[[INT4]], %[[INT4]] : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V3]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[1,?,4,4,1,?,4,4],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[1,?,4,4,1,?,4,4],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Two names of one list see the same changes.

func.func @alias(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int3 = torch.constant.int 3
    %2 = torch.prim.ListConstruct %int3 : (!torch.int) -> !torch.list<int>
    %3 = torch.aten.append.t %2, %int3 : !torch.list<int>, !torch.int -> !torch.list<int>
    %4 = torch.aten.append.t %3, %int3 : !torch.list<int>, !torch.int -> !torch.list<int>
    %5 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %out = torch.prim.ListConstruct %5 : (!torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @alias
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[3],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[3],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.prim.ListConstruct %[[INT3]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V2]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[3],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[3],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A loop of known length is unrolled.

func.func @loop(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int3 = torch.constant.int 3
    %true = torch.constant.bool true
    %out = torch.prim.ListConstruct  : () -> !torch.list<int>
    %2 = torch.prim.Loop %int3, %true, init(%int1) {
    ^bb0(%arg1: !torch.int, %arg2: !torch.int):
      %3 = torch.aten.add.int %arg1, %arg2 : !torch.int, !torch.int -> !torch.int
      %4 = torch.aten.append.t %out, %3 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.Loop.condition %true, iter(%3 : !torch.int)
    } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @loop
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[1,2,4],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[1,2,4],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.prim.ListConstruct %[[INT1]], %[[INT2]], %[[INT4]] : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V2]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[1,2,4],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[1,2,4],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A while loop runs for as long as its condition is known to hold.

func.func @while(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int3 = torch.constant.int 3
    %int100 = torch.constant.int 100
    %int9223372036854775807 = torch.constant.int 9223372036854775807
    %true = torch.constant.bool true
    %2 = torch.prim.Loop %int9223372036854775807, %true, init(%int1) {
    ^bb0(%arg1: !torch.int, %arg2: !torch.int):
      %3 = torch.aten.mul.int %arg2, %int3 : !torch.int, !torch.int -> !torch.int
      %4 = torch.aten.lt.int %3, %int100 : !torch.int, !torch.int -> !torch.bool
      torch.prim.Loop.condition %4, iter(%3 : !torch.int)
    } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
    %out = torch.prim.ListConstruct %2 : (!torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @while
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT243:.*]] = torch.constant.int 243
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[243],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[243],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.prim.ListConstruct %[[INT243]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V2]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[243],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[243],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// What a loop of unknown length changes is unknown in it and after it; what it does not is not.

func.func @unknown_loop(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int5 = torch.constant.int 5
    %true = torch.constant.bool true
    %2 = torch.prim.ListConstruct %int5 : (!torch.int) -> !torch.list<int>
    %3 = torch.prim.ListConstruct %int5 : (!torch.int) -> !torch.list<int>
    %4 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    torch.prim.Loop %4, %true, init() {
    ^bb0(%arg1: !torch.int):
      %6 = torch.aten.append.t %2, %arg1 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    %5 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %6 = torch.aten.len.t %3 : !torch.list<int> -> !torch.int
    %out = torch.prim.ListConstruct %5, %6 : (!torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @unknown_loop
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT5:.*]] = torch.constant.int 5
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[?,1],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[?,1],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.prim.ListConstruct %[[INT5]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.prim.Loop %[[V2]], %[[TRUE]], init() {
// CHECK-NEXT:        ^bb0(%[[ARG1:.*]]: !torch.int):
// CHECK-NEXT:          %[[V6:.*]] = torch.aten.append.t %[[V3]], %[[ARG1]] : !torch.list<int>, !torch.int -> !torch.list<int>
// CHECK-NEXT:          torch.prim.Loop.condition %[[TRUE]], iter()
// CHECK-NEXT:        } : (!torch.int, !torch.bool) -> ()
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.len.t %[[V3]] : !torch.list<int> -> !torch.int
// CHECK-NEXT:        %[[V5:.*]] = torch.prim.ListConstruct %[[V4]], %[[INT1]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V5]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[?,1],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[?,1],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// An If on a known condition is its one side.

func.func @known_if(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int0 = torch.constant.int 0
    %int2 = torch.constant.int 2
    %2 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %3 = torch.aten.eq.int %2, %int2 : !torch.int, !torch.int -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.int) {
      torch.prim.If.yield %int2 : !torch.int
    } else {
      torch.prim.If.yield %int0 : !torch.int
    }
    %out = torch.prim.ListConstruct %4 : (!torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @known_if
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[2],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[2],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.prim.ListConstruct %[[INT2]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V2]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[2],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[2],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Of an If on an unknown condition, what both sides agree on is known.

func.func @unknown_if(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %int9 = torch.constant.int 9
    %2 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %3 = torch.aten.eq.int %2, %int2 : !torch.int, !torch.int -> !torch.bool
    %out = torch.prim.If %3 -> (!torch.list<int>) {
      %4 = torch.prim.ListConstruct %int9, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
      torch.prim.If.yield %4 : !torch.list<int>
    } else {
      %4 = torch.prim.ListConstruct %int9, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
      torch.prim.If.yield %4 : !torch.list<int>
    }
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @unknown_if
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT9:.*]] = torch.constant.int 9
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[9,?],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[9,?],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.eq.int %[[V2]], %[[INT2]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.If %[[V3]] -> (!torch.int) {
// CHECK-NEXT:          torch.prim.If.yield %[[INT1]] : !torch.int
// CHECK-NEXT:        } else {
// CHECK-NEXT:          torch.prim.If.yield %[[INT2]] : !torch.int
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[V5:.*]] = torch.prim.ListConstruct %[[INT9]], %[[V4]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V5]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[9,?],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[9,?],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Past a guard that raises, the other side has run.

func.func @guard(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int3 = torch.constant.int 3
    %none = torch.constant.none
    %str = torch.constant.str "the size must be 3, got {}"
    %2 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %3 = torch.aten.eq.int %2, %int3 : !torch.int, !torch.int -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.int) {
      torch.prim.If.yield %int3 : !torch.int
    } else {
      %5 = torch.aten.format(%str, %2) : !torch.str, !torch.int -> !torch.str
      torch.prim.RaiseException %5, %none : !torch.str, !torch.none
      %6 = torch.prim.Uninitialized : !torch.int
      torch.prim.If.yield %6 : !torch.int
    }
    %out = torch.prim.ListConstruct %4 : (!torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @guard
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[STR:.*]] = torch.constant.str "the size must be 3, got {}"
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[3],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[3],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.eq.int %[[V2]], %[[INT3]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        torch.prim.If %[[V3]] -> () {
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        } else {
// CHECK-NEXT:          %[[V5:.*]] = torch.aten.format(%[[STR]], %[[V2]]) : !torch.str, !torch.int -> !torch.str
// CHECK-NEXT:          torch.prim.RaiseException %[[V5]], %[[NONE]] : !torch.str, !torch.none
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.ListConstruct %[[INT3]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V4]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[3],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[3],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A list that may have changed keeps its length where both sides leave it the same.

func.func @changed_in_region(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int0 = torch.constant.int 0
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %int8 = torch.constant.int 8
    %out = torch.prim.ListConstruct %int8, %int8 : (!torch.int, !torch.int) -> !torch.list<int>
    %2 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %3 = torch.aten.eq.int %2, %int2 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %3 -> () {
      %4 = torch.aten._set_item.t %out, %int0, %2 : !torch.list<int>, !torch.int, !torch.int -> !torch.list<int>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @changed_in_region
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT8:.*]] = torch.constant.int 8
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[?,8],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[?,8],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.eq.int %[[V2]], %[[INT2]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.If %[[V3]] -> (!torch.int) {
// CHECK-NEXT:          torch.prim.If.yield %[[V2]] : !torch.int
// CHECK-NEXT:        } else {
// CHECK-NEXT:          torch.prim.If.yield %[[INT8]] : !torch.int
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[V5:.*]] = torch.prim.ListConstruct %[[V4]], %[[INT8]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V5]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[?,8],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[?,8],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Calls are entered.

func.func private @reverse(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int-1 = torch.constant.int -1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg1: !torch.int):
    %2 = torch.aten.sub.int %int-1, %arg1 : !torch.int, !torch.int -> !torch.int
    %3 = torch.aten.__getitem__.t %arg0, %2 : !torch.list<int>, !torch.int -> !torch.int
    %4 = torch.aten.append.t %0, %3 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func @call(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %2 = torch.aten.size %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.list<int>
    %out = func.call @reverse(%2) : (!torch.list<int>) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func private @reverse
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.list<int>) -> !torch.list<int> {
// CHECK-NEXT:      %[[INT_1:.*]] = torch.constant.int -1
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct  : () -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.len.t %[[ARG0]] : !torch.list<int> -> !torch.int
// CHECK-NEXT:      torch.prim.Loop %[[V1]], %[[TRUE]], init() {
// CHECK-NEXT:      ^bb0(%[[ARG1:.*]]: !torch.int):
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.sub.int %[[INT_1]], %[[ARG1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.__getitem__.t %[[ARG0]], %[[V2]] : !torch.list<int>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.append.t %[[V0]], %[[V3]] : !torch.list<int>, !torch.int -> !torch.list<int>
// CHECK-NEXT:        torch.prim.Loop.condition %[[TRUE]], iter()
// CHECK-NEXT:      } : (!torch.int, !torch.bool) -> ()
// CHECK-NEXT:      return %[[V0]] : !torch.list<int>
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @call
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[4,?,2],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[4,?,2],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.prim.ListConstruct %[[INT4]], %[[V2]], %[[INT2]] : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V3]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[4,?,2],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[4,?,2],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// What is inferred meets what the program said.

func.func @meet(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor<[?,6],f32> {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[?,6],f32>
    torch.shape.calculate.yield %1 : !torch.vtensor<[?,6],f32>
  } shapes {
    %int1 = torch.constant.int 1
    %int5 = torch.constant.int 5
    %2 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %out = torch.prim.ListConstruct %int5, %2 : (!torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor<[?,6],f32>
  return %0 : !torch.vtensor<[?,6],f32>
}

// CHECK-LABEL: func.func @meet
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor<[?,6],f32> {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT5:.*]] = torch.constant.int 5
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor<[5,6],f32>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[5,6],f32>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.prim.ListConstruct %[[INT5]], %[[V2]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V3]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[5,6],f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[5,6],f32> to !torch.vtensor<[?,6],f32>
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor<[?,6],f32>
// CHECK-NEXT:    }

// -----

// Sizes of tensors in a list are asked of the tensors themselves.

func.func @in_a_list(%arg0: !torch.vtensor, %arg1: !torch.vtensor<[?,2],f32>, %arg2: !torch.optional<vtensor>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %arg2, %arg1 : (!torch.optional<vtensor>, !torch.vtensor<[?,2],f32>) -> !torch.list<optional<vtensor>>
  %1 = torch.shape.calculate {
    %2 = torch.aten.relu %arg0 : !torch.vtensor -> !torch.vtensor
    torch.shape.calculate.yield %2 : !torch.vtensor
  } shapes {
    %2 = torch.aten.__getitem__.t %0, %int1 : !torch.list<optional<vtensor>>, !torch.int -> !torch.optional<vtensor>
    %3 = torch.prim.unchecked_cast %2 : !torch.optional<vtensor> -> !torch.vtensor
    %4 = torch.aten.size.int %3, %int0 : !torch.vtensor, !torch.int -> !torch.int
    %5 = torch.prim.ListConstruct %4, %4 : (!torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %5 : !torch.list<int>
  } : !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @in_a_list
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor, %[[ARG1:.*]]: !torch.vtensor<[?,2],f32>, %[[ARG2:.*]]: !torch.optional<vtensor>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[ARG2]], %[[ARG1]] : (!torch.optional<vtensor>, !torch.vtensor<[?,2],f32>) -> !torch.list<optional<vtensor>>
// CHECK-NEXT:      %[[V1:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.relu %[[ARG0]] : !torch.vtensor -> !torch.vtensor<[?,?],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V3]] : !torch.vtensor<[?,?],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V3]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?,2],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.ListConstruct %[[V3]], %[[V3]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V4]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[?,?],unk>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V1]] : !torch.vtensor<[?,?],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// What several users take under the type that it had is cast once. A list that is yielded as it came
// is no new one.

func.func @one_cast(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor) -> (!torch.vtensor, !torch.tuple<vtensor, vtensor>) {
  %int4 = torch.constant.int 4
  %0 = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  %1 = torch.shape.calculate {
    %3 = torch.aten.relu %arg0 : !torch.vtensor<[4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %3 : !torch.vtensor
  } shapes {
    torch.shape.calculate.yield.shapes %0 : !torch.list<int>
  } : !torch.vtensor
  %2 = torch.prim.TupleConstruct %1, %1 : !torch.vtensor, !torch.vtensor -> !torch.tuple<vtensor, vtensor>
  return %1, %2 : !torch.vtensor, !torch.tuple<vtensor, vtensor>
}

// CHECK-LABEL: func.func @one_cast
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[4],f32>, %[[ARG1:.*]]: !torch.vtensor) -> (!torch.vtensor, !torch.tuple<vtensor, vtensor>) {
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[INT4]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.relu %[[ARG0]] : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V4]] : !torch.vtensor<[4],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V0]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[4],unk>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V1]] : !torch.vtensor<[4],unk> to !torch.vtensor
// CHECK-NEXT:      %[[V3:.*]] = torch.prim.TupleConstruct %[[V2]], %[[V2]] : !torch.vtensor, !torch.vtensor -> !torch.tuple<vtensor, vtensor>
// CHECK-NEXT:      return %[[V2]], %[[V3]] : !torch.vtensor, !torch.tuple<vtensor, vtensor>
// CHECK-NEXT:    }

// -----

// An operator in front whose result is only yielded takes the type; one with another user does not.

func.func @in_front(%arg0: !torch.vtensor, %arg1: !torch.int) -> !torch.vtensor {
  %int3 = torch.constant.int 3
  %0 = torch.aten.relu %arg0 : !torch.vtensor -> !torch.vtensor
  %1 = torch.aten.tanh %arg0 : !torch.vtensor -> !torch.vtensor
  %2 = torch.shape.calculate {
    torch.shape.calculate.yield %0 : !torch.vtensor
  } shapes {
    %5 = torch.prim.ListConstruct %int3, %arg1 : (!torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %5 : !torch.list<int>
  } : !torch.vtensor
  %3 = torch.shape.calculate {
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %5 = torch.prim.ListConstruct %arg1, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %5 : !torch.list<int>
  } : !torch.vtensor
  %4 = torch.aten.mul.Tensor %3, %1 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  return %2 : !torch.vtensor
}

// CHECK-LABEL: func.func @in_front
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor, %[[ARG1:.*]]: !torch.int) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.relu %[[ARG0]] : !torch.vtensor -> !torch.vtensor<[3,?],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor -> !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = torch.shape.calculate {
// CHECK-NEXT:        torch.shape.calculate.yield %[[V0]] : !torch.vtensor<[3,?],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V6:.*]] = torch.prim.ListConstruct %[[INT3]], %[[ARG1]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V6]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[3,?],unk>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[3,?],unk> to !torch.vtensor
// CHECK-NEXT:      %[[V4:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V6]] = torch.tensor_static_info_cast %[[V1]] : !torch.vtensor to !torch.vtensor<[?,3],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V6]] : !torch.vtensor<[?,3],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V6]] = torch.prim.ListConstruct %[[ARG1]], %[[INT3]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V6]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[?,3],unk>
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.mul.Tensor %[[V4]], %[[V1]] : !torch.vtensor<[?,3],unk>, !torch.vtensor -> !torch.vtensor
// CHECK-NEXT:      return %[[V3]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// An element that is taken from a list of unknown length is the result of the op that takes it.

func.func @pop(%arg0: !torch.vtensor<*,f32>) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<*,f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int-1 = torch.constant.int -1
    %int3 = torch.constant.int 3
    %2 = torch.aten.size %arg0 : !torch.vtensor<*,f32> -> !torch.list<int>
    %3 = torch.operator "torch.aten.pop.t"(%2, %int-1) : (!torch.list<int>, !torch.int) -> !torch.int
    %4 = torch.aten.append.t %2, %int3 : !torch.list<int>, !torch.int -> !torch.list<int>
    %5 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %6 = torch.prim.ListConstruct %3, %5 : (!torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %6 : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @pop
// CHECK:           %[[SIZES:.*]] = torch.aten.size %[[ARG0:.*]] : !torch.vtensor<*,f32> -> !torch.list<int>
// CHECK-NEXT:      %[[LENGTH:.*]] = torch.aten.len.t %[[SIZES]] : !torch.list<int> -> !torch.int
// CHECK-NEXT:      %[[LAST:.*]] = torch.operator "torch.aten.pop.t"(%[[SIZES]], %{{.*}}) : (!torch.list<int>, !torch.int) -> !torch.int
// CHECK-NEXT:      torch.aten.append.t %[[SIZES]], %{{.*}} : !torch.list<int>, !torch.int -> !torch.list<int>
// CHECK-NEXT:      %[[SHAPE:.*]] = torch.prim.ListConstruct %[[LAST]], %[[LENGTH]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      torch.shape.calculate.yield.shapes %[[SHAPE]] : !torch.list<int>

// -----

// A list that is one of two is mutated behind both.

func.func @branches(%arg0: !torch.vtensor<*,f32>, %arg1: !torch.bool) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<*,f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %int3 = torch.constant.int 3
    %2 = torch.aten.dim %arg0 : !torch.vtensor<*,f32> -> !torch.int
    %3 = torch.prim.If %arg1 -> (!torch.list<int>) {
      %5 = torch.prim.ListConstruct %2, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
      torch.prim.If.yield %5 : !torch.list<int>
    } else {
      %6 = torch.prim.ListConstruct %int2, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
      torch.prim.If.yield %6 : !torch.list<int>
    }
    %4 = torch.aten.append.t %3, %int3 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.shape.calculate.yield.shapes %3 : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @branches
// CHECK:           %[[RANK:.*]] = torch.aten.dim %{{.*}} : !torch.vtensor<*,f32> -> !torch.int
// CHECK-NEXT:      %[[BOTH:.*]]:2 = torch.prim.If %{{.*}} -> (!torch.int, !torch.int) {
// CHECK-NEXT:        torch.prim.If.yield %[[RANK]], %{{.*}} : !torch.int, !torch.int
// CHECK:           %[[SHAPE:.*]] = torch.prim.ListConstruct %[[BOTH]]#0, %[[BOTH]]#1, %{{.*}} : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      torch.shape.calculate.yield.shapes %[[SHAPE]] : !torch.list<int>

// -----

// What is asked of an argument that may be none stays a question of that argument.

func.func @none_or_not(%arg0: !torch.vtensor<[2,?,4],f32>, %arg1: !torch.any) -> !torch.vtensor {
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %none = torch.constant.none
    %int1 = torch.constant.int 1
    %1 = torch.aten.size %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.list<int>
    %2 = torch.aten.__isnot__ %arg1, %none : !torch.any, !torch.none -> !torch.bool
    torch.prim.If %2 -> () {
      %3 = torch.aten.append.t %1, %int1 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.shape.calculate.yield.shapes %1 : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @none_or_not
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,?,4],f32>, %[[ARG1:.*]]: !torch.any) -> !torch.vtensor {
// CHECK:           %[[SIZE:.*]] = torch.aten.size.int %[[ARG0]], %{{.*}} : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
// CHECK:           torch.prim.ListConstruct %{{.*}}, %[[SIZE]], %{{.*}} : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK:           %[[IS:.*]] = torch.aten.__is__ %[[ARG1]], %{{.*}} : !torch.any, !torch.none -> !torch.bool
// CHECK:           %[[NOT:.*]] = torch.aten.__not__ %[[IS]] : !torch.bool -> !torch.bool
// CHECK:           torch.prim.If %[[NOT]] -> () {
