"""Fixtures for all Python tests."""

import gc
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from seeded_parts import seeded_part
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


def pytest_collection_modifyitems(config, items):
    """Deselect what a mark `seeded_part(number)` leaves out of the cases of a test."""
    cases = defaultdict(list)
    for item in items:
        mark = item.get_closest_marker("seeded_part")
        if mark is not None:
            cases[item.nodeid.partition("[")[0], *mark.args].append(item)
    kept = {item for (_, number), found in cases.items() for item in seeded_part(found, number)}
    left_out = {item for found in cases.values() for item in found} - kept
    # A case that is named on the command line runs.
    if left_out and not any("[" in each for each in config.args):
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish():
    """What importing all tests made stays: looking through it at each collection takes long."""
    gc.collect()
    gc.freeze()
