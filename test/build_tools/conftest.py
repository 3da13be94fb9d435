"""Sweeps compile in their own process; the tests that follow in it do not."""

import pytest
from torch_refine.abstract_interp_lib import declaration
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.numerics import judging
from torch_refine.runtime.compiling import compiler


@pytest.fixture(autouse=True)
def compiling_apart(monkeypatch):
    monkeypatch.setattr(compiler, "_run", compiler._run)
    yield
    judging.compile_here.cache_clear()


@pytest.fixture
def own_declarations(monkeypatch):
    """What a test declares is forgotten after it, but not the families, which are imported once."""
    load_families()
    monkeypatch.setattr(declaration, "_declared", dict(declaration._declared))
