// RUN: torch-refine-opt %s --schedule-kernels | filecheck %s

// What a schedule does not apply to stays as it was, and nothing is said of it.

func.func private @kernel(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {torch_refine.kernel = "matmul"} {
  %0 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func private @kernel
// CHECK-NEXT:    linalg.exp
// CHECK-NEXT:    return
