"""Sweeps compile in their own process; the tests that follow in it do not."""

import pytest
from own_declarations import own_declarations  # noqa: F401
from torch_refine.build_tools.numerics import judging
from torch_refine.runtime.compiling import compiler


@pytest.fixture(autouse=True)
def compiling_apart(monkeypatch):
    monkeypatch.setattr(compiler, "_run", compiler._run)
    yield
    judging.compile_here.cache_clear()
