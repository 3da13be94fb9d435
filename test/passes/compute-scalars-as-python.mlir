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

// A float that is rounded to an int must be one of 64 bits; a NaN is none.

// CHECK-LABEL: func.func @sizes(
// CHECK-SAME:    %[[X:.*]]: !torch.float
// CHECK:         %[[VALUE:.*]] = torch_c.to_f64 %[[X]]
// CHECK-NEXT:    %[[DOWN:.*]] = math.floor %[[VALUE]] : f64
// CHECK-NEXT:    %[[BOUND:.*]] = arith.constant 9.2233720368547758E+18 : f64
// CHECK-NEXT:    %[[SIZE:.*]] = math.absf %[[DOWN]] : f64
// CHECK-NEXT:    %[[FITS:.*]] = arith.cmpf olt, %[[SIZE]], %[[BOUND]] : f64
// CHECK-NEXT:    cf.assert %[[FITS]], "a float is too large for an integer"
// CHECK-NEXT:    %[[WHOLE:.*]] = arith.fptosi %[[DOWN]] : f64 to i64
// CHECK-NEXT:    torch_c.from_i64 %[[WHOLE]]
// CHECK:         math.ceil
// CHECK:         math.trunc
func.func @sizes(%arg0: !torch.float) -> (!torch.int, !torch.int, !torch.int) {
  %0 = torch.operator "torch.aten.floor.float"(%arg0) : (!torch.float) -> !torch.int
  %1 = torch.aten.ceil.float %arg0 : !torch.float -> !torch.int
  %2 = torch.aten.Int.float %arg0 : !torch.float -> !torch.int
  return %0, %1, %2 : !torch.int, !torch.int, !torch.int
}
