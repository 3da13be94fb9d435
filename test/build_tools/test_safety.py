"""Bad calls of compiled programs: a seeded part of the sweep, and what the sweep sees."""

import ctypes
import os
import signal
import time

import pytest
import torch
from sampled_operators import sampled_operators
from torch_refine.build_tools.code.guarded_memory import guarded_heap
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.recording import calls_of
from torch_refine.build_tools.numerics.workers import Died, Workers
from torch_refine.build_tools.safety import judging
from torch_refine.build_tools.safety.__main__ import Task, bases_of, judge_task
from torch_refine.build_tools.safety.bad_calls import KINDS, BadCall, bad_calls
from torch_refine.build_tools.safety.judging import FAULTS, judge, judge_program, run_each
from torch_refine.build_tools.safety.programs import InputModule, copies
from torch_refine.build_tools.safety.rejected import judge_error_inputs, judge_rejected
from torch_refine.build_tools.safety.report import exceptions
from torch_refine.operator_coverage import lowered

_SAMPLED = 4


def _call(operator, *args, **kwargs):
    return ValueCall(operator, args, kwargs, "", "none")


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")


def _judged(function, tmp_path, *tasks):
    """Judged in a process of its own, which compiles and is bounded in memory."""
    run = Workers(lambda number: function(*tasks[number]), 1, 120.0, tmp_path, nests=True)
    found = dict(run.run(range(len(tasks))))
    return [found[number] for number in range(len(tasks))]


def _faults(judged):
    assert not isinstance(judged, Died), judged
    return [each for each in judged.calls if each.verdict in FAULTS]


_i = torch.tensor([2, 0])
_CLASSES = {
    "indices": _call("aten::index.Tensor", torch.rand(4, 3), [None, _i]),
    "indices that are written to": _call("aten::index_put", torch.rand(4), [_i], torch.rand(2)),
    "rows": _call("aten::scatter.src", torch.rand(3, 2), 0, _i[None], torch.rand(1, 2)),
    "numbers": _call("aten::select.int", torch.rand(4, 3), 0, 2),
    "divisors": _call("aten::remainder.Tensor", torch.arange(4), torch.arange(1, 5)),
    "sizes": _call("aten::mm", torch.rand(4, 3), torch.rand(3, 2)),
}


@pytest.mark.parametrize("call", _CLASSES.values(), ids=_CLASSES)
def test_bad_calls_raise_or_give_what_eager_mode_gives(call, tmp_path):
    (found,) = _judged(judge_program, tmp_path, ([call], ["numbers", "dynamic"]))
    assert found.refused == "" and _faults(found) == []
    verdicts = {each.verdict for each in found.calls}
    assert verdicts >= {"raises", "equal"}


@pytest.mark.parametrize("operator", sampled_operators(20261122, _SAMPLED))
def test_a_part_of_the_sweep(operator, tmp_path):
    calls = bases_of([operator], calls_of(lowered()["operators"][operator]["entry"]))[operator]
    (found,) = _judged(judge_task, tmp_path, [Task("numbers", operator, tuple(calls))])
    unknown = [each for each in _faults(found) if f"{operator}: {each.kind}" not in exceptions()]
    assert unknown == []


def test_what_eager_mode_rejects_does_not_compile_or_raises(tmp_path):
    call = _call("aten::select.int", torch.rand(4, 3), 0, 2)
    (rejected,) = _judged(judge_rejected, tmp_path, [call])
    (samples,) = _judged(judge_error_inputs, tmp_path, ["gather"])
    for found in (rejected, samples):
        assert _faults(found) == []
        assert sum(each.verdict == "raises" for each in found.calls) > 3


def test_every_kind_of_bad_call_is_made():
    inputs = (torch.rand(3, 3), torch.rand(3, 3), torch.tensor([1, 2]), 4)
    made = list(bad_calls(inputs, dynamic=True))
    assert {each.kind for each in made} == set(KINDS)
    values = {each.what for each in made if each.kind in ("values", "numbers")}
    assert {f"input 2, all = {n}" for n in (3, -4, 10**9, 2**62, -(2**63), 0)} <= values
    assert {f"input 3 = {n} for 4" for n in (3, -4, 2**62, -(2**63), 2**63 - 1, 2**31)} <= values
    sizes = {each.inputs[0].shape for each in made if each.kind == "sizes"}
    assert {(0, 3), (1, 3), (2, 3), (4, 3), (7, 3), (3, 0)} <= sizes


def _end_process():
    os.kill(os.getpid(), signal.SIGSEGV)


def _overrun(x, y, heap):
    beside = heap.allocate(4)
    ctypes.memset(beside - 1 if heap.side == "end" else beside + 4, 0, 1)
    heap.free(beside)
    return (x + y,)


_PROGRAMS = {
    "equal": lambda x, y, heap: (x + y,),
    "differs": lambda x, y, heap: (x - y,),
    "died": lambda x, y, heap: _end_process(),
    "leaks": lambda x, y, heap: (heap.allocate(4), x + y)[1:],
    "overruns": _overrun,
}


@pytest.mark.parametrize("verdict", _PROGRAMS)
def test_what_programs_do_wrong_is_seen(verdict):
    program = _PROGRAMS[verdict]
    model = InputModule(_call("aten::add.Tensor", torch.rand(3), torch.rand(3)), False)
    bad = BadCall("values", "none", model.inputs())
    with guarded_heap() as heap:
        (found,) = run_each([lambda: judge(model, lambda x, y: program(x, y, heap), heap, bad)])
    if isinstance(found, Died):
        found = judging.died(bad.kind, bad.what, found)
    assert found.verdict == verdict


def test_an_answer_where_eager_mode_raises_is_seen():
    model = InputModule(_call("aten::index_select", torch.rand(3), 0, torch.tensor([1])), False)
    bad = BadCall("values", "none", (torch.rand(3), torch.tensor([3])))
    with guarded_heap() as heap:
        found = judge(model, lambda x, i: (x[:1],), heap, bad)
        assert found.verdict == "answers" and "IndexError" in found.message
        raising = judge(model, lambda x, i: model(x, i), heap, bad)
        assert raising.verdict == "raises"
        lost = BadCall("gradient", "none", (torch.rand(3).requires_grad_(), torch.tensor([0])))
        assert judge(model, lambda x, i: (x[:1].detach(),), heap, lost).verdict == "differs"


def test_one_tensor_is_passed_as_one():
    x = torch.rand(3)
    first, second, other = copies((x, x, torch.rand(3)))
    assert first is second and first is not other


@pytest.mark.parametrize(("seconds", "verdict"), [(60.0, "unfit"), (0.0, "hung")])
def test_what_eager_mode_does_not_end_either_is_no_fault(seconds, verdict):
    def model(*inputs):
        time.sleep(seconds)
        return inputs

    bad = BadCall("numbers", "input 1 = 1000000000 for 2", (torch.ones(1),))
    how = Died(hung=True, message="calls the compiled program")
    assert judging.ended(model, bad, how, seconds=1.0).verdict == verdict
    assert judging.ended(model, bad, Died(False, how.message), seconds=1.0).verdict == "died"
