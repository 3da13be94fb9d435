"""Runs workers in processes that a server forks, which has imported the compiler.

The server is started with the first program that a process compiles, and again if what a process
has from its start was changed: the interpreter, the import path, some environment variables, the
limits of resources. It ends with this process, or when it was idle for some time (`serving.py`).
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import TIMEOUT_MAX, Lock
from typing import Any, BinaryIO

# What the interpreter and the dynamic linker read when a process starts.
_AT_START = ("PYTHON", "LD_", "GLIBC_", "MALLOC_", "LC_", "LANG")
# numpy would start threads, and a process with threads cannot be forked.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_SECONDS_TO_END = 10.0


class NoServerError(Exception):
    """There is no server: this system has none, or it ended before it answered."""


def is_available() -> bool:
    """Whether this system has what the server needs."""
    return sys.platform.startswith("linux") and hasattr(os, "pidfd_open")


@dataclass
class _Server:
    """A server that was started, and this process's end of its socket."""

    key: tuple[Any, ...]
    process: subprocess.Popen[bytes]
    control: socket.socket
    # Whether it ever answered.
    is_proved: bool = False

    def run(self, folder: Path, errors: BinaryIO, seconds: float, most: int) -> int | None:
        """The exit code of a worker; None if it had to be killed after some seconds.

        Raises NoServerError.
        """
        request = {"folder": str(folder), "bytes": most, "environment": dict(os.environ)}
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            with theirs:
                self._send(json.dumps(request).encode(), [theirs.fileno(), errors.fileno()])
            try:
                ours.settimeout(min(seconds, TIMEOUT_MAX))
                answer = ours.recv(64)
            except TimeoutError:
                self._stop(ours)
                return None
            except BaseException:
                self._stop(ours)
                raise
        if not answer:
            raise NoServerError("the server ended")
        self.is_proved = True
        return int(answer)

    def _send(self, message: bytes, descriptors: list[int]) -> None:
        try:
            socket.send_fds(self.control, [message], descriptors)
        except OSError as error:
            raise NoServerError(str(error)) from error

    def _stop(self, connection: socket.socket) -> None:
        """End a worker; whatever it started has ended when this returns."""
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(_SECONDS_TO_END)
            connection.recv(64)
            return
        # Its workers end with it.
        self.process.kill()

    def close(self) -> None:
        """Let it end when its workers have."""
        self.control.close()


@dataclass
class _Servers:
    """The server of this process, and those that it replaced."""

    lock: Lock = field(default_factory=Lock)
    current: _Server | None = None
    retired: list[subprocess.Popen[bytes]] = field(default_factory=list)
    # The keys of servers that never answered.
    refused: set[tuple[Any, ...]] = field(default_factory=set)

    def get(self, command: Sequence[str], script: Path, path: bytes) -> _Server:
        """The server for a command and an import path; raises NoServerError."""
        key = (tuple(command), path, *_of_this_process())
        with self.lock:
            if key in self.refused:
                raise NoServerError("it did not answer before")
            if self.current is not None and self.current.key != key:
                self._retire()
            if self.current is None:
                self.current = _started(key, command, script, path)
            return self.current

    def drop(self, server: _Server) -> None:
        """Forget a server that ended."""
        with self.lock:
            if not server.is_proved:
                self.refused.add(server.key)
            if self.current is server:
                self._retire()

    def _retire(self) -> None:
        assert self.current is not None
        self.current.close()
        # Asking for the exit codes of earlier ones lets the system forget them.
        self.retired = [each for each in self.retired if each.poll() is None]
        self.retired.append(self.current.process)
        self.current = None

    def end(self) -> None:
        """Wait for all servers at the end of the process."""
        with self.lock:
            if self.current is not None:
                self._retire()
        for each in self.retired:
            try:
                each.wait(_SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()


_servers = _Servers()
atexit.register(lambda: _servers.end())


def _forget() -> None:
    """In a forked process: the server is the parent's, and its lock may be held for ever."""
    global _servers
    inherited = _servers.current
    _servers = _Servers()
    if inherited is not None:
        inherited.control.close()
        # It is not a child of this process.
        inherited.process.returncode = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def run(
    command: Sequence[str],
    script: Path,
    path: bytes,
    folder: Path,
    errors: BinaryIO,
    seconds: float,
    most: int,
) -> int | None:
    """The exit code of a worker for a folder, None if it had to be killed after some seconds.

    `command` starts Python, `script` the server, whose import path is `path`. The worker may have
    `most` bytes of memory; its stderr is `errors`. Raises NoServerError.
    """
    server = _servers.get(command, script, path)
    try:
        return server.run(folder, errors, seconds, most)
    except NoServerError:
        _servers.drop(server)
        raise


def _of_this_process() -> tuple[Any, ...]:
    """What a server has from its start, which a worker cannot change."""
    import resource

    kinds = (resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)
    variables = {name: value for name, value in os.environ.items() if name.startswith(_AT_START)}
    return (
        tuple(sorted(variables.items())),
        tuple(map(resource.getrlimit, kinds)),
        frozenset(os.sched_getaffinity(0)),
        os.getpriority(os.PRIO_PROCESS, 0),
        os.geteuid(),
    )


def _started(key: tuple[Any, ...], command: Sequence[str], script: Path, path: bytes) -> _Server:
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        with theirs:
            process = subprocess.Popen(
                [*command, str(script), str(theirs.fileno()), str(os.getpid())],
                # A folder that nobody writes modules to, and that stays.
                cwd="/",
                env={**os.environ, **_ONE_THREAD},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                process_group=0,
            )
        control.send(path)
    except OSError as error:
        control.close()
        raise NoServerError(str(error)) from error
    return _Server(key, process, control)
