// RUN: torch-refine-opt %s --split-input-file --torch-reify-dtype-calculations --torch-simplify-dtype-calculations --torch-drop-abstract-interp-calculations --torch-refine-public-return | filecheck %s

// Tensors with dimensions promote to the dtype that holds both.

func.func @both(%arg0: !torch.vtensor<[2],f16>, %arg1: !torch.vtensor<[2],bf16>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2],f16>, !torch.vtensor<[2],bf16>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @both
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f16>, %[[ARG1:.*]]: !torch.vtensor<[2],bf16>) -> !torch.vtensor<*,f32> {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[ARG1]], %[[INT1]] : !torch.vtensor<[2],f16>, !torch.vtensor<[2],bf16>, !torch.int -> !torch.vtensor<*,f32>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<*,f32>
// CHECK-NEXT:    }

// -----

// A 0-dim tensor of the same category does not count.

func.func @zero_dim(%arg0: !torch.vtensor<[2],f16>, %arg1: !torch.vtensor<[],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2],f16>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @zero_dim
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],f16>, %[[ARG1:.*]]: !torch.vtensor<[],f32>) -> !torch.vtensor<*,f16> {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[ARG1]], %[[INT1]] : !torch.vtensor<[2],f16>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<*,f16>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<*,f16>
// CHECK-NEXT:    }

// -----

// A 0-dim tensor of a higher category does.

func.func @higher_category(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2],si64>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @higher_category
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],si64>, %[[ARG1:.*]]: !torch.vtensor<[],f32>) -> !torch.vtensor<*,f32> {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[ARG1]], %[[INT1]] : !torch.vtensor<[2],si64>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<*,f32>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<*,f32>
// CHECK-NEXT:    }

// -----

// Which rank it is does not matter when all dtypes are one.

func.func @unknown_rank(%arg0: !torch.vtensor<*,f32>, %arg1: !torch.vtensor<*,f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<*,f32>, !torch.vtensor<*,f32>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @unknown_rank
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<*,f32>, %[[ARG1:.*]]: !torch.vtensor<*,f32>) -> !torch.vtensor<*,f32> {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[ARG1]], %[[INT1]] : !torch.vtensor<*,f32>, !torch.vtensor<*,f32>, !torch.int -> !torch.vtensor<*,f32>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<*,f32>
// CHECK-NEXT:    }

// -----

// Where the rank decides and is not known, nothing is inferred.

func.func @undecided(%arg0: !torch.vtensor<*,f16>, %arg1: !torch.vtensor<*,f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<*,f16>, !torch.vtensor<*,f32>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @undecided
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<*,f16>, %[[ARG1:.*]]: !torch.vtensor<*,f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[ARG1]], %[[INT1]] : !torch.vtensor<*,f16>, !torch.vtensor<*,f32>, !torch.int -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// An unknown dtype stays unknown.

func.func @unknown_dtype(%arg0: !torch.vtensor<[2],unk>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2],unk>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @unknown_dtype
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],unk>, %[[ARG1:.*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Tensor %[[ARG0]], %[[ARG1]], %[[INT1]] : !torch.vtensor<[2],unk>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// A number counts last: a float makes an integer tensor float32, not float64.

func.func @number(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[2],f16>) -> (!torch.vtensor, !torch.vtensor) {
  %int1 = torch.constant.int 1
  %float1 = torch.constant.float 1.5
  %0 = torch.aten.add.Scalar %arg0, %float1, %int1 : !torch.vtensor<[2],si64>, !torch.float, !torch.int -> !torch.vtensor
  %1 = torch.aten.add.Scalar %arg1, %float1, %int1 : !torch.vtensor<[2],f16>, !torch.float, !torch.int -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}

// CHECK-LABEL: func.func @number
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],si64>, %[[ARG1:.*]]: !torch.vtensor<[2],f16>) -> (!torch.vtensor<*,f32>, !torch.vtensor<*,f16>) {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[FLOAT1_500000E00:.*]] = torch.constant.float 1.500000e+00
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.add.Scalar %[[ARG0]], %[[FLOAT1_500000E00]], %[[INT1]] : !torch.vtensor<[2],si64>, !torch.float, !torch.int -> !torch.vtensor<*,f32>
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.add.Scalar %[[ARG1]], %[[FLOAT1_500000E00]], %[[INT1]] : !torch.vtensor<[2],f16>, !torch.float, !torch.int -> !torch.vtensor<*,f16>
// CHECK-NEXT:      return %[[V0]], %[[V1]] : !torch.vtensor<*,f32>, !torch.vtensor<*,f16>
// CHECK-NEXT:    }

// -----

// An int that was cast from a bool may stand for the bool, so what it promotes to is not known.

func.func @bool_number(%arg0: !torch.vtensor<[2],i1>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.aten.Int.bool %true : !torch.bool -> !torch.int
  %1 = torch.aten.add.Scalar %arg0, %0, %int1 : !torch.vtensor<[2],i1>, !torch.int, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}

// CHECK-LABEL: func.func @bool_number
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],i1>) -> !torch.vtensor {
// CHECK-NEXT:      %[[INT1:.*]] = torch.constant.int 1
// CHECK-NEXT:      %[[TRUE:.*]] = torch.constant.bool true
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.Int.bool %[[TRUE]] : !torch.bool -> !torch.int
// CHECK-NEXT:      %[[V1:.*]] = torch.aten.add.Scalar %[[ARG0]], %[[V0]], %[[INT1]] : !torch.vtensor<[2],i1>, !torch.int, !torch.int -> !torch.vtensor
// CHECK-NEXT:      return %[[V1]] : !torch.vtensor
// CHECK-NEXT:    }

// -----

// Functions like sin give float32 for integers.

func.func @int_to_float(%arg0: !torch.vtensor<[2],si64>) -> !torch.vtensor {
  %0 = torch.aten.sin %arg0 : !torch.vtensor<[2],si64> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @int_to_float
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],si64>) -> !torch.vtensor<*,f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.sin %[[ARG0]] : !torch.vtensor<[2],si64> -> !torch.vtensor<*,f32>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<*,f32>
// CHECK-NEXT:    }

// -----

// A dtype that is asked for is the dtype.

func.func @dtype_argument(%arg0: !torch.vtensor<[2],si64>) -> !torch.vtensor {
  %int7 = torch.constant.int 7
  %0 = torch.aten.sum %arg0, %int7 : !torch.vtensor<[2],si64>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}

// CHECK-LABEL: func.func @dtype_argument
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.vtensor<[2],si64>) -> !torch.vtensor<*,f64> {
// CHECK-NEXT:      %[[INT7:.*]] = torch.constant.int 7
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.sum %[[ARG0]], %[[INT7]] : !torch.vtensor<[2],si64>, !torch.int -> !torch.vtensor<*,f64>
// CHECK-NEXT:      return %[[V0]] : !torch.vtensor<*,f64>
// CHECK-NEXT:    }

// -----

// Non-value tensors are refined like others.

func.func @non_value(%arg0: !torch.tensor<[2],f32>) -> !torch.tensor {
  %0 = torch.aten.tanh %arg0 : !torch.tensor<[2],f32> -> !torch.tensor
  return %0 : !torch.tensor
}

// CHECK-LABEL: func.func @non_value
// CHECK-SAME:  (%[[ARG0:.*]]: !torch.tensor<[2],f32>) -> !torch.tensor<*,f32> {
// CHECK-NEXT:      %[[V0:.*]] = torch.aten.tanh %[[ARG0]] : !torch.tensor<[2],f32> -> !torch.tensor<*,f32>
// CHECK-NEXT:      return %[[V0]] : !torch.tensor<*,f32>
// CHECK-NEXT:    }
