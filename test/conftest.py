"""Fixtures for all Python tests."""

import gc
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from torch_refine.dialect.bindings import ir, new_context

REPOSITORY = Path(__file__).parent.parent


def live_contexts(expected=0):
    """How many contexts there are, where more than expected after the collector ran.

    To look through all that PyTorch has loaded takes longer than most tests.
    """
    if ir.Context._get_live_count() > expected:
        gc.collect()
    return ir.Context._get_live_count()


@pytest.fixture(scope="module", autouse=True)
def _collected():
    """The collector does not look again at what earlier modules loaded, PyTorch above all."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def context():
    """A context with all dialects; none of its objects may outlive the test."""
    before = live_contexts()
    yield new_context()
    # The fixture's own context is still held by pytest.
    assert live_contexts(before + 1) <= before + 1


@pytest.fixture
def no_context_left():
    """No context that a test makes may outlive it."""
    before = live_contexts()
    yield
    assert live_contexts(before) == before


@pytest.fixture
def opt():
    """Runs `torch-refine-opt` as a user does; returns the finished process."""
    tool = Path(sys.executable).with_name("torch-refine-opt")

    def run(*arguments, input=None, timeout=120, cwd=None):
        return subprocess.run(
            [tool, *map(str, arguments)],
            input=input,
            capture_output=True,
            text=not isinstance(input, bytes),
            timeout=timeout,
            cwd=cwd,
        )

    assert shutil.which(tool), "install the package first: make test does"
    return run


def pytest_collection_finish():
    """What importing all tests made stays: looking through it at each collection takes long."""
    gc.collect()
    gc.freeze()
