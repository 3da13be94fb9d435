// RUN: torch-refine-opt %s --split-input-file --torch-drop-abstract-interp-calculations | filecheck %s

// Nested calculations of both kinds are replaced by the operator.

func.func @nested(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.dtype.calculate {
    %1 = torch.shape.calculate {
      %2 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
      torch.shape.calculate.yield %2 : !torch.vtensor<[2],f32>
    } shapes {
      %2 = torch.aten.size %arg0 : !torch.vtensor<[2],f32> -> !torch.list<int>
      torch.shape.calculate.yield.shapes %2 : !torch.list<int>
    } : !torch.vtensor<[2],f32>
    torch.dtype.calculate.yield %1 : !torch.vtensor<[2],f32>
  } dtypes {
    %1 = torch.prim.dtype %arg0 : !torch.vtensor<[2],f32> -> !torch.int
    torch.dtype.calculate.yield.dtypes %1 : !torch.int
  } : !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @nested
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<[2],f32>
// CHECK-NEXT:    }

// -----

// Calculations inside the program's own regions go too, and the program's own functions stay.

func.func private @mine(%arg0: !torch.vtensor) -> !torch.vtensor {
  return %arg0 : !torch.vtensor
}

func.func private @library(%arg0: !torch.list<int>) -> !torch.list<int> attributes {torch_refine.library} {
  return %arg0 : !torch.list<int>
}

func.func @region(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.bool, %arg2: !torch.vtensor) -> !torch.vtensor {
  %0 = torch.prim.If %arg1 -> (!torch.vtensor) {
    %1 = torch.shape.calculate {
      %2 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor
      torch.shape.calculate.yield %2 : !torch.vtensor
    } shapes {
      %2 = torch.aten.size %arg0 : !torch.vtensor<[2],f32> -> !torch.list<int>
      %3 = func.call @library(%2) : (!torch.list<int>) -> !torch.list<int>
      torch.shape.calculate.yield.shapes %3 : !torch.list<int>
    } : !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  } else {
    %1 = func.call @mine(%arg2) : (!torch.vtensor) -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func private @mine
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      return %[[ARG0]] : !torch.vtensor
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @region
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f32>, %[[ARG1:.*]]: !torch.bool, %[[ARG2:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      %[[V0:.*]] = torch.prim.If %[[ARG1]] -> (!torch.vtensor) {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.tanh %[[ARG0]] : !torch.vtensor<[2],f32> -> !torch.vtensor
// CHECK-NEXT:        torch.prim.If.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[V1]] = func.call @mine(%[[ARG2]]) : (!torch.vtensor) -> !torch.vtensor
// CHECK-NEXT:        torch.prim.If.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      }
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }
