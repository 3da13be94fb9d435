// RUN: torch-refine-opt %s --outline-gpu-contractions | filecheck %s

// The transpose of an operand, the product and what is done to it are one function.
func.func @main(%arg0: tensor<?x30xf32>, %arg1: tensor<50x30xf32>, %arg2: tensor<50xf32>, %arg3: tensor<?x50xf32>) -> tensor<?x50xf32> {
  %0 = tensor.empty() : tensor<30x50xf32>
  %1 = linalg.transpose ins(%arg1 : tensor<50x30xf32>) outs(%0 : tensor<30x50xf32>) permutation = [1, 0]
  %2 = linalg.matmul ins(%arg0, %1 : tensor<?x30xf32>, tensor<30x50xf32>) outs(%arg3 : tensor<?x50xf32>) -> tensor<?x50xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<?x50xf32>, tensor<50xf32>) outs(%arg3 : tensor<?x50xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %4 = arith.addf %x, %y : f32
    linalg.yield %4 : f32
  } -> tensor<?x50xf32>
  return %3 : tensor<?x50xf32>
}
// CHECK-LABEL: func.func @main
// CHECK-NOT:     linalg
// CHECK:         call @product_0

// What is used twice stays outside.
func.func @twice(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = linalg.matmul ins(%arg0, %arg0 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%arg1 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.exp ins(%0 : tensor<2x2xf32>) outs(%arg1 : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// CHECK-LABEL: func.func @twice
// CHECK:         call @product_
// CHECK:         linalg.exp

// CHECK-LABEL: func.func private @product_0
// CHECK-SAME:    torch_refine.kernel = "product"
// CHECK:         linalg.transpose
// CHECK:         linalg.matmul {torch_refine.product}
// CHECK:         linalg.generic
