"""The benchmark on GPUs: how it runs cases, with the GPU and the processes replaced."""

import time
from contextlib import contextmanager

import codegen
import codegen_cuda
import codegen_cuda_report
import codegen_cuda_worker
import codegen_report
import pytest
import torch
from codegen_cases import CASES, Case
from codegen_cuda import Run
from codegen_cuda_cases import FLOPS, GPU_CASES, MEMORY_BOUND, longest_first
from codegen_cuda_worker import Found
from torch import nn

TINY = Case("tiny", lambda: (nn.ReLU(), (torch.rand(4, 4),)), 1.0)
# Stands for the process of a case, which is named like what it does.
WORKER = """
import json, sys, time
name = sys.argv[1]
found = {"name": name, "compile": {"ours": 1.0}}
def say(**more):
    print(json.dumps({**found, **more}), flush=True)
if name == "crashes":
    print("an assertion failed", file=sys.stderr)
    sys.exit(3)
if name == "hangs":
    time.sleep(60)
say()
sys.stdin.readline()
if name == "crashes when measured":
    sys.exit(4)
if name == "hangs when measured":
    time.sleep(60)
say(device={"ours": 2.0, "eager": 4.0}, call={"ours": 10.0})
"""


def cases_named(*names):
    return [Case(name, TINY.make, 1.0) for name in names]


@pytest.fixture
def worker(monkeypatch, tmp_path):
    path = tmp_path / "worker.py"
    path.write_text(WORKER)
    monkeypatch.setattr(codegen_cuda, "_WORKER", path)


def test_processes_that_fail_cost_one_case(worker):
    told = []
    names = ["good", "crashes", "crashes when measured", "better"]
    found = Run(cases_named(*names), 2, 30.0, "cpu", told.append).measured()
    assert [each.name for each in found] == names
    assert [each.problem for each in found] == [
        "",
        "the process ended with 3 | an assertion failed",
        "the process ended with 4",
        "",
    ]
    assert found[0].device == {"ours": 2.0, "eager": 4.0}
    assert "good: ours 2.0 us, eager 4.0 us" in told
    assert any(line.startswith("compiled 3 of 4 in ") for line in told)


@pytest.mark.parametrize("name", ["hangs", "hangs when measured"])
def test_what_takes_too_long_is_left_out(worker, name):
    start = time.monotonic()
    found = Run(cases_named("good", name, "better"), 2, 8.0, "cpu", lambda _: None).measured()
    assert time.monotonic() - start < 10
    assert [each.problem for each in (found[0], found[2])] == ["", ""]
    assert found[1].problem.startswith("left out: not ")


def test_what_did_not_start_is_left_out(worker):
    found = Run(cases_named("hangs", "late"), 1, 1.0, "cpu", lambda _: None).measured()
    assert {each.problem for each in found} == {"left out: not compiled in the 1 s of this run"}


def prepared(case=TINY, seconds=60.0):
    with torch.no_grad():
        return codegen_cuda_worker._Prepared(case, "cpu", time.time() + seconds)


@pytest.fixture
def eager_peer(monkeypatch):
    """Inductor needs a C++ compiler, which not every machine has."""
    monkeypatch.setattr(torch, "compile", lambda model, **options: model)


def test_a_case_is_measured(eager_peer):
    each = prepared()
    assert each.found.error == 0.0 and each.found.problem == ""
    with torch.no_grad():
        found = each.measure()
    assert found.device.keys() == found.call.keys() == {"ours", "eager", "inductor"}
    assert found.compile.keys() == {"ours", "inductor"}


def test_wrong_results_are_a_problem(eager_peer, monkeypatch):
    monkeypatch.setattr(codegen_cuda_worker.torch_refine, "compile", lambda *_: torch.neg)
    found = prepared().measure()
    assert found.problem == "ArithmeticError: the relative error is 2.0e+00"
    assert found.device.keys() == {"eager", "inductor"}


def test_a_compiler_that_is_late_is_interrupted(monkeypatch):
    def sleep(*_, **options):
        time.sleep(60)

    monkeypatch.setattr(torch, "compile", sleep)
    each = prepared(seconds=5.0)
    assert each.found.notes == ["inductor: TimeoutError: it was not compiled in time"]
    assert each.ways.keys() == {"ours", "eager"}


class _Cuda:
    """In the place of `torch.cuda`: each event is a millisecond after the previous one."""

    def __init__(self, refuses):
        self.refuses = refuses
        self.time = 0

    def synchronize(self):
        pass

    def current_stream(self):
        return self

    def wait_stream(self, stream):
        pass

    def Stream(self):
        return self

    @contextmanager
    def stream(self, stream):
        yield

    def CUDAGraph(self):
        return self

    def replay(self):
        pass

    @contextmanager
    def graph(self, graph):
        yield
        if self.refuses:
            raise RuntimeError("operation not permitted\nwhen stream is capturing")

    def Event(self, enable_timing):
        return _Event(self)


class _Event:
    def __init__(self, cuda):
        self.cuda = cuda

    def record(self):
        self.cuda.time += 1
        self.at = self.cuda.time

    def elapsed_time(self, end):
        return end.at - self.at


@pytest.mark.parametrize("refuses", [False, True])
def test_the_time_of_kernels(monkeypatch, refuses):
    monkeypatch.setattr(codegen_cuda_worker.torch, "cuda", _Cuda(refuses))
    microseconds, why_not = codegen_cuda_worker.device_time(torch.relu, (torch.rand(2),), "cuda")
    assert microseconds == 100.0
    assert why_not == ("RuntimeError: operation not permitted" if refuses else "")


def found_of(case, ours, eager, inductor, **others):
    times = {"ours": ours, "eager": eager, "inductor": inductor}
    return Found(case.name, times, {"ours": 30.0}, {"ours": 1.5}, error=1e-7, gpu="GPU", **others)


def test_the_document():
    found = [
        found_of(CASES[0], 20.0, 40.0, 25.0, share={"ours": 0.5, "eager": 0.25}),
        found_of(CASES[1], 20.0, 10.0, 5.0, by_events={"ours": "RuntimeError: no"}),
        Found(CASES[2].name, {"eager": 3.0}, problem="CompileError: no lowering"),
    ]
    part = codegen_cuda_report.table_of(found)
    assert part.rows[0][:7] == (CASES[0].name, "20 µs", "40 µs", "25 µs", "0.50", "0.80", "30 µs")
    assert part.rows[0][9:] == ("1e-07", "50%", "25%", "1.5 s", "—")
    assert part.rows[1][1] == "20 µs (*)"
    assert part.rows[2][1:4] == ("failed", "3 µs", "—")
    assert part.rows[3][4:6] == ("1.00", "1.79")
    assert part.missed == [False, True, True, False]
    text = codegen_cuda_report.document(found)
    assert "on GPU." in text
    assert f"- {CASES[2].name}: CompileError: no lowering" in text
    assert f"- {CASES[1].name}: ours cannot be captured: RuntimeError: no" in text
    (recorded,) = codegen_report.recorded(text)
    drawn = codegen_cuda_report.as_measured(found).found
    for mine, theirs in zip(recorded.found, drawn, strict=True):
        assert mine.case is theirs.case and bool(mine.problem) == bool(theirs.problem)
        assert mine.ratio == pytest.approx(theirs.ratio)


def test_the_declared_work_is_of_cases():
    names = {case.name for case in GPU_CASES}
    assert names.issuperset(FLOPS) and names.issuperset(MEMORY_BOUND)
    assert not FLOPS.keys() & MEMORY_BOUND
    assert sorted(longest_first(GPU_CASES), key=GPU_CASES.index) == list(GPU_CASES)
    assert not longest_first(GPU_CASES)[0].name.startswith("gelu")


def test_shares_of_the_peak(eager_peer):
    each = prepared(next(case for case in GPU_CASES if case.name == "softmax 1000x1023"))
    each.found.device = {"ours": 10.0}
    moved = 2 * 4 * 1000 * 1023
    assert each._shares()["ours"] == pytest.approx(moved / 10e-6 / 4.8e12)


def test_the_command(monkeypatch, capsys, worker):
    monkeypatch.setattr(codegen, "GPU_CASES", cases_named("good", "crashes"))
    assert codegen.main(["--target", "cuda", "--only", "good", "--jobs", "1"]) == 0
    assert codegen.main(["--target", "cuda", "--only", "crashes", "--jobs", "1"]) == 1
    assert "crashes: the process ended with 3" in capsys.readouterr().out
