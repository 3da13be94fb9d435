"""The Python stacks that PyTorch records with each operator of a trace, made quickly.

PyTorch looks up all frames of a stack anew for each operator, which takes an eighth of an export.
This module loads PyTorch.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import FrameSummary, StackSummary
from types import CodeType
from typing import Any
from unittest import mock

import torch.fx.proxy


@contextmanager
def quick_stacks() -> Iterator[None]:
    """A context in which traces look up each line of Python once; their text is the same."""
    # There is no hook, so the class that the tracer uses is replaced while it traces.
    with mock.patch.object(torch.fx.proxy, "CapturedTraceback", _Stacks()):
        yield


class _Stacks:
    """What a tracer takes from PyTorch's `CapturedTraceback`."""

    def __init__(self) -> None:
        # By identity, as the hash of a code object is computed from all it contains.
        self._known: dict[tuple[int, int], tuple[FrameSummary, CodeType]] = {}

    def extract(self) -> _Stack:
        """The stack of the caller."""
        known = self._known
        found = []
        frame: Any = sys._getframe(1)
        while frame is not None:
            code, line = frame.f_code, frame.f_lineno
            pair = known.get((id(code), line))
            if pair is None:
                pair = FrameSummary(code.co_filename, line, code.co_name), code
                known[id(code), line] = pair
            found.append(pair[0])
            frame = frame.f_back
        found.reverse()
        return _Stack(found)


class _Stack:
    """The frames of a stack, outermost call first."""

    def __init__(self, frames: list[FrameSummary]) -> None:
        self._frames = frames

    def summary(self) -> StackSummary:
        """The frames as PyTorch's tracer filters and formats them."""
        return StackSummary(self._frames)
