"""Starts the worker in its own process: sets limits, then imports the package.

    python -P start_worker.py FOLDER PARENT BYTES

The process runs in FOLDER, which is private, so nothing is imported from the parent's working
directory. `FOLDER/path` holds the parent's `sys.path`. This file is run as a script, not a module,
as the location of the package is unknown until then. It may import only the standard library.
"""

import os
import sys

# Mapped memory that a process does not use: programs and libraries, and reservations of the
# allocator and of thread stacks.
_MAPPED = 8 << 30
_MAPPED_BY_A_THREAD = 128 << 20
_PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> int:
    """Run the worker; returns its exit code."""
    folder, parent, most = arguments
    _take_path(folder)
    if sys.platform.startswith("linux"):
        _end_with(int(parent))
        _bound(int(most))
    from torch_refine.runtime.compiling import worker

    return worker.main([folder])


def _take_path(folder: str) -> None:
    """Set the parent's import path, with the standard library first: nothing may shadow it."""
    library = os.path.dirname(os.__file__)
    own = [
        each
        for each in sys.path
        if each in (library, os.path.join(library, "lib-dynload"))
        or (each.endswith(".zip") and os.path.dirname(each) == os.path.dirname(library))
    ]
    with open(os.path.join(folder, "path"), "rb") as file:
        given = [os.fsdecode(each) for each in file.read().split(b"\0") if each]
    sys.path[:] = [*own, *(each for each in given if each not in own)]


def _end_with(parent: int) -> None:
    """Exit when the parent does, even if it is killed."""
    import ctypes
    import signal

    signal_number = ctypes.c_ulong(signal.SIGKILL)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal_number)
    if os.getppid() != parent:
        # The parent has exited already.
        os.kill(os.getpid(), signal.SIGKILL)


def _bound(most: int) -> None:
    """Limit memory and disk, disable core dumps, and be the OOM killer's first victim."""
    import contextlib
    import resource

    mapped = most + _MAPPED + _MAPPED_BY_A_THREAD * (os.cpu_count() or 1)
    limits = (
        # Private writable memory.
        (resource.RLIMIT_DATA, most),
        (resource.RLIMIT_AS, mapped),
        (resource.RLIMIT_FSIZE, most),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, limit in limits:
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(kind, (limit, limit))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
