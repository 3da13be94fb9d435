"""Code of users: run their files, and say at which of their lines it fails, without a traceback."""

from __future__ import annotations

import importlib.util
import linecache
import os
import sys
import sysconfig
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from torch_refine.abstract_interp_lib import declaration
from torch_refine.abstract_interp_lib.declaration import DeclarationError, place

_TRACEBACK = "TORCH_REFINE_TRACEBACK"
_INTERRUPTED = 130


class UserCodeError(Exception):
    """What is wrong with code of a user, in words.

    `where` is `file:line`, or a file alone; `excerpt` is the source line, marked.
    """

    def __init__(self, message: str, where: str = "", excerpt: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.excerpt = excerpt

    def __str__(self) -> str:
        prefix = f"{self.where}: error: " if self.where else ""
        return f"{prefix}{self.message}{self.excerpt}"

    def locate(self, where: str, excerpt: str = "") -> None:
        """Say where, unless something further inside has said it."""
        if not self.where:
            self.where, self.excerpt = where, excerpt

    def name(self, operator: str) -> None:
        """Say of which operator."""
        self.message = f"{operator}: {self.message}"


def excerpt(file: str, line: int, columns: tuple[int, int] | None = None) -> str:
    """The source line as lines to print below a message; columns count characters, from 0."""
    text = linecache.getline(file, line).rstrip()
    if not text.strip():
        return ""
    if columns is None:
        return f"\n{text}"
    start, end = columns
    end = min(max(end, start + 1), max(len(text), start + 1))
    # Tabs are kept, so that the mark is below what it marks.
    before = "".join("\t" if char == "\t" else " " for char in text[:start])
    return f"\n{text}\n{before}{'~' * (end - start)}"


def run_file(path: Path) -> ModuleType:
    """Run a Python file as Python runs a script: what stands beside it can be imported.

    Raises UserCodeError, with the file and line, for whatever the file raises.
    """
    if not path.is_file():
        reason = "is a folder" if path.is_dir() else "does not exist"
        raise UserCodeError(f"cannot read {path}: it {reason}")
    # `typing.py` of a user must not become the module `typing`.
    name = path.stem if path.stem.isidentifier() and path.stem not in sys.modules else "_user_file"
    loader = importlib.machinery.SourceFileLoader(name, str(path.resolve()))
    spec = importlib.util.spec_from_file_location(name, path.resolve(), loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    # TorchScript finds what functions call through their module.
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    running(lambda: loader.exec_module(module), path)
    return module


def running(run: Callable[[], Any], path: Path) -> Any:
    """Run code of the file `path`; UserCodeError, with the file and line, for what it raises."""
    try:
        return run()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the file raises is the finding, SystemExit included
        raise failed(error, path) from None


def failed(error: BaseException, path: Path) -> UserCodeError:
    """What running a file raised, at the innermost line that is a user's."""
    kind = type(error).__name__
    said = " ".join(str(error).split())
    if isinstance(error, SyntaxError):
        return _syntax_error(error, path)
    if isinstance(error, SystemExit):
        message = "the file ends the process when it is imported"
    elif isinstance(error, DeclarationError):
        message = said
    else:
        message = f"{kind}: {said}" if said else kind
    frame = _innermost(error.__traceback__, path)
    if frame is None:
        return UserCodeError(message, place(str(path)))
    line = frame.lineno or 1
    columns = None
    if frame.colno is not None and frame.end_colno is not None and frame.end_lineno == line:
        columns = frame.colno, frame.end_colno
    return UserCodeError(
        message, place(frame.filename, line), excerpt(frame.filename, line, columns)
    )


def _syntax_error(error: SyntaxError, path: Path) -> UserCodeError:
    file = error.filename or str(path)
    said = f"{type(error).__name__}: {error.msg}"
    bad = _line_of_bad_byte(Path(file))
    if bad is not None:
        return UserCodeError("the file is not UTF-8", place(file, bad))
    if error.lineno is None:
        # Null bytes are found before lines are counted.
        return UserCodeError(said, place(file, _line_of_null(Path(file))))
    columns = None
    if error.offset:
        columns = error.offset - 1, (error.end_offset or error.offset + 1) - 1
    return UserCodeError(said, place(file, error.lineno), excerpt(file, error.lineno, columns))


def _line_of_bad_byte(path: Path) -> int | None:
    """The line of the first byte that is not UTF-8."""
    try:
        content = path.read_bytes()
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return content.count(b"\n", 0, error.start) + 1
    except OSError:
        return None
    return None


def _line_of_null(path: Path) -> int | None:
    before, null, _ = path.read_bytes().partition(b"\0")
    return before.count(b"\n") + 1 if null else None


def _innermost(trace: TracebackType | None, path: Path) -> traceback.FrameSummary | None:
    """The innermost frame that is a user's; of the file itself if there is no other."""
    frames = traceback.extract_tb(trace)
    own = [frame for frame in frames if is_users(frame.filename)]
    of_file = [frame for frame in frames if frame.filename == str(path.resolve())]
    found = own or of_file
    return found[-1] if found else None


_SYSTEM = tuple(
    os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("stdlib", "platstdlib")
)
# Environments see the packages of others, too.
_PACKAGES = frozenset(("site-packages", "dist-packages"))
_TOOLS = os.path.dirname(os.path.realpath(__file__)) + os.sep


def is_users(file: str) -> bool:
    """Whether a file is neither Python's, nor an installed package's, nor of these tools."""
    real = os.path.realpath(file)
    return (
        not file.startswith("<")
        and not real.startswith((*_SYSTEM, _TOOLS))
        and not _PACKAGES & set(Path(real).parts)
        and real != os.path.realpath(declaration.__file__)
    )


def run_command(main: Callable[[Sequence[str]], int], words: Sequence[str]) -> int:
    """Run a tool's `main`; what it raises is printed as one message. The exit code."""
    try:
        return main(words)
    except UserCodeError as error:
        print(error if error.where else f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        # The line tells who waits for a file that never ends.
        frame = _innermost(error.__traceback__, Path())
        at = f" at {place(frame.filename, frame.lineno)}" if frame is not None else ""
        print(f"interrupted{at}", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        return 1
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        said = " ".join(str(error).split())
        print(
            f"error: internal error: {type(error).__name__}: {said} "
            f"(a defect of torch-refine; {_TRACEBACK}=1 shows where)",
            file=sys.stderr,
        )
        return 1
