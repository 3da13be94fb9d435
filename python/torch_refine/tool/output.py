"""Write results without losing data on failure."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from pathlib import Path

from torch_refine.dialect.bindings import ir


class OutputError(Exception):
    """The output cannot be written."""


def check_writable(path: str) -> None:
    """Check before the run that the output can be written; raises OutputError."""
    if path == "-":
        if sys.stdout is None:
            raise OutputError("cannot write to standard output: it is closed")
        return
    target = Path(path)
    try:
        # Unlike `is_dir` and `exists`, these report invalid names.
        is_there = _exists(target)
        if is_there and target.is_dir():
            raise OutputError(f"cannot open output file '{path}': Is a directory")
        if not _exists(target.parent):
            raise OutputError(f"cannot open output file '{path}': No such file or directory")
    except (OSError, ValueError) as error:
        raise _cannot("open", path, error) from None
    if not os.access(target if is_there else target.parent, os.W_OK):
        raise OutputError(f"cannot open output file '{path}': Permission denied")


def _exists(path: Path) -> bool:
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def _cannot(do: str, path: str, error: Exception) -> OutputError:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return OutputError(f"cannot {do} output file '{path}': {why}")


def write(path: str, content: bytes) -> None:
    """Write the whole output atomically: a file is complete or unchanged.

    Raises OutputError, and BrokenPipeError if the reader of standard output has closed it.
    """
    if path == "-":
        _write_to_standard_output(content)
        return
    target = Path(path).resolve()
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        _replace(target, content)
    except OSError as error:
        raise _cannot("write", path, error) from None


def _write_to_standard_output(content: bytes) -> None:
    if sys.stdout is None:
        raise OutputError("cannot write to standard output: it is closed")
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _forget_standard_output()
        raise
    except OSError as error:
        _forget_standard_output()
        raise OutputError(f"cannot write to standard output: {error.strerror}") from None


def _forget_standard_output() -> None:
    """Leave nothing buffered for the interpreter to flush at exit: that would fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _replace(target: Path, content: bytes) -> None:
    # Not named after the target, whose name may have maximal length.
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".torch-refine-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if target.exists():
            mode = target.stat().st_mode & 0o7777
        else:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def bytecode(module: ir.Operation, version: int | None = None) -> bytes:
    """A module as MLIR bytecode, of a version if given; raises OutputError."""
    buffer = io.BytesIO()
    try:
        module.write_bytecode(buffer, version)
    except ValueError as error:
        raise OutputError(f"cannot write bytecode: {error}") from None
    return buffer.getvalue()
