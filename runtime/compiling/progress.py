"""Show a compilation's progress on a terminal once it takes more than two seconds."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

SETTING = "TORCH_REFINE_PROGRESS"
"""The environment variable that disables progress, if 0."""
PATIENCE = 2.0
"""The delay before anything is shown, in seconds."""
_INTERVAL = 0.2
_CLEARED = "\r\x1b[K"
_MAX_COLUMNS = 79


class Progress:
    """A terminal line with the current stage and its elapsed time."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._start = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self.stage = "loading PyTorch"
        self.file: Path | None = None
        """The file with another process's pass and stage, one per line."""

    def start(self) -> None:
        """Show the line from a separate thread."""
        self._thread.start()

    def end(self) -> None:
        """Clear the line, and stop writing."""
        self._ended.set()
        self._thread.join()

    def line(self) -> str:
        """The current text of the line."""
        if self.file is not None:
            # While the file is being rewritten, the previous text is kept.
            with suppress(OSError, UnicodeDecodeError):
                noted = self.file.read_text(encoding="utf-8").splitlines()
                if len(noted) > 1:
                    self.stage = f"{noted[1]}: {noted[0]}"
        seconds = time.monotonic() - self._start
        return f"torch-refine: {seconds:.0f} s, {self.stage}"[:_MAX_COLUMNS]

    def _show(self) -> None:
        if self._ended.wait(PATIENCE):
            return
        # A closed terminal ends the progress line, not the compilation.
        with suppress(OSError, ValueError):
            while True:
                self._stream.write(_CLEARED + self.line())
                self._stream.flush()
                if self._ended.wait(_INTERVAL):
                    break
            self._stream.write(_CLEARED)
            self._stream.flush()


_current: ContextVar[Progress | None] = ContextVar("torch_refine_progress", default=None)


@contextmanager
def shown() -> Iterator[None]:
    """Show the stages within this context, if stderr is a terminal; nested ones share a line."""
    stream = sys.stderr
    is_off = _current.get() is not None or os.environ.get(SETTING) == "0"
    if is_off or stream is None or stream.closed or not stream.isatty():
        yield
        return
    progress = Progress(stream)
    token = _current.set(progress)
    progress.start()
    try:
        yield
    finally:
        _current.reset(token)
        progress.end()


def stage(name: str) -> None:
    """Begin a stage."""
    progress = _current.get()
    if progress is not None:
        progress.stage, progress.file = name, None


def follow(file: Path) -> None:
    """Follow the stages that another process writes to a file."""
    progress = _current.get()
    if progress is not None:
        progress.stage, progress.file = "starting the compiler", file
