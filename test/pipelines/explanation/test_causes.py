"""One program for each kind of cause."""

import pytest
import torch_refine
from torch_refine.dialect.bindings import ir, new_context

FLOATS = "!torch.vtensor<[?,8],f32>"
ARGUMENTS = f'%x: {FLOATS} loc("x"), %y: {FLOATS} loc("y"), %n: !torch.int, %b: !torch.bool'


def _report(body, arguments=ARGUMENTS, more="", **options):
    text = (
        f"func.func @main({arguments}) {{\n"
        "%int0 = torch.constant.int 0\n%int1 = torch.constant.int 1\n%none = torch.constant.none\n"
        f"%true = torch.constant.bool true\n{body}\nreturn\n}}\n{more}"
    )
    module = ir.Module.parse(text, new_context())
    return torch_refine.refine(module, invalid_program="warn", **options)


RELU = "%r = torch.aten.relu %0 : !torch.vtensor -> !torch.vtensor"
NONZERO = f"%0 = torch.aten.nonzero %x : {FLOATS} -> !torch.vtensor\n{RELU}"
UNKNOWN = f'%0 = torch.operator "torch.my.op"(%x) : ({FLOATS}) -> !torch.vtensor\n{RELU}'
ITEM = f"""\
%i = torch.aten.Int.Tensor %z : !torch.vtensor<[],si64> -> !torch.int
%l = torch.prim.ListConstruct %i, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
%0 = torch.aten.zeros %l, %none, %none, %none, %none
  : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
{RELU}"""
BRANCHES = f"""\
%0 = torch.prim.If %b -> (!torch.vtensor) {{
  %1 = torch.aten.t %w : !torch.vtensor<[3,4],f32> -> !torch.vtensor
  torch.prim.If.yield %1 : !torch.vtensor
}} else {{
  %1 = torch.tensor_static_info_cast %w : !torch.vtensor<[3,4],f32> to !torch.vtensor
  torch.prim.If.yield %1 : !torch.vtensor
}}
{RELU}"""
LOOP = f"""\
%c = torch.tensor_static_info_cast %w : !torch.vtensor<[3,4],f32> to !torch.vtensor
%0 = torch.prim.Loop %n, %true, init(%c) {{
^bb0(%i: !torch.int, %v: !torch.vtensor):
  %l = torch.prim.ListConstruct %v, %w
    : (!torch.vtensor, !torch.vtensor<[3,4],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.cat %l, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  torch.prim.Loop.condition %true, iter(%1 : !torch.vtensor)
}} : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
{RELU}"""
CALL = f"%0 = func.call @outside(%x) : ({FLOATS}) -> !torch.vtensor\n{RELU}"
OUTSIDE = f"func.func private @outside({FLOATS}) -> !torch.vtensor"
SUM = f"%0 = torch.aten.add.Tensor %x, %y, %int1 : {FLOATS}, {FLOATS}, !torch.int -> !torch.vtensor"
SLOT = f"%0 = torch.global_slot.get @slot : !torch.vtensor\n{RELU}"
FOREIGN = f'%0 = "my.op"(%x) : ({FLOATS}) -> !torch.vtensor\n{RELU}'
SCALARS = "%z: !torch.vtensor<[],si64>"
WEIGHT = "%w: !torch.vtensor<[3,4],f32>, %n: !torch.int, %b: !torch.bool"


@pytest.mark.parametrize(
    ("body", "arguments", "kind", "subject", "text"),
    [
        (NONZERO, ARGUMENTS, "data-dependent", "torch.aten.nonzero", "dim 0 is data-dependent"),
        (UNKNOWN, ARGUMENTS, "no-function", "torch.my.op", "no shape and no dtype function"),
        (ITEM, SCALARS, "data-dependent", "torch.aten.Int.Tensor", "reads an element"),
        (ITEM.replace("%i =", "%j ="), f"{SCALARS}, %i: !torch.int", "argument",
         "the value of argument %arg1 of main", "given by the caller"),
        (BRANCHES, WEIGHT, "control-flow", "its branches", "its branches give dim 0 as 4 and 3"),
        (LOOP, WEIGHT, "control-flow", "its iterations", "its iterations change dim 0"),
        (CALL, ARGUMENTS, "call", "@outside", "@outside is called, which has no body"),
        (SUM, ARGUMENTS, "condition", "torch.aten.add.Tensor", "x.size(0) == 1"),
        (RELU, "%0: !torch.vtensor", "argument", "the rank of argument %arg0 of main", "a rank"),
        (RELU.replace(": !torch.vtensor ", ": !torch.vtensor<[3],unk> "),
         "%0: !torch.vtensor<[3],unk>", "argument", "the dtype of argument %arg0 of main",
         "argument %arg0 is declared without a dtype"),
    ],
)  # fmt: skip
def test_a_cause(body, arguments, kind, subject, text):
    report = _report(body, arguments, OUTSIDE)
    causes = [each.cause for each in report.causes]
    (cause,) = [each for each in causes if (each.kind, each.subject) == (kind, subject)]
    assert text in cause.text
    assert cause.place is not None
    if "%r" in body:
        explanation = report.explain("aten.relu")
        assert (kind, subject) in [(each.kind, each.subject) for each in explanation.causes]
        assert kind in [step.cause for step in explanation.steps]
        assert text in str(explanation)


def test_the_line_of_the_function_that_decides():
    (cause,) = [each.cause for each in _report(SUM).causes]
    assert cause.library.file == "rules/broadcast.py"
    assert cause.library.text.startswith("if ")
    (cause,) = [each.cause for each in _report(NONZERO).causes]
    assert "unknown_size()" in cause.library.text


def test_causes_are_ranked_by_values():
    more = "\n".join(
        f"%u{n} = torch.aten.tanh %r : !torch.vtensor -> !torch.vtensor" for n in "123"
    )
    report = _report(f"{NONZERO}\n{more}\n{SUM.replace('%0', '%s')}\n{UNKNOWN.replace('%', '%v')}"
                     .replace("%vx", "%x"))  # fmt: skip
    assert [(each.cause.kind, each.values) for each in report.causes] == [
        ("data-dependent", 5), ("no-function", 2), ("condition", 1)
    ]  # fmt: skip


def test_equal_causes_are_one():
    twice = f"{UNKNOWN}\n{UNKNOWN.replace('%0', '%2').replace('%r', '%q')}"
    (ranked,) = _report(twice).causes
    assert (ranked.values, ranked.places) == (4, 2)
    assert "and 1 more like it" in str(ranked)


def test_declared_sizes_are_known_by_their_formula():
    report = _report(
        f"%0 = torch.aten.repeat_interleave.self_int %x, %two, %int0, %none\n"
        f" : {FLOATS}, !torch.int, !torch.int, !torch.none -> !torch.vtensor\n{RELU}"
        .replace("%two", "%int1"),
    )  # fmt: skip
    explanation = report.explain("aten.relu")
    assert explanation.causes == ()
    assert report.causes == ()
    assert "dim 0 is x.size(0) of the program's inputs" in str(explanation)
    assert explanation.steps[-1].cause == "formula"


def test_names_of_declared_sizes():
    body = f"%0 = torch.aten.t %x : {FLOATS} -> !torch.vtensor"
    report = _report(body, symbolic_inputs="main:0=[batch%4,8]")
    assert "dim 1 is 4*_batch of the program's inputs" in str(report.explain("aten.t"))
    assert "declares _batch symbolic" in str(report.explain("torch.symbolic_int"))
    arguments = report.explain(report.module.body.operations[0].regions[0].blocks[0].arguments[0])
    assert "dim 0 is declared dynamic: 4*_batch" in str(arguments)


def test_a_known_type_is_explained_in_one_step():
    report = _report("%0 = torch.aten.t %w : !torch.vtensor<[3,4],f32> -> !torch.vtensor", WEIGHT)
    (step,) = report.explain("aten.t").steps
    assert (step.cause, step.operator, step.depth) == ("inferred", "torch.aten.t", 0)
    assert "%arg0: !torch.vtensor<[3,4],f32>" in step.text
    (step,) = report.explain("%arg0").steps
    assert step.cause == "declared"


def test_a_budget_is_a_cause(monkeypatch):
    from torch_refine.abstract_interpreter.running import evaluator

    monkeypatch.setattr(evaluator, "STEP_LIMIT", 3)
    report = _report(SUM)
    assert report.causes[0].cause.kind == "budget"
    assert "more than 3 steps" in report.causes[0].cause.text


def test_an_operator_that_always_raises():
    type = "!torch.vtensor<[3,4],f32>"
    body = f"%0 = torch.aten.mm %w, %w : {type}, {type} -> !torch.vtensor"
    report = _report(body, WEIGHT)
    assert report.causes[0].cause.kind == "raises"
    assert "inner dimensions must match" in str(report.explain("%0"))


def test_private_functions_depend_on_their_calls():
    more = (
        "func.func private @inner(%a: !torch.vtensor) -> !torch.vtensor {\n"
        "%r = torch.aten.relu %a : !torch.vtensor -> !torch.vtensor\n"
        "return %r : !torch.vtensor\n}"
    )
    body = f"{NONZERO}\n%q = func.call @inner(%0) : (!torch.vtensor) -> !torch.vtensor"
    report = _report(body, more=more)
    for question in ("inner:%0", "inner:%arg0", "func.call"):
        (cause,) = report.explain(question).causes
        assert cause.subject == "torch.aten.nonzero", question


def test_long_chains_are_shortened():
    chain = "\n".join(
        f"%{n + 1} = torch.aten.relu %{n} : !torch.vtensor -> !torch.vtensor" for n in range(100)
    )
    report = _report(f"{NONZERO.partition(chr(10))[0]}\n{chain}")
    explanation = report.explain("%100")
    assert len(explanation.steps) < 30
    assert "more values in between" in str(explanation)
    assert explanation.steps[-1].cause == "data-dependent"


def test_a_module_that_was_changed_is_analysed_again():
    report = _report(SUM)
    assert report.causes
    function = report.module.body.operations[0]
    argument = function.regions[0].blocks[0].arguments[1]
    argument.set_type(ir.Type.parse("!torch.vtensor<[1,8],f32>", argument.type.context))
    assert report.causes == ()


def test_a_report_without_a_module():
    from dataclasses import replace

    with pytest.raises(ValueError, match="no module"):
        replace(_report(SUM), module=None).explain("%0")


def test_a_value_of_another_module():
    report = _report(SUM)
    other = report.module.body.operations[0].regions[0].blocks[0].arguments[0]
    with pytest.raises(LookupError, match="none of the module's"):
        _report(SUM).explain(other)
    assert report.explain(other).value == "%arg0"
