"""Parameter sizes of kernels, and their limits."""

from __future__ import annotations

from collections.abc import Iterator

from torch_refine.dialect.bindings import ir, operations

_KERNEL = "nvvm.kernel"
_POINTER = 8
MOST_BYTES_BEFORE_8_1 = 4352
"""The limit of the PTX ISA before version 8.1 (section "Kernel Function Parameters")."""
MOST_BYTES = 32764
"""The limit since version 8.1, for sm_70 and newer."""
VERSION_8_1 = "+ptx81"
"""LLVM's name of that version. Drivers support it since CUDA 12.1."""


def kernels_in(module: ir.Operation) -> Iterator[ir.Operation]:
    """The NVIDIA kernels in a GPU module of the llvm dialect."""
    for op in operations(module.regions[0].blocks[0]):
        if op.name == "llvm.func" and _KERNEL in op.attributes:
            yield op


def parameter_bytes(kernel: ir.Operation) -> int:
    """The size of a kernel's parameters in bytes, each aligned to its size."""
    at = 0
    for argument in kernel.regions[0].blocks[0].arguments:
        size = _byte_size(argument.type)
        at += -at % size + size
    return at


def _byte_size(type: ir.Type) -> int:
    width = getattr(type, "width", None)
    return _POINTER if width is None else max(1, int(width) // 8)
