"""Compiles a case in a process of its own, then measures it when it is told to.

    python benchmarks/codegen_cuda_worker.py CASE UNTIL [--device cpu]

Prints a line of JSON when all is compiled, at the latest at UNTIL in seconds of the system's clock;
waits for a line of input; and prints another with the times. The process may crash at any time.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
import torch_refine
from codegen_cases import Case
from codegen_cuda_cases import FLOPS, GPU_CASES, least_bytes
from codegen_measure import best_time

_CALLS = 10
"""Calls in a CUDA graph, or between two events."""
_REPLAYS = 8
_WARM_UPS = 3
# Relative errors of results in f32, and in 16-bit floats.
_BOUND, _HALF_BOUND = 1e-3, 2e-2
# The peaks of an H100 or H200 in FLOP/s, f32 and 16-bit floats; and of an H200's memory in B/s.
PEAK, HALF_PEAK, MEMORY_PEAK = 67e12, 989e12, 4.8e12

Way = Callable[..., Any]


@dataclass
class Found:
    """The measurements of a case.

    Microseconds by "ours", "eager" and "inductor": `device` of a call's kernels, `call` of a call
    and waiting for it. `by_events` are those whose kernels could not be captured. `share` is that
    of a peak, by way; `problem` is the reason why ours was not measured.
    """

    name: str
    device: dict[str, float] = field(default_factory=dict)
    call: dict[str, float] = field(default_factory=dict)
    compile: dict[str, float] = field(default_factory=dict)
    share: dict[str, float] = field(default_factory=dict)
    by_events: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: float | None = None
    problem: str = ""
    gpu: str = ""


class _Prepared:
    """A case with its compiled programs."""

    def __init__(self, case: Case, device: str, until: float) -> None:
        self.case = case
        self.device = device
        self.found = Found(case.name, gpu=_gpu(device))
        torch.manual_seed(0)
        model, inputs = case.make()
        self.model = model.eval().to(device)
        self.inputs = tuple(each.to(device) for each in inputs)
        self.ways: dict[str, Way] = {}
        shapes = None if case.dynamic_shapes is None else case.dynamic_shapes()
        self.result = self._called(self.model)
        try:
            with self._timed("ours"), _limited(until):
                ours = torch_refine.compile(self.model, self.inputs, device, shapes)
            self._compare(ours)
            self.ways["ours"] = ours
        except Exception as error:
            self.found.problem = _said(error)
        self.ways["eager"] = self.model
        try:
            with self._timed("inductor"), _limited(until):
                inductor = torch.compile(self.model, dynamic=case.dynamic)
                self._called(inductor)
            self.ways["inductor"] = inductor
        except Exception as error:
            self.found.compile.pop("inductor", None)
            self.found.notes.append(f"inductor: {_said(error)}")
        if device == "cuda":
            # Other processes need the memory, too.
            torch.cuda.empty_cache()

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.found.compile[name] = time.perf_counter() - start

    def _called(self, way: Way) -> torch.Tensor:
        """The result for copies of the inputs, as a case may write to them."""
        result = way(*(each.clone() for each in self.inputs))
        _finish(self.device)
        assert isinstance(result, torch.Tensor)
        return result

    def _compare(self, ours: Way) -> None:
        """Raise ArithmeticError if the results differ from those of eager mode."""
        mine, theirs = self._called(ours).double(), self.result.double()
        error = ((mine - theirs).norm() / theirs.norm()).item()
        self.found.error = error
        bound = _BOUND if self.result.dtype == torch.float32 else _HALF_BOUND
        if not error <= bound:
            raise ArithmeticError(f"the relative error is {error:.1e}")

    def measure(self) -> Found:
        """Measure all that compiled."""
        for name, way in self.ways.items():
            try:
                self.found.device[name], why_not = device_time(way, self.inputs, self.device)
                self.found.call[name] = 1e3 * best_time(
                    way, self.inputs, lambda: _finish(self.device)
                )
            except Exception as error:
                self.found.device.pop(name, None)
                self._failed(name, error)
                continue
            if why_not:
                self.found.by_events[name] = why_not
        self.found.share = self._shares()
        return self.found

    def _failed(self, name: str, error: Exception) -> None:
        if name == "ours":
            self.found.problem = _said(error)
        else:
            self.found.notes.append(f"{name}: {_said(error)}")

    def _shares(self) -> dict[str, float]:
        """The share of the peak of memory or of arithmetic that each reaches."""
        moved = least_bytes(self.case, self.model, self.inputs, self.result)
        flops = FLOPS.get(self.case.name)
        is_half = self.result.dtype != torch.float32
        if moved is not None:
            least = moved / MEMORY_PEAK
        elif flops is not None:
            least = flops / (HALF_PEAK if is_half else PEAK)
        else:
            return {}
        return {name: least / (time * 1e-6) for name, time in self.found.device.items()}


def device_time(way: Way, inputs: tuple[torch.Tensor, ...], device: str) -> tuple[float, str]:
    """Microseconds of the kernels of a call, and why they could not be captured as a graph."""
    if device == "cpu":
        return 1e3 * best_time(way, inputs, lambda: None), "the CPU has no graphs"
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(_WARM_UPS):
            way(*inputs)
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            for _ in range(_CALLS):
                way(*inputs)
        return _least_time(graph.replay), ""
    except Exception as error:
        # The error of the capture may be reported again by the next call.
        with suppress(RuntimeError):
            torch.cuda.synchronize()
        why_not = _said(error)

    def calls() -> None:
        for _ in range(_CALLS):
            way(*inputs)

    return _least_time(calls), why_not


def _least_time(run: Callable[[], Any]) -> float:
    """Microseconds of one of the calls that `run` enqueues."""
    run()
    torch.cuda.synchronize()
    best = float("inf")
    for _ in range(_REPLAYS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        torch.cuda.synchronize()
        best = min(best, start.elapsed_time(end))
    return 1e3 * best / _CALLS


def _finish(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _gpu(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else "the CPU"


def _said(error: Exception) -> str:
    """An error as one line."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"[:300]


@contextmanager
def _limited(until: float) -> Iterator[None]:
    """Raise TimeoutError in the block at a time of the system's clock."""

    def stop(*_: object) -> None:
        raise TimeoutError("it was not compiled in time")

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(until - time.time(), 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main(arguments: list[str]) -> None:
    """Compile, wait, measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("case", choices=[case.name for case in GPU_CASES])
    parser.add_argument("until", type=float)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    given = parser.parse_args(arguments)
    # What compilers print must not be taken for a result.
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # Like ours, eager mode computes matmuls in full f32, which is PyTorch's default.
    torch.backends.cudnn.allow_tf32 = False
    case = next(case for case in GPU_CASES if case.name == given.case)
    with torch.no_grad():
        prepared = _Prepared(case, given.device, given.until)
        print(json.dumps(asdict(prepared.found)), file=results, flush=True)
        if sys.stdin.readline():
            print(json.dumps(asdict(prepared.measure())), file=results, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
