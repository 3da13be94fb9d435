"""Runs the measurements, each in a new process, alternating ways, and summarizes them."""

from __future__ import annotations

import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from programs import Program
from torch_refine.dialect.bindings import peer_tool
from worker import PEER_PIPELINE, Sample

WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True)
class Way:
    """A way to refine a program, with its title in tables.

    `is_tool` if a whole process is timed, `is_peer` if it is not ours; peers do not run programs of
    many copies.
    """

    name: str
    title: str
    is_tool: bool = False
    is_peer: bool = False


PARSE = Way("parse", "parse only")
DIRECT = Way("direct", "direct")
REIFIED = Way("reified", "reified")
SIMPLIFY = Way("simplify", "simplification alone")
PEER = Way("peer", "torch-mlir", is_peer=True)
FAKE = Way("fake", "FakeTensor", is_peer=True)
OPT = Way("opt", "torch-refine-opt", is_tool=True)
OPT_ALONE = Way("opt-alone", "torch-refine-opt, no passes", is_tool=True)
PEER_OPT = Way("peer-opt", "torch-mlir-opt", is_tool=True, is_peer=True)

IN_PROCESS = (PARSE, DIRECT, REIFIED, SIMPLIFY, PEER, FAKE)
TOOLS = (OPT, OPT_ALONE, PEER_OPT)
WAYS = IN_PROCESS + TOOLS


@dataclass(frozen=True)
class Limits:
    """Limits of the measurements.

    Attributes:
        repeats: the maximum number of measurements of each way.
        timeout: seconds after which a measurement is aborted.
        budget: seconds per way and program after which it is not measured again.
    """

    repeats: int = 5
    timeout: float = 300
    budget: float = 60


@dataclass(frozen=True)
class Figure:
    """A positive measured value, or a bound on it: `<`, `>`, or empty if exact."""

    value: float
    bound: str = ""

    def over(self, other: Figure) -> Figure | None:
        """This divided by another; None if the bounds are contradictory."""
        inverse = {"": "", "<": ">", ">": "<"}[other.bound]
        bounds = {self.bound, inverse} - {""}
        if len(bounds) > 1:
            return None
        return Figure(self.value / other.value, "".join(bounds))


@dataclass
class Measured:
    """The measurements of one way on one program.

    Attributes:
        samples: one per measurement; a tool's have no memory and no values.
        timeout: the seconds after which a measurement was aborted, None if none was.
        error: the message of a process that failed.
    """

    samples: list[Sample] = field(default_factory=list)
    timeout: float | None = None
    error: str | None = None

    @property
    def repetitions(self) -> int:
        """The number of measurements, failed ones included."""
        return len(self.samples) + (self.timeout is not None) + (self.error is not None)

    @property
    def seconds(self) -> Figure | None:
        """The median time; a lower bound if it was aborted, None if it failed."""
        if self.error is not None or self.repetitions == 0:
            return None
        if self.timeout is not None:
            return Figure(self.timeout, ">")
        return Figure(statistics.median(sample.seconds for sample in self.samples))

    @property
    def peak_memory(self) -> Figure | None:
        """The median of the peak memory in bytes, None if it was not measured."""
        peaks = [sample.peak_memory for sample in self.samples if sample.peak_memory is not None]
        return Figure(statistics.median(peaks)) if peaks else None

    @property
    def complete(self) -> tuple[int, int] | None:
        """How many types were complete after the passes, and of how many; None without a sample."""
        for sample in self.samples:
            if sample.complete is not None and sample.tensors is not None:
                return sample.complete, sample.tensors
        return None


@dataclass(frozen=True)
class Result:
    """A program, and the measurements of each way by name."""

    program: Program
    measured: dict[str, Measured]

    def seconds(self, way: Way) -> Figure | None:
        """The median time of a way in seconds."""
        return self.measured[way.name].seconds

    def peak_memory(self, way: Way) -> Figure | None:
        """The peak memory of a way in bytes."""
        return self.measured[way.name].peak_memory

    def time_ratio(self, way: Way, other: Way) -> Figure | None:
        """The time of one way divided by that of the other."""
        return _ratio(self.seconds(way), self.seconds(other))

    def memory_ratio(self, way: Way, other: Way) -> Figure | None:
        """The memory of one way divided by that of the other."""
        return _ratio(self.peak_memory(way), self.peak_memory(other))

    def nanoseconds_per_operation(self, way: Way) -> Figure | None:
        """The time of a way per operation of the file."""
        seconds = self.seconds(way)
        if seconds is None:
            return None
        return Figure(seconds.value * 1e9 / self.program.operations, seconds.bound)


def _ratio(one: Figure | None, other: Figure | None) -> Figure | None:
    return one.over(other) if one is not None and other is not None else None


def measure_program(
    program: Program,
    limits: Limits,
    ways: tuple[Way, ...] = WAYS,
    report: Callable[[Way, int], None] = lambda way, repetition: None,
) -> Result:
    """Measure ways on a program, alternating, so that noise affects all of them equally.

    `report` is called before each measurement, skipped ones included, with its number from 0.
    """
    result = Result(program, {way.name: Measured() for way in WAYS})
    spent = dict.fromkeys(ways, 0.0)
    for repetition in range(limits.repeats):
        for way in ways:
            report(way, repetition)
            measured = result.measured[way.name]
            if way.is_peer and program.copies > 1:
                continue
            if way == PEER_OPT and result.measured[PEER.name].timeout is not None:
                # The tool runs the same passes, so it would be aborted, too.
                measured.timeout = result.measured[PEER.name].timeout
            elif len(measured.samples) == repetition and (
                repetition == 0 or spent[way] <= limits.budget
            ):
                start = time.perf_counter()
                _measure_once(way, program, limits.timeout, measured)
                spent[way] += time.perf_counter() - start
    return result


def _measure_once(way: Way, program: Program, timeout: float, measured: Measured) -> None:
    """Measure once, and record the sample or the failure."""
    try:
        if way.is_tool:
            measured.samples.append(_time_tool(way, program, timeout))
        else:
            measured.samples.append(_run_worker(way, program, timeout))
    except subprocess.TimeoutExpired:
        measured.timeout = timeout
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or "").strip().splitlines()
        measured.error = f"exit code {error.returncode}: {lines[-1] if lines else 'no message'}"


def _run_worker(way: Way, program: Program, timeout: float) -> Sample:
    file = program.exported if way == FAKE else program.file
    command = [sys.executable, "-W", "ignore", str(WORKER), way.name, str(file)]
    command += ["--timeout", str(timeout)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == -signal.SIGALRM:
        raise subprocess.TimeoutExpired(command, timeout)
    done.check_returncode()
    return Sample(**json.loads(done.stdout))


def _time_tool(way: Way, program: Program, timeout: float) -> Sample:
    """Time a whole process that reads the file, refines it, and writes the result."""
    with tempfile.TemporaryDirectory() as folder:
        if way in (OPT, OPT_ALONE):
            tool = Path(sys.executable).with_name("torch-refine-opt")
            command = [str(tool)] + ["--torch-refinement-pipeline"] * (way == OPT)
        else:
            command = [str(peer_tool()), f"--pass-pipeline={PEER_PIPELINE}"]
        command += [str(program.file), "-o", str(Path(folder) / "refined.mlir")]
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=timeout)
        return Sample(time.perf_counter() - start)


def save(results: list[Result], limits: Limits, file: Path) -> None:
    """Write the measurements and their limits as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = {"limits": asdict(limits), "results": [asdict(result) for result in results]}
    file.write_text(json.dumps(kept, default=str, indent=1), encoding="utf-8")


def load(file: Path) -> tuple[list[Result], Limits]:
    """The measurements and limits in a file of `save`."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    return [_result(**result) for result in kept["results"]], Limits(**kept["limits"])


def _result(program: dict[str, Any], measured: dict[str, Any]) -> Result:
    files = {name: Path(program[name]) for name in ("file", "exported")}
    ways = {
        way: Measured(**{**each, "samples": [Sample(**sample) for sample in each["samples"]]})
        for way, each in measured.items()
    }
    return Result(Program(**{**program, **files}), ways)
