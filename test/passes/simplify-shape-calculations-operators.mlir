// RUN: torch-refine-opt %s --split-input-file --torch-reify-shape-calculations --torch-simplify-shape-calculations --symbol-dce | filecheck %s

// What is left of the calculations of some operators: the arithmetic that a person would write.

func.func @add(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[?],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @add
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[?],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[STR:.*]] = torch.constant.str "shapes {} and {} do not broadcast: {} and {} differ and neither is 1"
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[ARG1]], %[[INT1]] : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?,3],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor<[?,3],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.eq.int %[[V3]], %[[INT1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.eq.int %[[V3]], %[[INT3]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.__or__.bool %[[V4]], %[[V5]] : !torch.bool, !torch.bool -> !torch.bool
// CHECK-NEXT:        torch.prim.If %[[V6]] -> () {
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        } else {
// CHECK-NEXT:          %[[V8:.*]] = torch.prim.ListConstruct %[[V2]], %[[INT3]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:          %[[V9:.*]] = torch.prim.ListConstruct %[[V3]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:          %[[V10:.*]] = torch.aten.format(%[[STR]], %[[V8]], %[[V9]], %[[INT3]], %[[V3]]) : !torch.str, !torch.list<int>, !torch.list<int>, !torch.int, !torch.int -> !torch.str
// CHECK-NEXT:          torch.prim.RaiseException %[[V10]], %[[NONE]] : !torch.str, !torch.none
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[V7:.*]] = torch.prim.ListConstruct %[[V2]], %[[INT3]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V7]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[?,3],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[?,3],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

func.func @conv2d(%arg0: !torch.vtensor<[?,3,?,?],f32>, %arg1: !torch.vtensor<[8,3,3,3],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %none = torch.constant.none
  %0 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.conv2d %arg0, %arg1, %none, %1, %0, %0, %int1 : !torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[8,3,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor
  return %2 : !torch.vtensor
}

// CHECK-LABEL: func.func @conv2d
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,3,?,?],f32>, %[[ARG1:.*]]: !torch.vtensor<[8,3,3,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[STR:.*]] = torch.constant.str "effective kernel size 3 is greater than padded input size 2"
// CHECK-NEXT:      %[[INT8:.*]] = torch.constant.int 8
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[INT1]], %[[INT1]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListConstruct %[[INT2]], %[[INT2]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V2:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.conv2d %[[ARG0]], %[[ARG1]], %[[NONE]], %[[V1]], %[[V0]], %[[V0]], %[[INT1]] : !torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[8,3,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[?,8,?,?],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V4]] : !torch.vtensor<[?,8,?,?],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V4]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?,3,?,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.size.int %[[ARG0]], %[[INT2]] : !torch.vtensor<[?,3,?,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.size.int %[[ARG0]], %[[INT3]] : !torch.vtensor<[?,3,?,?],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V7:.*]] = torch.aten.ge.int %[[V5]], %[[INT1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        torch.prim.If %[[V7]] -> () {
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        } else {
// CHECK-NEXT:          torch.prim.RaiseException %[[STR]], %[[NONE]] : !torch.str, !torch.none
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[V8:.*]] = torch.aten.ge.int %[[V6]], %[[INT1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        torch.prim.If %[[V8]] -> () {
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        } else {
// CHECK-NEXT:          torch.prim.RaiseException %[[STR]], %[[NONE]] : !torch.str, !torch.none
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[V9:.*]] = torch.aten.add.int %[[V5]], %[[INT1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V10:.*]] = torch.aten.floordiv.int %[[V9]], %[[INT2]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V11:.*]] = torch.aten.add.int %[[V6]], %[[INT1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V12:.*]] = torch.aten.floordiv.int %[[V11]], %[[INT2]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V13:.*]] = torch.prim.ListConstruct %[[V4]], %[[INT8]], %[[V10]], %[[V12]] : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V13]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[?,8,?,?],unk>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[?,8,?,?],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V3]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

func.func @view(%arg0: !torch.vtensor<[?,?,4],f32>) -> !torch.vtensor {
  %int-1 = torch.constant.int -1
  %int8 = torch.constant.int 8
  %0 = torch.prim.ListConstruct %int-1, %int8 : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.view %arg0, %0 : !torch.vtensor<[?,?,4],f32>, !torch.list<int> -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @view
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,?,4],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT_1:.*]] = torch.constant.int -1
// CHECK-NEXT:      %[[INT8:.*]] = torch.constant.int 8
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[STR:.*]] = torch.constant.str "shape {} cannot be viewed as {}"
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[INT_1]], %[[INT8]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.view %[[ARG0]], %[[V0]] : !torch.vtensor<[?,?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,8],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V3]] : !torch.vtensor<[?,8],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V3]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.size.int %[[ARG0]], %[[INT1]] : !torch.vtensor<[?,?,4],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.mul.int %[[V3]], %[[V4]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V6:.*]] = torch.aten.mul.int %[[V5]], %[[INT4]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V7:.*]] = torch.aten.remainder.int %[[V6]], %[[INT8]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V8:.*]] = torch.aten.eq.int %[[V7]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:        torch.prim.If %[[V8]] -> () {
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        } else {
// CHECK-NEXT:          %[[V11:.*]] = torch.prim.ListConstruct %[[V3]], %[[V4]], %[[INT4]] : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:          %[[V12:.*]] = torch.aten.format(%[[STR]], %[[V11]], %[[V0]]) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
// CHECK-NEXT:          torch.prim.RaiseException %[[V12]], %[[NONE]] : !torch.str, !torch.none
// CHECK-NEXT:          torch.prim.If.yield
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[V9:.*]] = torch.aten.floordiv.int %[[V6]], %[[INT8]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V10:.*]] = torch.prim.ListConstruct %[[V9]], %[[INT8]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V10]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[?,8],unk>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V1]] : !torch.vtensor<[?,8],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

func.func @cat(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[?,3],f32>) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @cat
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[?,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[?,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[ARG0]], %[[ARG1]] : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>) -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.cat %[[V0]], %[[INT0]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V3]] : !torch.vtensor<[?,3],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V3]] = torch.aten.size.int %[[ARG0]], %[[INT0]] : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V4:.*]] = torch.aten.size.int %[[ARG1]], %[[INT0]] : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.add.int %[[V3]], %[[V4]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V6:.*]] = torch.prim.ListConstruct %[[V5]], %[[INT3]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V6]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[?,3],unk>
// CHECK-NEXT:      %[[V2:.*]] = torch.tensor_static_info_cast %[[V1]] : !torch.vtensor<[?,3],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V2]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// An argument and the result of a call are cast; so is what a loop carries.

func.func private @given(%arg0: !torch.vtensor) -> !torch.vtensor
func.func @tied(%arg0: !torch.vtensor, %arg1: !torch.int) -> (!torch.vtensor, !torch.vtensor) {
  %int2 = torch.constant.int 2
  %0 = torch.shape.calculate {
    torch.shape.calculate.yield %arg0 : !torch.vtensor
  } shapes {
    %3 = torch.prim.ListConstruct %int2, %arg1 : (!torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %3 : !torch.list<int>
  } : !torch.vtensor
  %1 = torch.shape.calculate {
    %3 = func.call @given(%0) : (!torch.vtensor) -> !torch.vtensor
    torch.shape.calculate.yield %3 : !torch.vtensor
  } shapes {
    %3 = torch.aten.size %0 : !torch.vtensor -> !torch.list<int>
    torch.shape.calculate.yield.shapes %3 : !torch.list<int>
  } : !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func private @given
// CHECK-SAME:  (!torch.vtensor) -> !torch.vtensor
// CHECK-LABEL: func.func @tied
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor, %[[ARG1:.*]]: !torch.int) -> (!torch.vtensor, !torch.vtensor) {
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[ARG0]] : !torch.vtensor to !torch.vtensor<[2,?],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V4]] : !torch.vtensor<[2,?],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V4]] = torch.prim.ListConstruct %[[INT2]], %[[ARG1]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V4]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[2,?],unk>
// CHECK-NEXT:      %[[V1:.*]] = torch.tensor_static_info_cast %[[V0]] : !torch.vtensor<[2,?],unk> to !torch.vtensor
// CHECK-NEXT:      %[[V2:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V4]] = func.call @given(%[[V1]]) : (!torch.vtensor) -> !torch.vtensor
// CHECK-NEXT:        %[[V5:.*]] = torch.tensor_static_info_cast %[[V4]] : !torch.vtensor to !torch.vtensor<[2,?],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V5]] : !torch.vtensor<[2,?],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V4]] = torch.aten.size.int %[[V0]], %[[INT1]] : !torch.vtensor<[2,?],unk>, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V5]] = torch.prim.ListConstruct %[[INT2]], %[[V4]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V5]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[2,?],unk>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[2,?],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V1]], %[[V3]] : !torch.vtensor, !torch.vtensor
// CHECK-NEXT:    }
