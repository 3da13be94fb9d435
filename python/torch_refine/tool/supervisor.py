"""Run the tool in a child process, so that input that crashes MLIR's C++ ends in a message.

The parser and the passes of MLIR recurse over their input, and abort on violated assumptions. The
child is forked before any context exists, which costs a millisecond; the parent holds no user
state, and only waits. Without `fork` (Windows), the tool runs in the initial process.
"""

from __future__ import annotations

import gc
import mmap
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in shells: 128 plus the number of SIGINT."""
_STEP_BYTES = 4096
# Time for the child to remove a partial file after Ctrl-C; C++ code does not check for signals.
_GRACE_SECONDS = 1.0


class _Step:
    """The current step of the child, in shared memory that outlives it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _STEP_BYTES)

    def set(self, text: str) -> None:
        content = text.encode(errors="replace")[: _STEP_BYTES - 2]
        self._memory[: len(content) + 2] = len(content).to_bytes(2, "big") + content

    def get(self) -> str:
        count = int.from_bytes(self._memory[:2], "big")
        return self._memory[2 : 2 + count].decode(errors="replace")


_step: _Step | None = None


def note_step(text: str) -> None:
    """Record the tool's current step, for the message if it crashes."""
    if _step is not None:
        _step.set(text)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Kill the child if the body exceeds this processor time: nothing else interrupts C++ code.

    Without a parent to report it, there is no limit.
    """
    set_deadline(seconds)
    try:
        yield
    finally:
        set_deadline(0)


def set_deadline(seconds: float) -> None:
    """Kill the child after this processor time; 0 cancels the deadline."""
    if _step is not None:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def supervise(tool: Callable[[], int]) -> int:
    """Run the tool in a child process; returns its exit code, or 1 with a message if it crashes."""
    global _step
    if not hasattr(os, "fork"):
        return tool()
    step = _Step()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    # Signals are blocked until both processes are ready for them.
    waiting = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    child = os.fork()
    if child == 0:
        _step = step
        _limit_memory()
        # The tool collects explicitly; automatic collections would traverse all state of passes.
        gc.disable()
        # The parent finalizes the interpreter.
        os._exit(_exit_code(tool, waiting))
    return _wait(child, step, waiting)


def _exit_code(tool: Callable[[], int], mask: set[int]) -> int:
    code = 1
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        code = tool()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except OSError:
        # There is no stderr to report it to.
        code = code or 1
    except KeyboardInterrupt:
        code = INTERRUPTED
    return code


def _limit_memory() -> None:
    """Limit memory to the machine's: an allocation then fails instead of another process."""
    import resource

    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        if most == resource.RLIM_INFINITY or physical < most:
            resource.setrlimit(resource.RLIMIT_DATA, (physical, most))
    except (ValueError, OSError):
        # The system does not report its memory, or does not limit it.
        return


def _wait(child: int, step: _Step, mask: set[int]) -> int:
    """The exit code of the child."""
    interrupted = False

    def send(number: int) -> None:
        # A signal that arrives while the child ends is handled after waiting for it.
        with suppress(ProcessLookupError):
            os.kill(child, number)

    def interrupt(number: int, frame: object) -> None:
        nonlocal interrupted
        if not interrupted:
            interrupted = True
            # A terminal sends the signal to the child, too; `kill` does not.
            send(signal.SIGINT)
            signal.setitimer(signal.ITIMER_REAL, _GRACE_SECONDS)

    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, lambda number, frame: send(number))
    signal.signal(signal.SIGALRM, lambda number, frame: send(signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    _, status = os.waitpid(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    code = os.waitstatus_to_exitcode(status)
    if interrupted:
        return INTERRUPTED
    if code >= 0:
        return code
    if -code in (signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        # The sender of the signal needs no message.
        return 128 - code
    if sys.stderr is not None:
        print(f"torch-refine-opt: error: {_why(-code, step.get())}", file=sys.stderr)
    return 1


def _why(number: int, doing: str) -> str:
    if number == signal.SIGPROF:
        return f"{doing} does not end in time"
    name = signal.Signals(number).name
    return f"{doing} ended with {name}; nothing was written"
