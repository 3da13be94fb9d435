"""`torch-refine-types` on programs designed to be expensive."""

import pytest
from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import RunState
from torch_refine.passes.refine_types import RefineTypes
from torch_refine.pipelines.parsing import parse_flag
from torch_refine.pipelines.runner import Runner

X = "!torch.vtensor"
INPUT = "!torch.vtensor<[?,3],f32>"


def _run(text, context):
    """Refine a module; returns its text and the statistics."""
    module = ir.Module.parse(text, context)
    state = RunState()
    RefineTypes().run(module.operation, state)
    module.operation.verify()
    return str(module), state.statistics["torch-refine-types"]


def test_nested_calls_are_not_exponential(context):
    """Each of forty functions calls the next one twice, with new sizes."""
    functions = [
        f"func.func @f0(%x: {INPUT}) {{ "
        f"%c = torch.tensor_static_info_cast %x : {INPUT} to {X} "
        f"%0 = func.call @f1(%c) : ({X}) -> {X} return }}"
    ]
    for index in range(1, 40):
        functions.append(
            f"func.func private @f{index}(%x: {X}) -> {X} {{ "
            f"%n = torch.aten.nonzero %x : {X} -> {X} "
            f"%0 = func.call @f{index + 1}(%n) : ({X}) -> {X} "
            f"%1 = func.call @f{index + 1}(%0) : ({X}) -> {X} return %1 : {X} }}"
        )
    functions.append(
        f"func.func private @f40(%x: {X}) -> {X} {{ "
        f"%0 = torch.aten.tanh %x : {X} -> {X} return %0 : {X} }}"
    )
    refined, statistics = _run("\n".join(functions), context)
    assert "@f40(%arg0: !torch.vtensor<[?,2],unk>) -> !torch.vtensor<[?,2],unk>" in refined
    assert statistics["cache misses"] + statistics["cache hits"] < 2000


def test_nested_loops_are_not_exponential(context):
    """The iterations of an inner loop are visited in every iteration of the outer ones."""
    depth = 4
    text = f"func.func @f(%x: {INPUT}, %n: !torch.int, %true: !torch.bool) -> {X} {{\n"
    text += (
        f"%c = torch.tensor_static_info_cast %x : {INPUT} to {X}\n%zero = torch.constant.int 0\n"
    )
    value = "%c"
    for index in range(depth):
        text += f"%r{index} = torch.prim.Loop %n, %true, init({value}) {{\n"
        text += f"^bb0(%i{index}: !torch.int, %v{index}: {X}):\n"
        value = f"%v{index}"
    text += f"%l = torch.prim.ListConstruct {value}, {value} : ({X}, {X}) -> !torch.list<vtensor>\n"
    text += f"%o = torch.aten.cat %l, %zero : !torch.list<vtensor>, !torch.int -> {X}\n"
    value = "%o"
    for index in reversed(range(depth)):
        text += f"torch.prim.Loop.condition %true, iter({value} : {X})\n"
        text += f"}} : (!torch.int, !torch.bool, {X}) -> {X}\n"
        value = f"%r{index}"
    text += f"return {value} : {X}\n}}"
    refined, statistics = _run(text, context)
    assert refined.count("-> !torch.vtensor<[?,3],f32>") >= depth
    assert statistics["cache misses"] + statistics["cache hits"] < 500


def test_branches_nested_deeply(context):
    """As deep as the parser accepts."""
    lines, value = [], "%t"
    text = f"func.func @f(%c: !torch.bool, %x: !torch.vtensor<[2,3],f32>) -> {X} {{\n"
    depth = 240
    for index in range(depth):
        text += f"%r{index} = torch.prim.If %c -> ({X}) {{\n"
    text += f"%t = torch.aten.tanh %x : !torch.vtensor<[2,3],f32> -> {X}\n"
    for index in reversed(range(depth)):
        lines.append(
            f"torch.prim.If.yield {value} : {X}\n}} else {{\n"
            f"%e{index} = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> {X}\n"
            f"torch.prim.If.yield %e{index} : {X} }}"
        )
        value = f"%r{index}"
    text += "\n".join(lines) + f"\nreturn {value} : {X}\n}}"
    refined, _ = _run(text, context)
    assert "torch.prim.If %arg0 -> (!torch.vtensor<[2,3],f32>)" in refined


def test_inferred_calls_are_cached(context):
    """Also with renamed sizes."""
    text = f"func.func @f(%a: {INPUT}, %b: {INPUT}) {{\n"
    for name in "ab":
        text += f"%{name}1 = torch.aten.tanh %{name} : {INPUT} -> {X}\n"
        text += f"%{name}2 = torch.aten.tanh %{name}1 : {X} -> {X}\n"
    _, statistics = _run(text + "return }", context)
    assert (statistics["cache misses"], statistics["cache hits"]) == (1, 3)
    assert statistics["cache hit percent"] == 75


LOOP_HEADS = {
    "for": "scf.for %i{0} = %low to %high step %step iter_args(%v{0} = {1}) -> ({2}) {{",
    "while": "scf.while (%w{0} = {1}) : ({2}) -> {2} {{ scf.condition(%c) %w{0} : {2} }} do {{\n"
    "^bb0(%v{0}: {2}):",
    "condition": "scf.while (%v{0} = {1}) : ({2}) -> {2} {{",
}
LOOP_ENDS = {
    "for": "scf.yield {1} : {2} }}",
    "while": "scf.yield {1} : {2} }}",
    "condition": "scf.condition(%c) {1} : {2} }} do {{\n^bb0(%u{0}: {2}):\n"
    "scf.yield %u{0} : {2} }}",
}
DOUBLE = f"""
  %zero = torch.constant.int 0
  %pair = torch.prim.ListConstruct %in, %in : ({X}, {X}) -> !torch.list<vtensor>
  %out = torch.aten.cat %pair, %zero : !torch.list<vtensor>, !torch.int -> {X}
"""


@pytest.mark.parametrize("form", LOOP_HEADS)
def test_deep_nests_of_loops_do_not_multiply(form, context):
    depth, value = 24, "%x"
    text = f"func.func private @f(%x: {X}, %c: i1, %low: index, %high: index, %step: index) {{\n"
    for index in range(depth):
        text += f"%r{index} = {LOOP_HEADS[form].format(index, value, X)}\n"
        value = f"%v{index}"
    text, value = text + DOUBLE.replace("%in", value), "%out"
    for index in reversed(range(depth)):
        text += LOOP_ENDS[form].format(index, value, X) + "\n"
        value = f"%r{index}"
    call = f"call @f(%x, %c, %i, %i, %i) : ({X}, i1, index, index, index) -> ()"
    text += f"return }}\nfunc.func @main(%a: {INPUT}, %c: i1, %i: index) {{\n"
    text += f"%x = torch.tensor_static_info_cast %a : {INPUT} to {X}\n{call}\nreturn }}"
    refined, statistics = _run(text, context)
    assert f"-> ({INPUT})" in refined or f"-> {INPUT}" in refined
    assert X + " " not in refined.partition("@f(")[2].partition("@main")[0]
    assert statistics["cache misses"] + statistics["cache hits"] < 1000


def test_many_functions_that_all_call_each_other(context):
    count = 12
    types = f"(!torch.bool, {X}) -> {X}"
    text = f"func.func @main(%b: !torch.bool, %a: {INPUT}) {{\n"
    text += f"%x = torch.tensor_static_info_cast %a : {INPUT} to {X}\n"
    text += f"%0 = call @f0(%b, %x) : {types}\nreturn }}\n"
    for caller in range(count):
        text += f"func.func private @f{caller}(%b: !torch.bool, %x: {X}) -> {X} {{"
        text += DOUBLE.replace("%in", "%x")
        text += f"%r = torch.prim.If %b -> ({X}) {{\ntorch.prim.If.yield %x : {X} }} else {{\n"
        value = "%out"
        for callee in range(count):
            text += f"%c{callee} = func.call @f{callee}(%b, {value}) : {types}\n"
            value = f"%c{callee}"
        text += f"torch.prim.If.yield {value} : {X} }}\nreturn %r : {X} }}\n"
    refined, statistics = _run(text, context)
    assert refined.count(f"(%arg0: !torch.bool, %arg1: {INPUT}) -> {INPUT}") == count
    assert statistics["cache misses"] + statistics["cache hits"] < 1000


def test_long_chains_of_loop_carried_values(context):
    """If a size takes too many iterations to propagate, the loop keeps its declared types."""
    values = [f"%v{index}" for index in range(100)]
    types = ", ".join([X] * len(values))
    text = f"func.func @f(%a: {INPUT}, %n: !torch.int, %true: !torch.bool) {{\n"
    text += f"%in = torch.tensor_static_info_cast %a : {INPUT} to {X}\n"
    text += f"{DOUBLE}%t = torch.aten.unsqueeze %in, %zero : {X}, !torch.int -> {X}\n"
    given = ", ".join(["%in"] * (len(values) - 1) + ["%t"])
    text += f"%r:{len(values)} = torch.prim.Loop %n, %true, init({given}) {{\n"
    text += f"^bb0(%i: !torch.int, {', '.join(f'{value}: {X}' for value in values)}):\n"
    after = ", ".join([*values[1:], values[0]])
    text += f"torch.prim.Loop.condition %true, iter({after} : {types})\n"
    text += f"}} : (!torch.int, !torch.bool, {types}) -> ({types})\nreturn }}"
    refined, _ = _run(text, context)
    assert f"{X}<[1,?,3],f32> to {X}" in refined
    assert "<[?,3],f32>" not in refined.partition("init(")[2]


def test_unreachable_blocks(context):
    """Values in unreachable blocks may be their own operands, and the blocks may form cycles."""
    text = f"""func.func @f(%x: {INPUT}, %c: i1, %b: !torch.bool, %n: !torch.int) -> {X} {{
      %v = torch.tensor_static_info_cast %x : {INPUT} to {X}
      cf.br ^last(%v : {X})
    ^first(%a: {X}):
      %k = torch.tensor_static_info_cast %k : {X} to {X}
      %s = torch.aten.tanh %s : {X} -> {X}
      %p = torch.aten.add.Tensor %q, %a, %n : {X}, {X}, !torch.int -> {X}
      %q = torch.aten.unsqueeze %p, %n : {X}, !torch.int -> {X}
      %l = torch.prim.ListConstruct %l1, %n : (!torch.int, !torch.int) -> !torch.list<int>
      %l1 = torch.aten.len.t %l : !torch.list<int> -> !torch.int
      %w = torch.aten.view %x, %l : {INPUT}, !torch.list<int> -> {X}
      %i = torch.prim.If %b -> ({X}) {{
        torch.prim.If.yield %s : {X}
      }} else {{
        torch.prim.If.yield %k : {X}
      }}
      cf.cond_br %c, ^first(%i : {X}), ^second(%k : {X})
    ^second(%d: {X}):
      %e = torch.aten.relu %x : {INPUT} -> {X}
      cf.cond_br %c, ^first(%e : {X}), ^last(%e : {X})
    ^last(%r: {X}):
      return %r : {X}
    }}"""
    module = ir.Module.parse(text, context)
    for way in ("torch-refinement-pipeline", "torch-reified-refinement-pipeline"):
        Runner(verify_each=True).run(parse_flag(way, "", context), module.operation)
        assert f"%arg3: !torch.int) -> {INPUT}" in str(module)
    del module
