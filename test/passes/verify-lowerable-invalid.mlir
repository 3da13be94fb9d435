// RUN: torch-refine-opt %s --split-input-file --torch-verify-lowerable --verify-diagnostics

func.func @complex(%arg0: !torch.vtensor<[2],complex<f32>>) -> !torch.vtensor<[2],complex<f32>> {
  // expected-error @+1 {{torch.aten.exp is not lowered: for complex element types}}
  %0 = torch.aten.exp %arg0 : !torch.vtensor<[2],complex<f32>> -> !torch.vtensor<[2],complex<f32>>
  return %0 : !torch.vtensor<[2],complex<f32>>
}

// -----

func.func @unsigned(%arg0: !torch.vtensor<[2],ui8>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{torch.aten.mul.Tensor is not lowered: for unsigned integers with floats: cast them before}}
  %0 = torch.aten.mul.Tensor %arg0, %arg1 : !torch.vtensor<[2],ui8>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// Tensors in a list count.

func.func @list(%arg0: !torch.vtensor<[2],ui8>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[2],ui8>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  // expected-error @+1 {{torch.aten.cat is not lowered: for unsigned integers with floats}}
  %1 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

// -----

func.func @same(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],i1> {
  // expected-error @+1 {{torch.aten.eq.Tensor is not lowered: for equal float operands, as it is folded without regard to NaN}}
  %0 = torch.aten.eq.Tensor %arg0, %arg0 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

// -----

func.func @floor(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %floor = torch.constant.str "floor"
  // expected-error @+1 {{torch.aten.div.Tensor_mode is not lowered: for quotients that are rounded down, which its conversion computes of floats}}
  %0 = torch.aten.div.Tensor_mode %arg0, %arg1, %floor : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.str -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @count() -> !torch.vtensor<[4],si32> {
  %none = torch.constant.none
  %end = torch.constant.float 3.100000e+00
  %int3 = torch.constant.int 3
  // expected-error @+1 {{torch.aten.arange is not lowered: for an integer result with float bounds or step}}
  %0 = torch.aten.arange %end, %int3, %none, %none, %none : !torch.float, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],si32>
  return %0 : !torch.vtensor<[4],si32>
}

// -----

func.func @back(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32> {
  %int-1 = torch.constant.int -1
  %false = torch.constant.bool false
  // expected-error @+1 {{torch.aten.gather is not lowered: for a negative dimension}}
  %0 = torch.aten.gather %arg0, %int-1, %arg1, %false : !torch.vtensor<[4],f32>, !torch.int, !torch.vtensor<[4],si64>, !torch.bool -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @most(%arg0: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[],ui8> {
  // expected-error @+1 {{torch.aten.max is not lowered: for a full reduction of unsigned integers}}
  %0 = torch.aten.max %arg0 : !torch.vtensor<[4],ui8> -> !torch.vtensor<[],ui8>
  return %0 : !torch.vtensor<[],ui8>
}

// -----

// expected-error @+1 {{argument 0: strided<[?, ?, 1]> has another rank than the tensor}}
func.func @f(%arg0: !torch.vtensor<[2,3],f32> {bufferization.buffer_layout = strided<[?, ?, 1]>}) -> !torch.vtensor<[2,3],f32> {
  return %arg0 : !torch.vtensor<[2,3],f32>
}

// -----

// expected-error @+1 {{argument 1: strided<[4, 1]> has static strides; only a last stride of 1 is supported}}
func.func @f(%arg0: !torch.vtensor<[2,3],f32> {bufferization.buffer_layout = strided<[?, 1]>}, %arg1: !torch.vtensor<[2,3],f32> {bufferization.buffer_layout = strided<[4, 1]>}) -> !torch.vtensor<[2,3],f32> {
  return %arg0 : !torch.vtensor<[2,3],f32>
}

// -----

// expected-error @+1 {{argument 0: strided<[?], offset: 3> has a static offset other than 0}}
func.func @f(%arg0: !torch.vtensor<[2],f32> {bufferization.buffer_layout = strided<[?], offset: 3>}) -> !torch.vtensor<[2],f32> {
  return %arg0 : !torch.vtensor<[2],f32>
}

// -----

// expected-error @+1 {{argument 0: affine_map<(d0) -> (d0)> is not a strided layout}}
func.func @f(%arg0: !torch.vtensor<[2],f32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>}) -> !torch.vtensor<[2],f32> {
  return %arg0 : !torch.vtensor<[2],f32>
}

// -----

// Offsets in memory have 64 bits.

// expected-error @+1 {{argument 0: !torch.vtensor<[9223372036854775807,3],f32> has more elements than 64 bits can address}}
func.func @too_large(%arg0: !torch.vtensor<[9223372036854775807,3],f32>) -> !torch.vtensor<[9223372036854775807,3],f32> {
  // expected-error @+1 {{torch.aten.tanh is not lowered: !torch.vtensor<[9223372036854775807,3],f32> has more elements than 64 bits can address}}
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[9223372036854775807,3],f32> -> !torch.vtensor<[9223372036854775807,3],f32>
  return %0 : !torch.vtensor<[9223372036854775807,3],f32>
}

// -----

func.func @mixed(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],i1> {
  // expected-error @+1 {{torch.aten.ne.Tensor is not lowered: for 8-bit integers with other dtypes: cast them before}}
  %0 = torch.aten.ne.Tensor %arg0, %arg1 : !torch.vtensor<[2],i1>, !torch.vtensor<[2],ui8> -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

// -----

func.func @order(%arg0: !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],ui8> {
  // expected-error @+1 {{torch.aten.maximum is not lowered: for unsigned integers, which are compared as signed}}
  %0 = torch.aten.maximum %arg0, %arg0 : !torch.vtensor<[2],ui8>, !torch.vtensor<[2],ui8> -> !torch.vtensor<[2],ui8>
  return %0 : !torch.vtensor<[2],ui8>
}

// -----

func.func @bytes(%arg0: !torch.vtensor<[2],si8>) -> !torch.vtensor<[2],si8> {
  %int4 = torch.constant.int 4
  %int1 = torch.constant.int 1
  // expected-error @+1 {{torch.aten.sub.Scalar is not lowered: for 8-bit integers: cast them to int32 before}}
  %0 = torch.aten.sub.Scalar %arg0, %int4, %int1 : !torch.vtensor<[2],si8>, !torch.int, !torch.int -> !torch.vtensor<[2],si8>
  return %0 : !torch.vtensor<[2],si8>
}

// -----

func.func @one(%arg0: !torch.vtensor<[4],i1>, %arg1: !torch.vtensor<[],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @+1 {{torch.aten.where.self is not lowered: for equal operands with other sizes than the result}}
  %0 = torch.aten.where.self %arg0, %arg1, %arg1 : !torch.vtensor<[4],i1>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @to_unsigned(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[2],ui16>) -> !torch.vtensor<[2],ui16> {
  %int27 = torch.constant.int 27
  %false = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.to.dtype %arg1, %int27, %false, %false, %none : !torch.vtensor<[2],ui16>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],ui16>
  // expected-error @+1 {{torch.aten.to.dtype is not lowered: for results of unsigned integers of more than 8 bits}}
  %1 = torch.aten.to.dtype %arg0, %int27, %false, %false, %none : !torch.vtensor<[2],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],ui16>
  return %1 : !torch.vtensor<[2],ui16>
}

// -----

func.func @products_of_bytes(%arg0: !torch.vtensor<[2,3],si8>, %arg1: !torch.vtensor<[3,2],si8>) -> !torch.vtensor<[2,2],si8> {
  // expected-error @+1 {{torch.aten.mm is not lowered: for bools and 8-bit integers: cast them to int32 before}}
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,3],si8>, !torch.vtensor<[3,2],si8> -> !torch.vtensor<[2,2],si8>
  return %0 : !torch.vtensor<[2,2],si8>
}

// -----

func.func @order_of_bools(%arg0: !torch.vtensor<[2],i1>) -> !torch.vtensor<[2],i1> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @+1 {{torch.aten.sort is not lowered: for unsigned integers and bools, which are compared as signed}}
  %0, %1 = torch.aten.sort %arg0, %int0, %false : !torch.vtensor<[2],i1>, !torch.int, !torch.bool -> !torch.vtensor<[2],i1>, !torch.vtensor<[2],si64>
  return %0 : !torch.vtensor<[2],i1>
}

// -----

func.func @sums_of_bools(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.vtensor<[2],si64>, %arg2: !torch.vtensor<[2],i1>) -> !torch.vtensor<[2],i1> {
  %int0 = torch.constant.int 0
  // expected-error @+1 {{torch.aten.scatter_add is not lowered: for bools, which are added and compared as signed integers of one bit}}
  %0 = torch.aten.scatter_add %arg0, %int0, %arg1, %arg2 : !torch.vtensor<[2],i1>, !torch.int, !torch.vtensor<[2],si64>, !torch.vtensor<[2],i1> -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

