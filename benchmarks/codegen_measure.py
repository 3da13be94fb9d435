"""Measures a case in this process: compiled by us, in eager mode, and compiled by inductor."""

from __future__ import annotations

import copy
import gc
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from typing import Any
from unittest import mock

import torch
import torch._inductor.config
import torch_refine
from codegen_cases import BFLOAT16_CASES, CASES, CPU_CASES, Case
from codegen_cuda_cases import GPU_CASES
from codegen_levels import NATIVE, Level
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode

KNOWN = {case.name: case for case in (*CASES, *CPU_CASES, *BFLOAT16_CASES, *GPU_CASES)}
# The duration of a round, long enough for the resolution of the clock.
_ROUND_SECONDS = 0.1
_TUNED = {"freezing": True}


@dataclass(frozen=True)
class Times:
    """Milliseconds of a call, the minimum of all rounds, and seconds of compiling.

    Times of failures, and those that are not measured, are None. `problem` is "refused" if our
    compiler refuses the program, and "wrong" if its results differ from eager mode. `operations`
    is the number of floating-point operations of the contractions, None if there are none.
    """

    case: Case
    ours: float | None = None
    eager: float | None = None
    inductor: float | None = None
    tuned: float | None = None
    our_compile: float | None = None
    our_warm_compile: float | None = None
    inductor_compile: float | None = None
    inductor_warm_compile: float | None = None
    problem: str = ""
    operations: float | None = None

    @property
    def ratio(self) -> float | None:
        """Our time divided by inductor's."""
        return quotient(self.ours, self.inductor)

    @property
    def is_reached(self) -> bool:
        """Whether the ratio reaches its target; true if it is unknown."""
        return not self.problem and (self.ratio is None or self.ratio <= self.case.wanted)

    def ratio_at_peak(self, peak: float | None) -> float | None:
        """The ratio if contractions ran at a peak in GFLOP/s, and all else took no time."""
        if self.operations is None or peak is None:
            return None
        return quotient(self.operations / peak / 1e6, self.inductor)

    def as_data(self) -> dict[str, Any]:
        """As JSON data."""
        return {**vars(self), "case": self.case.name}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Times:
        """The inverse of `as_data`."""
        return Times(**{**data, "case": KNOWN[data["case"]]})


def quotient(one: float | None, other: float | None) -> float | None:
    """One number divided by another, None if either is None."""
    return None if one is None or other is None else one / other


@dataclass(frozen=True)
class _Way:
    """A compiled model, and the seconds of compiling it, cold and warm."""

    call: Callable[..., Any] | None = None
    cold: float | None = None
    warm: float | None = None


def measure(
    case: Case,
    rounds: int,
    threads: int = 1,
    level: Level = NATIVE,
    peers: str = "inductor",
) -> Times:
    """Measure a case; all alternate, so that noise affects them equally.

    `peers` is "inductor", or "all" for inductor's `max-autotune` as well. With several threads, it
    is compiled only once.
    """
    torch._dynamo.reset()
    # Previous networks, with packed copies of their weights.
    gc.collect()
    torch.manual_seed(0)
    torch.set_num_threads(threads)
    model, inputs = case.make()
    model.eval()
    is_alone = threads == 1
    settings = {"cpp.threads": threads, "cpp.simdlen": level.simdlen}
    inductor = _attempt(
        f"{case.name}, inductor",
        lambda: _inductor(model, inputs, case, settings, is_warmed=is_alone),
    )
    tuned = _Way()
    if peers == "all":
        tuned = _attempt(
            f"{case.name}, max-autotune",
            lambda: _inductor(model, inputs, case, {**settings, **_TUNED}, mode="max-autotune"),
        )
    ours = _attempt(case.name, lambda: _ours(model, inputs, case, threads, level))
    problem = "refused" if ours.call is None else _difference(case, ours.call, model, inputs)
    ways = {
        "ours": None if problem else ours.call,
        "eager": model,
        "inductor": inductor.call,
        "tuned": tuned.call,
    }
    known = {name: call for name, call in ways.items() if call is not None}
    return Times(
        case,
        **_least(known, inputs, rounds),
        our_compile=ours.cold,
        our_warm_compile=ours.warm,
        inductor_compile=inductor.cold,
        inductor_warm_compile=inductor.warm,
        problem=problem,
        # The peak is that of f32.
        operations=None
        if case in BFLOAT16_CASES
        else operations(model, inputs) * case.needed or None,
    )


def operations(model: nn.Module, inputs: tuple[torch.Tensor, ...]) -> int:
    """The floating-point operations of the contractions of a call in eager mode.

    The counter does not know the fused kernels of attention, encoder layers and recurrent cells.
    """
    was_fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with warnings.catch_warnings():
            # The flags of oneDNN include one of GPUs.
            warnings.simplefilter("ignore", UserWarning)
            with (
                torch.backends.mkldnn.flags(enabled=False),
                sdpa_kernel(SDPBackend.MATH),
                FlopCounterMode(display=False) as counter,
            ):
                model(*inputs)
    finally:
        torch.backends.mha.set_fastpath_enabled(was_fast)
    return counter.get_total_flops()


def _difference(
    case: Case,
    ours: Callable[..., Any],
    model: nn.Module,
    inputs: tuple[torch.Tensor, ...],
) -> str:
    """`wrong` if ours raises, or its results differ from eager mode."""
    try:
        found, expected = ours(*inputs), model(*inputs)
        if case in BFLOAT16_CASES:
            _assert_as_accurate(found, expected, model, inputs)
        else:
            torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4)
    except (AssertionError, RuntimeError, TypeError, ValueError) as error:
        _tell(case.name, error)
        return "wrong"
    return ""


def _assert_as_accurate(
    found: Any, expected: Any, model: nn.Module, inputs: tuple[torch.Tensor, ...]
) -> None:
    """Raise AssertionError if results are twice as far from those in f64 as eager mode's."""
    exact = copy.deepcopy(model).double()(
        *(each.double() if each.is_floating_point() else each for each in inputs)
    )
    for ours, eager, true in zip(*map(tree_leaves, (found, expected, exact)), strict=True):
        error, usual = ((each.double() - true).norm() for each in (ours, eager))
        if not error <= 2 * usual:
            raise AssertionError(f"the error is {error:.3g}, that of eager mode {usual:.3g}")


def _least(
    ways: Mapping[str, Callable[..., Any]], inputs: tuple[torch.Tensor, ...], rounds: int
) -> dict[str, float]:
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            least[name] = min(least[name], best_cpu_time(way, inputs))
    return least


def _ours(
    model: nn.Module,
    inputs: tuple[torch.Tensor, ...],
    case: Case,
    threads: int,
    level: Level,
) -> _Way:
    """Compile with an empty cache, and again with the filled one."""
    options: dict[str, Any] = {} if level.cpu is None else {"cpu": level.cpu}
    shapes = None if case.dynamic_shapes is None else case.dynamic_shapes()
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"TORCH_REFINE_CACHE": folder}),
    ):
        seconds = []
        for _ in range(2):
            start = time.perf_counter()
            way = torch_refine.compile(model, inputs, "cpu", shapes, threads=threads, **options)
            seconds.append(time.perf_counter() - start)
    return _Way(way, *seconds)


def _inductor(
    model: nn.Module,
    inputs: tuple[torch.Tensor, ...],
    case: Case,
    settings: Mapping[str, Any],
    is_warmed: bool = False,
    **options: Any,
) -> _Way:
    """Compile, and if `is_warmed` again; the caches are in a folder of this run."""
    seconds: list[float] = []
    # max-autotune prints each choice to stderr; no setting disables that.
    with torch._inductor.config.patch(dict(settings)), redirect_stderr(StringIO()):
        for _ in range(2 if is_warmed else 1):
            if seconds:
                torch._dynamo.reset()
            way = torch.compile(model, dynamic=case.dynamic, **options)
            start = time.perf_counter()
            way(*inputs)
            seconds.append(time.perf_counter() - start)
    return _Way(way, *seconds)


def warm_up(level: Level) -> None:
    """Compile a small model: the first compilation also imports modules and caches headers."""
    case = Case("warm-up", lambda: (nn.ReLU(), (torch.rand(64, 64),)), 1.0)
    measure(case, 1, level=level)


def _attempt(name: str, make: Callable[[], _Way]) -> _Way:
    """The compiled model; an error is printed, and the others are measured."""
    try:
        return make()
    except Exception as error:
        _tell(name, error)
        return _Way()


def _tell(name: str, error: Exception) -> None:
    lines = str(error).strip().splitlines() or [""]
    print(f"{name}: {type(error).__name__}: {lines[0]}", file=sys.stderr, flush=True)


def best_time(
    way: Callable[..., Any], inputs: tuple[torch.Tensor, ...], finish: Callable[[], None]
) -> float:
    """Milliseconds of a call, the minimum of all in a round."""
    way(*inputs)
    finish()
    best = float("inf")
    end = time.perf_counter() + _ROUND_SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        way(*inputs)
        finish()
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def best_cpu_time(way: Callable[..., Any], inputs: tuple[torch.Tensor, ...]) -> float:
    """The same on the CPU."""
    return best_time(way, inputs, _nothing)


def _nothing() -> None:
    """A call on the CPU is finished when it returns."""
