"""What a terminal shows while a model is compiled."""

import io
import re
from contextlib import redirect_stderr

import pytest
import torch
import torch_refine
from torch import nn
from torch_refine.runtime.compiling import progress
from without_lowering import bessel

STAGES = (
    "loading PyTorch",
    "exporting the model",
    "importing the program",
    "starting the compiler",
    "refining: ",
    "lowering to linalg: ",
    "lowering to the CPU: ",
    "generating code: ",
)


class _Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    stream = _Terminal()
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.002)
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    return stream


def _compile(stream, model=None):
    with redirect_stderr(stream):
        torch_refine.compile(model or nn.Linear(3, 3), torch.rand(3, 3))


def test_a_terminal_shows_the_stages_in_order(terminal):
    _compile(terminal)
    lines = terminal.getvalue().split(progress._CLEARED)
    assert lines[0] == lines[-1] == "", "the line is cleared in the end"
    assert all(re.fullmatch(r"torch-refine: \d+ s, .*", line) for line in lines[1:-1])
    # A stage that takes less than a glance may be missing, as may the whole of the last ones.
    seen = [next(i for i, s in enumerate(STAGES) if s in line) for line in lines[1:-1]]
    assert seen == sorted(seen)
    assert {1, 3} <= set(seen)
    assert max(map(len, lines)) < 80


def test_nothing_is_shown_of_what_is_quick(terminal, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 1e6)
    _compile(terminal)
    assert terminal.getvalue() == ""


def test_nothing_is_shown_where_nobody_looks(terminal, monkeypatch):
    monkeypatch.setenv(progress.SETTING, "0")
    _compile(terminal)
    monkeypatch.delenv(progress.SETTING)
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    _compile(terminal)
    _compile(None)
    assert terminal.getvalue() == ""


def test_the_line_is_cleared_when_compiling_fails(terminal):
    class Unknown(nn.Module):
        def forward(self, x):
            return bessel(x)

    with pytest.raises(torch_refine.CompileError):
        _compile(terminal, Unknown())
    assert terminal.getvalue().endswith(progress._CLEARED)


def test_a_terminal_that_is_closed_stops_nothing(terminal):
    terminal.close()
    _compile(terminal)
