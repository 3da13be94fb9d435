"""Lines of Python code: which of the many that a trace goes through belong to the model."""

from __future__ import annotations

import re
import sysconfig
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_LINE = re.compile(r'File "([^"]+)", line (\d+)')
# What a model calls or is called by, but is not written in.
_LIBRARIES = {"torch", "torch_mlir", "torch_refine", "numpy", "sympy"}


class Frame(NamedTuple):
    """A line of a Python file; lines count from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        """The frame as `file:line`."""
        return f"{self.file}:{self.line}"


def frames_in_text(text: str) -> list[Frame]:
    """The lines that a printed Python traceback mentions, the outermost call first."""
    return [Frame(file, int(line)) for file, line in _LINE.findall(text)]


def frames_of_error(error: BaseException) -> list[Frame]:
    """The lines through which an exception came, the outermost call first.

    Where one exception was raised from another, the lines of the first cause are taken.
    """
    while error.__cause__ is not None:
        error = error.__cause__
    summary = traceback.extract_tb(error.__traceback__)
    return [Frame(frame.filename, frame.lineno or 0) for frame in summary]


def written_by_the_user(frames: Sequence[Frame]) -> list[Frame]:
    """The frames outside PyTorch, the libraries below it, Python's own, and this package."""
    return [frame for frame in frames if not _is_library(frame.file)]


def _is_library(file: str) -> bool:
    parts = Path(file).parts
    if "site-packages" in parts or "dist-packages" in parts:
        installed = parts.index("site-packages" if "site-packages" in parts else "dist-packages")
        return parts[installed + 1] in _LIBRARIES
    if file.startswith("<") or Path(file).parent == Path(__file__).parent:
        return True
    return Path(file).is_relative_to(sysconfig.get_paths()["stdlib"])
