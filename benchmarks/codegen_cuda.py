"""Compile all cases for a GPU in parallel, then measure them one after the other.

`codegen.py --target cuda` calls this. Each case has a process of its own, as a kernel that fails
leaves the GPU unusable for its process. None is measured while another compiles.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import IO, Any

from codegen_cases import Case
from codegen_cuda_cases import longest_first
from codegen_cuda_worker import Found

SECONDS = 120.0
_WORKER = Path(__file__).parent / "codegen_cuda_worker.py"
# The part of the time in which programs are compiled.
_COMPILING = 0.6
# The part of the time in which a case is measured at most.
_ONE = 0.1
_LINES_KEPT = 3
_LEFT_OUT = "left out: {} in the {:.0f} s of this run"

Tell = Callable[[str], None]


@dataclass
class _Process:
    """The process of a case, and the last line that it wrote."""

    case: Case
    process: subprocess.Popen[bytes]
    log: Path
    data: dict[str, Any] = field(default_factory=dict)

    def read(self) -> bool:
        """Read a line of results; false if the process ended instead."""
        line = self._results().readline()
        if not line.endswith(b"\n"):
            return False
        self.data = json.loads(line)
        return True

    def _results(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def go_on(self) -> None:
        """Let it measure."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def how_it_ended(self) -> str:
        """Its exit code, and the last lines that it printed."""
        code = self.process.wait()
        said = self.log.read_text(errors="replace").strip().splitlines()[-_LINES_KEPT:]
        return " | ".join([f"the process ended with {code}", *said])


@dataclass
class Run:
    """A run of the cases, of which `jobs` compile at a time.

    It ends after `seconds`; what is not measured by then is left out.
    """

    cases: Sequence[Case]
    jobs: int
    seconds: float = SECONDS
    device: str = "cuda"
    tell: Tell = print

    def measured(self) -> list[Found]:
        """The measurements, in the order of the cases; those of failures have a problem."""
        start = time.time()
        until = start + _COMPILING * self.seconds
        with tempfile.TemporaryDirectory() as folder:
            ready, found = self._compiled(Path(folder), until)
            self.tell(f"compiled {len(ready)} of {len(self.cases)} in {time.time() - start:.0f} s")
            try:
                for each in ready:
                    found[each.case.name] = self._measured(each, start + self.seconds)
                    each.end()
                    self.tell(line_of(found[each.case.name]))
            finally:
                for each in ready:
                    each.end()
        return [found[case.name] for case in self.cases]

    def _compiled(self, folder: Path, until: float) -> tuple[list[_Process], dict[str, Found]]:
        """The processes that compiled their case, and the problems of the others."""
        waiting: Iterator[Case] = iter(longest_first(self.cases))
        ready: list[_Process] = []
        found: dict[str, Found] = {}
        with DefaultSelector() as busy:

            def start_next() -> None:
                case = next(waiting, None) if time.time() < until else None
                if case is not None:
                    new = self._start(case, folder / str(self.cases.index(case)), until)
                    busy.register(new.process.stdout, EVENT_READ, new)  # type: ignore[arg-type]

            for _ in range(self.jobs):
                start_next()
            # Compiling ends by itself, but for what does not return to Python.
            end = until + (1 - _COMPILING) / 4 * self.seconds
            while busy.get_map() and time.time() < end:
                for key, _ in busy.select(timeout=end - time.time()):
                    each: _Process = key.data
                    busy.unregister(key.fileobj)
                    if each.read():
                        ready.append(each)
                    else:
                        found[each.case.name] = _failed(each.case, each.how_it_ended())
                        each.end()
                    start_next()
            for key in list(busy.get_map().values()):
                key.data.end()
        missing = _LEFT_OUT.format("not compiled", self.seconds)
        compiled = {each.case.name for each in ready}
        for case in self.cases:
            if case.name not in found and case.name not in compiled:
                found[case.name] = _failed(case, missing)
        for problem in found.values():
            self.tell(line_of(problem))
        return ready, found

    def _start(self, case: Case, folder: Path, until: float) -> _Process:
        folder.mkdir()
        log = folder / "log"
        environment = {
            **os.environ,
            # Compile times must not depend on earlier runs, nor on each other.
            "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
            "TRITON_CACHE_DIR": str(folder / "triton"),
            "TORCH_REFINE_CACHE": str(folder / "ours"),
            # Else each process starts others for all processors.
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        command = [sys.executable, str(_WORKER), case.name, str(until), "--device", self.device]
        with log.open("wb") as errors:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
                bufsize=0,
            )
        return _Process(case, process, log)

    def _measured(self, each: _Process, end: float) -> Found:
        left = min(end - time.time(), _ONE * self.seconds)
        if left <= 0:
            return _failed(each.case, _LEFT_OUT.format("not measured", self.seconds))
        with DefaultSelector() as selector:
            try:
                each.go_on()
            except BrokenPipeError:
                return _failed(each.case, each.how_it_ended())
            selector.register(each._results(), EVENT_READ)
            if not selector.select(timeout=left):
                return _failed(each.case, f"left out: not measured in {left:.0f} s")
        if not each.read():
            return _failed(each.case, each.how_it_ended())
        return Found(**each.data)


def _failed(case: Case, problem: str) -> Found:
    return Found(case.name, problem=problem)


def line_of(found: Found) -> str:
    """A line that is printed as soon as a case is measured."""
    if found.problem:
        return f"{found.name}: {found.problem}"
    times = ", ".join(f"{name} {time:.1f} us" for name, time in found.device.items())
    return f"{found.name}: {times}"
