// RUN: torch-refine-opt %s --split-input-file --torch-reify-dtype-calculations | filecheck %s

// A tensor becomes its rank and dtype, a number the number that it is.

func.func @tensor_and_number(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %float2 = torch.constant.float 2.000000e+00
  %0 = torch.aten.add.Scalar %arg0, %float2, %int1 : !torch.vtensor<[2,3],f32>, !torch.float, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @tensor_and_number
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[FLOAT2_000000E00:.*]] = torch.constant.float 2.000000e+00
// CHECK-NEXT:      %[[V0:.*]] = torch.dtype.calculate {
// CHECK-NEXT:        %[[V1:.*]] = torch.aten.add.Scalar %[[ARG0]], %[[FLOAT2_000000E00]], %[[INT1]] : !torch.vtensor<[2,3],f32>, !torch.float, !torch.int -> !torch.vtensor
// CHECK-NEXT:        torch.dtype.calculate.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      } dtypes {
// CHECK-NEXT:        %[[V1]] = torch.aten.size %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.list<int>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.len.t %[[V1]] : !torch.list<int> -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.prim.dtype %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.int
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.TupleConstruct %[[V2]], %[[V3]] : !torch.int, !torch.int -> !torch.tuple<int, int>
// CHECK-NEXT:        %[[V5:.*]] = torch.derefine %[[FLOAT2_000000E00]] : !torch.float to !torch.number
// CHECK-NEXT:        %[[V6:.*]] = torch.derefine %[[INT1]] : !torch.int to !torch.number
// CHECK-NEXT:        %[[V7:.*]] = func.call @__torch_mlir_dtype_fn.aten.add.Scalar(%[[V4]], %[[V5]], %[[V6]]) : (!torch.tuple<int, int>, !torch.number, !torch.number) -> !torch.int
// CHECK-NEXT:        torch.dtype.calculate.yield.dtypes %[[V7]] : !torch.int
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A bool that stands for a number has no direct cast in the dialect.

func.func @bool_as_number(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.operator "torch.aten.add.Scalar"(%arg0, %true, %int1) : (!torch.vtensor<[2,3],f32>, !torch.bool, !torch.int) -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @bool_as_number
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[V0:.*]] = torch.dtype.calculate {
// CHECK-NEXT:        %[[V1:.*]] = torch.operator "torch.aten.add.Scalar"(%[[ARG0]], %[[TRUE]], %[[INT1]]) : (!torch.vtensor<[2,3],f32>, !torch.bool, !torch.int) -> !torch.vtensor
// CHECK-NEXT:        torch.dtype.calculate.yield %[[V1]] : !torch.vtensor
// CHECK-NEXT:      } dtypes {
// CHECK-NEXT:        %[[V1]] = torch.aten.size %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.list<int>
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.len.t %[[V1]] : !torch.list<int> -> !torch.int
// CHECK-NEXT:        %[[V3:.*]] = torch.prim.dtype %[[ARG0]] : !torch.vtensor<[2,3],f32> -> !torch.int
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.TupleConstruct %[[V2]], %[[V3]] : !torch.int, !torch.int -> !torch.tuple<int, int>
// CHECK-NEXT:        %[[V5:.*]] = torch.derefine %[[TRUE]] : !torch.bool to !torch.any
// CHECK-NEXT:        %[[V6:.*]] = torch.prim.unchecked_cast %[[V5]] : !torch.any -> !torch.number
// CHECK-NEXT:        %[[V7:.*]] = torch.derefine %[[INT1]] : !torch.int to !torch.number
// CHECK-NEXT:        %[[V8:.*]] = func.call @__torch_mlir_dtype_fn.aten.add.Scalar(%[[V4]], %[[V6]], %[[V7]]) : (!torch.tuple<int, int>, !torch.number, !torch.number) -> !torch.int
// CHECK-NEXT:        torch.dtype.calculate.yield.dtypes %[[V8]] : !torch.int
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A lone dtype stands for all tensors of a list.

func.func @list_result(%arg0: !torch.vtensor) -> !torch.vtensor {
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %0 = torch.aten.split.Tensor %arg0, %int2, %int0 : !torch.vtensor, !torch.int, !torch.int -> !torch.list<vtensor>
  %1 = torch.aten.__getitem__.t %0, %int2 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @list_result
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.split.Tensor %[[ARG0]], %[[INT2]], %[[INT0]] : !torch.vtensor, !torch.int, !torch.int -> !torch.list<vtensor>
// CHECK-NEXT:      %[[V1:.*]] = torch.dtype.calculate {
// CHECK-NEXT:        %[[V2:.*]] = torch.aten.__getitem__.t %[[V0]], %[[INT2]] : !torch.list<vtensor>, !torch.int -> !torch.vtensor
// CHECK-NEXT:        torch.dtype.calculate.yield %[[V2]] : !torch.vtensor
// CHECK-NEXT:      } dtypes {
// CHECK-NEXT:        %[[V2]] = torch.aten.size %[[ARG0]] : !torch.vtensor -> !torch.list<int>
// CHECK-NEXT:        %[[V3:.*]] = torch.aten.len.t %[[V2]] : !torch.list<int> -> !torch.int
// CHECK-NEXT:        %[[V4:.*]] = torch.prim.dtype %[[ARG0]] : !torch.vtensor -> !torch.int
// CHECK-NEXT:        %[[V5:.*]] = torch.prim.TupleConstruct %[[V3]], %[[V4]] : !torch.int, !torch.int -> !torch.tuple<int, int>
// CHECK-NEXT:        %[[V6:.*]] = func.call @__torch_mlir_dtype_fn.aten.split.Tensor(%[[V5]], %[[INT2]], %[[INT0]]) : (!torch.tuple<int, int>, !torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:        %[[V7:.*]] = torch.aten.len.t %[[V6]] : !torch.list<int> -> !torch.int
// CHECK-NEXT:        %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:        %[[V8:.*]] = torch.aten.sub.int %[[V7]], %[[INT1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V9:.*]] = torch.prim.min.int %[[INT2]], %[[V8]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:        %[[V10:.*]] = torch.aten.__getitem__.t %[[V6]], %[[V9]] : !torch.list<int>, !torch.int -> !torch.int
// CHECK-NEXT:        torch.dtype.calculate.yield.dtypes %[[V10]] : !torch.int
// CHECK-NEXT:      } : !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }
