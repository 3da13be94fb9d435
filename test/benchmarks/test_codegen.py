"""The benchmark of compiled code: one small case measured, and what is said of figures."""

import checks
import codegen
import pytest
import torch
from codegen_cases import CASES, QUICK, Case
from torch import nn


@pytest.fixture(autouse=True)
def restored():
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)
    torch._dynamo.reset()


def test_a_case_is_measured(monkeypatch):
    # Inductor needs a C++ compiler, which not every machine has.
    monkeypatch.setattr(torch, "compile", lambda model, dynamic: model)
    case = Case("tiny", lambda: (nn.ReLU(), (torch.rand(4, 4),)), 1.0)
    with torch.no_grad():
        times = codegen.measure(case, 1)
    assert 0 < times.ours < 1000
    assert times.our_compile > 0


@pytest.mark.parametrize(("ours", "mark"), [(1.9, False), (2.1, True)])
def test_what_is_not_reached_is_marked(ours, mark):
    times = codegen.Times(Case("x", lambda: None, 1.0), ours, 4.0, 2.0, 1.0, 9.0)
    text = codegen.document([times], [times], [], "cpu")
    assert ("(not reached)" in text) == mark
    assert f"| {ours / 2:.2f} |" in text


@pytest.mark.parametrize(("checked", "mark"), [(2.05, False), (2.07, True)])
def test_checks_that_cost_too_much_are_marked(checked, mark):
    cost = checks.Cost("x", checked, 2.0)
    assert ("(not reached)" in codegen.document([], [], [cost], "cpu")) == mark


class _Gather(nn.Module):
    def forward(self, x, i):
        return x[i]


def test_checks_are_left_out_of_what_they_are_compared_with(monkeypatch):
    case = Case("tiny", lambda: (_Gather(), (torch.rand(4, 4), torch.tensor([1, 2]))), 1.0)
    called = []

    def turn(way, inputs):
        called.append(way)
        return 1.0

    assert checks.measure_checks(case, 1, turn).ratio == 1.0
    asserted = [way._caller.assertions for way in called]
    assert "index is out of bounds" in str(asserted[0])
    assert "index is out of bounds" not in str(asserted[1])


def test_quick_cases_are_cases():
    assert set(QUICK) <= {case.name for case in CASES}
    assert len({case.name for case in CASES}) == len(CASES)
