"""The server that forks workers, in a process of its own that has imported the compiler.

Importing it takes longer than compiling a small program. The process has one thread and no MLIR
context, so it can be forked. `fork_server.py` is the other side: each request is a message with two
file descriptors, a connection for the exit code and the file for stderr. A connection that is shut
down ends its worker.
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from torch_refine.dialect.library import Library
from torch_refine.passes.lowering.kernels.targets.host import host
from torch_refine.runtime.compiling import cache_key, worker

_MOST_BYTES = 1 << 20
_DESCRIPTORS = 2
# After this time without a request the memory of the process is worth more.
_IDLE_SECONDS = 60.0
_FAILED = 1
# What workers import or compute first; the server does so while it has nothing else to do.
_PREPARED: tuple[Callable[[], Any], ...] = (
    lambda: import_module("torch_mlir.ir"),
    lambda: import_module("torch_refine.passes.lowering.kernels.contractions.table"),
    lambda: import_module("torch_refine.runtime.compiling.tuning"),
    Library,
    cache_key.compiler,
    host,
)


@dataclass(frozen=True)
class _Worker:
    """A forked process, the descriptor that is readable once it ended, and its connection."""

    process: int
    ended: int
    connection: socket.socket


def serve(control: socket.socket, parent: int, limit: Callable[[int, int], None]) -> NoReturn:
    """Fork workers until the parent ends or closes the socket; the process ends then.

    `limit` is called by a worker with the number of the server and the bytes of memory.
    """
    _Server(control, parent, limit).run()
    # The parent waits for the end, and there is nothing to finalize.
    os._exit(0)


class _Server:
    def __init__(
        self, control: socket.socket, parent: int, limit: Callable[[int, int], None]
    ) -> None:
        self._control = control
        self._limit = limit
        # A worker asks for its parent when that may have ended already.
        self._process = os.getpid()
        self._parent = os.pidfd_open(parent)
        self._selector = selectors.DefaultSelector()
        self._workers: set[_Worker] = set()
        self._prepared = iter(_PREPARED)
        self._is_prepared = False
        self._is_closed = False
        self._selector.register(control, selectors.EVENT_READ, self._accept)
        self._selector.register(self._parent, selectors.EVENT_READ, self._end)

    def run(self) -> None:
        """Serve; workers that still run when the parent has ended are killed."""
        last = time.monotonic()
        while self._workers or not self._is_closed:
            ready = self._selector.select(_IDLE_SECONDS if self._is_prepared else 0)
            for key, _ in ready:
                key.data()
            if ready or self._workers:
                last = time.monotonic()
            if not ready:
                self._prepare()
                if time.monotonic() - last >= _IDLE_SECONDS:
                    return

    def _prepare(self) -> None:
        """Import or compute one thing that all workers need."""
        for step in self._prepared:
            # A worker that needs it says what is wrong.
            with suppress(Exception):
                step()
            return
        if not self._is_prepared:
            self._is_prepared = True
            # The collector would write to all objects of a worker, which copies their pages.
            gc.freeze()

    def _accept(self) -> None:
        data, descriptors, _, _ = socket.recv_fds(self._control, _MOST_BYTES, _DESCRIPTORS)
        if not data:
            self._is_closed = True
            self._selector.unregister(self._control)
            return
        given, errors = descriptors
        connection = socket.socket(fileno=given)
        process = os.fork()
        if not process:
            connection.close()
            self._work(json.loads(data), errors)
        os.close(errors)
        # The worker does the same: the group must exist before either goes on.
        with suppress(OSError):
            os.setpgid(process, process)
        worker = _Worker(process, os.pidfd_open(process), connection)
        self._workers.add(worker)
        self._selector.register(worker.ended, selectors.EVENT_READ, lambda: self._reap(worker))
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._stop(worker))

    def _work(self, request: dict[str, Any], errors: int) -> NoReturn:
        """Compile, in the forked process; it never returns."""
        code = _FAILED
        try:
            os.setpgid(0, 0)
            os.dup2(errors, sys.stderr.fileno())
            self._close()
            self._limit(self._process, request["bytes"])
            os.chdir(request["folder"])
            os.environ.clear()
            os.environ.update(request["environment"])
            code = worker.main([request["folder"]])
        except SystemExit as exit:
            code = exit.code if isinstance(exit.code, int) else _FAILED
        except BaseException:
            traceback.print_exc()
        finally:
            # Nothing of the copied process is to run.
            with suppress(Exception):
                sys.stderr.flush()
            os._exit(code)

    def _close(self) -> None:
        """Close the descriptors of the server, and of other workers."""
        for each in self._workers:
            os.close(each.ended)
            each.connection.close()
        self._selector.close()
        os.close(self._parent)
        self._control.close()

    def _reap(self, worker: _Worker) -> None:
        _, status = os.waitpid(worker.process, 0)
        self._selector.unregister(worker.ended)
        os.close(worker.ended)
        with suppress(KeyError, ValueError):
            self._selector.unregister(worker.connection)
        with suppress(OSError), worker.connection:
            worker.connection.send(str(os.waitstatus_to_exitcode(status)).encode())
        self._workers.discard(worker)

    def _stop(self, worker: _Worker) -> None:
        """Kill a worker and its descendants: nobody waits for it."""
        # It may have ended in the same moment.
        if worker in self._workers:
            self._selector.unregister(worker.connection)
            _kill(worker)

    def _end(self) -> NoReturn:
        """The parent has ended."""
        for each in self._workers:
            _kill(each)
        os._exit(0)


def _kill(worker: _Worker) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.process, signal.SIGKILL)
