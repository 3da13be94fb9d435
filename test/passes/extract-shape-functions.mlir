// RUN: torch-refine-opt %s --split-input-file --torch-extract-shape-functions=peak=true | filecheck %s

// A symbol is read from one size, and asserted to fit all others; its bounds are asserted, too.

func.func @multiples(%query: !torch.vtensor<[?,?],f32>, %keys: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %s = torch.symbolic_int "_seq" {min_val = 1, max_val = 64} : !torch.int
  %b = torch.symbolic_int "b" {min_val = 2, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %query, [%b, %s], affine_map<()[s0, s1] -> (s0, s1 * 8)> : !torch.vtensor<[?,?],f32>
  torch.bind_symbolic_shape %keys, [%b, %s], affine_map<()[s0, s1] -> (s1 * 8 + 1, s0)> : !torch.vtensor<[?,?],f32>
  %0 = torch.aten.mm %keys, %query : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// CHECK-LABEL: func.func @multiples_shapes
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.int, %[[ARG1:.*]]: !torch.int, %[[ARG2:.*]]: !torch.int, %[[ARG3:.*]]: !torch.int) -> (!torch.list<int>, !torch.int) attributes {torch_refine.shapes_of = @multiples} {
// CHECK-NEXT:      %[[INT8:.*]] = torch.constant.int 8
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT64:.*]] = torch.constant.int 64
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT32:.*]] = torch.constant.int 32
// CHECK-NEXT:      %[[INT256:.*]] = torch.constant.int 256
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.remainder.int %[[ARG1]], %[[INT8]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.eq.int %[[V0]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V1]], "arg0.size(1) must be 8*_seq"
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.ge.int %[[ARG0]], %[[INT2]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V2]], "b must be >= 2"
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.le.int %[[ARG0]], %[[INT64]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V3]], "b must be <= 64"
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.floordiv.int %[[ARG1]], %[[INT8]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.ge.int %[[V4]], %[[INT1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V5]], "_seq must be >= 1"
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.le.int %[[V4]], %[[INT64]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V6]], "_seq must be <= 64"
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.mul.int %[[V4]], %[[INT8]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V8:.*]] = torch.aten.add.int %[[V7]], %[[INT1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V9:.*]] = torch.aten.eq.int %[[ARG2]], %[[V8]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V9]], "arg1.size(0) must be 8*_seq + 1"
// CHECK-NEXT:      %[[V10:.*]] = torch.aten.eq.int %[[ARG3]], %[[ARG0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V10]], "arg1.size(1) must be b"
// CHECK-NEXT:      %[[V11:.*]] = torch.prim.ListConstruct %[[V8]], %[[V7]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V12:.*]] = torch.aten.mul.int %[[V4]], %[[INT32]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V13:.*]] = torch.aten.mul.int %[[V4]], %[[V4]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V14:.*]] = torch.aten.mul.int %[[V13]], %[[INT256]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V15:.*]] = torch.aten.add.int %[[V12]], %[[V14]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V16:.*]] = torch.aten.mul.int %[[ARG0]], %[[INT4]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V17:.*]] = torch.aten.mul.int %[[ARG0]], %[[V4]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V18:.*]] = torch.aten.mul.int %[[V17]], %[[INT64]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V19:.*]] = torch.aten.add.int %[[V16]], %[[V18]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V20:.*]] = torch.aten.add.int %[[V19]], %[[V15]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      return %[[V11]], %[[V20]] : !torch.list<int>, !torch.int
// CHECK-NEXT:    }

// -----

// An int argument is taken as it is; a precondition of an operator has its message, and a view no bytes.

func.func @guards(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.int) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %0 = torch.aten.narrow %arg0, %int0, %arg1, %int2 : !torch.vtensor<[?,4],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @guards_shapes
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.int, %[[ARG1:.*]]: !torch.int) -> (!torch.list<int>, !torch.int) attributes {torch_refine.shapes_of = @guards} {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INTMINUS2:.*]] = torch.constant.int -2
// CHECK-NEXT:      %[[INTMINUS1:.*]] = torch.constant.int -1
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[INT16:.*]] = torch.constant.int 16
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.ge.int %[[ARG0]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V0]], "s0 must be >= 0"
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.add.int %[[ARG0]], %[[ARG1]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V2:.*]] = torch.aten.ge.int %[[V1]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.ge.int %[[ARG0]], %[[ARG1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.__and__.bool %[[V2]], %[[V3]] : !torch.bool, !torch.bool -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V4]], "aten::narrow: start arg1 is out of range for size arg0.size(0)"
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.le.int %[[ARG1]], %[[INTMINUS2]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.gt.int %[[ARG1]], %[[INTMINUS1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V7:.*]] = torch.aten.add.int %[[ARG1]], %[[INT2]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V8:.*]] = torch.aten.ge.int %[[ARG0]], %[[V7]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      %[[V9:.*]] = torch.aten.__and__.bool %[[V6]], %[[V8]] : !torch.bool, !torch.bool -> !torch.bool
// CHECK-NEXT:      %[[V10:.*]] = torch.aten.__or__.bool %[[V5]], %[[V9]] : !torch.bool, !torch.bool -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V10]], "aten::narrow: start + length must be at most arg0.size(0), got arg1 + 2"
// CHECK-NEXT:      %[[V11:.*]] = torch.prim.ListConstruct %[[INT2]], %[[INT4]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V12:.*]] = torch.aten.mul.int %[[ARG0]], %[[INT16]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      return %[[V11]], %[[V12]] : !torch.list<int>, !torch.int
// CHECK-NEXT:    }

// -----

// Lists and tuples of tensors are returned as their tensors; the function's name is not taken.

func.func private @pair_shapes()
func.func @pair(%arg0: !torch.vtensor<[?],f16>) -> (!torch.tuple<vtensor, list<vtensor>>) {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %0 = torch.aten.chunk %arg0, %int2, %int0 : !torch.vtensor<[?],f16>, !torch.int, !torch.int -> !torch.list<vtensor>
  %1 = torch.aten.exp %arg0 : !torch.vtensor<[?],f16> -> !torch.vtensor
  %2 = torch.aten.cos %arg0 : !torch.vtensor<[?],f16> -> !torch.vtensor
  %3 = torch.prim.ListConstruct %1, %2 : (!torch.vtensor, !torch.vtensor) -> !torch.list<vtensor>
  %4 = torch.prim.TupleConstruct %1, %3 : !torch.vtensor, !torch.list<vtensor> -> !torch.tuple<vtensor, list<vtensor>>
  return %4 : !torch.tuple<vtensor, list<vtensor>>
}

// CHECK-LABEL: func.func @pair_shapes_0
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.int) -> (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int) attributes {torch_refine.shapes_of = @pair} {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[INT2:.*]] = torch.constant.int 2
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.ge.int %[[ARG0]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V0]], "s0 must be >= 0"
// CHECK-NEXT:      %[[V1:.*]] = torch.prim.ListConstruct %[[ARG0]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.ListConstruct %[[ARG0]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V3:.*]] = torch.prim.ListConstruct %[[ARG0]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.mul.int %[[ARG0]], %[[INT4]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.mul.int %[[ARG0]], %[[INT2]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.add.int %[[V5]], %[[V4]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      return %[[V1]], %[[V2]], %[[V3]], %[[V6]] : !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int
// CHECK-NEXT:    }

// -----

// The peak is at the multiplication: its operands and its result are live; input and weight always are.

func.func @peak(%arg0: !torch.vtensor<[?,4],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.vtensor.literal(dense<1.0> : tensor<4x4xf32>) : !torch.vtensor<[4,4],f32>
  %1 = torch.aten.mm %arg0, %0 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4,4],f32> -> !torch.vtensor
  %2 = torch.aten.add.Tensor %1, %1, %int1 : !torch.vtensor, !torch.vtensor, !torch.int -> !torch.vtensor
  %3 = torch.aten.mul.Tensor %1, %2 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  %int0 = torch.constant.int 0
  %4 = torch.aten.select.int %3, %int0, %int0 : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  return %4 : !torch.vtensor
}

// CHECK-LABEL: func.func @peak_shapes
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.int) -> (!torch.list<int>, !torch.int) attributes {torch_refine.shapes_of = @peak} {
// CHECK-NEXT:      %[[INT0:.*]] = torch.constant.int 0
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[INT4:.*]] = torch.constant.int 4
// CHECK-NEXT:      %[[INT48:.*]] = torch.constant.int 48
// CHECK-NEXT:      %[[INT16:.*]] = torch.constant.int 16
// CHECK-NEXT:      %[[INT64:.*]] = torch.constant.int 64
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.ge.int %[[ARG0]], %[[INT0]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V0]], "s0 must be >= 0"
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.ge.int %[[ARG0]], %[[INT1]] : !torch.int, !torch.int -> !torch.bool
// CHECK-NEXT:      torch.runtime.assert %[[V1]], "aten::select.int: index 0 is out of range for size 0"
// CHECK-NEXT:      %[[V2:.*]] = torch.prim.ListConstruct %[[INT4]] : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      %[[V3:.*]] = torch.aten.mul.int %[[ARG0]], %[[INT48]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V4:.*]] = torch.aten.mul.int %[[ARG0]], %[[INT16]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V5:.*]] = torch.aten.add.int %[[V4]], %[[INT64]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      %[[V6:.*]] = torch.aten.add.int %[[V5]], %[[V3]] : !torch.int, !torch.int -> !torch.int
// CHECK-NEXT:      return %[[V2]], %[[V6]] : !torch.list<int>, !torch.int
// CHECK-NEXT:    }

// -----

// Private functions have none, nor have those that have one already.

func.func private @private(%arg0: !torch.vtensor<[?],f32>) {
  return
}
func.func @has(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  return %arg0 : !torch.vtensor<[?],f32>
}
func.func @sizes_of_has(%arg0: !torch.int) -> !torch.list<int> attributes {torch_refine.shapes_of = @has} {
  %0 = torch.prim.ListConstruct %arg0 : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}

// CHECK-LABEL: func.func private @private
// CHECK-LABEL: func.func @has
// CHECK-LABEL: func.func @sizes_of_has
// CHECK-NOT:   func.func
