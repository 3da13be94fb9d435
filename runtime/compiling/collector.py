"""Python's cycle collector while programs are compiled."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# New objects per collection of the youngest generation, and collections of each generation per one
# of the next. The last is of everything, a quarter of a second where PyTorch is loaded; tracing a
# model causes one every few hundred operators.
_SELDOM = 20_000, 10, 1_000

_lock = threading.Lock()
_active = 0
_before = (0, 0, 0)


@contextmanager
def few_collections() -> Iterator[None]:
    """Let the collector traverse old objects seldom; new ones are collected as before.

    A collector that is disabled remains so. Threads may use this at the same time.
    """
    global _active, _before
    with _lock:
        if not _active:
            _before = gc.get_threshold()
            # A first number of zero disables it.
            if _before[0]:
                gc.set_threshold(*_SELDOM)
        _active += 1
    try:
        yield
    finally:
        with _lock:
            _active -= 1
            if not _active:
                gc.set_threshold(*_before)
