"""Simplified shape calculations of some operators, for `docs/passes.md`."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, new_context
from torch_refine.pipelines.parsing import parse_pipeline
from torch_refine.pipelines.runner import Runner

_PIPELINE = (
    "builtin.module(torch-reify-shape-calculations,torch-simplify-shape-calculations,symbol-dce)"
)
_INTRODUCTION = """\
#### What is left of common operators

Reified and simplified, with sizes that are not known. What is proven is gone; the rest is the
arithmetic of the sizes, and the conditions under which the operator raises.
"""
_LIST = "(!torch.int, !torch.int) -> !torch.list<int>"
_PROGRAMS = {
    "aten.add.Tensor": """\
func.func @add(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %a, %b, %int1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor
  return %0 : !torch.vtensor
}""",
    "aten.conv2d": f"""\
func.func @conv2d(%a: !torch.vtensor<[?,3,?,?],f32>, %b: !torch.vtensor<[8,3,3,3],f32>) -> !torch.vtensor {{
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %none = torch.constant.none
  %0 = torch.prim.ListConstruct %int1, %int1 : {_LIST}
  %1 = torch.prim.ListConstruct %int2, %int2 : {_LIST}
  %2 = torch.aten.conv2d %a, %b, %none, %1, %0, %0, %int1 : !torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[8,3,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor
  return %2 : !torch.vtensor
}}""",
    "aten.view": f"""\
func.func @view(%a: !torch.vtensor<[?,?,4],f32>) -> !torch.vtensor {{
  %int-1 = torch.constant.int -1
  %int8 = torch.constant.int 8
  %0 = torch.prim.ListConstruct %int-1, %int8 : {_LIST}
  %1 = torch.aten.view %a, %0 : !torch.vtensor<[?,?,4],f32>, !torch.list<int> -> !torch.vtensor
  return %1 : !torch.vtensor
}}""",
    "aten.cat": """\
func.func @cat(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?,3],f32>) -> !torch.vtensor {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return %1 : !torch.vtensor
}""",
}


def simplified_examples() -> str:
    """The section: for each operator, its function after the two passes."""
    lines = [_INTRODUCTION]
    for name, text in _PROGRAMS.items():
        context = new_context()
        module = ir.Module.parse(text, context).operation
        Runner().run(parse_pipeline(_PIPELINE, context, module.name), module)
        function = next(iter(module.regions[0].blocks[0].operations))
        lines += [f"`{name}`:", "", f"```mlir\n{function}\n```", ""]
    return "\n".join(lines)
