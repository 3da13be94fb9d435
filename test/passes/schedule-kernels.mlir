// RUN: torch-refine-opt %s --outline-kernels --schedule-kernels | filecheck %s
// RUN: torch-refine-opt %s --pack-contractions --outline-kernels --schedule-kernels | filecheck %s --check-prefix=PRODUCT

#rows = affine_map<(d0, d1) -> (d0, d1)>
#sums = affine_map<(d0, d1) -> (d0)>
func.func @rows(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #sums], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x5xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.addf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  %3 = tensor.empty() : tensor<4x5xf32>
  %4 = linalg.generic {indexing_maps = [#rows, #sums, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<4x5xf32>, tensor<4xf32>) outs(%3 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %5 = arith.divf %in, %sum : f32
    linalg.yield %5 : f32
  } -> tensor<4x5xf32>
  return %4 : tensor<4x5xf32>
}
func.func @product(%arg0: tensor<?x30xf32>, %arg1: tensor<30x50xf32>, %arg2: tensor<?x50xf32>) -> tensor<?x50xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<?x50xf32>) -> tensor<?x50xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<?x30xf32>, tensor<30x50xf32>) outs(%0 : tensor<?x50xf32>) -> tensor<?x50xf32>
  return %2 : tensor<?x50xf32>
}

// One loop over the rows holds both.
// CHECK-LABEL:   func.func private @rows_{{.*}}
// CHECK:           scf.for
// CHECK-COUNT-2:     linalg.generic
// CHECK:             scf.yield
// CHECK-NOT:       scf.for

// The sums of 6 rows by 2 vectors stay in registers; rows that are not known in number are whole
// tiles, and then 4, 2 and 1 of them. The last columns are masked.
// PRODUCT-LABEL: func.func private @contraction_{{.*}}
// PRODUCT:         %{{.*}}:12 = scf.for
// PRODUCT-COUNT-2:   vector.transfer_read {{.*}} vector<8xf32>
// PRODUCT-COUNT-6:   tensor.extract
// PRODUCT:           scf.yield
// PRODUCT-COUNT-12: vector.transfer_write {{.*}} {in_bounds = [true]}
// PRODUCT:         vector.transfer_write {{.*}} : vector<8xf32>, tensor<?x50xf32>
// PRODUCT:         %{{.*}}:8 = scf.for
// PRODUCT:         %{{.*}}:4 = scf.for
// PRODUCT:         %{{.*}}:2 = scf.for

// An operand that is read along the other loop goes block by block, each in registers.

#columns = affine_map<(d0, d1) -> (d1, d0)>
func.func @across(%arg0: tensor<64x48xf32>, %arg1: tensor<48x64xf32>) -> tensor<64x48xf32> {
  %0 = tensor.empty() : tensor<64x48xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<64x48xf32>, tensor<48x64xf32>) outs(%0 : tensor<64x48xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %2 = arith.addf %in, %other : f32
    linalg.yield %2 : f32
  } -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// CHECK-LABEL:   func.func private @loops_
// CHECK-COUNT-2:   scf.for
// CHECK:             vector.transfer_read {{.*}} vector<8x8xf32>
// CHECK:             vector.transfer_read {{.*}} {permutation_map = #{{.*}}} : tensor<8x8xf32>, vector<8x8xf32>
// CHECK:             vector.transfer_write
