"""Fixtures for all Python tests."""

import gc
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from torch_refine.dialect.bindings import ir, new_context

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture
def context():
    """A context with all dialects; none of its objects may outlive the test."""
    before = ir.Context._get_live_count()
    yield new_context()
    gc.collect()
    # The fixture's own context is still held by pytest.
    assert ir.Context._get_live_count() <= before + 1


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
