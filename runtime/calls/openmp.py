"""Find the OpenMP runtime of the package `intel-openmp`."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

_PACKAGE = "intel-openmp"
_LIBRARY = "libiomp5.so"


@cache
def openmp_library() -> Path | None:
    """The path of the runtime library, None if the package is not installed."""
    try:
        found = [each for each in files(_PACKAGE) or () if each.name == _LIBRARY]
    except PackageNotFoundError:
        return None
    return Path(found[0].locate()).resolve() if found else None


@cache
def load_openmp() -> None:
    """Load the runtime, so that code loaded later can link to it."""
    library = openmp_library()
    assert library is not None, "the caller asked for it"
    ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
