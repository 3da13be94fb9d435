"""Memory between unreadable pages, for compiled code and its arguments.

An access past the end of a buffer, or before its start, ends the process with SIGSEGV; a write
between a buffer and the page is detected when the buffer is freed.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal

import torch
from torch_refine.passes.lowering.abi import ALLOCATE, BLOCK_HEADER, FREE
from torch_refine.runtime.calls import calling, object_files

Side = Literal["end", "start"]
SIDES: tuple[Side, ...] = ("end", "start")
"""The side of a buffer that touches an unreadable page; the other side has one within a page."""

_PAGE = mmap.PAGESIZE
# The size from which blocks are kept (support.ll), and one that no block reaches.
_LARGE, _NEVER = ", 65536", f", {(1 << 63) - 1}"
# The alignment of `malloc`.
_ALIGNMENT = 16
# Larger allocations fail, as if the system had no more memory.
_MOST_BYTES = 1 << 28
# The fill byte of buffers: NaN as a float, -1 as an integer.
_FRESH = 0xFF
# The fill byte between a buffer and the next unreadable page.
_CANARY = 0xA5
_WORD = 8

_numbers = count()
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [
    *(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long),
]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_FAILED = ctypes.c_void_p(-1).value


@dataclass(frozen=True)
class _Block:
    """A mapping of `total` bytes at `base` that contains the allocation of `size` bytes.

    Its first `header` bytes are not used by the program.
    """

    base: int
    total: int
    size: int
    header: int = 0


class GuardedHeap:
    """An allocator for compiled code with unreadable pages around each buffer.

    `side` is where buffers touch a page. At the end of a page they are aligned to 16 bytes, on
    which compiled code may rely, so there may be up to 15 bytes between a buffer and the page.
    """

    def __init__(self) -> None:
        self.side: Side = "end"
        self.faults: list[str] = []
        """Errors so far: writes out of bounds of a buffer, and invalid calls of `free`."""
        self._blocks: dict[int, _Block] = {}
        self._malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(self.allocate)
        self._aligned = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(
            self._allocate_aligned
        )
        # LLVM combines malloc and a fill with zeros to calloc.
        self._calloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(
            self._allocate_zeros
        )
        self._tracked = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(self._allocate_tracked)
        self._free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.free)

    def link_tracking(self) -> Any:
        """The library that tracks a call's allocations (support.ll), with this heap."""
        llvm, linker, _ = object_files._linker()
        text = (Path(object_files.__file__).parent / "support.ll").read_text(encoding="utf-8")
        # No block is kept for reuse: each is freed where the program frees it.
        assert _LARGE in text, "blocks are kept from a size on"
        text = text.replace(_LARGE, _NEVER)
        builder = llvm.JITLibraryBuilder().add_ir(text).add_current_process()
        builder.import_symbol("malloc", _address(self._tracked))
        builder.import_symbol("free", _address(self._free))
        for name in (ALLOCATE, FREE):
            builder.export_symbol(name)
        return builder.link(linker, f"torch_refine.guarded.{next(_numbers)}")

    @property
    def functions(self) -> dict[str, int]:
        """The addresses of the functions that replace those of the C library."""
        functions: dict[str, Any] = {
            "malloc": self._malloc,
            "aligned_alloc": self._aligned,
            "calloc": self._calloc,
            "free": self._free,
        }
        return {name: _address(function) for name, function in functions.items()}

    @property
    def live(self) -> int:
        """The number of buffers that are not freed."""
        return len(self._blocks)

    def allocate(self, size: int, alignment: int = _ALIGNMENT, header: int = 0) -> int:
        """The address of a new buffer, 0 if there is no memory.

        The last word of its first `header` bytes is unused.
        """
        if size > _MOST_BYTES:
            return 0
        inner = max(-(-size // _PAGE), 1) * _PAGE
        total = inner + 2 * _PAGE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        base = _libc.mmap(None, total, 0, flags, -1, 0)
        if base in (None, _FAILED):
            return 0
        first = base + _PAGE
        if _libc.mprotect(first, inner, mmap.PROT_READ | mmap.PROT_WRITE):
            _libc.munmap(base, total)
            return 0
        # An empty buffer has a unique address, too.
        address = first
        if self.side == "end":
            address = (first + inner - size) // alignment * alignment
        ctypes.memset(first, _CANARY, inner)
        ctypes.memset(address, _FRESH, size)
        self._blocks[address] = _Block(base, total, size, header)
        return int(address)

    def free(self, address: int | None) -> None:
        """Free a buffer; its pages become unreadable."""
        if not address:
            return
        block = self._blocks.pop(address, None)
        if block is None:
            self.faults.append("free of what was not allocated, or was freed before")
            return
        first, end = block.base + _PAGE, block.base + block.total - _PAGE
        before = ctypes.string_at(first, address - first)
        behind = ctypes.string_at(address + block.size, end - address - block.size)
        unused = ctypes.string_at(address + block.header - _WORD, _WORD) if block.header else b""
        if before.strip(bytes([_CANARY])) or unused.strip(bytes([_FRESH])):
            self.faults.append(f"a write before a buffer of {block.size} bytes")
        if behind.strip(bytes([_CANARY])):
            self.faults.append(f"a write behind a buffer of {block.size} bytes")
        _libc.munmap(block.base, block.total)

    def copy(self, tensor: torch.Tensor) -> torch.Tensor:
        """A tensor of equal values, sizes and strides in a buffer that ends with its last element.

        At the end of a page it is only aligned to its element size.
        """
        if tensor.numel() == 0:
            return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype)
        plain = tensor.detach().resolve_conj().resolve_neg()
        pairs = zip(plain.shape, plain.stride(), strict=True)
        extent = 1 + sum((size - 1) * stride for size, stride in pairs)
        address = self.allocate(extent * plain.itemsize, plain.itemsize)
        if not address:
            raise MemoryError(f"no memory for {extent} elements")
        memory = (ctypes.c_char * (extent * plain.itemsize)).from_address(address)
        # The tensor refers to the memory, and so to its finalizer.
        memory._owner = _Owner(self, address)  # type: ignore[attr-defined]
        flat = torch.frombuffer(memory, dtype=plain.dtype)
        flat.copy_(torch.as_strided(plain, (extent,), (1,), plain.storage_offset()))
        return torch.as_strided(flat, plain.shape, plain.stride(), 0)

    def _allocate_tracked(self, size: int) -> int:
        return self.allocate(size, header=BLOCK_HEADER)

    def _allocate_zeros(self, count: int, size: int) -> int:
        address = self.allocate(count * size)
        if address:
            ctypes.memset(address, 0, count * size)
        return address

    def _allocate_aligned(self, alignment: int, size: int) -> int:
        return self.allocate(size, max(alignment, _ALIGNMENT))


def _address(function: Any) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


class _Owner:
    """Frees a buffer."""

    def __init__(self, heap: GuardedHeap, address: int) -> None:
        self._heap = heap
        self._address = address

    def __del__(self) -> None:
        self._heap.free(self._address)


@contextmanager
def guarded_heap() -> Iterator[GuardedHeap]:
    """Make programs that are loaded within this context allocate from a guarded heap.

    They may be called within the context only.
    """
    heap = GuardedHeap()
    freeing: Any = calling._free
    tracking = heap.link_tracking()
    replaced = {**heap.functions, **{name: int(tracking[name]) for name in (ALLOCATE, FREE)}}
    object_files.replaced_functions.update(replaced)
    calling._free = heap.free  # type: ignore[assignment]
    try:
        yield heap
    finally:
        if heap.live:
            # Free objects in reference cycles here.
            gc.collect()
        for name in replaced:
            del object_files.replaced_functions[name]
        calling._free = freeing
