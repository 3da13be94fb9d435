"""Tables and the document of the measurements, and reading them back from a document."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from checks import COLUMNS as CHECKS_COLUMNS
from checks import WANTED, Cost
from codegen_levels import AVX2, TITLED, processor
from codegen_measure import KNOWN, Times, quotient
from rich.console import Console
from rich.table import Table

DOCUMENTS = {
    "cpu": Path(__file__).parent.parent / "docs" / "codegen.md",
    "cuda": Path(__file__).parent.parent / "docs" / "codegen_cuda.md",
}
THREADS = 2
SPEEDUP_WANTED = 1.7
"""The target of the speedup of two threads."""

MATMUL = "matmul 1024x1024x1024"
_MATMUL_OPERATIONS = 2 * 1024**3
_UNKNOWN = "—"
_NOT_REACHED = " (not reached)"


@dataclass(frozen=True)
class Measured:
    """The measurements at a level.

    Attributes:
        level: its name.
        capability: the instruction set of PyTorch's own kernels, as it reports it.
        found, threaded: times with one thread, and with two.
        costs: of bounds checks.
        peak: the peak GFLOP/s of one core.
        numpy: milliseconds of NumPy's matmul of 1024x1024x1024.
    """

    level: str
    found: list[Times]
    threaded: list[Times] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)
    peak: float | None = None
    numpy: float | None = None
    capability: str = ""

    def as_data(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            **vars(self),
            "found": [times.as_data() for times in self.found],
            "threaded": [times.as_data() for times in self.threaded],
            "costs": [asdict(cost) for cost in self.costs],
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Measured:
        """The inverse of `as_data`."""
        found, threaded = (
            [Times.from_data(each) for each in data[name]] for name in ("found", "threaded")
        )
        costs = [Cost(**each) for each in data["costs"]]
        return Measured(**{**data, "found": found, "threaded": threaded, "costs": costs})


@dataclass(frozen=True)
class Part:
    """A table, and which of its rows miss their target."""

    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    missed: list[bool]

    def lines(self) -> list[str]:
        """In Markdown."""
        header, *rows = ("| " + " | ".join(row) + " |" for row in (self.columns, *self.rows))
        return [header, "|" + " --- |" * len(self.columns), *rows]

    def show(self, title: str) -> None:
        """Print it."""
        table = Table(title=title)
        for column in self.columns:
            table.add_column(column, justify="left" if column == "case" else "right")
        for row, is_missed in zip(self.rows, self.missed, strict=True):
            table.add_row(*row, style="yellow" if is_missed else None)
        Console(width=None if sys.stdout.isatty() else 200).print(table)


_COLUMNS = ("case", "ours", "eager", "inductor", "max-autotune", "/ eager", "/ inductor",
            "/ max-autotune", "at peak", "wanted", "compile, cold", "compile, warm",
            "inductor's, cold", "inductor's, warm")  # fmt: skip


def _milliseconds(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.3g} ms"


def _seconds(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.2g} s" if value < 1 else f"{value:.1f} s"


def _ratio(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.2f}"


def _ratios(times: Times) -> tuple[float | None, ...]:
    return tuple(quotient(times.ours, each) for each in (times.eager, times.inductor, times.tuned))


def _compiling(times: Times) -> tuple[float | None, ...]:
    return (
        times.our_compile,
        times.our_warm_compile,
        times.inductor_compile,
        times.inductor_warm_compile,
    )


def geometric_mean(values: Sequence[float | None]) -> float | None:
    """The geometric mean of the values that are not None."""
    known = [value for value in values if value is not None]
    return statistics.geometric_mean(known) if known else None


def table_of(found: list[Times], peak: float | None = None) -> Part:
    """A row for each case, and one with the geometric means of ratios and of compile times.

    `peak` is that of the core in GFLOP/s.
    """
    rows = [
        (
            times.case.name,
            times.problem or _milliseconds(times.ours),
            *map(_milliseconds, (times.eager, times.inductor, times.tuned)),
            *map(_ratio, (*_ratios(times), times.ratio_at_peak(peak))),
            f"{times.case.wanted}{'' if times.is_reached else _NOT_REACHED}",
            *map(_seconds, _compiling(times)),
        )
        for times in found
    ]
    ratios = zip(*map(_ratios, found), strict=True)
    compiling = zip(*map(_compiling, found), strict=True)
    means = (
        "geometric mean",
        *[""] * 4,
        *(_ratio(geometric_mean(each)) for each in ratios),
        *[""] * 2,
        *(_seconds(geometric_mean(each)) for each in compiling),
    )
    missed = [not times.is_reached for times in found]
    return Part(_COLUMNS, [*rows, means], [*missed, False]) if found else Part(_COLUMNS, [], [])


def threaded_table(measured: Measured) -> Part:
    """The speedup of threads."""
    columns = ("case", "ours", "eager", "inductor", "/ inductor", "one thread / ours", "wanted")
    single = {times.case.name: times.ours for times in measured.found}
    rows, missed = [], []
    for times in measured.threaded:
        speedup = quotient(single[times.case.name], times.ours)
        missed.append(bool(times.problem) or (speedup is not None and speedup < SPEEDUP_WANTED))
        rows.append(
            (
                times.case.name,
                times.problem or _milliseconds(times.ours),
                *map(_milliseconds, (times.eager, times.inductor)),
                *map(_ratio, (times.ratio, speedup)),
                f"{SPEEDUP_WANTED}{_NOT_REACHED if missed[-1] else ''}",
            )
        )
    return Part(columns, rows, missed)


def _share(milliseconds: float | None, peak: float) -> str:
    if milliseconds is None:
        return _UNKNOWN
    speed = _MATMUL_OPERATIONS / milliseconds / 1e6
    return f"{speed:.0f} GFLOP/s, {speed / peak:.0%}"


def peak_table(results: Sequence[Measured]) -> Part:
    """The share of a core's peak that a matmul reaches."""
    library = "MKL" if torch._C.has_mkl else "its library"
    columns = ("instructions", "peak", "ours", f"PyTorch ({library})", "NumPy (OpenBLAS)")
    rows = []
    for measured in results:
        times = next((each for each in measured.found if each.case.name == MATMUL), None)
        if measured.peak is None or times is None:
            continue
        shares = (_share(each, measured.peak) for each in (times.ours, times.eager, measured.numpy))
        rows.append((measured.level, f"{measured.peak:.0f} GFLOP/s", *shares))
    return Part(columns, rows, [False] * len(rows))


def checks_table(costs: list[Cost]) -> Part:
    """The cost of bounds checks."""
    missed = [cost.ratio > WANTED for cost in costs]
    return Part(CHECKS_COLUMNS, [cost.row() for cost in costs], missed)


def show(results: Sequence[Measured]) -> None:
    """Print the tables."""
    for measured in results:
        table_of(measured.found, measured.peak).show(f"compiled code, {measured.level}, one thread")
        parts = (
            (threaded_table(measured), f"{measured.level}, {THREADS} threads"),
            (checks_table(measured.costs), f"bounds checks, {measured.level}, one thread"),
        )
        for part, title in parts:
            if part.rows:
                part.show(title)
    if peak_table(results).rows:
        peak_table(results).show("share of the peak of one core, matmul of 1024x1024x1024")


def _level_lines(measured: Measured, is_host: bool) -> list[str]:
    """The section of a level; a level that documents do not name has no heading."""
    heading = []
    if measured.level in TITLED:
        said = f"PyTorch's own kernels use {measured.capability}." if measured.capability else ""
        if measured.level != AVX2.name or is_host:
            where = "All instruction sets of the CPU."
        else:
            where = f"The same CPU, with vectors limited to 256 bits. {AVX2.restricted}"
        heading = [f"## {measured.level}", "", f"{where} {said}".rstrip(), ""]
    return [*heading, *table_of(measured.found, measured.peak).lines(), ""]


def _peak_lines(results: Sequence[Measured]) -> list[str]:
    part = peak_table(results)
    if not part.rows:
        return []
    return [
        "## Share of the peak of one core",
        "",
        "The peak is that of a loop of independent FMAs in registers, measured in the same",
        "process; the shares are those of a 1024x1024x1024 matmul.",
        "",
        *part.lines(),
        "",
    ]


def _threaded_lines(measured: Measured) -> list[str]:
    part = threaded_table(measured)
    if not part.rows:
        return []
    return [
        f"## {THREADS} threads",
        "",
        f"Programs that take over 1 ms, with {THREADS} threads (`compile(threads={THREADS})`);",
        "“wanted” is the target of the speedup over one thread.",
        "",
        *part.lines(),
        "",
    ]


def _checks_lines(costs: list[Cost]) -> list[str]:
    part = checks_table(costs)
    if not part.rows:
        return []
    return [
        "## Bounds checks",
        "",
        "The cost of bounds checks of indices: the same programs compiled with and without them.",
        f"The target is at most {WANTED}.",
        "",
        *part.lines(),
        "",
    ]


def document(results: Sequence[Measured]) -> str:
    """The document's text; tables of threads and checks are of the first level."""
    plot = DOCUMENTS["cpu"].with_suffix(".png").name
    names = [measured.level for measured in results if measured.level in TITLED]
    levels = f" Instructions: {' and '.join(names)}, both on this CPU." if len(names) > 1 else ""
    if len(names) == 1:
        levels = f" Instructions: {names[0]} only; this CPU has no wider ones."
    lines = [
        "# Compiled code, measured",
        "",
        "`python benchmarks/codegen.py` compiles each program, compares it with PyTorch's eager",
        "mode, `torch.compile` (inductor), and inductor with `mode=\"max-autotune\"` and frozen",
        "weights, in one process per level of instruction sets, and writes this page.",
        "One thread, f32 if nothing is said; times include allocating results and passing "
        "arguments. Each time is the minimum of",
        "several rounds, in which all alternate. Compare ratios: times depend on the machine.",
        "",
        f"Measured with torch {torch.__version__.partition('+')[0]} on {processor()}.{levels}",
        "",
        "[codegen_zen4.md](codegen_zen4.md) has those of a CPU that is no faster with AVX-512,",
        "[codegen_zen3.md](codegen_zen3.md) those of one without it,",
        "[codegen_icelake.md](codegen_icelake.md) those of Intel's, for which MKL is made, and",
        "[codegen_amx.md](codegen_amx.md) those of one with AMX, which multiplies bfloat16 faster.",
        "",
        f"![Our time in inductor's]({plot})",
        "",
        "“Wanted” is the target of the ratio to inductor; “at peak” is what this ratio would be if",
        "all contractions ran at the peak of one core (below), and all else took no time.",
        "Compile times are given for an empty",
        "cache (cold) and a filled one (warm). A program is “refused” if it does not compile,",
        "and “wrong” if its results differ from eager mode; — marks failures of PyTorch and what",
        "is not measured.",
        "",
    ]  # fmt: skip
    for place, measured in enumerate(results):
        lines += _level_lines(measured, place == 0)
    lines += _peak_lines(results)
    for measured in results[:1]:
        lines += [*_threaded_lines(measured), *_checks_lines(measured.costs)]
    return "\n".join(lines)


def recorded(text: str) -> list[Measured]:
    """The measurements in a document's tables for one thread, with the ratios that they show.

    Times are rounded there, so PyTorch's are computed from ours and the ratio.
    """
    results = []
    for place, section in enumerate(text.split("\n## ")):
        name = section.partition("\n")[0].strip()
        header, _, table = section.partition("| case |")[2].partition("\n")
        if not table or (place and name not in TITLED):
            continue
        columns = [column.strip() for column in header.strip("| ").split(" | ")]
        found = []
        for line in table.partition("\n\n")[0].splitlines()[1:]:
            row, *cells = (each.strip() for each in line.strip("|").split(" | "))
            if row in KNOWN:
                found.append(_times(row, dict(zip(columns, cells, strict=True))))
        results.append(Measured(name if place else "", found))
    return results


def _times(name: str, cells: Mapping[str, str]) -> Times:
    def number(column: str) -> float | None:
        shown = cells.get(column, "").split()
        return float(shown[0]) if shown and shown[0][0].isdigit() else None

    ours = number("ours")
    return Times(
        KNOWN[name],
        ours,
        number("eager"),
        _denominator(ours, number("/ inductor"), number("inductor")),
        _denominator(ours, number("/ max-autotune"), number("max-autotune")),
        number("compile, cold"),
        number("compile, warm"),
        number("inductor's, cold"),
        number("inductor's, warm"),
        cells["ours"] if ours is None else "",
    )


def _denominator(ours: float | None, ratio: float | None, shown: float | None) -> float | None:
    """The denominator of a ratio of ours, or the rounded value if ours is None."""
    return quotient(ours, ratio) if ours is not None and ratio else shown
