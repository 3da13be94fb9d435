// RUN: torch-refine-opt %s --split-input-file --torch-verify-lowered=before-conversions=true --verify-diagnostics

// Operators that decomposition functions replace, in forms that they do not take. Upstream has
// conversions of some, which compute something else than PyTorch.

func.func @variance(%arg0: !torch.vtensor<[2,1],f32>) -> !torch.vtensor<[2],f32> {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.var.dim has no lowering to linalg}}
  %0 = torch.aten.var.dim %arg0, %dims, %true, %false : !torch.vtensor<[2,1],f32>, !torch.list<int>, !torch.bool, !torch.bool -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @bools() -> !torch.vtensor<[4],i1> {
  %none = torch.constant.none
  %int4 = torch.constant.int 4
  %int6 = torch.constant.int 6
  %int11 = torch.constant.int 11
  %size = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.full has no lowering to linalg}}
  %0 = torch.aten.full %size, %int6, %int11, %none, %none, %none : !torch.list<int>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],i1>
  return %0 : !torch.vtensor<[4],i1>
}

// -----

func.func @rest(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @+1 {{torch.aten.fmod.Tensor has no lowering to linalg}}
  %0 = torch.aten.fmod.Tensor %arg0, %arg1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @interpolated(%arg0: !torch.vtensor<[1,1,4,4],ui8>) -> !torch.vtensor<[1,1,8,8],ui8> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int8 = torch.constant.int 8
  %size = torch.prim.ListConstruct %int8, %int8 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.upsample_bilinear2d has no lowering to linalg}}
  %0 = torch.aten.upsample_bilinear2d %arg0, %size, %false, %none, %none : !torch.vtensor<[1,1,4,4],ui8>, !torch.list<int>, !torch.bool, !torch.none, !torch.none -> !torch.vtensor<[1,1,8,8],ui8>
  return %0 : !torch.vtensor<[1,1,8,8],ui8>
}

// -----

func.func @zeros(%arg0: !torch.vtensor<[2],ui64>) -> !torch.vtensor<[2],ui64> {
  %false = torch.constant.bool false
  %none = torch.constant.none
  // expected-error @+1 {{torch.aten.zeros_like has no lowering to linalg}}
  %0 = torch.aten.zeros_like %arg0, %none, %none, %none, %false, %none : !torch.vtensor<[2],ui64>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[2],ui64>
  return %0 : !torch.vtensor<[2],ui64>
}

// -----

func.func @running_statistics(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4],f32> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %float1 = torch.constant.float 1.000000e-01
  // expected-error @+1 {{torch.aten.instance_norm has no lowering to linalg}}
  %0 = torch.aten.instance_norm %arg0, %none, %none, %arg1, %arg2, %true, %float1, %float1, %true : !torch.vtensor<[2,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[2,3,4],f32>
  return %0 : !torch.vtensor<[2,3,4],f32>
}

// -----

func.func @softmax_gradient_of_two_dtypes(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[3],f64>) -> !torch.vtensor<[3],f64> {
  %int0 = torch.constant.int 0
  %int7 = torch.constant.int 7
  // expected-error @below {{torch.aten._softmax_backward_data has no lowering to linalg}}
  %0 = torch.aten._softmax_backward_data %arg0, %arg1, %int0, %int7 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f64>, !torch.int, !torch.int -> !torch.vtensor<[3],f64>
  return %0 : !torch.vtensor<[3],f64>
}

// -----

func.func @windows_of_another_dtype(%arg0: !torch.vtensor<[16],f32>, %arg1: !torch.vtensor<[4],f64>) -> !torch.vtensor<[3,13,2],f64> {
  %int4 = torch.constant.int 4
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %false = torch.constant.bool false
  // expected-error @below {{torch.aten.stft has no lowering to linalg}}
  %0 = torch.aten.stft %arg0, %int4, %int1, %int4, %arg1, %false, %none, %false, %none : !torch.vtensor<[16],f32>, !torch.int, !torch.int, !torch.int, !torch.vtensor<[4],f64>, !torch.bool, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[3,13,2],f64>
  return %0 : !torch.vtensor<[3,13,2],f64>
}

// -----

func.func @floor_of_integers(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> {
  // expected-error @+1 {{torch.aten.floor_divide has no lowering to linalg}}
  %0 = torch.aten.floor_divide %arg0, %arg1 : !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64> -> !torch.vtensor<[2],si64>
  return %0 : !torch.vtensor<[2],si64>
}

// -----

func.func @reciprocal(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{torch.aten.reciprocal has no lowering to linalg}}
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
  // expected-error @+1 {{torch.aten.convolution_backward has no lowering to linalg}}
  %0, %1, %2 = torch.aten.convolution_backward %arg0, %arg1, %arg2, %two, %one, %zero, %one, %false, %zero, %int2, %all : !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,2,5],f32>, !torch.vtensor<[2,1,3],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int, !torch.list<bool> -> !torch.vtensor<[1,2,5],f32>, !torch.vtensor<[2,1,3],f32>, !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[1,2,5],f32>
}

// -----

func.func @bound(%arg0: !torch.vtensor<[2],si8>) -> !torch.vtensor<[2],si8> {
  %int300 = torch.constant.int 300
  // expected-error @+1 {{torch.aten.clamp_min has no lowering to linalg}}
  %0 = torch.aten.clamp_min %arg0, %int300 : !torch.vtensor<[2],si8>, !torch.int -> !torch.vtensor<[2],si8>
  return %0 : !torch.vtensor<[2],si8>
}

// -----

func.func @windows(%arg0: !torch.vtensor<[1,2,5],f32>) -> (!torch.vtensor<[1,2,0],f32>, !torch.vtensor<[1,2,0],si64>) {
  %int0 = torch.constant.int 0
  %sizes = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  // expected-error @+1 {{torch.aten.adaptive_max_pool1d has no lowering to linalg}}
  %0, %1 = torch.aten.adaptive_max_pool1d %arg0, %sizes : !torch.vtensor<[1,2,5],f32>, !torch.list<int> -> !torch.vtensor<[1,2,0],f32>, !torch.vtensor<[1,2,0],si64>
  return %0, %1 : !torch.vtensor<[1,2,0],f32>, !torch.vtensor<[1,2,0],si64>
}

// -----

func.func @with_other_roundings(%arg0: !torch.vtensor<[3,2],si8>, %arg1: !torch.vtensor<[2],f32>, %arg2: !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],ui8> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  // expected-error @+1 {{torch.quantized_decomposed.dequantize_per_channel has no lowering to linalg}}
  %0 = torch.quantized_decomposed.dequantize_per_channel %arg0, %arg1, %arg2, %int1, %int0, %int0, %int1, %int0 : !torch.vtensor<[3,2],si8>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],si64>, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3,2],ui8>
  return %0 : !torch.vtensor<[3,2],ui8>
}
