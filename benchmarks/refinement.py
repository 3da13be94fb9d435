"""Compare the time of refinement with torch-mlir's passes and FakeTensor, in one run.

    python benchmarks/refinement.py [--quick] [PROGRAM ...]

Builds transformer encoders, a ResNet and a chain of convolutions, erases their types, and measures
the time to infer them again; prints tables, and writes a document and a plot. All of it
takes half an hour; `--quick` takes less than a minute. See `docs/benchmarks.md`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from measure import WAYS, Limits, Result, Way, load, measure_program, save
from plot import plot
from programs import CACHE, REPOSITORY, Program, load_program
from report import PLOT, document, summary
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from tables import errors, tables
from torch_refine.dialect.requirements import how_to_install

ALL = (
    "encoder-12",
    "encoder-48",
    "encoder-192",
    "encoder-192x14",
    "resnet-152",
    "convolutions-1600",
)
QUICK = ("encoder-12", "convolutions-100")


def build_programs(names: list[str], progress: Progress) -> list[Program]:
    """The programs of these names; missing ones are built, two at a time."""
    task = progress.add_task("building programs", total=len(names))

    def build(name: str) -> Program:
        program = load_program(name)
        progress.advance(task)
        return program

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(build, names))


def measure_programs(programs: list[Program], limits: Limits, progress: Progress) -> list[Result]:
    """Measure one program after the other, and show the progress."""
    task = progress.add_task("", total=len(programs) * limits.repeats * len(WAYS))
    results = []
    for program in programs:

        def report(way: Way, repetition: int, name: str = program.name) -> None:
            description = f"{name}: {way.title}, repetition {repetition + 1}"
            if not progress.console.is_terminal:
                progress.console.print(description)
            progress.update(task, description=description)
            progress.advance(task)

        results.append(measure_program(program, limits, report=report))
    progress.update(task, description="measured")
    return results


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """The options on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", nargs="*", help=f"such as {', '.join(ALL)}; all if none given")
    parser.add_argument("--quick", action="store_true", help="small programs, fewer repetitions")
    parser.add_argument("--repeats", type=int, help="measurements of each way (5; quick: 2)")
    parser.add_argument("--timeout", type=float, default=300, help="seconds per measurement (300)")
    parser.add_argument("--budget", type=float, help="seconds per way and program (60; quick: 5)")
    parser.add_argument(
        "--write", action="store_true", help="write to docs, as a run of all programs does"
    )
    parser.add_argument(
        "--again", action="store_true", help="measure nothing: report the last run again"
    )
    return parser.parse_args(words)


def main() -> int:
    """Build, measure, print, write; 1 if something failed."""
    options = arguments()
    if find_spec("matplotlib") is None:
        print(f"the plot cannot be drawn: {how_to_install('matplotlib')}", file=sys.stderr)
        return 2
    quick: bool = options.quick
    limits = Limits(
        repeats=options.repeats or (2 if quick else 5),
        timeout=options.timeout,
        budget=options.budget or (5 if quick else 60),
    )
    names = options.programs or list(QUICK if quick else ALL)
    console = Console()
    if not console.is_terminal:
        console.width = 120
    kept = CACHE / "measured.json"
    if options.again:
        results, limits = load(kept)
    else:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(SpinnerColumn(), *columns, TimeElapsedColumn(), console=console) as progress:
            try:
                programs = build_programs(names, progress)
            except (ValueError, subprocess.CalledProcessError) as error:
                print(getattr(error, "stderr", None) or error, file=sys.stderr)
                return 2
            results = measure_programs(programs, limits, progress)
        save(results, limits, kept)
    for table in tables(results):
        console.print(table.for_terminal())
    write = options.write or not (quick or options.programs)
    write_document(results, limits, REPOSITORY / "docs" if write else CACHE)
    for line in (*summary(results), *errors(results)):
        console.print(line)
    return 1 if errors(results) else 0


def write_document(results: list[Result], limits: Limits, folder: Path) -> None:
    """Write the document and its plot to a folder."""
    plot(results, folder / PLOT)
    file = folder / "benchmarks.md"
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    # The last sections are written by decompositions.py and symbols.py.
    _, heading, last = before.partition("## Decompositions")
    text = f"{document(results, limits)}\n{heading}{last}"
    file.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    print(f"written: {file.relative_to(REPOSITORY)}, with its plot")


if __name__ == "__main__":
    sys.exit(main())
