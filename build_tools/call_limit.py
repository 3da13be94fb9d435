"""End a tool whose call of a user's function does not end.

A function that TorchScript compiled runs in C++, where no signal reaches it, but it lets other
threads run. One of them ends the process, and says which call it was.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Functions of sizes take microseconds, and operators on tensors of cases milliseconds.
SECONDS = float(os.environ.get("TORCH_REFINE_CALL_SECONDS", "20"))

_calls: list[tuple[float, Callable[[], str]]] = []
_started = threading.Event()


def start() -> None:
    """Watch the calls of this process from now on."""
    if not _started.is_set():
        _started.set()
        threading.Thread(target=_watch, daemon=True).start()


@contextmanager
def limited(message: Callable[[], str]) -> Iterator[None]:
    """Run a call; if it takes longer than `SECONDS`, the process ends with `message`, if watched.

    The exit code is 1.
    """
    _calls.append((time.monotonic() + SECONDS, message))
    try:
        yield
    finally:
        _calls.pop()


def _watch() -> None:
    while True:
        time.sleep(min(0.2, SECONDS / 2))
        # The innermost call is the one that does not end.
        for end, message in reversed(list(_calls)):
            if time.monotonic() > end:
                sys.stdout.flush()
                print(message(), file=sys.stderr, flush=True)
                os._exit(1)
            break
