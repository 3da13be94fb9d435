// RUN: torch-refine-opt %s --outline-gpu-contractions --outline-kernels --schedule-gpu-kernels | filecheck %s

// A row is a block's.
#rows = affine_map<(d0, d1) -> (d0, d1)>
#sums = affine_map<(d0, d1) -> (d0)>
func.func @rows(%arg0: tensor<?x1023xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?x1023xf32>) -> tensor<?x1023xf32> {
  %cst = arith.constant 0.0 : f32
  %1 = linalg.fill ins(%cst : f32) outs(%arg1 : tensor<?xf32>) -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #sums], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x1023xf32>) outs(%1 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.addf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<?xf32>
  %4 = linalg.generic {indexing_maps = [#rows, #sums, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<?x1023xf32>, tensor<?xf32>) outs(%arg2 : tensor<?x1023xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %5 = arith.divf %in, %sum : f32
    linalg.yield %5 : f32
  } -> tensor<?x1023xf32>
  return %4 : tensor<?x1023xf32>
}

// Tiles of a product are whole, whatever the sizes are; the summed dimension, too, is filled up.
func.func @product(%arg0: tensor<?x30xf32>, %arg1: tensor<30x50xf32>, %arg2: tensor<?x50xf32>) -> tensor<?x50xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<?x50xf32>) -> tensor<?x50xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<?x30xf32>, tensor<30x50xf32>) outs(%0 : tensor<?x50xf32>) -> tensor<?x50xf32>
  return %2 : tensor<?x50xf32>
}

// Four numbers side by side, where the last dimension is a multiple of four.
func.func @elementwise(%arg0: tensor<?x8xf32>, %arg1: tensor<?x7xf32>, %arg2: tensor<?x8xf32>, %arg3: tensor<?x7xf32>) -> (tensor<?x8xf32>, tensor<?x7xf32>) {
  %0 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x8xf32>) outs(%arg2 : tensor<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.mulf %in, %in : f32
    linalg.yield %5 : f32
  } -> tensor<?x8xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<?x7xf32>) outs(%arg3 : tensor<?x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.mulf %in, %in : f32
    linalg.yield %5 : f32
  } -> tensor<?x7xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<?x7xf32>
}

// A product over a dimension that is not known has no schedule; each of its numbers will be a thread's.
func.func @unknown(%arg0: tensor<4x?xf32>, %arg1: tensor<?x50xf32>, %arg2: tensor<4x50xf32>) -> tensor<4x50xf32> {
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x?xf32>, tensor<?x50xf32>) outs(%arg2 : tensor<4x50xf32>) -> tensor<4x50xf32>
  return %2 : tensor<4x50xf32>
}

// CHECK-LABEL: func.func private @product_0
// CHECK:         scf.forall
// CHECK:           %[[HEIGHT:.*]] = affine.min
// CHECK:           linalg.fill {{.*}} -> tensor<64x64xf32>
// CHECK:           scf.for %{{.*}} = %c0 to %c32 step %c16
// CHECK:             arith.cmpi slt, %{{.*}}, %[[HEIGHT]]
// CHECK:             scf.if
// CHECK:             arith.cmpi slt, %{{.*}}, %c30
// CHECK:             scf.forall ({{.*}}) in (16, 16)
// CHECK:               scf.for {{.*}} -> (vector<4x4xf32>)
// CHECK:             } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
// CHECK:         } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
// CHECK-LABEL: func.func private @product_1
// CHECK-NOT:     scf
// CHECK:         linalg.matmul
// CHECK-LABEL: func.func private @rows_
// CHECK:         scf.forall
// CHECK-COUNT-2:   linalg.generic
// CHECK:         } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK-LABEL: func.func private @loops_
// CHECK-NOT:     vector
// CHECK-LABEL: func.func private @loops_
// CHECK:         scf.forall
// CHECK:           vector.transfer_read {{.*}} vector<4xf32>
// CHECK:           arith.mulf {{.*}} vector<4xf32>
