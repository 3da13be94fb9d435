// RUN: torch-refine-opt %s --schedule-kernels --remarks-filter=schedule-.* --mlir-pass-statistics 2>&1 | filecheck %s
// RUN: torch-refine-opt %s --schedule-kernels --remarks-filter-missed=.* 2>&1 | filecheck %s --check-prefix=MISSED
// RUN: torch-refine-opt %s --schedule-kernels --remarks-filter-passed=kernels 2>&1 | filecheck %s --check-prefix=NONE

// A schedule that is skipped leaves the kernel as it was; a remark has the reason.

// CHECK:      schedule-kernels-skipped.mlir:11:1: remark: [Missed] rows | Category:schedule-kernels | Function=more_rows_than_loops | Reason="rows.mlir:10: attempting to assign a null payload op to this transform value"
// MISSED:     remark: [Missed] rows |
// MISSED-NOT: remark: [Passed]
// NONE-NOT:   remark:
func.func private @more_rows_than_loops(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {torch_refine.kernel = "rows", torch_refine.rows = 3 : i64} {
  %0 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK:      remark: [Passed] rows | Category:schedule-kernels | Function=rows
func.func private @rows(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {torch_refine.kernel = "rows", torch_refine.rows = 1 : i64} {
  %0 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK:      remark: [Missed] contraction | Category:schedule-kernels | Function=no_contraction | Reason="no loops can be written for this contraction"
func.func private @no_contraction(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {torch_refine.kernel = "contraction"} {
  %0 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// No schedule is skipped where there is none; a remark says why.

// CHECK:      remark: [Missed] loops | Category:schedule-kernels | Function=loops | Reason="no schedule: no operand of these loops is transposed, so LLVM vectorizes the innermost loop"
func.func private @loops(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {torch_refine.kernel = "loops"} {
  %0 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK:      schedule-kernels
// CHECK-NEXT:   1 kernels of kind loops without a schedule
// CHECK-NEXT:   1 schedule contraction skipped
// CHECK-NEXT:   1 schedule rows applied
// CHECK-NEXT:   1 schedule rows skipped
