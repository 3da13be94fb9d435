// RUN: torch-refine-opt %s --set-cpu-target="cpu=sapphirerapids features=-amx-tile" --pack-contractions | filecheck %s
// RUN: torch-refine-opt %s --set-cpu-target="cpu=sapphirerapids features=-amx-tile" --pack-contractions --outline-kernels --schedule-kernels | filecheck %s --check-prefix=LOOPS

// The processor multiplies pairs of products: those of a column are next to each other.

func.func @pairs(%arg0: tensor<256x256xbf16>, %arg1: tensor<256x256xbf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}

// CHECK:         #[[LEFT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2 * 2 + d4)>
// CHECK-LABEL: func.func @pairs
// CHECK:         linalg.pack %arg1 {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 2] into %{{.*}} : tensor<256x256xbf16> -> tensor<8x128x32x2xbf16>
// CHECK:         linalg.generic {indexing_maps = [#[[LEFT]],
// CHECK-SAME:      pack = true

// A block of the left operand is packed, and its pairs are read from there.

// LOOPS-LABEL: func.func private @contraction_
// LOOPS:         %[[PACKED:.*]] = scf.for {{.*}} -> (tensor<9x128x28xbf16>)
// LOOPS:         vector.transfer_read {{.*}} : tensor<8x128x64xbf16>, vector<32xbf16>
// LOOPS:         vector.transfer_read %[[PACKED]][{{.*}} : tensor<9x128x28xbf16>, vector<2xbf16>
// LOOPS:         call @llvm.x86.avx512bf16.dpbf16ps.512

// Columns of the left operand, of which no two products are next to each other, have no pairs.

func.func @columns(%arg0: tensor<256x256xbf16>, %arg1: tensor<256x256xbf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %t = tensor.empty() : tensor<256x256xbf16>
  %0 = linalg.transpose ins(%arg0 : tensor<256x256xbf16>) outs(%t : tensor<256x256xbf16>) permutation = [1, 0]
  %1 = linalg.matmul ins(%0, %arg1 : tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %1 : tensor<256x256xf32>
}

// CHECK-LABEL: func.func @columns
// CHECK:         linalg.pack %arg1 {{.*}} inner_tiles = [32] into %{{.*}} : tensor<256x256xbf16> -> tensor<8x256x32xbf16>

// Bytes are multiplied in groups of four; a left operand of other sizes is padded with zeros.

func.func @bytes(%arg0: tensor<64x70xi8>, %arg1: tensor<70x64xi8>) -> tensor<64x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<64x70xi8>, tensor<70x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

// CHECK-LABEL: func.func @bytes
// CHECK:         linalg.pack %arg0 {{.*}} inner_dims_pos = [1] inner_tiles = [4] into %{{.*}} : tensor<64x70xi8> -> tensor<64x18x4xi8>
// CHECK:         tensor.collapse_shape {{.*}} : tensor<64x18x4xi8> into tensor<64x72xi8>
// CHECK:         linalg.pack %arg1 {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 4] into %{{.*}} : tensor<70x64xi8> -> tensor<2x18x32x4xi8>

// The instruction reads the left operand as unsigned: 128 is added to it by inverting the upper bits,
// and 128 times the right operand is subtracted first.

// LOOPS-LABEL: func.func private @contraction_{{.*}}tensor<64x72xi8>
// LOOPS:         call @llvm.x86.avx512.vpdpbusd.512
// LOOPS:         arith.subi
// LOOPS:         arith.xori %{{.*}}, %c-2139062144_i32
// LOOPS:         call @llvm.x86.avx512.vpdpbusd.512
