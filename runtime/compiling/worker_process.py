"""The compiler's process: isolated, bounded, and always reaped.

A server forks it where the system allows that (`fork_server.py`), else it is started anew.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from torch_refine.runtime.compiling import fork_server
from torch_refine.runtime.compiling.limits import Limits

_START = Path(__file__).with_name("start_worker.py")
_ERRORS = "errors"
# The limit of the stderr output read from a failed process.
_MAX_SAID = 1 << 16
_PYTHON = re.compile(r"python|pypy|graalpy", re.IGNORECASE)


class NoInterpreterError(Exception):
    """There is no Python interpreter to run the compiler in; the message says why."""


@dataclass(frozen=True)
class Ended:
    """The result of the process: its exit code, None after a timeout; the end of its stderr."""

    code: int | None
    said: str


def run_worker(folder: Path, limits: Limits) -> Ended:
    """Compile the request in a private folder (`worker.py`), within limits.

    However this returns or raises, the process has ended. If this process is killed, the worker
    ends, too, on Linux. Raises NoInterpreterError.
    """
    command, path = interpreter(), b"\0".join(map(os.fsencode, import_path()))
    with (folder / _ERRORS).open("wb") as errors:
        code = None
        try:
            if not fork_server.is_available():
                raise fork_server.NoServerError("this system has none")
            code = fork_server.run(
                command, _START, path, folder, errors, limits.seconds, limits.bytes
            )
        except fork_server.NoServerError:
            errors.seek(0)
            errors.truncate()
            (folder / "path").write_bytes(path)
            code = _run_alone(command, folder, errors, limits)
    return Ended(code, "" if code is None else _last_of(folder / _ERRORS))


def _run_alone(command: list[str], folder: Path, errors: BinaryIO, limits: Limits) -> int | None:
    """The exit code of a worker in a new process; None after a timeout."""
    started = [*command, str(_START), str(folder), str(os.getpid()), str(limits.bytes)]
    with _started(started, folder, errors) as process:
        try:
            process.communicate(timeout=limits.seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            return None
        except BaseException:
            _kill(process)
            raise
    return process.returncode


def _started(command: list[str], folder: Path, errors: BinaryIO) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        # The parent's working directory may contain files named like modules.
        cwd=folder,
        stdin=subprocess.DEVNULL,
        # It is closed when the process ends, which avoids polling.
        stdout=subprocess.PIPE,
        stderr=errors,
        process_group=0,
    )


def interpreter() -> list[str]:
    """The command that runs a file in Python like this process, with nothing else on its path.

    It is the one that `multiprocessing` uses, so `multiprocessing.set_executable` sets it for
    Python embedded in another program. Raises NoInterpreterError if that is not Python.
    """
    from multiprocessing import spawn

    if getattr(sys, "frozen", False):
        # Running it would start the application again.
        raise NoInterpreterError(
            "the compiler needs a Python interpreter to run in, which a frozen application is not"
        )
    program = os.fsdecode(spawn.get_executable() or "")
    if not program:
        raise NoInterpreterError(
            "the compiler needs a Python interpreter to run in, and sys.executable is empty: "
            "multiprocessing.set_executable() names one"
        )
    if program == sys.executable and not _PYTHON.search(os.path.basename(program)):
        raise NoInterpreterError(
            f"the compiler needs a Python interpreter to run in, and sys.executable is {program}: "
            "multiprocessing.set_executable() names one"
        )
    flags = {
        "-I": sys.flags.isolated,
        "-E": sys.flags.ignore_environment,
        "-s": sys.flags.no_user_site,
        "-S": sys.flags.no_site,
        "-B": sys.dont_write_bytecode,
    }
    return [program, "-P", *(flag for flag, is_set in flags.items() if is_set)]


def import_path() -> list[str]:
    """The import path of this process, without the current directory."""
    found = []
    for each in sys.path:
        # The import system ignores entries that are not strings.
        if isinstance(each, str) and each:
            # A deleted working directory has no path.
            with suppress(OSError):
                absolute = os.path.abspath(each)
                # An entry that is not a file is for an import hook, and kept unchanged.
                found.append(absolute if os.path.exists(absolute) else each)
    return found


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its descendants."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_of(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _MAX_SAID))
        return file.read().decode(errors="replace").strip()
