// RUN: torch-refine-opt %s --set-cpu-target="cpu=sapphirerapids" --pack-contractions | filecheck %s
// RUN: torch-refine-opt %s --set-cpu-target="cpu=sapphirerapids" --pack-contractions --outline-kernels --schedule-kernels | filecheck %s --check-prefix=LOOPS

// Two tiles of rows by two tiles of columns stay in the tile registers of AMX. The right operand is
// packed as for dot products.

func.func @floats(%arg0: tensor<100x256xbf16>, %arg1: tensor<256x100xbf16>) -> tensor<100x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<100x100xf32>) -> tensor<100x100xf32>
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<100x256xbf16>, tensor<256x100xbf16>) outs(%f : tensor<100x100xf32>) -> tensor<100x100xf32>
  return %0 : tensor<100x100xf32>
}

// CHECK-LABEL: func.func @floats
// CHECK:         linalg.pack %arg1 {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 2] into %{{.*}} : tensor<256x100xbf16> -> tensor<4x128x32x2xbf16>
// CHECK:         torch_refine.contraction = {amx = true, {{.*}}columns = 32 : i64, {{.*}}rows = 32 : i64

// The registers are configured once: 16 rows of 64 bytes each. A step multiplies 32 products per sum.
// The last rows are the last 16, of which the first 12 were stored before.

// LOOPS-LABEL: func.func private @contraction_{{.*}}tensor<100x256xbf16>
// LOOPS:         %[[ROOM:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32x32xf32>
// LOOPS:         memref.alloca() {alignment = 64 : i64} : memref<64xi8>
// LOOPS:         call @llvm.x86.ldtilecfg
// LOOPS-COUNT-4: call @llvm.x86.tilezero
// LOOPS-NOT:     call @llvm.x86.tilezero
// LOOPS:         scf.for
// LOOPS:           tensor.extract_slice %arg0[{{.*}}] [16, 32] [1, 1] : tensor<100x256xbf16> to tensor<16x32xbf16>
// LOOPS:           bufferization.to_buffer %{{.*}} read_only
// LOOPS-COUNT-4:   call @llvm.x86.tileloadd64
// LOOPS-COUNT-4:   call @llvm.x86.tdpbf16ps
// LOOPS-COUNT-4: call @llvm.x86.tilestored64
// LOOPS:         vector.load %[[ROOM]]
// LOOPS:         tensor.extract_slice %arg0[84, {{.*}}] [16, 32]
// LOOPS:         %[[FIRST:.*]] = arith.constant 12 : index
// LOOPS:         scf.for %{{.*}} = %[[FIRST]]
// LOOPS:         call @llvm.x86.tilerelease

// The sums of bytes are of signed ones: nothing is subtracted. 70 bytes are 18 groups: of two steps
// of 9.

func.func @bytes(%arg0: tensor<64x70xi8>, %arg1: tensor<70x16xi8>) -> tensor<64x16xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<64x16xi32>) -> tensor<64x16xi32>
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<64x70xi8>, tensor<70x16xi8>) outs(%f : tensor<64x16xi32>) -> tensor<64x16xi32>
  return %0 : tensor<64x16xi32>
}

// CHECK-LABEL: func.func @bytes
// CHECK:         linalg.pack %arg1 {{.*}} inner_tiles = [16, 4] into %{{.*}} : tensor<70x16xi8> -> tensor<1x18x16x4xi8>
// CHECK:         torch_refine.contraction = {amx = true,
// LOOPS-LABEL: func.func private @contraction_{{.*}}tensor<64x72xi8>
// LOOPS:         tensor.extract_slice %arg0[{{.*}}] [16, 36] [1, 1]
// LOOPS:         call @llvm.x86.tdpbssd
// LOOPS-NOT:     arith.subi

// With 17 groups of two, one is left to dot products of vectors.

func.func @rest(%arg0: tensor<32x34xbf16>, %arg1: tensor<34x16xbf16>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<32x34xbf16>, tensor<34x16xbf16>) outs(%f : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}

// LOOPS-LABEL: func.func private @contraction_{{.*}}tensor<32x34xbf16>
// LOOPS:         call @llvm.x86.tdpbf16ps
// LOOPS:         call @llvm.x86.avx512bf16.dpbf16ps.512

// Less than 4 rows have no tiles.

func.func @few(%arg0: tensor<3x64xbf16>, %arg1: tensor<64x64xbf16>) -> tensor<3x64xf32> attributes {torch_refine.state = array<i64: 1>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x64xf32>) -> tensor<3x64xf32>
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<3x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<3x64xf32>) -> tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
}

// CHECK-LABEL: func.func @few
// CHECK-NOT:     amx
