"""The column of times: ours, eager mode's and inductor's, in one process."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

import torch
import torch_refine
from torch_refine.build_tools.zoo.columns import Fallback, Outcome, compare_calls
from torch_refine.build_tools.zoo.networks import Inputs, Network, first_line

_ROUNDS = 5
# The duration of a round of one way, long enough for the resolution of the clock.
_ROUND_SECONDS = 0.2
_BATCH = 2


def timed(network: Network, numbers_of_threads: Iterable[int] = (1, 2)) -> Outcome:
    """Compile for one thread and for two, and time calls in alternating rounds.

    The data has a record per number of threads, and the processor.
    """
    inputs = network.inputs(_BATCH)
    _warm_up()
    data: dict[str, Any] = {"processor": _processor()}
    fallbacks: list[Fallback] = []
    problem = ""
    for threads in numbers_of_threads:
        torch.set_num_threads(threads)
        ours, cold, warm = _ours(network.model, inputs, threads)
        found: dict[str, Any] = {"our cold": cold, "our warm": warm}
        ways: dict[str, Callable[..., Any]] = {"ours": ours, "eager": network.model}
        try:
            ways["inductor"], cold, warm = _inductor(network.model, inputs, threads)
            found |= {"inductor cold": cold, "inductor warm": warm}
        except Exception as error:
            found["inductor's error"] = f"{type(error).__name__}: {first_line(error)}"
        problem = problem or compare_calls(ours, network, network, [inputs]).problem
        found |= _least(ways, inputs)
        report = ours.report()
        fallbacks = [(each.name, each.count, each.reason, each.share) for each in report.in_pytorch]
        found["compiled share"] = report.compiled_share if fallbacks else 1.0
        data[str(threads)] = found
    kind = "wrong" if problem else "parts" if fallbacks else "whole"
    return Outcome(kind, problem, fallbacks, data)


def _ours(model: torch.nn.Module, inputs: Inputs, threads: int) -> tuple[Any, float, float]:
    """A program, and the seconds of compiling it with an empty cache and with a filled one."""
    seconds: list[float] = []
    found: Any = None
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"TORCH_REFINE_CACHE": folder}),
        torch.no_grad(),
    ):
        for _ in range(2):
            start = time.perf_counter()
            found = torch_refine.compile(model, kwargs=inputs, threads=threads, fallback="pytorch")
            seconds.append(time.perf_counter() - start)
    cold, warm = seconds
    return found, cold, warm


def _inductor(model: torch.nn.Module, inputs: Inputs, threads: int) -> tuple[Any, float, float]:
    """The same with inductor, whose caches are in a folder of their own."""
    import torch._inductor.config

    seconds: list[float] = []
    found: Any = None
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"TORCHINDUCTOR_CACHE_DIR": folder}),
        torch._inductor.config.patch({"cpp.threads": threads}),
        torch.no_grad(),
    ):
        for _ in range(2):
            torch._dynamo.reset()
            start = time.perf_counter()
            found = torch.compile(model)
            found(**inputs)
            seconds.append(time.perf_counter() - start)
    cold, warm = seconds
    return found, cold, warm


def _processor() -> str:
    """The processor's name, its wide vector instructions, and how many cores we may use."""
    told: dict[str, str] = {}
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            told.setdefault(name.strip(), value.strip())
    have = told.get("flags", "").split()
    features = [name for name in ("avx2", "fma", "avx512f", "avx512_bf16") if name in have]
    cores = len(os.sched_getaffinity(0))
    used = "one core" if cores == 1 else f"{cores} cores"
    return " ".join([told.get("model name") or platform.processor(), *features]) + f", {used}"


def _warm_up() -> None:
    """Compile a small model both ways: the first compilation imports modules, caches headers."""
    model, inputs = torch.nn.ReLU(), {"input": torch.rand(64, 64)}
    _ours(model, inputs, 1)
    try:
        _inductor(model, inputs, 1)
    except Exception as error:
        raise RuntimeError(f"inductor does not work here: {first_line(error)}") from error


def _least(ways: dict[str, Callable[..., Any]], inputs: Inputs) -> dict[str, float]:
    """Milliseconds of a call: the least of all, in rounds that alternate."""
    least = dict.fromkeys(ways, float("inf"))
    with torch.no_grad():
        for _ in range(_ROUNDS):
            for name, way in ways.items():
                way(**inputs)
                end = time.perf_counter() + _ROUND_SECONDS
                while time.perf_counter() < end:
                    start = time.perf_counter()
                    way(**inputs)
                    least[name] = min(least[name], 1e3 * (time.perf_counter() - start))
    return least
