// RUN: torch-refine-opt %s --torch-lower-element-functions --canonicalize | filecheck %s

// 16-bit floats are computed in f32, and a number has their precision. A size of 1 is repeated, and a
// dynamic size is that of an operand.
func.func @halves(%arg0: !torch.vtensor<[?,1],f16>, %arg1: !torch.vtensor<[3],si64>) -> !torch.vtensor<[?,3],f16> {
  %0 = torch.operator "torch.aten.special_hermite_polynomial_h"(%arg0, %arg1) : (!torch.vtensor<[?,1],f16>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[?,3],f16>
  return %0 : !torch.vtensor<[?,3],f16>
}
// CHECK:         #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @halves
// CHECK:         %[[X:.*]] = torch_c.to_builtin_tensor %arg0
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %c0
// CHECK:         tensor.empty(%[[SIZE]]) : tensor<?x3xf16>
// CHECK:         linalg.generic {indexing_maps = [#[[COLUMN]],
// CHECK:         ^bb0(%[[A:.*]]: f16, %[[B:.*]]: i64, %{{.*}}: f16):
// CHECK:           arith.extf %[[A]] : f16 to f32
// CHECK:           %[[N:.*]] = arith.sitofp %[[B]] : i64 to f16
// CHECK:           arith.extf %[[N]] : f16 to f32
// CHECK:           scf.while
// CHECK:           arith.truncf %{{.*}} : f32 to f16

// A number operand.
func.func @number(%arg0: !torch.vtensor<[2],f64>, %arg1: !torch.int) -> !torch.vtensor<[2],f64> {
  %0 = torch.operator "torch.aten.special_laguerre_polynomial_l.n_scalar"(%arg0, %arg1) : (!torch.vtensor<[2],f64>, !torch.int) -> !torch.vtensor<[2],f64>
  return %0 : !torch.vtensor<[2],f64>
}
// CHECK-LABEL: func.func @number
// CHECK:         %[[N:.*]] = torch_c.to_i64 %arg1
// CHECK:         linalg.generic
// CHECK:           arith.sitofp %[[N]] : i64 to f64

// Unsigned integers are extended with zeros.
func.func @bytes(%arg0: !torch.vtensor<[2],ui8>, %arg1: !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],ui8> {
  %0 = torch.operator "torch.aten.gcd"(%arg0, %arg1) : (!torch.vtensor<[2],ui8>, !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],ui8>
  return %0 : !torch.vtensor<[2],ui8>
}
// CHECK-LABEL: func.func @bytes
// CHECK:           arith.extui %{{.*}} : i8 to i64
// CHECK:           scf.while
// CHECK:           arith.trunci %{{.*}} : i64 to i8

// Numbers outside of tensors are no elements.
func.func @scalars(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %0 = torch.operator "torch.aten.gcd.int"(%arg0, %arg1) : (!torch.int, !torch.int) -> !torch.int
  return %0 : !torch.int
}
// CHECK-LABEL: func.func @scalars
// CHECK:         torch.operator "torch.aten.gcd.int"
