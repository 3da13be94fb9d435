"""The table and the document of the measurements on a GPU."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from itertools import chain

import torch
from codegen_cuda_worker import HALF_PEAK, MEMORY_PEAK, PEAK, Found
from codegen_measure import KNOWN, Times, quotient
from codegen_report import DOCUMENTS, Measured, Part, geometric_mean

_WAYS = ("ours", "eager", "inductor")
_COLUMNS = ("case", "ours", "eager", "inductor", "/ eager", "/ inductor", "call, ours",
            "call, eager", "call, inductor", "error", "of peak, ours", "of peak, eager",
            "compile, ours", "compile, inductor")  # fmt: skip
_UNKNOWN = "—"
_BY_EVENTS = " (*)"


def table_of(found: Sequence[Found]) -> Part:
    """A row for each case, and one with the geometric means of ratios."""
    rows, missed = [], []
    for each in found:
        times, calls = each.device, each.call
        ours = "failed" if each.problem else _shown(each, "ours")
        ratios = [quotient(times.get("ours"), times.get(peer)) for peer in _WAYS[1:]]
        rows.append(
            (
                each.name,
                ours,
                *(_shown(each, peer) for peer in _WAYS[1:]),
                *map(_ratio, ratios),
                *(_microseconds(calls.get(way)) for way in _WAYS),
                _UNKNOWN if each.error is None else f"{each.error:.0e}",
                *(_percent(each.share.get(way)) for way in _WAYS[:2]),
                *(_seconds(each.compile.get(way)) for way in (_WAYS[0], _WAYS[2])),
            )
        )
        missed.append(bool(each.problem) or any(ratio and ratio > 1 for ratio in ratios))
    means = (
        _ratio(
            geometric_mean(
                [quotient(each.device.get("ours"), each.device.get(p)) for each in found]
            )
        )
        for p in _WAYS[1:]
    )
    mean = ("geometric mean", *[""] * 3, *means, *[""] * (len(_COLUMNS) - 6))
    return Part(_COLUMNS, [*rows, mean], [*missed, False])


def _shown(found: Found, way: str) -> str:
    mark = _BY_EVENTS if way in found.by_events else ""
    return _microseconds(found.device.get(way)) + mark


def _microseconds(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.4g} µs"


def _ratio(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.2f}"


def _percent(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.0%}"


def _seconds(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.1f} s"


def as_measured(found: Sequence[Found]) -> Measured:
    """The times of kernels as those that the plot shows."""
    return Measured(
        "",
        [
            Times(
                KNOWN[each.name],
                *(_milliseconds(each.device.get(way)) for way in _WAYS),
                problem="failed" if each.problem else "",
            )
            for each in found
        ],
    )


def _milliseconds(value: float | None) -> float | None:
    return None if value is None else value / 1e3


def driver_version() -> str:
    """The version of NVIDIA's driver; empty if `nvidia-smi` does not say it."""
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        said = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=10
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
    return said.strip().partition("\n")[0]


def document(found: Sequence[Found]) -> str:
    """The document's text."""
    gpu = next((each.gpu for each in found if each.gpu), "an unknown GPU")
    version = driver_version()
    driver = f", driver {version}" if version else ""
    cuda = f", CUDA {torch.version.cuda}" if torch.version.cuda else ""
    lines = [
        "# Compiled code on a GPU, measured",
        "",
        "`python benchmarks/codegen.py --target cuda` compiles each program in its own process,",
        "compares it with PyTorch's eager mode and with `torch.compile` (inductor, which writes",
        "Triton), and writes this page. f32 unless a case names another dtype. All three compute",
        "matmuls and convolutions in full f32: TF32 is off.",
        "",
        f"Measured with torch {torch.__version__.partition('+')[0]}{cuda}{driver} on {gpu}.",
        "",
        f"![Our time in inductor's]({DOCUMENTS['cuda'].with_suffix('.png').name})",
        "",
        "“ours”, “eager” and “inductor” are the times of a call's kernels, the minimum of several",
        "replays of a CUDA graph of ten calls; (*) marks calls that cannot be captured in a graph,",
        "whose times are those between events around ten calls. “call” is the time of one call and",
        "of waiting for it, without a graph. “error” is the norm of the difference from eager mode",
        "divided by the norm. “of peak” is, for memory-bound cases, the bytes of inputs, weights",
        f"and result divided by the time, in parts of {MEMORY_PEAK / 1e12:g} TB/s; for",
        f"contractions, the FLOP divided by the time, in parts of {PEAK / 1e12:g} TFLOP/s in f32,",
        f"of {HALF_PEAK / 1e12:g} TFLOP/s in 16-bit floats. All cases compile at the same time, so",
        "compile times are longer than alone. — is unknown.",
        "",
        *table_of(found).lines(),
        "",
        *_problem_lines(found),
    ]  # fmt: skip
    return "\n".join(lines)


def _problem_lines(found: Sequence[Found]) -> list[str]:
    """What failed or was left out, and why."""
    said = list(chain.from_iterable(map(problems_of, found)))
    if not said:
        return []
    return ["## Failures", "", *(f"- {line}" for line in said), ""]


def problems_of(found: Found) -> list[str]:
    """The problems of a case, a line each."""
    problems = [found.problem] if found.problem else []
    events = [f"{way} cannot be captured: {reason}" for way, reason in found.by_events.items()]
    return [f"{found.name}: {each}" for each in (*problems, *found.notes, *events)]
