// RUN: not torch-refine-opt %s --split-input-file --pack-contractions 2>&1 | filecheck %s

// CHECK: pack-contractions-invalid.mlir:6:8: error: columns of torch_refine.contraction must be a multiple of 8, the elements of a vector, got 20

func.func @columns(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul {torch_refine.contraction = {rows = 6 : i64, columns = 20 : i64}} ins(%arg0, %arg0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%arg0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// CHECK: error: lanes of torch_refine.contraction must divide 8, the elements of a register, got 16

func.func @lanes(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul {torch_refine.contraction = {rows = 6 : i64, columns = 16 : i64, lanes = 16 : i64}} ins(%arg0, %arg0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%arg0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
