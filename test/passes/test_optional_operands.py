"""Preconditions of a tensor that may be none: its sizes are read in one branch, checked in another.

A second simplification of this calculation is not the identity: it forgets that the list which the
first branch yields has one element, and checks its length again.
"""

from torch_refine.dialect.bindings import ir
from torch_refine.pipelines.parsing import parse_flag
from torch_refine.pipelines.runner import Runner

TEXT = """
func.func @f(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.optional<vtensor>) -> !torch.vtensor {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %int3 = torch.constant.int 3
  %float = torch.constant.float 1.0e-05
  %0 = torch.prim.ListConstruct %int3 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.layer_norm %arg0, %0, %arg1, %none, %float, %true : !torch.vtensor<[?,3],f32>,
      !torch.list<int>, !torch.optional<vtensor>, !torch.none, !torch.float, !torch.bool
      -> !torch.vtensor
  return %1 : !torch.vtensor
}
"""
# Of the branch that reads the sizes, the list and its length are used behind it.
BRANCH = """\
      %6:3 = torch.prim.If %5 -> (!torch.optional<list<int>>, !torch.list<int>, !torch.int) {
        %10 = torch.derefine %none : !torch.none to !torch.optional<list<int>>
        %11 = torch.prim.Uninitialized : !torch.list<int>
        %12 = torch.prim.Uninitialized : !torch.int
        torch.prim.If.yield %10, %11, %12 : !torch.optional<list<int>>, !torch.list<int>, !torch.int
      } else {
        %10 = torch.aten.size %4 : !torch.vtensor -> !torch.list<int>
        %11 = torch.aten.len.t %10 : !torch.list<int> -> !torch.int
        %12 = torch.derefine %10 : !torch.list<int> to !torch.optional<list<int>>
        torch.prim.If.yield %12, %10, %11 : !torch.optional<list<int>>, !torch.list<int>, !torch.int
      }
      %7 = torch.aten.__not__ %5 : !torch.bool -> !torch.bool
"""


def test_values_of_one_branch_are_used_behind_it(context):
    module = ir.Module.parse(TEXT, context)
    for kind in ("reify", "simplify"):
        elements = parse_flag(f"torch-{kind}-shape-calculations", "", context)
        Runner().run(elements, module.operation)
    assert BRANCH in str(module)
    del module
