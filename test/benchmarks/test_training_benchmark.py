"""The benchmark of training: a run of a few steps, and its page."""

import pytest
import torch
import training
from torch import nn


@pytest.fixture
def small(monkeypatch):
    """A small network in place of those that are measured."""

    def build():
        batches = [torch.randn(4, 8) for _ in range(2)]
        return nn.Linear(8, 8), batches, lambda model, batch: model(batch).square().mean()

    monkeypatch.setitem(training.CASES, "small", build)
    threads = torch.get_num_threads()
    yield "small"
    torch.set_num_threads(threads)


def test_losses_are_those_of_eager_mode(small):
    runs = {way: training.train(small, way, 8) for way in ("eager", "torch-refine")}
    assert len(set(runs["eager"].losses)) == 8
    assert training.apart(runs, "torch-refine") < 1e-5
    assert all(run.milliseconds > 0 and run.compiling > 0 for run in runs.values())


def test_the_section_and_the_plot_have_all_figures(tmp_path):
    results = {
        name: {
            way: training.Run([2.0, 1.0 + place * 0.5], 10.0 * (place + 1), 5.0, 1.0)
            for place, way in enumerate(training.WAYS)
        }
        for name in ("one, small", "other")
    }
    text = training.section(results, 2)
    rows = [line for line in text.splitlines() if line.startswith(("| one", "| other"))]
    assert len(rows) == 2
    assert all("| 10.0 | 20.0 | 30.0 | 1.50 |" in row for row in rows)
    assert all(row.endswith("| 5.0e-01 | 1.0e+00 |") for row in rows)
    assert "inductor's: 1.50." in text
    pytest.importorskip("matplotlib", reason="the extra `benchmark` is not installed")
    training.plot(results, tmp_path / "losses.png")
    assert (tmp_path / "losses.png").read_bytes().startswith(b"\x89PNG")
