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

func.func @variance(%arg0: !torch.vtensor<[2,1],f32>) -> !torch.vtensor<[2],f32> {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.var.dim is not lowered: for a correction that is not less than the number of elements}}
  %0 = torch.aten.var.dim %arg0, %dims, %true, %false : !torch.vtensor<[2,1],f32>, !torch.list<int>, !torch.bool, !torch.bool -> !torch.vtensor<[2],f32>
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

func.func @bools() -> !torch.vtensor<[4],i1> {
  %none = torch.constant.none
  %int4 = torch.constant.int 4
  %int6 = torch.constant.int 6
  %int11 = torch.constant.int 11
  %size = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.full is not lowered: for bools and a scalar that is neither 0 nor 1}}
  %0 = torch.aten.full %size, %int6, %int11, %none, %none, %none : !torch.list<int>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],i1>
  return %0 : !torch.vtensor<[4],i1>
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

func.func @rest(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @+1 {{torch.aten.fmod.Tensor is not lowered: for floats, as its conversion divides them}}
  %0 = torch.aten.fmod.Tensor %arg0, %arg1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @most(%arg0: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[],ui8> {
  // expected-error @+1 {{torch.aten.max is not lowered: for a full reduction of unsigned integers}}
  %0 = torch.aten.max %arg0 : !torch.vtensor<[4],ui8> -> !torch.vtensor<[],ui8>
  return %0 : !torch.vtensor<[],ui8>
}

// -----

func.func @interpolated(%arg0: !torch.vtensor<[1,1,4,4],ui8>) -> !torch.vtensor<[1,1,8,8],ui8> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int8 = torch.constant.int 8
  %size = torch.prim.ListConstruct %int8, %int8 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.upsample_bilinear2d is not lowered: for unsigned integers, which PyTorch interpolates in fixed point}}
  %0 = torch.aten.upsample_bilinear2d %arg0, %size, %false, %none, %none : !torch.vtensor<[1,1,4,4],ui8>, !torch.list<int>, !torch.bool, !torch.none, !torch.none -> !torch.vtensor<[1,1,8,8],ui8>
  return %0 : !torch.vtensor<[1,1,8,8],ui8>
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

func.func @zeros(%arg0: !torch.vtensor<[2],ui64>) -> !torch.vtensor<[2],ui64> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @+1 {{torch.aten.zeros_like is not lowered: for results of unsigned integers of more than 8 bits}}
  %0 = torch.aten.zeros_like %arg0, %none, %none, %none, %false, %none : !torch.vtensor<[2],ui64>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[2],ui64>
  return %0 : !torch.vtensor<[2],ui64>
}

// -----

func.func @running_statistics(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4],f32> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %float1 = torch.constant.float 1.000000e-01
  // expected-error @+1 {{torch.aten.instance_norm is not lowered: for running statistics in training, which PyTorch writes to}}
  %0 = torch.aten.instance_norm %arg0, %none, %none, %arg1, %arg2, %true, %float1, %float1, %true : !torch.vtensor<[2,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[2,3,4],f32>
  return %0 : !torch.vtensor<[2,3,4],f32>
}

// -----

func.func @softmax_gradient_of_two_dtypes(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[3],f64>) -> !torch.vtensor<[3],f64> {
  %int0 = torch.constant.int 0
  %int7 = torch.constant.int 7
  // expected-error @below {{torch.aten._softmax_backward_data is not lowered: for operands of different dtypes}}
  %0 = torch.aten._softmax_backward_data %arg0, %arg1, %int0, %int7 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f64>, !torch.int, !torch.int -> !torch.vtensor<[3],f64>
  return %0 : !torch.vtensor<[3],f64>
}

// -----

func.func @windows_of_another_dtype(%arg0: !torch.vtensor<[16],f32>, %arg1: !torch.vtensor<[4],f64>) -> !torch.vtensor<[3,13,2],f64> {
  %int4 = torch.constant.int 4
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %false = torch.constant.bool false
  // expected-error @below {{torch.aten.stft is not lowered: for a window of another dtype, complex numbers or `align_to_window`}}
  %0 = torch.aten.stft %arg0, %int4, %int1, %int4, %arg1, %false, %none, %false, %none : !torch.vtensor<[16],f32>, !torch.int, !torch.int, !torch.int, !torch.vtensor<[4],f64>, !torch.bool, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[3,13,2],f64>
  return %0 : !torch.vtensor<[3,13,2],f64>
}

// -----

// Operators that decomposition functions replace before.
func.func @floor_of_integers(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> {
  // expected-error @+1 {{torch.aten.floor_divide is not lowered: for quotients that are rounded down, which its conversion computes of floats}}
  %0 = torch.aten.floor_divide %arg0, %arg1 : !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64> -> !torch.vtensor<[2],si64>
  return %0 : !torch.vtensor<[2],si64>
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

// -----

func.func @reciprocal(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{torch.aten.reciprocal is not lowered: as its conversion asserts that no number is 0}}
  %0 = torch.aten.reciprocal %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @gradient_of_groups(%arg0: !torch.vtensor<[1,2,3],f32>, %arg1: !torch.vtensor<[1,2,5],f32>, %arg2: !torch.vtensor<[2,1,3],f32>) -> !torch.vtensor<[1,2,5],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %zero = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %two = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %all = torch.prim.ListConstruct %true, %true, %true : (!torch.bool, !torch.bool, !torch.bool) -> !torch.list<bool>
  // expected-error @+1 {{torch.aten.convolution_backward is not lowered: for groups, or sizes that the strides leave open}}
  %0, %1, %2 = torch.aten.convolution_backward %arg0, %arg1, %arg2, %two, %one, %zero, %one, %false, %zero, %int2, %all : !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,2,5],f32>, !torch.vtensor<[2,1,3],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int, !torch.list<bool> -> !torch.vtensor<[1,2,5],f32>, !torch.vtensor<[2,1,3],f32>, !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[1,2,5],f32>
}

// -----

// A bound that the dtype does not have, which versions of PyTorch convert in different ways.
func.func @bound(%arg0: !torch.vtensor<[2],si8>) -> !torch.vtensor<[2],si8> {
  %int300 = torch.constant.int 300
  // expected-error @+1 {{torch.aten.clamp_min is not lowered: for a number that the dtype does not have}}
  %0 = torch.aten.clamp_min %arg0, %int300 : !torch.vtensor<[2],si8>, !torch.int -> !torch.vtensor<[2],si8>
  return %0 : !torch.vtensor<[2],si8>
}

// -----

// Windows that the library's function does not cover.
func.func @windows(%arg0: !torch.vtensor<[1,2,5],f32>) -> (!torch.vtensor<[1,2,0],f32>, !torch.vtensor<[1,2,0],si64>) {
  %int0 = torch.constant.int 0
  %sizes = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.adaptive_max_pool1d is not lowered: as its conversion compares with memory that is not initialised}}
  %0, %1 = torch.aten.adaptive_max_pool1d %arg0, %sizes : !torch.vtensor<[1,2,5],f32>, !torch.list<int> -> !torch.vtensor<[1,2,0],f32>, !torch.vtensor<[1,2,0],si64>
  return %0, %1 : !torch.vtensor<[1,2,0],f32>, !torch.vtensor<[1,2,0],si64>
}
