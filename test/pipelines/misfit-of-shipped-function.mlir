// RUN: torch-refine-opt %s --torch-refine-types --remarks-filter-missed=torch-refine-types 2>&1 | filecheck %s
// RUN: torch-refine-opt %s --torch-reify-shape-calculations --remarks-filter=torch-reify-.* 2>&1 | filecheck %s --check-prefix=REIFY
// RUN: torch-refine-opt %s --torch-refine-types 2>&1 | filecheck %s --check-prefix=NONE

// An operator with other operands than its shipped function takes is not refined; a remark has the reason.

// CHECK: remark: [Missed] shape function of aten::tanh | Category:torch-refine-types | Function=operands | Reason="takes 1 argument, the op has 2 operands"
// REIFY: remark: [Missed] shape function of aten::tanh | Category:torch-reify-shape-calculations | Function=operands | Reason="takes 1 argument, the op has 2 operands"
// NONE-NOT: remark
func.func @operands(%arg0: !torch.vtensor<[2,3],f16>) -> !torch.vtensor {
  %0 = torch.operator "torch.aten.tanh"(%arg0, %arg0) : (!torch.vtensor<[2,3],f16>, !torch.vtensor<[2,3],f16>) -> !torch.vtensor
  return %0 : !torch.vtensor
}
