"""Causes in containers, casts, blocks, slots and tensors without value semantics."""

import torch_refine
from torch_refine.dialect.bindings import ir, new_context

W = "!torch.vtensor<[3,4],f32>"


def _report(text):
    context = new_context()
    context.allow_unregistered_dialects = True
    module = ir.Module.parse(text, context)
    return torch_refine.refine(module, invalid_program="warn")


def _kinds(report):
    return {each.cause.kind for each in report.causes}


def test_an_operation_of_another_dialect():
    report = _report(f"""
func.func @main(%w: {W}) {{
  %0 = "my.op"(%w) : ({W}) -> !torch.vtensor
  %1 = torch.aten.relu %0 : !torch.vtensor -> !torch.vtensor
  return
}}""")
    assert _kinds(report) == {"operation"}
    assert "my.op is not interpreted" in str(report.explain("%1"))


def test_a_tensor_that_may_be_resized():
    report = _report("""
func.func @main(%w: !torch.tensor<[2,3],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.aten.tanh %w : !torch.tensor<[2,3],f32> -> !torch.tensor
  %1 = torch.aten.unsqueeze_ %0, %int0 : !torch.tensor, !torch.int -> !torch.tensor
  return
}""")
    assert "alias" in _kinds(report)
    assert "in place" in str(report.explain("%0"))


def test_the_contents_of_a_slot():
    report = _report("""
torch.global_slot @slot : !torch.vtensor
func.func @main() {
  %0 = torch.global_slot.get @slot : !torch.vtensor
  %1 = torch.aten.relu %0 : !torch.vtensor -> !torch.vtensor
  return
}""")
    assert _kinds(report) == {"slot"}
    assert [each.kind for each in report.explain("%1").causes] == ["slot"] * 2


def test_a_list_that_is_mutated():
    report = _report(f"""
func.func @main(%w: {W}) {{
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %w, %w : ({W}, {W}) -> !torch.list<vtensor>
  %1 = torch.aten.append.t %0, %w : !torch.list<vtensor>, {W} -> !torch.list<vtensor>
  %2 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  return
}}""")
    assert _kinds(report) == {"list"}
    assert "the list may be mutated" in str(report.explain("aten.cat"))


def test_items_of_a_list():
    report = _report("""
func.func @main(%w: !torch.vtensor<[?,4],f32> loc("w")) {
  %int1 = torch.constant.int 1
  %n = torch.aten.nonzero %w : !torch.vtensor<[?,4],f32> -> !torch.vtensor
  %0 = torch.prim.ListConstruct %n, %n : (!torch.vtensor, !torch.vtensor) -> !torch.list<vtensor>
  %1 = torch.aten.__getitem__.t %0, %int1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  %2:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  return
}""")
    for question in ("aten.__getitem__.t", "%3#1", "%3"):
        (cause,) = report.explain(question).causes
        assert cause.subject == "torch.aten.nonzero", question


def test_a_cast_that_erases():
    report = _report(f"""
func.func @main(%w: {W}) -> !torch.vtensor {{
  %0 = "my.op"(%w) : ({W}) -> !torch.vtensor<[3,4],f32>
  %1 = torch.tensor_static_info_cast %0 : !torch.vtensor<[3,4],f32> to !torch.vtensor
  "my.use"(%1) : (!torch.vtensor) -> ()
  return %1 : !torch.vtensor
}}""")
    text = str(report.explain("%1"))
    assert "a cast erases the rank, which is 2" in text
    assert "a cast erases the dtype, which is f32" in text


def test_blocks():
    report = _report(f"""
func.func @main(%w: {W}, %b: i1) {{
  %int0 = torch.constant.int 0
  %0 = torch.aten.t %w : {W} -> !torch.vtensor
  %1 = torch.tensor_static_info_cast %w : {W} to !torch.vtensor
  cf.cond_br %b, ^bb1(%0 : !torch.vtensor), ^bb1(%1 : !torch.vtensor)
^bb1(%v: !torch.vtensor):
  %2 = torch.aten.relu %v : !torch.vtensor -> !torch.vtensor
  return
}}""")
    (cause, other) = report.explain("aten.relu").causes
    assert cause.kind == other.kind == "control-flow"
    assert "branches to this block give dim 0 as 4 and 3" in str(report.explain("aten.relu"))


def test_a_loop_that_passes_its_value_on():
    report = _report("""
func.func @main(%w: !torch.vtensor<[?,4],f32>, %n: !torch.int) {
  %true = torch.constant.bool true
  %z = torch.aten.nonzero %w : !torch.vtensor<[?,4],f32> -> !torch.vtensor
  %0 = torch.prim.Loop %n, %true, init(%z) {
  ^bb0(%i: !torch.int, %v: !torch.vtensor):
    %1 = torch.aten.relu %v : !torch.vtensor -> !torch.vtensor
    torch.prim.Loop.condition %true, iter(%1 : !torch.vtensor)
  } : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
  return
}""")
    (cause,) = report.explain("aten.relu").causes
    assert cause.subject == "torch.aten.nonzero"
