"""Run the tests near mutations, in processes that `worker.py` forks."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

from torch_refine.build_tools.mutation.mutants import Mutation
from torch_refine.build_tools.mutation.nearby import Unit, function_at, nearby
from torch_refine.build_tools.mutation.overlay import ROOT, make_overlay

# With a mutation, a test may take so many times as much processor time, and so much more.
_TIMES, _MORE_SECONDS = 5.0, 20.0
# What tests import, mutations do not change, and takes long.
_PRELOADED = (
    "pytest",
    "hypothesis.stateful",
    "lit.main",
    "torch",
    "torch_mlir._mlir_libs._torchMlir",
    "torch_mlir._mlir_libs._mlir.passmanager",
)


@dataclass(frozen=True)
class Place:
    """A mutation of a file, which is relative to the repository."""

    room: str
    file: str
    mutation: Mutation

    @property
    def key(self) -> str:
        """A name for it."""
        mutation = self.mutation
        return f"{self.file}:{mutation.line}:{mutation.start}-{mutation.end} {mutation.kind}"


@dataclass(frozen=True)
class Result:
    """How the tests of a mutation ended: `noticed`, `timeout`, `survived` or `untested`."""

    room: str
    key: str
    line: str
    before: str
    after: str
    outcome: str
    units: list[str]


class Worker:
    """A process that runs tests (`worker.py`)."""

    def __init__(self, preloaded: Sequence[str] = _PRELOADED) -> None:
        script = str(Path(__file__).with_name("worker.py"))
        self._process = subprocess.Popen(
            [sys.executable, "-P", script, *preloaded],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def run(self, overlay: Path, unit: Unit, seconds: float) -> tuple[int | None, float]:
        """The exit code of a test, None if it took too long, and its processor time."""
        assert self._process.stdin is not None and self._process.stdout is not None
        request = {
            "overlay": str(overlay),
            "unit": unit,
            "seconds": seconds,
            "log": str(overlay / "log"),
        }
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return answer["code"], answer["seconds"]

    def end(self) -> None:
        """Let it end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class Baselines:
    """The processor times of tests without a mutation; each is measured once, up to a limit."""

    def __init__(self, limit: float, root: Path = ROOT) -> None:
        self._limit = limit
        self._root = root
        self._seconds: dict[Unit, float] = {}
        self._locks: dict[Unit, Lock] = {}
        self._lock = Lock()
        self.failed: list[Unit] = []
        """The tests that fail without a mutation."""

    def seconds(self, unit: Unit, worker: Worker) -> float:
        """The time of a test, infinite if it takes longer than the limit, or fails."""
        with self._lock:
            lock = self._locks.setdefault(unit, Lock())
        with lock:
            if unit not in self._seconds:
                self._seconds[unit] = self._measured(unit, worker)
            return self._seconds[unit]

    def _measured(self, unit: Unit, worker: Worker) -> float:
        with tempfile.TemporaryDirectory(prefix="torch-refine-") as folder:
            make_overlay(Path(folder), None, "", self._root)
            code, seconds = worker.run(Path(folder), unit, self._limit)
            if code == 0:
                return seconds
            if code is not None:
                self.failed.append(unit)
                log = (Path(folder) / "log").read_text(errors="replace")
                print(f"without a mutation: {' '.join(unit)} ends with {code}\n{log[-2000:]}")
        return math.inf


def tried(
    place: Place,
    units: Sequence[Unit],
    worker: Worker,
    baselines: Baselines,
    most_seconds: float,
    root: Path = ROOT,
) -> Result:
    """Run tests with a mutation until one notices it."""
    file = root / place.file
    source = file.read_text(encoding="utf-8")
    outcome = "untested"
    ran: list[str] = []
    spent = 0.0
    with tempfile.TemporaryDirectory(prefix="torch-refine-") as folder:
        make_overlay(Path(folder), file, place.mutation.applied(source), root)
        for unit in units:
            seconds = baselines.seconds(unit, worker)
            if spent + seconds > most_seconds:
                continue
            spent += seconds
            ran.append(" ".join(unit))
            limit = _TIMES * seconds + _MORE_SECONDS
            code, _ = worker.run(Path(folder), unit, limit)
            outcome = "timeout" if code is None else "survived" if code == 0 else "noticed"
            if outcome != "survived":
                break
        slow = [unit for unit in units if unit not in baselines.failed]
        if not ran and slow:
            # All take longer: the nearest, for as long.
            ran.append(" ".join(slow[0]))
            code, _ = worker.run(Path(folder), slow[0], most_seconds)
            outcome = "survived" if code in (0, None) else "noticed"
    line = f"{place.file}:{place.mutation.line}"
    before, after = place.mutation.shown(source)
    return Result(place.room, place.key, line, before, after, outcome, ran)


def tried_all(
    chosen: Sequence[Place], jobs: int, most_seconds: float, keep: Callable[[Result], None]
) -> bool:
    """Try mutations, several at a time; whether all tests pass without any.

    `keep` is called with each result, by one thread at a time.
    """
    baselines = Baselines(most_seconds)
    workers: SimpleQueue[Worker] = SimpleQueue()
    for _ in range(jobs):
        workers.put(Worker())
    lock = Lock()

    def task(place: Place) -> None:
        file = ROOT / place.file
        with lock:
            units = nearby(file, function_at(file.read_text(encoding="utf-8"), place.mutation.line))
        worker = workers.get()
        try:
            result = tried(place, units, worker, baselines, most_seconds)
        finally:
            workers.put(worker)
        with lock:
            keep(result)

    with ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(task, chosen):
            pass
    for _ in range(jobs):
        workers.get().end()
    return not baselines.failed
