"""Stack frames: which frames of a trace belong to the model."""

from __future__ import annotations

import re
import sysconfig
import traceback
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_LINE = re.compile(r'File "([^"]+)", line (\d+)')
# Packages that models use, but are not written in.
_LIBRARIES = {"torch", "torch_mlir", "torch_refine", "numpy", "sympy"}


class Frame(NamedTuple):
    """A line of a Python file, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        """The frame as `file:line`."""
        return f"{self.file}:{self.line}"


def frames_in_text(text: str) -> list[Frame]:
    """The frames in a printed Python traceback, outermost call first."""
    return [Frame(file, int(line)) for file, line in _LINE.findall(text)]


def frames_of_error(error: BaseException) -> list[Frame]:
    """The frames of an exception, outermost call first.

    For chained exceptions, those of the first cause.
    """
    while error.__cause__ is not None:
        error = error.__cause__
    summary = traceback.extract_tb(error.__traceback__)
    return [Frame(frame.filename, frame.lineno or 0) for frame in summary]


def written_by_the_user(frames: Sequence[Frame]) -> list[Frame]:
    """The frames outside of PyTorch, its dependencies, the standard library, and this package."""
    return [frame for frame in frames if not _is_library(frame.file)]


@lru_cache(maxsize=4096)
def _is_library(file: str) -> bool:
    parts = Path(file).parts
    if "site-packages" in parts or "dist-packages" in parts:
        installed = parts.index("site-packages" if "site-packages" in parts else "dist-packages")
        return parts[installed + 1] in _LIBRARIES
    if file.startswith("<") or Path(__file__).parent in Path(file).parents:
        return True
    return Path(file).is_relative_to(sysconfig.get_paths()["stdlib"])
