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

// Functions of Python's arithmetic. A remainder has the sign of its divisor, and a power of ints is
// one of 64 bits.

// CHECK-LABEL: func.func @functions(
// CHECK-SAME:    %[[X:.*]]: !torch.float, %[[N:.*]]: !torch.int
// CHECK-DAG:     %[[A:.*]] = torch_c.to_f64 %[[X]]
// CHECK-DAG:     %[[I:.*]] = torch_c.to_i64 %[[N]]
// CHECK:         %[[B:.*]] = arith.sitofp %[[I]] : i64 to f64
// CHECK:         cf.assert %{{.*}}, "ZeroDivisionError"
// CHECK:         arith.remf %[[A]], %[[B]] : f64
// CHECK:         %[[OTHER:.*]] = arith.select
// CHECK:         %[[REST:.*]] = arith.select %{{.*}}, %{{.*}}, %[[OTHER]]
// CHECK-NEXT:    torch_c.from_f64 %[[REST]]
// CHECK:         cf.assert %{{.*}}, "a power is too large for an integer"
// CHECK:         %[[POWER:.*]]:3 = scf.while
// CHECK:         torch_c.from_i64 %[[POWER]]#2
// CHECK:         arith.cmpf ogt
// CHECK:         arith.andi %{{.*}}, %{{.*}} : i64
func.func @functions(%arg0: !torch.float, %arg1: !torch.int) -> (!torch.float, !torch.int, !torch.float, !torch.int) {
  %0 = torch.operator "torch.aten.remainder.float_int"(%arg0, %arg1) : (!torch.float, !torch.int) -> !torch.float
  %1 = torch.operator "torch.aten.pow.int_to_int"(%arg1, %arg1) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.operator "torch.prim.max.float"(%arg0, %0) : (!torch.float, !torch.float) -> !torch.float
  %3 = torch.operator "torch.aten.__and__.int"(%arg1, %1) : (!torch.int, !torch.int) -> !torch.int
  return %0, %1, %2, %3 : !torch.float, !torch.int, !torch.float, !torch.int
}

// Bools.

func.func @bools(%a: !torch.bool, %b: !torch.bool) -> (!torch.bool, !torch.bool, !torch.bool) {
  %0 = torch.aten.__not__ %a : !torch.bool -> !torch.bool
  %1 = torch.aten.__and__.bool %a, %b : !torch.bool, !torch.bool -> !torch.bool
  %2 = torch.aten.__or__.bool %a, %b : !torch.bool, !torch.bool -> !torch.bool
  return %0, %1, %2 : !torch.bool, !torch.bool, !torch.bool
}

// CHECK-LABEL: func.func @bools
// CHECK:         %[[A:.*]] = torch_c.to_i1 %arg0
// CHECK:         %[[NOT:.*]] = arith.xori %[[A]], %true
// CHECK:         torch_c.from_i1 %[[NOT]]
// CHECK:         arith.andi
// CHECK:         arith.ori
// CHECK-NOT:     torch.aten
