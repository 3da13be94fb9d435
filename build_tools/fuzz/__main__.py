"""Generate calls and programs, compile them, and compare with eager mode.

    python -m torch_refine.build_tools.fuzz [--jobs N] [--calls N] [--programs N] [--seed S]
        [--minutes M] [--part K/N] [--operator NAME ...] [--dynamic SHARE] [--larger]
        [--any-code]

Results are stored under `build/fuzz`, so an interrupted sweep resumes. Tasks of other sources are
run again, with `--any-code` only if they had a fault. The samples, and the cases of functions for
operators without any, are recorded once, under `build/numerics`. With `--larger`, one size of each
program is multiplied, wherever it occurs. Each fault is minimised and printed as a test. The exit
code is 0 if there is no fault.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random

import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from torch_refine.build_tools.conformance.samples import entries
from torch_refine.build_tools.fuzz import store
from torch_refine.build_tools.fuzz.batches import Way
from torch_refine.build_tools.fuzz.minimising import Minimiser
from torch_refine.build_tools.fuzz.report import show
from torch_refine.build_tools.fuzz.seeds import Seeds, compiled_operators, seeds_of
from torch_refine.build_tools.fuzz.tasks import (
    CALLS,
    PROGRAMS,
    SECONDS,
    Task,
    perform,
    warm_up,
    whole,
)
from torch_refine.build_tools.numerics.parts import part_of
from torch_refine.build_tools.numerics.recording import recorded, recorded_cases
from torch_refine.build_tools.numerics.store import code_digest
from torch_refine.build_tools.numerics.workers import Workers

# The share of tasks that are compiled at optimisation level 0, without fusion and schedules.
_PLAIN = 0.1


def main(words: list[str]) -> int:
    """Generate, compile, compare, print; returns the exit code."""
    options = options_of(words)
    torch.set_num_threads(1)
    os.environ["TORCH_REFINE_CACHE"] = "0"
    console = Console(width=None if sys.stdout.isatty() else 150)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, auto_refresh=False) as progress:
        calls = recorded(list(entries()), options.jobs, progress)
        calls += recorded_cases({call.operator for call in calls}, options.jobs, progress)
        seeds = seeds_of(calls)
        del calls
        unknown = sorted(set(options.operator) - set(seeds.calls))
        if unknown:
            console.print(f"no calls are recorded of {', '.join(unknown)}", style="red")
            return 2
        found = _sweep(options, seeds, progress)
    show(found, compiled_operators(), console)
    return int(any(each.faults for each in found))


def options_of(words: list[str]) -> argparse.Namespace:
    """The options of a sweep; exits for invalid ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--calls", type=int, default=50_000, help="the number of calls")
    parser.add_argument("--programs", type=int, default=5_000, help="the number of programs")
    parser.add_argument("--seed", type=int, default=0, help="seed of the generator")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no task after these")
    parser.add_argument("--part", default="1/1", help="K/N: the K-th of N parts of the tasks")
    parser.add_argument("--operator", nargs="*", default=[], help="such as aten::add.Tensor")
    parser.add_argument("--dynamic", type=float, default=0.2, help="the share of dynamic sizes")
    parser.add_argument("--larger", action="store_true", help="with a size multiplied")
    parser.add_argument("--any-code", action="store_true", help="keep results of other sources")
    options = parser.parse_args(words)
    try:
        part_of([], options.part)
    except ValueError as error:
        parser.error(str(error))
    return options


def tasks_of(options: argparse.Namespace) -> list[Task]:
    """The tasks of a part of a sweep, in an order that mixes calls and programs."""
    counts = {"calls": -(-options.calls // CALLS), "programs": -(-options.programs // PROGRAMS)}
    if options.operator:
        counts["programs"] = 0
    tasks = []
    for kind, count in counts.items():
        for number in range(count):
            rng = Random(f"{kind} {options.seed} {number} way")
            plain = rng.random() < _PLAIN
            way = Way(rng.random() < options.dynamic, rng.choice((0, 1)) if plain else 3)
            operators = tuple(options.operator)
            task = Task(kind, options.seed, number, way, operators, larger=options.larger)
            tasks.append(((number + 0.5) / count, task))
    tasks.sort(key=lambda each: each[0])
    return part_of([task for _, task in tasks], options.part)


def _sweep(options: argparse.Namespace, seeds: Seeds, progress: Progress) -> list[store.Result]:
    """The results of all tasks, stored and new ones."""
    tasks = tasks_of(options)
    known = store.results()
    done = {
        task.key: known[task.key]
        for task in tasks
        if task.key in known and _still_holds(known[task.key], options.any_code)
    }
    waiting = [task for task in tasks if task.key not in done]
    counts: Counter[str] = Counter()
    for result in done.values():
        counts.update(result.counts)
    shown = progress.add_task("comparing", total=len(tasks), completed=len(done))
    end = time.monotonic() + 60 * options.minutes
    minimise = Minimiser(seeds, progress.console)
    for task, result in _performed(waiting, seeds, options.jobs):
        result.code = code_digest()
        # Minimising runs eager mode here, which may crash, too.
        store.keep(result)
        if result.faults:
            minimise(task, result)
            store.keep(result)
        done[result.key] = result
        counts.update(result.counts)
        text = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
        progress.update(shown, advance=1, description=text)
        if progress.console.is_terminal:
            progress.refresh()
        elif len(done) % 20 == 0:
            progress.console.print(f"{len(done)} of {len(tasks)}: {text}")
        if time.monotonic() > end:
            break
    return list(done.values())


def _still_holds(result: store.Result, any_code: bool) -> bool:
    return result.code == code_digest() or (any_code and not result.faults)


def _performed(tasks: list[Task], seeds: Seeds, jobs: int) -> Iterator[tuple[Task, store.Result]]:
    if not tasks:
        return
    # The modules that the first program loads are then shared by the forked processes.
    warm_up()
    function = partial(perform, seeds=seeds)
    for task, found in Workers(function, jobs, SECONDS, store.FOLDER).run(tasks):
        yield task, whole(task, found, seeds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
