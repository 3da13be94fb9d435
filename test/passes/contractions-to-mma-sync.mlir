// RUN: torch-refine-opt %s --contractions-to-mma-sync | filecheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#sums = affine_map<(d0, d1, d2) -> (d0, d1)>

// The right operand is transposed: its pairs lie side by side, too. Both tiles get rows that lie
// apart. 64 x 64 numbers are 2 x 4 warps of 2 x 2 tiles; 32 numbers are two steps: eight products.
func.func @product(%sums: memref<64x64xf32>, %zero: bf16) {
  %left = memref.alloca() : memref<64x32xbf16>
  %right = memref.alloca() : memref<1x64x32xbf16>
  %matrix = memref.subview %right[0, 0, 0] [1, 64, 32] [1, 1, 1] : memref<1x64x32xbf16> to memref<64x32xbf16>
  linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %matrix : memref<64x32xbf16>, memref<64x32xbf16>) outs(%sums : memref<64x64xf32>) attrs = {torch_refine.warps} {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
// CHECK-LABEL: func.func @product(
// CHECK-SAME:      %[[SUMS:.*]]: memref<64x64xf32>
// CHECK:         memref.alloca() : memref<64x40xbf16>
// CHECK:         memref.alloca() : memref<1x64x40xbf16>
// CHECK:         scf.parallel
// CHECK:           memref.expand_shape %[[SUMS]] {{.*}} : memref<64x64xf32> into memref<2x2x2x8x4x2x4x2xf32>
// CHECK:           vector.transfer_read {{.*}}torch_refine.sums{{.*}} vector<2x2x1x1x2x1x2xf32>
// CHECK-NOT:       memref.load
// CHECK-COUNT-8:   nvgpu.mma.sync({{.*}}) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>)
// CHECK-NOT:       nvgpu.mma.sync
// CHECK:           vector.transfer_write
// CHECK-NOT:     linalg.generic
