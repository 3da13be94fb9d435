// RUN: torch-refine-opt %s --pack-products | filecheck %s

// Sizes that no tile divides are filled up; a transposed operand is packed as it lies.

func.func @main(%arg0: tensor<?x30xf32>, %arg1: tensor<50x30xf32>, %arg2: tensor<?x50xf32>) -> tensor<?x50xf32> {
  %0 = tensor.empty() : tensor<30x50xf32>
  %1 = linalg.transpose ins(%arg1 : tensor<50x30xf32>) outs(%0 : tensor<30x50xf32>) permutation = [1, 0]
  %2 = linalg.matmul ins(%arg0, %1 : tensor<?x30xf32>, tensor<30x50xf32>) outs(%arg2 : tensor<?x50xf32>) -> tensor<?x50xf32>
  return %2 : tensor<?x50xf32>
}

// CHECK-LABEL: func.func @main
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.pack %arg0 padding_value({{.*}}) inner_dims_pos = [0] inner_tiles = [8] into %{{.*}} : tensor<?x30xf32> -> tensor<?x30x8xf32>
// CHECK:         linalg.pack %arg1 padding_value({{.*}}) {{.*}} inner_tiles = [32] into %{{.*}} : tensor<50x30xf32> -> tensor<2x30x32xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      torch_refine.product
// CHECK:         linalg.unpack
