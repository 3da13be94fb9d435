// RUN: torch-refine-opt %s --torch-insert-error-guards=hoist=attribute | filecheck %s
// RUN: torch-refine-opt %s --torch-insert-error-guards=hoist=attribute --torch-assert-guards | filecheck %s --check-prefix=LOWERED
// RUN: torch-refine-opt %s --torch-insert-error-guards --remarks-filter-missed=torch-insert-error-guards --mlir-pass-statistics 2>&1 | filecheck %s --check-prefix=REMARK

// With `hoist=attribute`, the contract of a function is attached to it, with what its messages need.

// CHECK: func.func @f
// CHECK-SAME: torch_refine.guards = [{condition = "arg0.size(0) == 3", message = "earlier"},
// CHECK-SAME: {condition = "arg0.size(1) == arg1.size(0)"
// CHECK-SAME: \22guard\22: \22x.size(1) == y.size(0)\22
// CHECK-SAME: \22sizes\22:
// CHECK-SAME: [\22x.size(1)\22, 0, 1]
// CHECK-SAME: \22parts\22: [\22aten::mm: \22, \22inner dimensions must match, got \22, [\22arg0.size(1)\22], \22 and \22, [\22arg1.size(0)\22]]
// CHECK-NOT: torch.runtime.assert
// CHECK: torch.aten.mm

// LOWERED: cf.assert %{{.*}}, "earlier"
// LOWERED: arith.cmpi eq
// LOWERED-NEXT: cf.assert %{{.*}}, "torch_refine.guard
// LOWERED-NOT: torch_refine.guards

// REMARK: remark: [Missed] aten::t | Category:torch-insert-error-guards | Function=f | Reason="a precondition depends on more than sizes and ints"
// REMARK: remark: [Missed] aten::index_select | Category:torch-insert-error-guards | Function=f | Reason="the condition on the elements of index is checked by lowered code"
// REMARK: 1 guards
// REMARK: 1 operators with other preconditions
// REMARK: 1 preconditions on elements

func.func @f(%arg0: !torch.vtensor<[?,?],f32> loc("x"), %arg1: !torch.vtensor<[?,4],f32> loc("y"), %arg2: !torch.vtensor<[?],si64>, %arg3: !torch.vtensor<*,f32>)
    attributes {torch_refine.guards = [{condition = "arg0.size(0) == 3", message = "earlier"}]} {
  %int0 = torch.constant.int 0
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,4],f32> -> !torch.vtensor
  %1 = torch.aten.index_select %0, %int0, %arg2 : !torch.vtensor, !torch.int, !torch.vtensor<[?],si64> -> !torch.vtensor
  %2 = torch.aten.t %arg3 : !torch.vtensor<*,f32> -> !torch.vtensor
  return
}
