// RUN: torch-refine-opt %s --split-input-file --torch-simplify-dtype-calculations | filecheck %s

// A number is an int or a float by what its calculation gives; users that do not take that get it
// derefined.

func.func @numbers(%arg0: !torch.number, %arg1: !torch.float, %arg2: !torch.vtensor<[3],f32>) -> (!torch.number, !torch.number, !torch.vtensor) {
  %int4 = torch.constant.int 4
  %int7 = torch.constant.int 7
  %0 = torch.dtype.calculate {
    %3 = torch.aten.mul %arg0, %arg1 : !torch.number, !torch.float -> !torch.number
    torch.dtype.calculate.yield %3 : !torch.number
  } dtypes {
    torch.dtype.calculate.yield.dtypes %int7 : !torch.int
  } : !torch.number
  %1 = torch.dtype.calculate {
    %3 = torch.aten.sub %arg0, %arg0 : !torch.number, !torch.number -> !torch.number
    torch.dtype.calculate.yield %3 : !torch.number
  } dtypes {
    torch.dtype.calculate.yield.dtypes %int4 : !torch.int
  } : !torch.number
  %2 = torch.aten.mul.Scalar %arg2, %1 : !torch.vtensor<[3],f32>, !torch.number -> !torch.vtensor
  return %0, %1, %2 : !torch.number, !torch.number, !torch.vtensor
}

// CHECK-LABEL: func.func @numbers
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.number, %[[ARG1:.*]]: !torch.float, %[[ARG2:.*]]: !torch.vtensor<[3],f32>) -> (!torch.number, !torch.number, !torch.vtensor) {
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[INT7:.*]] = torch.constant.int 7
// CHECK-NEXT:      %[[V0:.*]] = torch.dtype.calculate {
// CHECK-NEXT:        %[[V5:.*]] = torch.aten.mul %[[ARG0]], %[[ARG1]] : !torch.number, !torch.float -> !torch.float
// CHECK-NEXT:        torch.dtype.calculate.yield %[[V5]] : !torch.float
// CHECK-NEXT:      } dtypes {
// CHECK-NEXT:        torch.dtype.calculate.yield.dtypes %[[INT7]] : !torch.int
// CHECK-NEXT:      } : !torch.float
// CHECK-NEXT:      %[[V1:.*]] = torch.derefine %[[V0]] : !torch.float to !torch.number
// CHECK-NEXT:      %[[V2:.*]] = torch.dtype.calculate {
// CHECK-NEXT:        %[[V5]] = torch.aten.sub %[[ARG0]], %[[ARG0]] : !torch.number, !torch.number -> !torch.int
// CHECK-NEXT:        torch.dtype.calculate.yield %[[V5]] : !torch.int
// CHECK-NEXT:      } dtypes {
// CHECK-NEXT:        torch.dtype.calculate.yield.dtypes %[[INT4]] : !torch.int
// CHECK-NEXT:      } : !torch.int
// CHECK-NEXT:      %[[V3:.*]] = torch.derefine %[[V2]] : !torch.int to !torch.number
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.mul.Scalar %[[ARG2]], %[[V2]] : !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor
// CHECK-NEXT:      return %[[V1]], %[[V3]], %[[V4]] : !torch.number, !torch.number, !torch.vtensor
// CHECK-NEXT:    }

// -----

// What no number has as its dtype, and what is not known, leave a number as it is: its calculation
// says what it is, not the operator.

func.func @unknown_numbers(%arg0: !torch.int, %arg1: !torch.int) -> (!torch.number, !torch.number) {
  %0 = torch.dtype.calculate {
    %2 = torch.aten.mul %arg0, %arg1 : !torch.int, !torch.int -> !torch.number
    torch.dtype.calculate.yield %2 : !torch.number
  } dtypes {
    torch.dtype.calculate.yield.dtypes %arg0 : !torch.int
  } : !torch.number
  %1 = torch.dtype.calculate {
    %2 = torch.aten.mul %arg0, %arg1 : !torch.int, !torch.int -> !torch.number
    torch.dtype.calculate.yield %2 : !torch.number
  } dtypes {
    %int11 = torch.constant.int 11
    torch.dtype.calculate.yield.dtypes %int11 : !torch.int
  } : !torch.number
  return %0, %1 : !torch.number, !torch.number
}

// CHECK-LABEL: func.func @unknown_numbers
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.int, %[[ARG1:.*]]: !torch.int) -> (!torch.number, !torch.number) {
// CHECK-NEXT:      %[[INT11:.*]] = torch.constant.int 11
// CHECK-NEXT:      %[[V0:.*]] = torch.dtype.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.mul %[[ARG0]], %[[ARG1]] : !torch.int, !torch.int -> !torch.number
// CHECK-NEXT:        torch.dtype.calculate.yield %[[V2]] : !torch.number
// CHECK-NEXT:      } dtypes {
// CHECK-NEXT:        torch.dtype.calculate.yield.dtypes %[[ARG0]] : !torch.int
// CHECK-NEXT:      } : !torch.number
// CHECK-NEXT:      %[[V1:.*]] = torch.dtype.calculate {
// CHECK-NEXT:        %[[V2]] = torch.aten.mul %[[ARG0]], %[[ARG1]] : !torch.int, !torch.int -> !torch.number
// CHECK-NEXT:        torch.dtype.calculate.yield %[[V2]] : !torch.number
// CHECK-NEXT:      } dtypes {
// CHECK-NEXT:        torch.dtype.calculate.yield.dtypes %[[INT11]] : !torch.int
// CHECK-NEXT:      } : !torch.number
// CHECK-NEXT:      return %[[V0]], %[[V1]] : !torch.number, !torch.number
// CHECK-NEXT:    }

// -----

// A number that comes from outside is what it is, whatever a calculation says of it.

func.func @given_number(%arg0: !torch.number) -> !torch.number {
  %0 = torch.dtype.calculate {
    torch.dtype.calculate.yield %arg0 : !torch.number
  } dtypes {
    %int4 = torch.constant.int 4
    torch.dtype.calculate.yield.dtypes %int4 : !torch.int
  } : !torch.number
  return %0 : !torch.number
}

// CHECK-LABEL: func.func @given_number
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.number) -> !torch.number {
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.dtype.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.prim.unchecked_cast %[[ARG0]] : !torch.number -> !torch.int
// CHECK-NEXT:        torch.dtype.calculate.yield %[[V2]] : !torch.int
// CHECK-NEXT:      } dtypes {
// CHECK-NEXT:        torch.dtype.calculate.yield.dtypes %[[INT4]] : !torch.int
// CHECK-NEXT:      } : !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.derefine %[[V0]] : !torch.int to !torch.number
// CHECK-NEXT:      return %[[V1]] : !torch.number
// CHECK-NEXT:    }
