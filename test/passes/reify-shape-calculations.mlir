// RUN: torch-refine-opt %s --split-input-file --torch-reify-shape-calculations | filecheck %s

// Tensors become lists of sizes.

func.func @tensors(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,?],f32>) -> !torch.vtensor {
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3,?],f32> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @tensors
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>, %[[ARG1:.*]]: !torch.vtensor<[3,?],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.mm %[[ARG0]], %[[ARG1]] : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3,?],f32> -> !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V1]] = torch.aten.size %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.list<int>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.size %[[ARG1]] : !torch.vtensor<[3,?],f32> -> !torch.list<int>
// CHECK-NEXT:        %[[V3:.*]] = func.call @__torch_mlir_shape_fn.aten.mm(%[[V1]], %[[V2]]) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V3]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Absent tensors become None, ints are cast where the function takes something wider.

func.func @optional(%arg0: !torch.vtensor, %arg1: !torch.vtensor) -> !torch.vtensor {
  %none = torch.constant.none
  %0 = torch.aten.linear %arg0, %arg1, %none : !torch.vtensor, !torch.vtensor, !torch.none -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @optional
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor, %[[ARG1:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.linear %[[ARG0]], %[[ARG1]], %[[NONE]] : !torch.vtensor, !torch.vtensor, !torch.none -> !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V1]] = torch.aten.size %[[ARG0]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.size %[[ARG1]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[V3:.*]] = torch.derefine %[[NONE]] : !torch.none to !torch.optional<list<int>>
// CHECK-NEXT:        %[[V4:.*]] = func.call @__torch_mlir_shape_fn.aten.linear(%[[V1]], %[[V2]], %[[V3]]) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V4]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Whether an optional tensor is there may only be known when the program runs.

func.func @unknown_optional(%arg0: !torch.vtensor, %arg1: !torch.vtensor, %arg2: !torch.optional<vtensor>) -> !torch.vtensor {
  %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor, !torch.vtensor, !torch.optional<vtensor> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @unknown_optional
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor, %[[ARG1:.*]]: !torch.vtensor, %[[ARG2:.*]]: !torch.optional<vtensor>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.linear %[[ARG0]], %[[ARG1]], %[[ARG2]] : !torch.vtensor, !torch.vtensor, !torch.optional<vtensor> -> !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V1]] = torch.aten.size %[[ARG0]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.size %[[ARG1]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.__is__ %[[ARG2]], %[[NONE]] : !torch.optional<vtensor>, !torch.none -> !torch.bool
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.If %[[V3]] -> (!torch.optional<list<int>>) {
// CHECK-NEXT:          %[[V6:.*]] = torch.derefine %[[NONE]] : !torch.none to !torch.optional<list<int>>
// CHECK-NEXT:          torch.prim.If.yield %[[V6]] : !torch.optional<list<int>>
// CHECK-NEXT:        } else {
// CHECK-NEXT:          %[[V6]] = torch.prim.unchecked_cast %[[ARG2]] : !torch.optional<vtensor> -> !torch.vtensor
// CHECK-NEXT:          %[[V7:.*]] = torch.aten.size %[[V6]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:          %[[V8:.*]] = torch.derefine %[[V7]] : !torch.list<int> to !torch.optional<list<int>>
// CHECK-NEXT:          torch.prim.If.yield %[[V8]] : !torch.optional<list<int>>
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[V5:.*]] = func.call @__torch_mlir_shape_fn.aten.linear(%[[V1]], %[[V2]], %[[V4]]) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V5]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Lists of tensors become lists of lists of sizes.

func.func @list(%arg0: !torch.vtensor, %arg1: !torch.vtensor) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor, !torch.vtensor) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %int1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @list
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor, %[[ARG1:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[ARG0]], %[[ARG1]] : (!torch.vtensor, !torch.vtensor) -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.cat %[[V0]], %[[INT1]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size %[[ARG0]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.size %[[ARG1]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.ListConstruct %[[V2]], %[[V3]] : (!torch.list<int>, !torch.list<int>) -> !torch.list<list<int>>
// CHECK-NEXT:        %[[V5:.*]] = func.call @__torch_mlir_shape_fn.aten.cat(%[[V4]], %[[INT1]]) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V5]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A list that comes from elsewhere is adapted by a loop.

func.func @unknown_list(%arg0: !torch.list<vtensor>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %1 = torch.aten.cat %arg0, %int1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @unknown_list
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.list<vtensor>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.cat %[[ARG0]], %[[INT1]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V1]] = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.len.t %[[ARG0]] : !torch.list<vtensor> -> !torch.int
// CHECK-NEXT:        %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:        torch.prim.Loop %[[V2]], %[[TRUE]], init() {
// CHECK-NEXT:        ^bb0(%[[ARG1:.*]]: !torch.int):
// CHECK-NEXT:          %[[V4:.*]] = torch.aten.__getitem__.t %[[ARG0]], %[[ARG1]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor
// CHECK-NEXT:          %[[V5:.*]] = torch.aten.size %[[V4]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:          %[[V6:.*]] = torch.aten.append.t %[[V1]], %[[V5]] : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
// CHECK-NEXT:          torch.prim.Loop.condition %[[TRUE]], iter()
// CHECK-NEXT:        } : (!torch.int, !torch.bool) -> ()
// CHECK-NEXT:        %[[V3:.*]] = func.call @__torch_mlir_shape_fn.aten.cat(%[[V1]], %[[INT1]]) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V3]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Several results are unpacked from a tuple.

func.func @tuple(%arg0: !torch.vtensor) -> (!torch.vtensor, !torch.vtensor) {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %0:2 = torch.aten.max.dim %arg0, %int1, %false : !torch.vtensor, !torch.int, !torch.bool -> !torch.vtensor, !torch.vtensor
  return %0#0, %0#1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @tuple
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> (!torch.vtensor, !torch.vtensor) {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[FALSE:.*]] = torch.constant.bool false
// CHECK-NEXT:      %[[V0:.*]]:2 = torch.shape.calculate {
// CHECK-NEXT:        %[[VALUES:.*]], %[[INDICES:.*]] = torch.aten.max.dim %[[ARG0]], %[[INT1]], %[[FALSE]] : !torch.vtensor, !torch.int, !torch.bool -> !torch.vtensor, !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[VALUES]], %[[INDICES]] : !torch.vtensor, !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.size %[[ARG0]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[V2:.*]] = func.call @__torch_mlir_shape_fn.aten.max.dim(%[[V1]], %[[INT1]], %[[FALSE]]) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.tuple<list<int>, list<int>>
// CHECK-NEXT:        %[[V3:.*]]:2 = torch.prim.TupleUnpack %[[V2]] : !torch.tuple<list<int>, list<int>> -> !torch.list<int>, !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V3]]#0, %[[V3]]#1 : !torch.list<int>, !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor, !torch.vtensor
// CHECK-NEXT:      return %[[V0]]#0, %[[V0]]#1 : !torch.vtensor, !torch.vtensor
// CHECK-NEXT:    }

// -----

// Tensors in a list are wrapped where they leave it.

func.func @list_result(%arg0: !torch.vtensor) -> (!torch.vtensor, !torch.vtensor) {
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %0 = torch.aten.split.Tensor %arg0, %int2, %int0 : !torch.vtensor, !torch.int, !torch.int -> !torch.list<vtensor>
  %1:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  return %1#0, %1#1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @list_result
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> (!torch.vtensor, !torch.vtensor) {
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.split.Tensor %[[ARG0]], %[[INT2]], %[[INT0]] : !torch.vtensor, !torch.int, !torch.int -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]]:2 = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]]:2 = torch.prim.ListUnpack %[[V0]] : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]]#0, %[[V2]]#1 : !torch.vtensor, !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size %[[ARG0]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[V3:.*]] = func.call @__torch_mlir_shape_fn.aten.split.Tensor(%[[V2]], %[[INT2]], %[[INT0]]) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
// CHECK-NEXT:        %[[V4:.*]]:2 = torch.prim.ListUnpack %[[V3]] : !torch.list<list<int>> -> !torch.list<int>, !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V4]]#0, %[[V4]]#1 : !torch.list<int>, !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor, !torch.vtensor
// CHECK-NEXT:      return %[[V1]]#0, %[[V1]]#1 : !torch.vtensor, !torch.vtensor
// CHECK-NEXT:    }

// -----

// An operator that the dialect does not define is reified like any other.

func.func @operator(%arg0: !torch.vtensor<[2,1],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %1 = torch.operator "torch.aten.squeeze.dims"(%arg0, %0) : (!torch.vtensor<[2,1],f32>, !torch.list<int>) -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @operator
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,1],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.ListConstruct %[[INT1]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V1:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.operator "torch.aten.squeeze.dims"(%[[ARG0]], %[[V0]]) : (!torch.vtensor<[2,1],f32>, !torch.list<int>) -> !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size %[[ARG0]] : !torch.vtensor<[2,1],f32> -> !torch.list<int>
// CHECK-NEXT:        %[[V3:.*]] = func.call @__torch_mlir_shape_fn.aten.squeeze.dims(%[[V2]], %[[V0]]) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V3]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// So is a value-semantic variant.

func.func @valsem(%arg0: !torch.vtensor) -> !torch.vtensor {
  %float1 = torch.constant.float 0.5
  %none = torch.constant.none
  %0 = torch.valsem.aten.bernoulli.float %arg0, %float1, %none : !torch.vtensor, !torch.float, !torch.none -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @valsem
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      %[[FLOAT5_000000E:.*]]-01 = torch.constant.float 5.000000e-01
// CHECK-NEXT:      %[[NONE:.*]] = torch.constant.none
// CHECK-NEXT:      %[[V0:.*]] = torch.valsem.aten.bernoulli.float %[[ARG0]], %[[FLOAT5_000000E]]-01, %[[NONE]] : !torch.vtensor, !torch.float, !torch.none -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// An operator without a function stays as it is.

func.func @no_function(%arg0: !torch.vtensor) -> !torch.vtensor {
  %0 = torch.operator "torch.my.operator"(%arg0) : (!torch.vtensor) -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @no_function
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.operator "torch.my.operator"(%[[ARG0]]) : (!torch.vtensor) -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }
