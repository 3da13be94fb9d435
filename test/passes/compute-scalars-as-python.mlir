// RUN: torch-refine-opt %s --torch-compute-scalars-as-python | filecheck %s

// A quotient of floats; a divisor that is checked before is not checked again.

func.func @f(%arg0: !torch.float, %arg1: !torch.float) -> (!torch.float, !torch.float) {
  %0 = torch.aten.div.float %arg0, %arg1 : !torch.float, !torch.float -> !torch.float
  %1 = torch.aten.div.float %0, %arg1 : !torch.float, !torch.float -> !torch.float
  return %0, %1 : !torch.float, !torch.float
}

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[A:.*]]: !torch.float, %[[B:.*]]: !torch.float
// CHECK:         %[[GOOD:.*]] = torch.aten.ne.float_int %[[B]]
// CHECK-NEXT:    torch.runtime.assert %[[GOOD]], "ZeroDivisionError"
// CHECK-NEXT:    torch.aten.div.float
// CHECK-NEXT:    torch.aten.div.float
