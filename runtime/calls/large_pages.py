"""Memory in huge pages, which cause fewer TLB misses."""

from __future__ import annotations

import ctypes
import mmap
from contextlib import suppress

_LARGE_PAGE = 1 << 21


class LargePages:
    """Zeroed memory of `count` bytes aligned to a huge page, if the system supports them.

    The mapping is private: a forked process gets its own copy. (`mmap` defaults to a shared
    mapping, which has no huge pages, either.) The memory is unmapped once nothing refers to this
    object.

    Raises RuntimeError if the allocation fails.
    """

    def __init__(self, count: int) -> None:
        size = _LARGE_PAGE * (count // _LARGE_PAGE + 2)
        try:
            self._memory = _mapping(size)
        except (OSError, OverflowError, ValueError) as error:
            raise RuntimeError(f"cannot allocate {count} bytes") from error
        if hasattr(mmap, "MADV_HUGEPAGE"):
            # Fails on a kernel without huge pages; normal pages are used then.
            with suppress(OSError):
                self._memory.madvise(mmap.MADV_HUGEPAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self.address = start + -start % _LARGE_PAGE


def _mapping(size: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)
