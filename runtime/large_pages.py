"""Memory in large pages, of which the processor remembers more at a time."""

from __future__ import annotations

import ctypes
import mmap

_LARGE_PAGE = 1 << 21


class LargePages:
    """Zeroed memory that starts where a large page does, if the system has any; `count` bytes.

    It is the system's again once nothing refers to this.
    """

    def __init__(self, count: int) -> None:
        self._memory = mmap.mmap(-1, _LARGE_PAGE * (count // _LARGE_PAGE + 2))
        if hasattr(mmap, "MADV_HUGEPAGE"):
            self._memory.madvise(mmap.MADV_HUGEPAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self.address = start + -start % _LARGE_PAGE
