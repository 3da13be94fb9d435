// RUN: torch-refine-opt %s --split-input-file --torch-reify-shape-calculations=extra-library=%S/Inputs/list_library.mlir | filecheck %s

// A tensor that is returned beside a list is wrapped as a cast, of which the users read.

func.func @beside_a_list(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0:2 = torch.operator "torch.my.parts_and_rest"(%arg0) : (!torch.vtensor<[2,3],f32>) -> (!torch.list<vtensor>, !torch.vtensor)
  return %0#1 : !torch.vtensor
}

// CHECK-LABEL: func.func @beside_a_list
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]]:2 = torch.operator "torch.my.parts_and_rest"(%[[ARG0]]) : (!torch.vtensor<[2,3],f32>) -> (!torch.list<vtensor>, !torch.vtensor)
// CHECK-NEXT:      %[[V1:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.tensor_static_info_cast %[[V0]]#1 : !torch.vtensor to !torch.vtensor
// CHECK-NEXT:        torch.shape.calculate.yield %[[V2]] : !torch.vtensor
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.list<int>
// CHECK-NEXT:        %[[V3:.*]] = func.call @__torch_mlir_shape_fn.my.parts_and_rest(%[[V2]]) : (!torch.list<int>) -> !torch.tuple<list<list<int>>, list<int>>
// CHECK-NEXT:        %[[V4:.*]]:2 = torch.prim.TupleUnpack %[[V3]] : !torch.tuple<list<list<int>>, list<int>> -> !torch.list<list<int>>, !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V4]]#1 : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A function that gives one list of an operator with two of them tells nothing about either.

func.func @fewer_lists(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0:2 = torch.operator "torch.my.two_lists"(%arg0) : (!torch.vtensor<[2,3],f32>) -> (!torch.list<vtensor>, !torch.list<vtensor>)
  %1 = torch.prim.ListUnpack %0#0 : !torch.list<vtensor> -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @fewer_lists
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]]:2 = torch.operator "torch.my.two_lists"(%[[ARG0]]) : (!torch.vtensor<[2,3],f32>) -> (!torch.list<vtensor>, !torch.list<vtensor>)
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListUnpack %[[V0]]#0 : !torch.list<vtensor> -> !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }
