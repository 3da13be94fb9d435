"""The permission to use the tile registers of AMX, which Linux gives to processes that ask."""

from __future__ import annotations

import ctypes
import platform
import sys
from functools import cache

_ARCH_PRCTL = 158
_ARCH_REQ_XCOMP_PERM = 0x1023
_TILE_DATA = 18


@cache
def may_use_tiles() -> bool:
    """Ask for the permission, and say whether the process has it.

    A process without it gets SIGILL at the first instruction. All threads, and processes that are
    forked, have it, too. Source: the Linux kernel's documentation of `ARCH_REQ_XCOMP_PERM`.
    """
    if sys.platform != "linux" or platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    call = ctypes.CDLL(None).syscall
    numbers = (_ARCH_PRCTL, _ARCH_REQ_XCOMP_PERM, _TILE_DATA)
    return bool(call(*map(ctypes.c_long, numbers)) == 0)
