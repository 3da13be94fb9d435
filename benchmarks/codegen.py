"""Time compiled programs beside PyTorch: eager, and compiled by inductor, in one run.

    python benchmarks/codegen.py [--quick] [--rounds N] [--target cuda]
    python benchmarks/codegen.py --draw-again

One thread, then some cases with two; single precision; allocating results and passing arguments
counts. Prints tables, and writes `docs/codegen.md` with a plot. What is slower than wanted is
marked, not left out. On a GPU, `docs/codegen_cuda.md` is written, and a call counts until the GPU
has finished.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch._inductor.config
import torch_refine
from checks import COLUMNS as CHECKS_COLUMNS
from checks import WANTED, Cost, measure_checks
from codegen_cases import CASES, CHECKED, HALF_CASES, QUICK, THREADED, Case
from rich.console import Console
from rich.table import Table

DOCUMENTS = {
    "cpu": Path(__file__).parent.parent / "docs" / "codegen.md",
    "cuda": Path(__file__).parent.parent / "docs" / "codegen_cuda.md",
}
_THREADS = 2
# A turn runs for about so long, so that the clock's steps do not count.
_TURN_SECONDS = 0.1


@dataclass(frozen=True)
class Times:
    """Milliseconds of a call, the least of all turns, and the seconds that compiling took."""

    case: Case
    ours: float
    eager: float
    inductor: float
    our_compile: float
    inductor_compile: float

    @property
    def ratio(self) -> float:
        """Our time in inductor's."""
        return self.ours / self.inductor

    @property
    def is_reached(self) -> bool:
        """Whether it is as fast as wanted."""
        return self.ratio <= self.case.wanted


def measure(case: Case, rounds: int, target: str = "cpu", threads: int = 1) -> Times:
    """Measure a case; the three take turns, so that all meet the same weather."""
    torch.manual_seed(0)
    torch.set_num_threads(threads)
    model, inputs = case.make()
    model.eval().to(target)
    inputs = tuple(each.to(target) for each in inputs)
    shapes: Any = None
    if case.dynamic:
        batch = torch.export.Dim("batch", min=2, max=8192)
        shapes = ({0: batch},)
    start = time.perf_counter()
    ours = torch_refine.compile(model, inputs, target, shapes, threads=threads)
    our_compile = time.perf_counter() - start
    torch._dynamo.reset()
    inductor = torch.compile(model, dynamic=case.dynamic)
    start = time.perf_counter()
    expected = inductor(*inputs)
    inductor_compile = time.perf_counter() - start
    # 16-bit floats are rounded between operators, or not, by either.
    bound = 1e-3 if expected.dtype == torch.float32 else 5e-2
    torch.testing.assert_close(ours(*inputs), expected, rtol=bound, atol=bound / 10)
    ways: list[Callable[..., Any]] = [ours, model, inductor]
    least = [float("inf")] * len(ways)
    for _ in range(rounds):
        for place, way in enumerate(ways):
            least[place] = min(least[place], _turn(way, inputs, _FINISH[target]))
    return Times(case, *least, our_compile, inductor_compile)


def _turn(
    way: Callable[..., Any], inputs: tuple[torch.Tensor, ...], finish: Callable[[], None]
) -> float:
    """Milliseconds of a call, the least of as many as fit in a turn."""
    way(*inputs)
    finish()
    best = float("inf")
    end = time.perf_counter() + _TURN_SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        way(*inputs)
        finish()
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def _checked_turn(way: Callable[..., Any], inputs: tuple[torch.Tensor, ...]) -> float:
    return _turn(way, inputs, _nothing)


def _nothing() -> None:
    """The CPU has finished when a call returns."""


_FINISH: dict[str, Callable[[], None]] = {"cpu": _nothing, "cuda": torch.cuda.synchronize}
_COLUMNS = ("case", "ours", "eager", "inductor", "/ eager", "/ inductor", "wanted", "compile",
            "inductor's")  # fmt: skip


def _row(times: Times) -> tuple[str, ...]:
    mark = "" if times.is_reached else " (not reached)"
    return (
        times.case.name,
        f"{times.ours:.3g} ms",
        f"{times.eager:.3g} ms",
        f"{times.inductor:.3g} ms",
        f"{times.ours / times.eager:.2f}",
        f"{times.ratio:.2f}",
        f"{times.case.wanted}{mark}",
        f"{times.our_compile:.1f} s",
        f"{times.inductor_compile:.1f} s",
    )


def show(found: list[Times], title: str) -> None:
    """Print a table."""
    table = Table(title=title)
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column == "case" else "right")
    for times in found:
        table.add_row(*_row(times), style=None if times.is_reached else "yellow")
    Console(width=None if sys.stdout.isatty() else 160).print(table)


# Of CPUs, those that decide how fast generated code can be.
_FEATURES = ("avx2", "fma", "avx512f", "avx512bw", "avx512_bf16", "amx_bf16", "asimd", "sve")
_TITLES = {"cpu": "Compiled code, measured", "cuda": "Compiled code on a GPU, measured"}
_CONDITIONS = {
    "cpu": ("One thread,", "f32; allocating results and passing arguments counts."),
    "cuda": (
        "f32 where a case says no other;",
        "allocating results, passing arguments and waiting for the GPU counts.",
    ),
}


def _threaded_lines(found: list[Times], alone: list[Times]) -> list[str]:
    """The part about threads."""
    if not found:
        return []
    single = {times.case.name: times.ours for times in alone}
    columns = ("case", "ours", "eager", "inductor", "/ inductor", "one thread / ours")
    rows = [
        (
            times.case.name,
            f"{times.ours:.3g} ms",
            f"{times.eager:.3g} ms",
            f"{times.inductor:.3g} ms",
            f"{times.ratio:.2f}",
            f"{single[times.case.name] / times.ours:.2f}",
        )
        for times in found
    ]
    return [
        "",
        f"The same with {_THREADS} threads each (`compile(threads={_THREADS})`):",
        "",
        "| " + " | ".join(columns) + " |",
        "|" + " --- |" * len(columns),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]


def _checks_lines(costs: list[Cost]) -> list[str]:
    """The part about checks of indices."""
    if not costs:
        return []
    return [
        "",
        "What it costs that indices are checked: the same programs compiled without any check.",
        f"At most {WANTED} is wanted.",
        "",
        "| " + " | ".join(CHECKS_COLUMNS) + " |",
        "|" + " --- |" * len(CHECKS_COLUMNS),
        *("| " + " | ".join(cost.row()) + " |" for cost in costs),
    ]


def _show_checks(costs: list[Cost]) -> None:
    table = Table(title="checks of indices, one thread, f32")
    for column in CHECKS_COLUMNS:
        table.add_column(column, justify="left" if column == "case" else "right")
    for cost in costs:
        table.add_row(*cost.row(), style=None if cost.ratio <= WANTED else "yellow")
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def document(found: list[Times], threaded: list[Times], costs: list[Cost], target: str) -> str:
    """The document's text."""
    rows = ["| " + " | ".join(_row(times)) + " |" for times in found]
    title, (condition, rest) = _TITLES[target], _CONDITIONS[target]
    plot = DOCUMENTS[target].with_suffix(".png").name
    return "\n".join(
        [
            f"# {title}",
            "",
            "`python benchmarks/codegen.py` compiles each program, runs it beside PyTorch's eager",
            "mode and `torch.compile` (inductor) in one process, and writes this page.",
            f"{condition} {rest} Each time is the least of all",
            "turns, and the three take turns. Compare ratios: times depend on the machine.",
            "",
            f"Measured with torch {torch.__version__.partition('+')[0]} on {_device(target)}.",
            "",
            f"![Our time in inductor's]({plot})",
            "",
            "| " + " | ".join(_COLUMNS) + " |",
            "|" + " --- |" * len(_COLUMNS),
            *rows,
            "",
            "“Wanted” is the most that our time may be, in inductor's.",
            *_threaded_lines(threaded, found),
            *_checks_lines(costs),
            "",
        ]
    )


def _device(target: str) -> str:
    if target == "cuda":
        return torch.cuda.get_device_name()
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    told = {line.partition(":")[0].strip(): line.partition(":")[2].split() for line in lines}
    name = " ".join(told.get("model name", [])) or platform.processor() or platform.machine()
    features = [each for each in _FEATURES if each in told.get("flags", [])]
    return f"{name} with {', '.join(features)}" if features else name


def recorded(text: str) -> list[Times]:
    """The measurements in a document's first table, with the ratios that it shows.

    Times are rounded there, so inductor's is computed from ours and the ratio.
    """
    known = {case.name: case for case in (*CASES, *HALF_CASES)}
    table = text.partition("| case |")[2].partition("\n\n")[0]
    found = []
    for line in table.splitlines()[2:]:
        name, *columns = (each.strip() for each in line.strip("|").split(" | "))
        ours, eager, _, _, ratio, _, *compiling = (float(each.split()[0]) for each in columns)
        found.append(Times(known[name], ours, eager, ours / ratio, *compiling))
    return found


# Powers of two: half the time, twice the time.
_TICKS = tuple(2.0**power for power in range(-6, 7))


def limits(ratios: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that shows ratios whole, and half and twice the time at least."""
    return min(0.5, *ratios) / 1.1, max(2.0, *ratios) * 1.1


def plot(found: list[Times], path: Path) -> None:
    """Bars of our time in inductor's, from 1 to either side, with what is wanted as a mark."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    found = found[::-1]
    figure, axes = pyplot.subplots(figsize=(8, 0.36 * len(found) + 1.2))
    names = [times.case.name for times in found]
    ratios = [times.ratio for times in found]
    wanted = [times.case.wanted for times in found]
    colours = ["#2a7f62" if times.is_reached else "#c8553d" for times in found]
    axes.barh(names, [ratio - 1.0 for ratio in ratios], left=1.0, color=colours)
    for place, ratio in enumerate(ratios):
        axes.text(
            1.01,
            place,
            f"{ratio:.2f}",
            transform=axes.get_yaxis_transform(),
            verticalalignment="center",
        )
    axes.plot(wanted, range(len(found)), "k|", markersize=14, label="wanted at most")
    axes.axvline(1.0, color="grey", linewidth=0.8)
    low, high = limits([*ratios, *wanted])
    axes.set_xscale("log", base=2)
    axes.set_xlim(low, high)
    ticks = [tick for tick in _TICKS if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_xlabel("our time / inductor's, logarithmic (left of 1 is faster)")
    axes.legend(loc="lower right")
    figure.tight_layout()
    # Without the version of matplotlib, so that the same figures give the same file.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the document."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two small cases, no document")
    parser.add_argument("--rounds", type=int, default=5, help="how many turns each way gets")
    parser.add_argument("--target", choices=tuple(DOCUMENTS), default="cpu", help="where to run")
    parser.add_argument(
        "--draw-again", action="store_true", help="measure nothing: draw the document's figures"
    )
    options = parser.parse_args(arguments)
    if options.draw_again:
        path = DOCUMENTS[options.target]
        plot(recorded(path.read_text(encoding="utf-8")), path.with_suffix(".png"))
        return 0
    # What either compiled before must not count as its compile time.
    os.environ["TORCH_REFINE_CACHE"] = "0"
    torch._inductor.config.force_disable_caches = True
    every = CASES if options.target == "cpu" else (*CASES, *HALF_CASES)
    chosen = [case for case in every if not options.quick or case.name in QUICK]
    found = []
    with torch.no_grad():
        for case in chosen:
            print(f"{case.name} ...", file=sys.stderr, flush=True)
            found.append(measure(case, options.rounds, options.target))
        threaded = []
        for case in CASES if options.target == "cpu" and not options.quick else ():
            if case.name in THREADED:
                print(f"{case.name}, {_THREADS} threads ...", file=sys.stderr, flush=True)
                threaded.append(measure(case, options.rounds, threads=_THREADS))
        costs = []
        for case in CHECKED if options.target == "cpu" and not options.quick else ():
            print(f"{case.name}, checks ...", file=sys.stderr, flush=True)
            costs.append(measure_checks(case, options.rounds, _checked_turn))
    show(found, f"compiled code, {options.target}, one thread")
    if costs:
        _show_checks(costs)
    if threaded:
        show(threaded, f"compiled code, {_THREADS} threads, f32")
    if not options.quick:
        path = DOCUMENTS[options.target]
        path.write_text(document(found, threaded, costs, options.target), encoding="utf-8")
        plot(found, path.with_suffix(".png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
