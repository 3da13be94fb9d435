// RUN: torch-refine-opt %s --schedule-kernels | filecheck %s

// A schedule on what has no tiles is not used: columns that are apart, and sums without rows.

#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#turned = affine_map<(d0, d1, d2) -> (d2, d0)>
#apart = affine_map<(d0, d1, d2) -> (d1, d2)>
#sums = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func private @apart(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {torch_refine.kernel = "contraction"} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%arg2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#turned, #apart, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) attrs = {torch_refine.contraction = {rows = 6 : i64, columns = 16 : i64}} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: @apart
// CHECK-NOT:     scf.for
// CHECK:         linalg.generic

// Products of rows are summed along vectors, which are then added by halves.

func.func private @rows(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {torch_refine.kernel = "contraction"} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%arg2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#left, #apart, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) attrs = {torch_refine.contraction = {rows = 6 : i64, columns = 16 : i64}} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: @rows
// CHECK:         scf.for
// CHECK:           vector.transfer_read %arg0
// CHECK:           vector.transfer_read %arg1
// CHECK:           arith.mulf
// CHECK:           vector.shuffle
// CHECK-NOT:     linalg.generic
// CHECK:         return

#row = affine_map<(d0, d1) -> (d1)>
#matrix = affine_map<(d0, d1) -> (d1, d0)>
#column = affine_map<(d0, d1) -> (d0)>
func.func private @vector(%arg0: tensor<64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64xf32>) -> tensor<64xf32> attributes {torch_refine.kernel = "contraction"} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%arg2 : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#row, #matrix, #column], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<64xf32>, tensor<64x64xf32>) outs(%f : tensor<64xf32>) attrs = {torch_refine.contraction = {rows = 6 : i64, columns = 16 : i64}} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @vector
// CHECK-NOT:     scf.for
// CHECK:         linalg.generic

// Partial sums of the same length, of at most `depth` products: a multiple of 8 of them, so that
// they are the same for any unroll factor that divides 8.

#right = affine_map<(d0, d1, d2) -> (d2, d1)>
func.func private @parts(%arg0: tensor<6x100xf32>, %arg1: tensor<100x16xf32>, %arg2: tensor<6x16xf32>) -> tensor<6x16xf32> attributes {torch_refine.kernel = "contraction"} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%arg2 : tensor<6x16xf32>) -> tensor<6x16xf32>
  %0 = linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<6x100xf32>, tensor<100x16xf32>) outs(%f : tensor<6x16xf32>) attrs = {torch_refine.contraction = {rows = 6 : i64, columns = 16 : i64, unroll = 2 : i64, depth = 30 : i64}} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x16xf32>
  return %0 : tensor<6x16xf32>
}

// CHECK-LABEL: @parts
// CHECK:         scf.for %[[START:.*]] = %{{.*}} to %c100{{.*}} step %c24
// CHECK:           scf.for %{{.*}} = %[[START]] to %{{.*}} step %c2
