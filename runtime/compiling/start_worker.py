"""Starts the worker, or the server that forks workers, in its own process.

    python -P start_worker.py FOLDER PARENT BYTES
    python -P start_worker.py SOCKET PARENT

A worker sets its limits, then imports the package. It runs in FOLDER, which is private, so nothing
is imported from the parent's working directory; `FOLDER/path` holds the parent's `sys.path`. The
server (`serving.py`) gets it as the first message of SOCKET, a file descriptor. This file is run as
a script, not a module, as the location of the package is unknown until then. It may import only the
standard library.
"""

import os
import sys

# Mapped memory that a process does not use: programs and libraries, and reservations of the
# allocator and of thread stacks.
_MAPPED = 8 << 30
_MAPPED_BY_A_THREAD = 128 << 20
_PR_SET_PDEATHSIG = 1


# The longest message of the server.
_MOST_BYTES = 1 << 20


def main(arguments: list[str]) -> int:
    """Run the worker, or the server; returns the exit code."""
    if len(arguments) == 2:
        return _serve(*map(int, arguments))
    folder, parent, most = arguments
    with open(os.path.join(folder, "path"), "rb") as file:
        _take_path(file.read())
    if sys.platform.startswith("linux"):
        _limit(int(parent), int(most))
    from torch_refine.runtime.compiling import worker

    return worker.main([folder])


def _serve(descriptor: int, parent: int) -> int:
    import socket

    control = socket.socket(fileno=descriptor)
    _take_path(control.recv(_MOST_BYTES))
    from torch_refine.runtime.compiling import serving

    serving.serve(control, parent, _limit)


def _take_path(data: bytes) -> None:
    """Set the parent's import path, with the standard library first: nothing may shadow it."""
    library = os.path.dirname(os.__file__)
    own = [
        each
        for each in sys.path
        if each in (library, os.path.join(library, "lib-dynload"))
        or (each.endswith(".zip") and os.path.dirname(each) == os.path.dirname(library))
    ]
    given = [os.fsdecode(each) for each in data.split(b"\0") if each]
    sys.path[:] = [*own, *(each for each in given if each not in own)]


def _limit(parent: int, most: int) -> None:
    """End with the parent, and have at most so many bytes of memory."""
    _end_with(parent)
    _bound(most)


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
