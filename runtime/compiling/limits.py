"""Time and memory limits of the compiler's process."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SECONDS = "TORCH_REFINE_COMPILE_SECONDS"
MEMORY = "TORCH_REFINE_COMPILE_GIB"
# Longer than any model took.
_SECONDS = 1800.0
# The rest is for the parent process, which holds the weights.
_SHARE = 0.75
_GIB = 2**30
_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Limits:
    """The limits of compiling one program: wall-clock seconds, and bytes of memory."""

    seconds: float
    bytes: int

    @property
    def gib(self) -> str:
        """The bytes in GiB, as text."""
        return f"{self.bytes / _GIB:.3g} GiB"


def current_limits() -> Limits:
    """The limits set by the environment.

    `TORCH_REFINE_COMPILE_SECONDS`, by default half an hour, and `TORCH_REFINE_COMPILE_GIB`, by
    default three quarters of the memory available to this process. Raises ValueError unless they
    are positive numbers.
    """
    seconds = _setting(SECONDS)
    memory = _setting(MEMORY)
    return Limits(
        _SECONDS if seconds is None else seconds,
        int(_SHARE * memory_of_system()) if memory is None else int(memory * _GIB),
    )


def _setting(name: str) -> float | None:
    text = os.environ.get(name, "")
    if not text:
        return None
    with suppress(ValueError):
        found = float(text)
        if 0 < found < math.inf:
            return found
    raise ValueError(f"{name} is a number above 0, not {text!r}")


def memory_of_system() -> int:
    """The memory of the system in bytes, or that of the control group."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for path in _group_files():
        # A group without a limit reads `max`, or a number larger than any memory.
        with suppress(OSError, ValueError):
            found.append(int(path.read_text(encoding="ascii")))
    return min(found)


def _group_files() -> list[Path]:
    """The limit files of this process's control group and its ancestors."""
    groups = [_CGROUPS / "memory" / "memory.limit_in_bytes", _CGROUPS / "memory.max"]
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, group = line.split(":", 2)
            root, name = _CGROUPS, "memory.max"
            if "memory" in controllers.split(","):
                root, name = _CGROUPS / "memory", "memory.limit_in_bytes"
            elif controllers:
                continue
            inner = root / group.lstrip("/")
            groups += [each / name for each in (inner, *inner.parents) if each.is_relative_to(root)]
    return groups
