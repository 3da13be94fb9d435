"""The fewest ops that contradict each other."""

from torch_refine.dialect.bindings import ir, new_context
from torch_refine.pipelines.explanation import conflicts as module_of_conflicts
from torch_refine.pipelines.explanation.conflicts import conflicts


def _conflicts(text):
    module = ir.Module.parse(text, new_context())
    before = str(module)
    found = conflicts(module.operation)
    assert str(module) == before
    return found


CHAIN = """\
func.func @main(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[?,8],f32>,
                %w: !torch.vtensor<[8,16],f32>) {
  %int1 = torch.constant.int 1
  %0 = torch.aten.tanh %x : !torch.vtensor<[4,8],f32> -> !torch.vtensor
  %1 = torch.aten.t %0 : !torch.vtensor -> !torch.vtensor
  %2 = torch.aten.tanh %y : !torch.vtensor<[?,8],f32> -> !torch.vtensor
  %3 = torch.aten.mul.Tensor %1, %1 : !torch.vtensor, !torch.vtensor -> !torch.vtensor
  %4 = torch.aten.mm %3, %w : !torch.vtensor, !torch.vtensor<[8,16],f32> -> !torch.vtensor
  return
}"""


def test_a_chain():
    (conflict,) = _conflicts(CHAIN)
    assert "inner dimensions must match" in conflict.message
    assert conflict.is_smallest
    assert [text for text, _ in conflict.members] == [
        "argument %arg2, declared !torch.vtensor<[8,16],f32>",
        "argument %arg0, declared !torch.vtensor<[4,8],f32>",
        "%0 = torch.aten.tanh",
        "%1 = torch.aten.t",
        "%3 = torch.aten.mul.Tensor",
        "%4 = torch.aten.mm",
    ]
    assert conflict.members[-1][1] == conflict.place == "line 8"


def test_a_declared_result():
    (conflict,) = _conflicts("""\
func.func @main(%x: !torch.vtensor<[4,8],f32>) {
  %0 = torch.aten.tanh %x : !torch.vtensor<[4,8],f32> -> !torch.vtensor
  %1 = torch.aten.relu %0 : !torch.vtensor -> !torch.vtensor<[5,8],f32>
  return
}""")
    assert "size 5 against 4" in conflict.message
    assert [text for text, _ in conflict.members] == [
        "argument %arg0, declared !torch.vtensor<[4,8],f32>",
        "%0 = torch.aten.tanh",
        "the result %1, declared !torch.vtensor<[5,8],f32>",
        "%1 = torch.aten.relu",
    ]


def test_several_contradictions():
    line = CHAIN.splitlines()[-3]
    found = _conflicts(CHAIN.replace(line, f"{line}\n{line.replace('%4', '%5')}"))
    assert [each.place for each in found] == ["line 8", "line 9"]


def test_none():
    assert _conflicts(CHAIN.replace("aten.t ", "aten.relu ")) == []


def test_the_budget_is_kept(monkeypatch):
    monkeypatch.setattr(module_of_conflicts, "_MOST_RUNS", 3)
    (conflict,) = _conflicts(CHAIN)
    assert not conflict.is_smallest
    assert "at most these" in str(conflict)
    assert conflict.members[-1][0] == "%4 = torch.aten.mm"
