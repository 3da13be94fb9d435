// RUN: torch-refine-opt %s --outline-contractions | filecheck %s
// RUN: torch-refine-opt %s --outline-contractions --inline | filecheck %s --check-prefix=BACK

func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%cst : f32) outs(%arg1 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.matmul ins(%arg0, %arg0 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = linalg.matmul ins(%1, %1 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         %[[FIRST:.*]] = call @product_0(%arg1, %arg0)
// CHECK:         call @product_0(%arg1, %[[FIRST]])
// CHECK-LABEL: func.func private @product_0
// CHECK:         linalg.fill
// CHECK:         linalg.matmul
// BACK-LABEL:  func.func @main
// BACK-NOT:      call
// BACK-COUNT-2:  linalg.matmul
// BACK-NOT:    func.func
