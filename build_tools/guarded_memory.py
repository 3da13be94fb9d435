"""Memory between unreadable pages, for compiled code and for what is passed to it.

An access past the end of a buffer, or before its start, ends the process with SIGSEGV at once; what
is written between a buffer and the page is seen when the buffer is freed.
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
from torch_refine.passes.lowering.track_allocations import ALLOCATE, FREE
from torch_refine.runtime import calling, object_files

Side = Literal["end", "start"]
SIDES: tuple[Side, ...] = ("end", "start")
"""Where an unreadable page touches a buffer; another one is on its other side, within a page."""

_PAGE = mmap.PAGESIZE
# From so many bytes on, blocks are kept (support.ll), and more than any block has.
_LARGE, _NEVER = ", 65536", f", {(1 << 63) - 1}"
# What `malloc` promises.
_ALIGNMENT = 16
# Whoever asks for more gets nothing, as from a system that has no more.
_MOST_BYTES = 1 << 28
# Of buffers: NaN as a float, -1 as an integer.
_FRESH = 0xFF
# Between a buffer and the next unreadable page.
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
    """A mapping of `total` bytes from `base`; what was asked for is `size` bytes in it.

    The first `header` of them are not the program's.
    """

    base: int
    total: int
    size: int
    header: int = 0


class GuardedHeap:
    """An allocator for compiled code, each of whose buffers has unreadable pages around it.

    `side` says where buffers touch one. At the end of a page they start at a multiple of 16 bytes,
    which compiled code may rely on, so up to 15 bytes may lie between a buffer and the page.
    """

    def __init__(self) -> None:
        self.side: Side = "end"
        self.faults: list[str] = []
        """What was found so far: writes beside a buffer, and wrong calls of `free`."""
        self._blocks: dict[int, _Block] = {}
        self._malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(self.allocate)
        self._aligned = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(
            self._allocate_aligned
        )
        # What LLVM makes of a malloc whose memory is filled with zeros.
        self._calloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(
            self._allocate_zeros
        )
        self._tracked = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(self._allocate_tracked)
        self._free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.free)

    def link_tracking(self) -> Any:
        """The library in which a call's allocations are listed (support.ll), over this heap."""
        llvm, linker, _ = object_files._linker()
        text = (Path(object_files.__file__).parent / "support.ll").read_text(encoding="utf-8")
        # No block is kept for others: each is freed where the program frees it.
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
        """The addresses of the functions that stand for those of the C library."""
        functions: dict[str, Any] = {
            "malloc": self._malloc,
            "aligned_alloc": self._aligned,
            "calloc": self._calloc,
            "free": self._free,
        }
        return {name: _address(function) for name, function in functions.items()}

    @property
    def live(self) -> int:
        """How many buffers were not freed."""
        return len(self._blocks)

    def allocate(self, size: int, alignment: int = _ALIGNMENT, header: int = 0) -> int:
        """The address of a new buffer, 0 if there is no memory.

        Of its first `header` bytes, the last word is used by nobody.
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
        # A buffer of no bytes has an address of its own all the same.
        address = first
        if self.side == "end":
            address = (first + inner - size) // alignment * alignment
        ctypes.memset(first, _CANARY, inner)
        ctypes.memset(address, _FRESH, size)
        self._blocks[address] = _Block(base, total, size, header)
        return int(address)

    def free(self, address: int | None) -> None:
        """Free a buffer; its pages cannot be read any longer."""
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
        """A tensor of the same values, sizes and strides in a buffer that ends with its last one.

        At the end of a page it has the alignment of its elements only.
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
        # The tensor refers to the memory, and so to what frees it.
        memory._owner = _Owner(self, address)  # type: ignore[attr-defined]
        flat = torch.frombuffer(memory, dtype=plain.dtype)
        flat.copy_(torch.as_strided(plain, (extent,), (1,), plain.storage_offset()))
        return torch.as_strided(flat, plain.shape, plain.stride(), 0)

    def _allocate_tracked(self, size: int) -> int:
        return self.allocate(size, header=calling._HEADER)

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
    """Let programs that are loaded meanwhile allocate from a guarded heap.

    They may be called as long as this lasts only.
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
            # What lives in cycles is to be freed here, not elsewhere.
            gc.collect()
        for name in replaced:
            del object_files.replaced_functions[name]
        calling._free = freeing
