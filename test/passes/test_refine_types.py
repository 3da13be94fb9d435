"""`torch-refine-types` on programs that are made to be expensive."""

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import RunState
from torch_refine.passes.refine_types import RefineTypes

X = "!torch.vtensor"
INPUT = "!torch.vtensor<[?,3],f32>"


def _run(text, context):
    """Refine a module; the text of the result, and the statistics."""
    module = ir.Module.parse(text, context)
    state = RunState()
    RefineTypes().run(module.operation, state)
    module.operation.verify()
    return str(module), state.statistics["torch-refine-types"]


def test_calls_do_not_multiply(context):
    """Each of forty functions calls the next one twice, with sizes that nobody saw before."""
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
    assert statistics["operators run"] + statistics["operators remembered"] < 2000


def test_nested_loops_do_not_multiply(context):
    """The turns of an inner loop are looked at in every turn of the outer ones."""
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
    assert statistics["operators run"] + statistics["operators remembered"] < 500


def test_branches_nested_deeply(context):
    """As deep as the tool reads."""
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


def test_what_was_inferred_before_is_looked_up(context):
    """Also where sizes go by other names."""
    text = f"func.func @f(%a: {INPUT}, %b: {INPUT}) {{\n"
    for name in "ab":
        text += f"%{name}1 = torch.aten.tanh %{name} : {INPUT} -> {X}\n"
        text += f"%{name}2 = torch.aten.tanh %{name}1 : {X} -> {X}\n"
    _, statistics = _run(text + "return }", context)
    assert (statistics["operators run"], statistics["operators remembered"]) == (1, 3)
    assert statistics["percent remembered"] == 75
