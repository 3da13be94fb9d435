"""End a tool whose call of a user's function does not end.

A function that TorchScript compiled runs in C++, where no signal reaches it, but it lets other
threads run. One of them ends the process, and says which call it was.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from torch_refine.importer.functions.user_code import UserCodeError

SECONDS = "TORCH_REFINE_CALL_SECONDS"
# Functions of sizes take microseconds, and operators on tensors of cases milliseconds.
_SECONDS = 20.0

_calls: list[tuple[float, Callable[[], str]]] = []
_started = threading.Event()


def seconds() -> float:
    """How long a call may take; UserCodeError if the environment says what is no number above 0."""
    text = os.environ.get(SECONDS, "")
    if not text:
        return _SECONDS
    with suppress(ValueError):
        found = float(text)
        if 0 < found < math.inf:
            return found
    raise UserCodeError(f"{SECONDS} is a number above 0, not {text!r}")


def start() -> None:
    """Watch the calls of this process from now on. Raises UserCodeError, as `seconds` does."""
    seconds()
    if not _started.is_set():
        _started.set()
        threading.Thread(target=_watch, daemon=True).start()


@contextmanager
def limited(message: Callable[[], str]) -> Iterator[None]:
    """Run a call; if it takes longer than `seconds()`, the process ends with `message`, if watched.

    The exit code is 1.
    """
    _calls.append((time.monotonic() + seconds(), message))
    try:
        yield
    finally:
        _calls.pop()


def _watch() -> None:
    while True:
        time.sleep(0.2)
        # The innermost call is the one that does not end.
        for end, message in reversed(list(_calls)):
            if time.monotonic() > end:
                sys.stdout.flush()
                print(message(), file=sys.stderr, flush=True)
                os._exit(1)
            break
