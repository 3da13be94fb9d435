// RUN: torch-refine-opt %s --schedule-gpu-kernels="tensor-cores=true warpgroups=true" | filecheck %s
// RUN: torch-refine-opt %s --schedule-gpu-kernels="tensor-cores=true" | filecheck %s --check-prefix=WARPS

#bias = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// A linear layer stays whole: the transpose of its weight is read in place.
// CHECK-LABEL: func.func private @linear(
// CHECK-SAME:      %[[X:.*]]: tensor<100x256xf16>, %[[W:.*]]: tensor<512x256xf16>, %[[B:.*]]: tensor<512xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[SUMS:.*]] = linalg.generic {{{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] : tensor<100x256xf16>, tensor<512x256xf16>) {{.*}} attrs = {torch_refine.product, torch_refine.warpgroups}
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]], %[[B]] : tensor<100x512xf32>, tensor<512xf16>)
// CHECK-NOT:     scf.forall
// WARPS-LABEL: func.func private @linear(
// WARPS-NOT:     torch_refine.warpgroups
// WARPS:         scf.forall
func.func private @linear(%x: tensor<100x256xf16>, %w: tensor<512x256xf16>, %b: tensor<512xf16>, %out: tensor<100x512xf16>) -> tensor<100x512xf16> attributes {torch_refine.kernel = "product"} {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<256x512xf16>
  %transposed = linalg.transpose ins(%w : tensor<512x256xf16>) outs(%0 : tensor<256x512xf16>) permutation = [1, 0]
  %1 = tensor.empty() : tensor<100x512xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<100x512xf32>) -> tensor<100x512xf32>
  %3 = linalg.matmul {torch_refine.product} ins(%x, %transposed : tensor<100x256xf16>, tensor<256x512xf16>) outs(%2 : tensor<100x512xf32>) -> tensor<100x512xf32>
  %4 = linalg.generic {indexing_maps = [#all, #bias, #all], iterator_types = ["parallel", "parallel"]} ins(%3, %b : tensor<100x512xf32>, tensor<512xf16>) outs(%out : tensor<100x512xf16>) {
  ^bb0(%sum: f32, %bias: f16, %o: f16):
    %5 = arith.extf %bias : f16 to f32
    %6 = arith.addf %sum, %5 : f32
    %7 = arith.truncf %6 : f32 to f16
    linalg.yield %7 : f16
  } -> tensor<100x512xf16>
  return %4 : tensor<100x512xf16>
}

// Rows of 50 elements cannot be copied 16 bytes at a time: other warps multiply tiles of them.
// CHECK-LABEL: func.func private @odd(
// CHECK-NOT:     torch_refine.warpgroups
// CHECK:         scf.forall
func.func private @odd(%x: tensor<100x256xf16>, %w: tensor<256x50xf16>, %out: tensor<100x50xf32>) -> tensor<100x50xf32> attributes {torch_refine.kernel = "product"} {
  %zero = arith.constant 0.0 : f32
  %2 = linalg.fill ins(%zero : f32) outs(%out : tensor<100x50xf32>) -> tensor<100x50xf32>
  %3 = linalg.matmul {torch_refine.product} ins(%x, %w : tensor<100x256xf16>, tensor<256x50xf16>) outs(%2 : tensor<100x50xf32>) -> tensor<100x50xf32>
  return %3 : tensor<100x50xf32>
}
