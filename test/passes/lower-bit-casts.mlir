// RUN: torch-refine-opt %s --torch-lower-bit-casts --canonicalize | filecheck %s

// Wider elements are made of neighbours, whose number must be divisible.
func.func @wider(%arg0: !torch.vtensor<[?],si16>) -> !torch.vtensor<[?],f32> {
  %int6 = torch.constant.int 6
  %0 = torch.aten.view.dtype %arg0, %int6 : !torch.vtensor<[?],si16>, !torch.int -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}
// CHECK-LABEL: func.func @wider
// CHECK:         %[[REST:.*]] = arith.remui %{{.*}}, %c2
// CHECK:         %[[FITS:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:         cf.assert %[[FITS]], "the last dimension of a view must be divisible by the ratio of element sizes"
// CHECK:         tensor.extract_slice %{{.*}}[0] [%{{.*}}] [2] : tensor<?xi16> to tensor<?xi16>
// CHECK:         tensor.extract_slice %{{.*}}[1] [%{{.*}}] [2] : tensor<?xi16> to tensor<?xi16>
// CHECK:           %[[HIGH:.*]] = arith.shli %{{.*}}, %c16_i32
// CHECK:           %[[BITS:.*]] = arith.ori %{{.*}}, %[[HIGH]]
// CHECK:           arith.bitcast %[[BITS]] : i32 to f32

// Narrower elements are neighbours.
func.func @narrower(%arg0: !torch.vtensor<[2,3],f64>) -> !torch.vtensor<[2,6],si32> {
  %int3 = torch.constant.int 3
  %0 = torch.aten.view.dtype %arg0, %int3 : !torch.vtensor<[2,3],f64>, !torch.int -> !torch.vtensor<[2,6],si32>
  return %0 : !torch.vtensor<[2,6],si32>
}
// CHECK-LABEL: func.func @narrower
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x2xi32>)
// CHECK:           arith.bitcast %{{.*}} : f64 to i64
// CHECK:           linalg.index 2
// CHECK:           arith.shrui
// CHECK:           arith.trunci %{{.*}} : i64 to i32
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<2x3x2xi32> into tensor<2x6xi32>

// Signed and unsigned integers have the same builtin type.
func.func @signs(%arg0: !torch.vtensor<[2],si8>) -> !torch.vtensor<[2],ui8> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.view_copy.dtype %arg0, %int0 : !torch.vtensor<[2],si8>, !torch.int -> !torch.vtensor<[2],ui8>
  return %0 : !torch.vtensor<[2],ui8>
}
// CHECK-LABEL: func.func @signs
// CHECK-NOT:     linalg.generic
// CHECK:         torch_c.from_builtin_tensor %{{.*}} : tensor<2xi8> -> !torch.vtensor<[2],ui8>

// The bits of floats of 8 bits, too.
func.func @bytes(%arg0: !torch.vtensor<[2],f8E4M3FN>) -> !torch.vtensor<[2],ui8> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.view.dtype %arg0, %int0 : !torch.vtensor<[2],f8E4M3FN>, !torch.int -> !torch.vtensor<[2],ui8>
  return %0 : !torch.vtensor<[2],ui8>
}
// CHECK-LABEL: func.func @bytes
// CHECK:           arith.bitcast %{{.*}} : f8E4M3FN to i8
