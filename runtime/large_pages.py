"""Memory in large pages, of which the processor remembers more at a time."""

from __future__ import annotations

import ctypes
import mmap
from contextlib import suppress

_LARGE_PAGE = 1 << 21


class LargePages:
    """Zeroed memory that starts where a large page does, if the system has any; `count` bytes.

    The mapping is private: a process that is forked off gets a copy of its own, and what the two
    compute does not meet. (The default of `mmap` is a shared mapping, which has no large pages,
    either.) The memory is the system's again once nothing refers to this.

    Raises RuntimeError if there is not so much memory.
    """

    def __init__(self, count: int) -> None:
        size = _LARGE_PAGE * (count // _LARGE_PAGE + 2)
        try:
            self._memory = _mapping(size)
        except (OSError, OverflowError, ValueError) as error:
            raise RuntimeError(f"cannot allocate {count} bytes") from error
        if hasattr(mmap, "MADV_HUGEPAGE"):
            # A kernel without large pages says so; then pages are small.
            with suppress(OSError):
                self._memory.madvise(mmap.MADV_HUGEPAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self.address = start + -start % _LARGE_PAGE


def _mapping(size: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)
