// RUN: torch-refine-opt %s --set-schedules="file=%S/Inputs/schedules.json" | filecheck %s
// RUN: not torch-refine-opt %s --set-schedules="file=%S/Inputs/none.json" 2>&1 | filecheck %s --check-prefix=NONE

// NONE: error: {{.*}}none.json: [Errno 2] No such file or directory

// What the file names gets its schedule; what carries one keeps it; other sizes have none.
// CHECK-LABEL: func.func @main
// CHECK:         linalg.matmul {torch_refine.contraction = {{.*}}rows = 5 : i64
// CHECK:         linalg.matmul {torch_refine.contraction = {columns = 8 : i64, rows = 1 : i64}}
// CHECK:         linalg.matmul ins(
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x65xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x65xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = linalg.matmul {torch_refine.contraction = {rows = 1, columns = 8}} ins(%2, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = tensor.empty() : tensor<64x65xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<64x65xf32>) -> tensor<64x65xf32>
  %6 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x65xf32>) outs(%5 : tensor<64x65xf32>) -> tensor<64x65xf32>
  return %2, %3, %6 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x65xf32>
}
