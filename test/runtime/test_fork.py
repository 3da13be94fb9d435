"""Compiled programs in several processes and threads, and in the middle of each other."""

import os
import signal
import subprocess
import sys
import threading

import pytest
import torch
import torch_refine
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch_refine.runtime.calls.openmp import openmp_library


def _model():
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Linear(96, 128), nn.GELU(), nn.Linear(128, 96), nn.Softmax(-1), nn.Linear(96, 40)
    ).eval()


def _failures(compiled, model, seed, calls):
    generator = torch.Generator().manual_seed(seed)
    inputs = [torch.rand(32, 96, generator=generator) for _ in range(calls)]
    with torch.no_grad():
        return sum(not torch.allclose(compiled(x), model(x), atol=1e-5) for x in inputs)


def _in_children(count, work):
    """The exit codes of processes that are forked off."""
    children = []
    for index in range(count):
        child = os.fork()
        if child == 0:
            code = 99
            try:
                torch.set_num_threads(1)
                code = work(index)
            finally:
                os._exit(code)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


@pytest.fixture(scope="module")
def compiled():
    torch.set_num_threads(1)
    model = _model()
    result = torch_refine.compile(model, (torch.rand(32, 96),))
    with torch.no_grad():
        result(torch.rand(32, 96))
    assert result._caller.workspace, "nothing would be shared"
    return model, result


def test_children_that_compute_at_once(compiled):
    model, run = compiled
    found = _in_children(4, lambda index: _failures(run, model, index, 200))
    assert found == [0] * 4
    assert _failures(run, model, 9, 20) == 0


def test_weights_of_a_child_are_its_own(compiled):
    model, run = compiled

    def work(index):
        with torch.no_grad():
            model[0].weight.mul_(index + 2)
            model[2].weight = nn.Parameter(torch.rand(96, 128))
        return _failures(run, model, index, 50)

    assert _in_children(3, work) == [0] * 3
    assert _failures(run, model, 9, 20) == 0


def test_a_fork_while_another_thread_prepares(compiled):
    model, run = compiled
    state = run.state
    assert state is not None
    locked, done = threading.Event(), threading.Event()

    def prepare():
        with state._lock:
            locked.set()
            done.wait()

    thread = threading.Thread(target=prepare)
    thread.start()
    locked.wait()

    def work(index):
        signal.alarm(20)
        run.refresh()
        return _failures(run, model, index, 3)

    try:
        assert _in_children(1, work) == [0]
    finally:
        done.set()
        thread.join()


class _Computed(Dataset):
    def __init__(self, run):
        self.run = run

    def __len__(self):
        return 40

    def __getitem__(self, index):
        x = torch.rand(32, 96, generator=torch.Generator().manual_seed(index))
        with torch.no_grad():
            return index, self.run(x)


def test_workers_of_a_data_loader(compiled):
    model, run = compiled
    loader = DataLoader(_Computed(run), batch_size=4, num_workers=2, multiprocessing_context="fork")
    with torch.no_grad():
        for indices, found in loader:
            for index, result in zip(indices.tolist(), found, strict=True):
                x = torch.rand(32, 96, generator=torch.Generator().manual_seed(index))
                torch.testing.assert_close(result, model(x))


@pytest.mark.skipif(openmp_library() is None, reason="intel-openmp is not installed")
def test_children_with_threads():
    """In a process of its own: how OpenMP takes a fork is a matter of the whole process."""
    code = (
        "import test_fork, torch, torch_refine\n"
        "torch.set_num_threads(1)\n"
        "model = test_fork._model()\n"
        "run = torch_refine.compile(model, (torch.rand(32, 96),), threads=2)\n"
        "assert test_fork._failures(run, model, 0, 5) == 0\n"
        "work = lambda index: test_fork._failures(run, model, index, 50)\n"
        "print(test_fork._in_children(3, work), test_fork._failures(run, model, 0, 5))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(__file__)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )
    assert done.stdout == "[0, 0, 0] 0\n", done.stderr


def test_threads_that_change_weights_and_call():
    """What a call returns is of the weights of one time."""
    linear = nn.Linear(96, 64, bias=False)
    x = torch.ones(1, 96)
    program = torch_refine.compile(linear, (x,))
    failures = []

    def call():
        with torch.no_grad():
            for _ in range(300):
                found = program(x)
                if not (found == found[0, 0]).all():
                    failures.append(found)

    def replace():
        for step in range(300):
            linear.weight = nn.Parameter(torch.full((64, 96), float(step)))

    linear.weight = nn.Parameter(torch.zeros(64, 96))
    threads = [threading.Thread(target=each) for each in (call, call, replace)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_call_in_the_middle_of_a_call(compiled, monkeypatch):
    """As of a signal handler, which runs between any two steps."""
    model, run = compiled
    fill = run._arguments.fill
    inner = []

    def interrupted(*arguments):
        alive = fill(*arguments)
        if len(inner) < 20:
            inner.append(None)
            inner.append(_failures(run, model, len(inner), 1))
        return alive

    monkeypatch.setattr(run._arguments, "fill", interrupted)
    assert _failures(run, model, 7, 3) == 0
    assert not any(inner) and len(inner) >= 20
