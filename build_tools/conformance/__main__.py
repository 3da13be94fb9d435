"""Check the library against PyTorch's samples of its operators.

    python -m torch_refine.build_tools.conformance [--part FRACTION] [--write] [ENTRY ...]

The types of every OpInfo sample that exports are erased and refined by the default pipeline, with
all sizes and with some erased; every operator that samples call is compared with the CPU kernels;
and samples that PyTorch rejects must be rejected. `--write` writes the counts to `coverage.json`.
The exit code is 0 if no inferred type contradicts PyTorch.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from torch_refine.build_tools.conformance.entry import EntryResult, check_entry
from torch_refine.build_tools.conformance.report import manifest, show, totals
from torch_refine.build_tools.conformance.samples import entries
from torch_refine.operator_coverage import MANIFEST

# The percentage of exact programs that a run must reach.
WANTED = 98


def run(names: list[str], part: float, jobs: int, progress: Progress) -> Iterator[EntryResult]:
    """Check entries, some at a time; one that crashes its process is reported and skipped."""
    task = progress.add_task("entries", total=len(names))
    # The slowest entries are first, so that none of them runs alone at the end.
    waiting = sorted(names, key=lambda name: (not name.startswith(("nn.", "linalg")), name))
    while waiting:
        with ProcessPoolExecutor(jobs) as pool:
            running = {pool.submit(check_entry, name, part): name for name in waiting}
            for done in as_completed(running):
                name = running[done]
                try:
                    found = done.result()
                except BrokenProcessPool:
                    break
                waiting.remove(name)
                progress.update(task, description=name)
                progress.advance(task)
                yield found
            else:
                return
        # A crash broke the pool: run the entries one by one to find it.
        for name in list(waiting[:jobs]):
            with ProcessPoolExecutor(1) as pool:
                try:
                    yield pool.submit(check_entry, name, part).result()
                except BrokenProcessPool:
                    died = EntryResult(name)
                    died.programs.add("contradiction", f"{name}: its process was killed", name)
                    yield died
            waiting.remove(name)
            progress.advance(task)


def main(words: list[str]) -> int:
    """Run, print, and write as the options say; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "entries", nargs="*", help="such as add or nn.functional.conv2d; all if none"
    )
    parser.add_argument("--part", type=float, default=1.0, help="the fraction of the samples (1.0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--write", action="store_true", help="write coverage.json")
    options = parser.parse_args(words)
    unknown = [name for name in options.entries if name not in entries()]
    if unknown:
        parser.error(f"OpInfo has no entry {', '.join(unknown)}")
    if options.write and (options.entries or options.part < 1):
        parser.error("--write needs a run of all entries")
    console = Console(width=None if sys.stdout.isatty() else 150)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console) as progress:
        names = options.entries or list(entries())
        results = []
        for result in run(names, options.part, options.jobs, progress):
            results.append(result)
            if not console.is_terminal and len(results) % 50 == 0:
                console.print(f"{len(results)} of {len(names)} entries")
    total = totals(results)
    show(total, console)
    if options.write:
        versions = {
            name: importlib.metadata.version(name).partition("+")[0]
            for name in ("torch-refine", "torch", "torch-mlir")
        }
        text = json.dumps(manifest(results, versions), indent=1) + "\n"
        MANIFEST.write_text(text, encoding="utf-8")
        console.print(f"wrote {MANIFEST.name}")
    tried = sum(total.programs.outcomes.values())
    wrong = sum(
        tally.outcomes["contradiction"] for tally in (total.programs, total.hidden, total.calls)
    )
    return int(wrong > 0 or 100 * total.programs.outcomes["exact"] < WANTED * tried)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
