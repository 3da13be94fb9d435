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


def test_the_plot_can_be_drawn_from_the_document():
    first, second = CASES[0], CASES[3]
    measured = [
        codegen.Times(first, 3.0, 4.0, 6.0, 1.5, 9.0),
        codegen.Times(second, 2.0, 1.0, 1.0, 0.5, 2.0),
    ]
    text = codegen.document(measured, [measured[0]], [], "cpu")
    assert codegen.recorded(text) == measured
    shipped = codegen.recorded(codegen.DOCUMENTS["cpu"].read_text(encoding="utf-8"))
    assert len(shipped) == len(CASES)
    assert all(0.01 < times.ratio < 100 for times in shipped)


@pytest.mark.parametrize("ratios", [[0.9], [0.53, 1.3], [0.1, 0.2], [7.0], [0.03, 9.0]])
def test_bars_are_shown_whole_with_several_ticks(ratios):
    low, high = codegen.limits(ratios)
    assert low < min(1.0, *ratios) and max(1.0, *ratios) < high
    ticks = [tick for tick in codegen._TICKS if low <= tick <= high]
    assert len(ticks) >= 3 and 1.0 in ticks


def test_the_plot_is_drawn(tmp_path):
    pyplot = pytest.importorskip(
        "matplotlib.pyplot", reason="the extra `benchmark` is not installed"
    )
    found = [codegen.Times(Case("x", lambda: None, 1.0), 1.0, 4.0, 3.0, 1.0, 9.0)]
    codegen.plot(found, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert pyplot.get_fignums() == []


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
