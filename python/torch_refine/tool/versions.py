"""`--version`: the versions of torch-refine and its dependencies."""

from __future__ import annotations

import platform
from importlib.metadata import version

from torch_refine.dialect.bindings import llvm_version
from torch_refine.dialect.schemas import registry_version


def versions_text() -> str:
    """The versions, one component per line; imports neither PyTorch nor NumPy.

    PyTorch's is that of the operator registry's snapshot; the installed one may differ.
    """
    return (
        f"torch-refine {version('torch-refine')}\n"
        f"  torch-mlir wheel {version('torch-mlir')}, LLVM {llvm_version()}\n"
        f"  operator registry of PyTorch {registry_version()}\n"
        f"  Python {platform.python_version()}\n"
    )
