"""Worker processes that may crash at any task.

Native compilers abort, crash and hang. A worker that does loses only its own task, and is replaced.
"""

from __future__ import annotations

import ctypes
import faulthandler
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Literal

_TASKS_OF_A_WORKER = 300
_LINES_KEPT = 3
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Died:
    """A task whose process crashed or was killed: how, and its last output."""

    hung: bool
    message: str


@dataclass
class _Worker:
    process: Any
    connection: Connection
    log: Path
    task: Any = None
    started: float = 0.0
    done: int = 0


@dataclass
class Workers:
    """Some processes that call `function` on tasks; each task may take `seconds`.

    `nests` must be set if the function starts processes. A worker is replaced after `most_tasks`,
    which limits leaked memory. Workers that are started by "spawn" share nothing with this process,
    which may have used a GPU; that takes seconds, and the function must be picklable.
    """

    function: Callable[[Any], Any]
    jobs: int
    seconds: float
    logs: Path
    nests: bool = False
    most_tasks: int = _TASKS_OF_A_WORKER
    start: Literal["fork", "spawn"] = "fork"
    _workers: list[_Worker] = field(default_factory=list)

    def run(self, tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Each task with its result, or with a Died, in order of completion."""
        waiting = iter(tasks)
        self._workers = [self._start(number) for number in range(self.jobs)]
        try:
            for worker in self._workers:
                self._give(worker, waiting)
            while any(worker.task is not None for worker in self._workers):
                yield from self._collect(waiting)
        finally:
            for worker in self._workers:
                worker.process.kill()
                worker.process.join()

    def _start(self, number: int) -> _Worker:
        self.logs.mkdir(parents=True, exist_ok=True)
        context: Any = multiprocessing.get_context(self.start)
        ours, theirs = context.Pipe()
        log = self.logs / f"worker-{number}.log"
        # It may end before it writes.
        log.write_bytes(b"")
        # A daemon may not start processes.
        process = context.Process(
            target=_work, args=(theirs, self.function, log), daemon=not self.nests
        )
        process.start()
        theirs.close()
        return _Worker(process, ours, log)

    def _give(self, worker: _Worker, waiting: Iterator[Any]) -> None:
        worker.task = next(waiting, None)
        worker.started = time.monotonic()
        if worker.task is not None:
            worker.connection.send(worker.task)

    def _collect(self, waiting: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        """The workers that are finished within a second."""
        busy = {each.connection: each for each in self._workers if each.task is not None}
        ready = wait(list(busy), timeout=1.0)
        for connection, worker in busy.items():
            late = time.monotonic() - worker.started > self.seconds
            if connection not in ready and not late:
                continue
            task = worker.task
            try:
                result = worker.connection.recv() if connection in ready else self._end(worker)
            except (EOFError, OSError):
                result = self._end(worker)
            worker.done += 1
            if isinstance(result, Died) or worker.done >= self.most_tasks:
                worker = self._replace(worker)
            self._give(worker, waiting)
            yield task, result

    def _end(self, worker: _Worker) -> Died:
        """Kill a worker, or report how it ended."""
        worker.process.join(0 if worker.process.is_alive() else None)
        worker.process.join(0.5)
        hung = worker.process.is_alive()
        worker.process.kill()
        worker.process.join()
        said = worker.log.read_text(errors="replace").strip().splitlines()[-_LINES_KEPT:]
        code = worker.process.exitcode
        how = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
        return Died(hung, "\n".join(["no end in sight" if hung else how, *said]))

    def _replace(self, worker: _Worker) -> _Worker:
        worker.process.kill()
        worker.process.join()
        place = self._workers.index(worker)
        new = self._workers[place] = self._start(place)
        return new


def note(step: str) -> None:
    """Report the next step of a task: a Died has the last one."""
    os.write(1, f"{step}\n".encode())


def _die_with_parent() -> None:
    """Make the system kill this process when its parent ends (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _work(connection: Connection, function: Callable[[Any], Any], log: Path) -> None:
    """The loop of a worker: receive a task, send the result, until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    # Without faulthandler, because crashes are expected.
    faulthandler.disable()
    file = os.open(log, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        connection.send(function(task))
