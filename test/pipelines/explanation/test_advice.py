"""The advisor: which facts complete a module."""

import torch
import torch_refine
from torch import nn
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.pipelines.explanation import advising

F = "!torch.vtensor<[?,8],f32>"
SUM = f"%0 = torch.aten.add.Tensor %x, %y, %int1 : {F}, {F}, !torch.int -> !torch.vtensor"


def _module(body, arguments):
    text = (
        f"func.func @main({arguments}) {{\n%int0 = torch.constant.int 0\n"
        f"%int1 = torch.constant.int 1\n{body}\nreturn\n}}"
    )
    return ir.Module.parse(text, new_context())


def _advice(body, arguments):
    report = torch_refine.refine(_module(body, arguments))
    advice = report.advice()
    assert advice.unknown - advice.left == sum(each.resolved for each in advice.proposals)
    assert advice.refinements <= advising.MOST_REFINEMENTS
    return advice


def test_sizes_that_should_be_equal():
    (proposal,) = _advice(SUM, f'%x: {F} loc("x"), %y: {F} loc("y")').proposals
    assert proposal.text == "state that dim 0 of `x` and dim 0 of `y` are equal"
    assert proposal.how == "--symbolic-inputs='main:0=[n,8];main:1=[n,8]'"
    assert proposal.resolved == 1


def test_following_the_advice_completes_the_module():
    module = _module(SUM, f"%x: {F}, %y: {F}")
    (proposal,) = torch_refine.refine(module).advice().proposals
    named = proposal.how.partition("'")[2].rstrip("'")
    report = torch_refine.refine(_module(SUM, f"%x: {F}, %y: {F}"), symbolic_inputs=named)
    assert report.causes == () and report.advice().unknown == 0
    assert str(report.advice()) == "every tensor is known"


def test_an_argument_without_a_rank():
    types = "!torch.vtensor<*,f32>, !torch.vtensor<[8,4],f32>"
    body = f"%0 = torch.aten.mm %x, %w : {types} -> !torch.vtensor"
    advice = _advice(body, '%x: !torch.vtensor<*,f32> loc("x"), %w: !torch.vtensor<[8,4],f32>')
    (proposal,) = advice.proposals
    # Of the trial values, only 8 fits the weight; nothing else is claimed.
    assert (proposal.text, proposal.tried) == ("give `x` a shape", "rank 2 of 8")
    assert advice.left == 0


def test_an_argument_without_a_dtype():
    body = "%0 = torch.aten.relu %x : !torch.vtensor<[2],unk> -> !torch.vtensor"
    (proposal,) = _advice(body, '%x: !torch.vtensor<[2],unk> loc("x")').proposals
    assert (proposal.text, proposal.tried) == ("give `x` a dtype", "f32")


def test_several_facts_and_their_order():
    body = "\n".join((
        SUM,
        f"%1 = torch.aten.nonzero %x : {F} -> !torch.vtensor",
        "%2 = torch.aten.neg %1 : !torch.vtensor -> !torch.vtensor",
        "%3 = torch.aten.neg %2 : !torch.vtensor -> !torch.vtensor",
        f'%4 = torch.operator "torch.my.op"(%x) : ({F}) -> !torch.vtensor',
        "%5 = torch.aten.neg %4 : !torch.vtensor -> !torch.vtensor",
    ))  # fmt: skip
    advice = _advice(body, f"%x: {F}, %y: {F}")
    assert [each.resolved for each in advice.proposals] == [3, 2, 1]
    assert "torch.aten.nonzero (%1) a static dim 0" in advice.proposals[0].text
    assert advice.proposals[0].tried == "8 and 12"
    assert "functi" in advice.proposals[1].text and "torch.my.op" in advice.proposals[1].text
    assert advice.left == 0 and str(advice).startswith("to complete it:")


def test_an_int_that_is_read_from_a_tensor():
    body = """\
%n = torch.aten.Int.Tensor %x : !torch.vtensor<[],si64> -> !torch.int
%0 = torch.aten.narrow %y, %int0, %int0, %n
  : !torch.vtensor<[64,2],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor"""
    advice = _advice(body, "%x: !torch.vtensor<[],si64>, %y: !torch.vtensor<[64,2],f32>")
    (proposal,) = advice.proposals
    assert "torch.aten.Int.Tensor (%0) a constant" in proposal.text
    assert (proposal.resolved, proposal.tried) == (1, "8 and 12")


def test_what_no_fact_completes():
    body = """\
%0 = torch.prim.If %b -> (!torch.vtensor) {
  %1 = torch.aten.t %w : !torch.vtensor<[3,4],f32> -> !torch.vtensor
  torch.prim.If.yield %1 : !torch.vtensor
} else {
  %1 = torch.aten.relu %w : !torch.vtensor<[3,4],f32> -> !torch.vtensor
  torch.prim.If.yield %1 : !torch.vtensor
}"""
    advice = _advice(body, "%w: !torch.vtensor<[3,4],f32>, %b: !torch.bool")
    assert (advice.proposals, advice.unknown, advice.left) == ((), 1, 1)
    assert "no fact was tried for causes of the kind control-flow" in str(advice)


def test_the_budget_is_kept(monkeypatch):
    monkeypatch.setattr(advising, "MOST_REFINEMENTS", 1)
    advice = _advice(SUM.replace("add.Tensor", "mul.Tensor").replace(", %int1", "")
                     .replace(", !torch.int", "") + "\n" + SUM.replace("%0", "%1")
                     + f"\n%2 = torch.aten.nonzero %x : {F} -> !torch.vtensor",
                     f"%x: {F}, %y: {F}")  # fmt: skip
    assert advice.refinements == 1
    assert advice.left and "the search stopped after 1 refinements" in str(advice)


def test_the_module_is_not_changed():
    module = _module(SUM, f"%x: {F}, %y: {F}")
    report = torch_refine.refine(module)
    before = str(module)
    report.advice()
    assert str(module) == before


class _Model(nn.Module):
    def forward(self, x, y):
        places = torch.nonzero(x.sum(1) > 0).squeeze(1)
        return x[places] @ y


def test_a_model():
    inputs = torch.rand(5, 4), torch.rand(4, 6)
    module = torch_refine.import_model(_Model(), inputs, ({0: Dim("batch")}, {}))
    report = torch_refine.refine(module)
    assert [each.cause.subject for each in report.causes] == ["torch.aten.nonzero"]
    assert "test_advice.py:" in report.causes[0].cause.place
    (proposal,) = report.advice().proposals
    assert proposal.resolved == report.advice().unknown
    explanation = report.explain("aten.matmul")
    assert explanation.causes[0].kind == "data-dependent"
    line = explanation.causes[0].place.partition("test_advice.py:")[2].partition(":")[0]
    assert report.explain(f"test_advice.py:{line}").causes == explanation.causes
