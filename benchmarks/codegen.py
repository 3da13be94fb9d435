"""Time compiled programs beside PyTorch: eager, and compiled by inductor, in one run.

    python benchmarks/codegen.py [--quick] [--rounds N]

One thread, single precision; allocating results and passing arguments counts. Prints a table, and
writes `docs/codegen.md` with a plot. What is slower than wanted is marked, not left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch._inductor.config
import torch_refine
from codegen_cases import CASES, QUICK, Case
from rich.console import Console
from rich.table import Table

DOCUMENT = Path(__file__).parent.parent / "docs" / "codegen.md"
PLOT = DOCUMENT.with_suffix(".png")
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


def measure(case: Case, rounds: int) -> Times:
    """Measure a case; the three take turns, so that all meet the same weather."""
    torch.manual_seed(0)
    model, inputs = case.make()
    model.eval()
    shapes: Any = None
    if case.dynamic:
        batch = torch.export.Dim("batch", min=2, max=8192)
        shapes = ({0: batch},)
    start = time.perf_counter()
    ours = torch_refine.compile(model, inputs, dynamic_shapes=shapes)
    our_compile = time.perf_counter() - start
    torch._dynamo.reset()
    inductor = torch.compile(model, dynamic=case.dynamic)
    start = time.perf_counter()
    expected = inductor(*inputs)
    inductor_compile = time.perf_counter() - start
    torch.testing.assert_close(ours(*inputs), expected, rtol=1e-3, atol=1e-4)
    ways: list[Callable[..., Any]] = [ours, model, inductor]
    least = [float("inf")] * len(ways)
    for _ in range(rounds):
        for place, way in enumerate(ways):
            least[place] = min(least[place], _turn(way, inputs))
    return Times(case, *least, our_compile, inductor_compile)


def _turn(way: Callable[..., Any], inputs: tuple[torch.Tensor, ...]) -> float:
    """Milliseconds of a call, the least of as many as fit in a turn."""
    way(*inputs)
    best = float("inf")
    end = time.perf_counter() + _TURN_SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        way(*inputs)
        best = min(best, time.perf_counter() - start)
    return best * 1e3


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


def show(found: list[Times]) -> None:
    """Print the table."""
    table = Table(title="compiled code, one thread, f32")
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column == "case" else "right")
    for times in found:
        table.add_row(*_row(times), style=None if times.is_reached else "yellow")
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def document(found: list[Times]) -> str:
    """The document's text."""
    rows = ["| " + " | ".join(_row(times)) + " |" for times in found]
    return "\n".join(
        [
            "# Compiled code, measured",
            "",
            "`python benchmarks/codegen.py` compiles each program, runs it beside PyTorch's eager",
            "mode and `torch.compile` (inductor) in one process, and writes this page. One thread,",
            "f32; allocating results and passing arguments counts. Each time is the least of all",
            "turns, and the three take turns. Compare ratios: times depend on the machine.",
            "",
            f"Measured with torch {torch.__version__.partition('+')[0]} on {_processor()}.",
            "",
            "![Our time in inductor's](codegen.png)",
            "",
            "| " + " | ".join(_COLUMNS) + " |",
            "|" + " --- |" * len(_COLUMNS),
            *rows,
            "",
            "“Wanted” is the most that our time may be, in inductor's.",
            "",
        ]
    )


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def plot(found: list[Times], path: Path) -> None:
    """Bars of our time in inductor's, with what is wanted as a mark."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 0.36 * len(found) + 1.2))
    names = [times.case.name for times in found][::-1]
    ratios = [times.ratio for times in found][::-1]
    colours = ["#2a7f62" if times.is_reached else "#c8553d" for times in found][::-1]
    axes.barh(names, ratios, color=colours)
    wanted = [times.case.wanted for times in found][::-1]
    axes.plot(wanted, range(len(found)), "k|", markersize=14, label="wanted")
    axes.axvline(1.0, color="grey", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("our time / inductor's (smaller is faster)")
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the document."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two small cases, no document")
    parser.add_argument("--rounds", type=int, default=5, help="how many turns each way gets")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    # What either compiled before must not count as its compile time.
    os.environ["TORCH_REFINE_CACHE"] = "0"
    torch._inductor.config.force_disable_caches = True
    chosen = [case for case in CASES if not options.quick or case.name in QUICK]
    found = []
    with torch.no_grad():
        for case in chosen:
            print(f"{case.name} ...", file=sys.stderr, flush=True)
            found.append(measure(case, options.rounds))
    show(found)
    if not options.quick:
        DOCUMENT.write_text(document(found), encoding="utf-8")
        plot(found, PLOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
