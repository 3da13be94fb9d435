// RUN: torch-refine-opt %s --split-input-file --torch-reify-shape-calculations=extra-library=%S/Inputs/list_library.mlir --torch-simplify-shape-calculations | filecheck %s

// A tensor that is returned beside a list is refined at its operator, too, not only where its sizes
// are calculated.

func.func @beside_a_list(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %0:2 = torch.operator "torch.my.parts_and_rest"(%arg0) : (!torch.vtensor<[2,3],f32>) -> (!torch.list<vtensor>, !torch.vtensor)
  %1 = torch.aten.tanh %0#1 : !torch.vtensor -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @beside_a_list
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT3:.*]] = torch.constant.int 3
// CHECK-NEXT:      %[[V0:.*]]:2 = torch.operator "torch.my.parts_and_rest"(%[[ARG0]]) : (!torch.vtensor<[2,3],f32>) -> (!torch.list<vtensor>, !torch.vtensor<[2,3],unk>)
// CHECK-NEXT:      %[[V1:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V4:.*]] = torch.tensor_static_info_cast %[[V0]]#1 : !torch.vtensor<[2,3],unk> to !torch.vtensor<[2,3],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V4]] : !torch.vtensor<[2,3],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V4]] = torch.prim.ListConstruct %[[INT2]], %[[INT3]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V4]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[2,3],unk>
// CHECK-NEXT:      %[[V2:.*]] = torch.shape.calculate {
// CHECK-NEXT:        %[[V4]] = torch.aten.tanh %[[V1]] : !torch.vtensor<[2,3],unk> -> !torch.vtensor<[2,3],unk>
// CHECK-NEXT:        torch.shape.calculate.yield %[[V4]] : !torch.vtensor<[2,3],unk>
// CHECK-NEXT:      } shapes {
// CHECK-NEXT:        %[[V4]] = torch.prim.ListConstruct %[[INT2]], %[[INT3]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        torch.shape.calculate.yield.shapes %[[V4]] : !torch.list<int>
// CHECK-NEXT:      } : !torch.vtensor<[2,3],unk>
// CHECK-NEXT:      %[[V3:.*]] = torch.tensor_static_info_cast %[[V2]] : !torch.vtensor<[2,3],unk> to !torch.vtensor
// CHECK-NEXT:      return %[[V3]] : !torch.vtensor
// CHECK-NEXT:    }
