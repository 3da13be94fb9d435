"""Starts the worker in a process that was made for it: bounds it, then lets it import.

    python -P start_worker.py FOLDER PARENT BYTES

The process runs in FOLDER, which is private, so nothing is imported from where the parent happens
to be. `FOLDER/path` has what the parent's `sys.path` holds. This is a file that is run, not a
module: where the package is, is only known after it. It must not import what is not of Python's
own library.
"""

import os
import sys

# Of what a process maps, this is not memory that it takes: programs and libraries, and what the
# allocator and the stacks of each thread only set aside.
_MAPPED = 8 << 30
_MAPPED_BY_A_THREAD = 128 << 20
_PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> int:
    """Run the worker; its exit code."""
    folder, parent, most = arguments
    _take_path(folder)
    if sys.platform.startswith("linux"):
        _end_with(int(parent))
        _bound(int(most))
    from torch_refine.runtime import worker

    return worker.main([folder])


def _take_path(folder: str) -> None:
    """Import what the parent would, but Python's own library first: nothing may replace it."""
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
    """End when the parent does, even if it is killed."""
    import ctypes
    import signal

    signal_number = ctypes.c_ulong(signal.SIGKILL)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal_number)
    if os.getppid() != parent:
        # It was faster.
        os.kill(os.getpid(), signal.SIGKILL)


def _bound(most: int) -> None:
    """Let no more memory or disk be taken, leave no dump, and be what the system ends first."""
    import contextlib
    import resource

    mapped = most + _MAPPED + _MAPPED_BY_A_THREAD * (os.cpu_count() or 1)
    limits = (
        # What only this process writes to.
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
