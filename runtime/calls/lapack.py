"""Find the routines of LAPACK and BLAS that programs call.

PyTorch carries them, and exports them by the names that Fortran compilers give them; its results
and those of compiled programs are then computed by the same routines. SciPy, whose routines are for
use from compiled code, serves where PyTorch is not installed.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from torch_refine.passes.lowering.lapack import symbols

# Names in the symbol table of an object file end with a zero byte.
_NAME = re.compile(rb"([sdcz][a-z]{4,5}_)\0")
_SCIPY = ("scipy.linalg.cython_lapack", "scipy.linalg.cython_blas")


class NoLapackError(RuntimeError):
    """A program calls a routine that no installed package has."""


def routines_in(content: bytes) -> frozenset[str]:
    """The routines that object files call."""
    return symbols() & {found.decode() for found in _NAME.findall(content)}


@cache
def address_of(name: str) -> int:
    """The address of a routine.

    Raises:
        NoLapackError: neither PyTorch nor SciPy has it.
    """
    library = _pytorch()
    if library is not None:
        try:
            return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
        except AttributeError:
            # This build of PyTorch has another LAPACK.
            pass
    for module in _SCIPY:
        capsule = _functions(module).get(name.removesuffix("_"))
        if capsule is not None:
            return _pointer_in(capsule)
    raise NoLapackError(
        f"the program calls {name}, a routine of LAPACK, which is in PyTorch and in SciPy: "
        "install one of them"
    )


@cache
def _pytorch() -> ctypes.CDLL | None:
    """PyTorch's library for CPUs; PyTorch itself is not imported."""
    found = find_spec("torch")
    folders = found.submodule_search_locations if found is not None else None
    for folder in folders or ():
        library = Path(folder) / "lib" / "libtorch_cpu.so"
        if library.exists():
            return ctypes.CDLL(str(library))
    return None


@cache
def _functions(module: str) -> dict[str, object]:
    """What a module of SciPy gives to compiled code."""
    try:
        found: dict[str, object] = import_module(module).__pyx_capi__
    except ImportError:
        return {}
    return found


def _pointer_in(capsule: object) -> int:
    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer(capsule, name(capsule)))
