"""Compile the calls of PyTorch's samples, run them, and compare with eager mode.

Overloads that no sample calls are called with the cases of their shape and dtype functions.

    python -m torch_refine.build_tools.numerics [--jobs N] [--operator NAME ...] [--entry NAME ...]
        [--again OUTCOME ...] [--seconds S] [--minutes M] [--dtype D ...] [--most N]
        [--dynamic | --write] [--guarded | --target cuda | --ir] [--larger | --numbers]
        [--threads N]

Results are stored under `build/numerics`, so an interrupted run resumes; a call is compiled again
if the sources changed. With `--again`, only calls with these outcomes are, whether the sources
changed or not; with `--minutes`, none is started after that time. `--write` writes the counts to
`lowered.json`; with `--operator`, those of other overloads are kept. With `--dynamic`, programs are
compiled for dynamic sizes. With `--guarded`, each buffer is next to an unreadable page, so that
accesses out of bounds crash. With `--target cuda`, eager mode and the programs run on the GPU. With
`--ir`, programs are compiled from IR with the operators whole, as other frontends give it. With
`--most`, a seeded part of the calls is. With `--larger`, a size of each call is multiplied (with
`--dynamic`, after the program was compiled for the recorded sizes); with `--numbers`, its floats
are replaced by others that narrow dtypes lack; with `--threads`, programs run on so many threads.
The exit code is 0 if there is no fault.
"""

from __future__ import annotations

import argparse
import copy
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from torch_refine.build_tools.conformance.samples import entries
from torch_refine.build_tools.numerics import store
from torch_refine.build_tools.numerics.calls import ValueCall, key_of
from torch_refine.build_tools.numerics.choosing import choose, incomparable
from torch_refine.build_tools.numerics.judging import Outcome, judge
from torch_refine.build_tools.numerics.recording import is_of_cases, recorded, recorded_cases
from torch_refine.build_tools.numerics.report import FAULTS, show, write
from torch_refine.build_tools.numerics.ways import LARGER, NUMBERS, Way
from torch_refine.build_tools.numerics.workers import Died, Workers

# The largest programs take some seconds to compile.
_SECONDS = 60.0
# A process needs seconds to load PyTorch and to use the GPU first.
_TASKS_ON_GPU = 3000


def main(words: list[str]) -> int:
    """Record, compile, compare, print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--operator", nargs="*", default=[], help="such as aten::add.Tensor")
    parser.add_argument("--entry", nargs="*", default=[], help="only calls of these OpInfo entries")
    parser.add_argument("--again", nargs="*", help="compile calls with these outcomes again")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="for each call")
    parser.add_argument("--minutes", type=float, default=1e9, help="for all calls together")
    parser.add_argument("--dtype", nargs="*", default=[], help="such as float32")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--dynamic", action="store_true", help="compile for dynamic sizes")
    group.add_argument("--write", action="store_true", help="write lowered.json")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--guarded", action="store_true", help="with unreadable pages around")
    where.add_argument("--target", choices=("cpu", "cuda"), default="cpu", help="where to run")
    where.add_argument("--ir", action="store_true", help="from IR with the operators whole")
    varied = parser.add_mutually_exclusive_group()
    varied.add_argument("--larger", action="store_true", help="with a size multiplied")
    varied.add_argument("--numbers", action="store_true", help="with other floats")
    parser.add_argument("--threads", type=int, default=1, help="of each program")
    parser.add_argument("--most", type=int, help="the number of calls, a seeded part of all")
    options = parser.parse_args(words)
    way = Way(
        options.dynamic,
        options.guarded,
        options.target,
        options.ir,
        LARGER if options.larger else NUMBERS if options.numbers else "",
        options.threads,
    )
    if options.write and (options.most or way != Way()):
        parser.error("lowered.json counts all programs compiled with the default options")
    if options.write and (options.dtype or not all(map(is_of_cases, options.entry))):
        parser.error("lowered.json counts the calls of all entries, in all dtypes")
    torch.set_num_threads(1)
    os.environ["TORCH_REFINE_CACHE"] = "0"
    console = Console(width=None if sys.stdout.isatty() else 150)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, auto_refresh=False) as progress:
        sampled = recorded(options.entry or list(entries()), options.jobs, progress)
        if not options.entry:
            known = {call.operator for call in sampled}
            sampled += recorded_cases(known, options.jobs, progress)
        calls = choose(sampled)
        calls = [call for call in calls if _is_asked_for(call, options)]
        if options.most is not None:
            Random(0).shuffle(calls)
            calls = calls[: options.most]
        found = _compare(calls, way, options, progress)
    show(found, console)
    if options.write:
        write(found, keep_others=bool(options.operator or options.entry))
    return int(any(each.outcome.kind in FAULTS for each in found))


def _is_asked_for(call: ValueCall, options: argparse.Namespace) -> bool:
    operators, dtypes = options.operator, options.dtype
    return (not operators or call.operator in operators) and (not dtypes or call.dtype in dtypes)


def _compare(
    calls: list[ValueCall], way: Way, options: argparse.Namespace, progress: Progress
) -> list[store.Result]:
    """The results of all calls, stored and new ones."""
    known = store.results(way)
    keys = {key_of(call): call for call in calls}
    done = {
        key: known[key] for key in keys if key in known and _still_holds(known[key], options.again)
    }
    waiting = [call for key, call in keys.items() if key not in done]
    # One call of every operator first, so that an interrupted run covers all operators.
    Random(0).shuffle(waiting)
    waiting.sort(key=lambda call: call.dtype != "float32")
    task = progress.add_task("comparing", total=len(waiting))
    counts: Counter[str] = Counter()
    end = time.monotonic() + 60 * options.minutes
    for call, outcome in _judged(waiting if options.minutes else [], way, options):
        result = store.Result(
            key_of(call),
            store.code_digest(),
            call.operator,
            call.dtype,
            call.kind,
            call.entry,
            str(call),
            outcome,
        )
        store.keep_results([result], way)
        done[result.key] = result
        counts[outcome.kind] += 1
        shown = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
        progress.update(task, advance=1, description=shown)
        if progress.console.is_terminal:
            progress.refresh()
        elif counts.total() % 500 == 0:
            progress.console.print(f"{counts.total()} of {len(waiting)}: {shown}")
        if time.monotonic() > end:
            break
    return list(done.values())


def _still_holds(result: store.Result, again: list[str] | None) -> bool:
    if again is not None:
        return result.outcome.kind not in again
    return result.code == store.code_digest()


def _judged(
    calls: list[ValueCall], way: Way, options: argparse.Namespace
) -> Iterator[tuple[ValueCall, Outcome]]:
    comparable = []
    for call in calls:
        reason = incomparable(call.operator)
        if reason:
            yield call, Outcome("unfit", reason)
        else:
            comparable.append(call)
    if not comparable:
        return
    # PyTorch keeps a file open for each tensor that was sent to a process, as long as it lives.
    sent = map(copy.deepcopy, comparable)
    for call, result in _workers(comparable[0], way, options).run(sent):
        yield call, _outcome(result)


def _workers(first: ValueCall, way: Way, options: argparse.Namespace) -> Workers:
    judging = partial(judge, way=way)
    if way.target == "cuda":
        # Loading PyTorch's samples initializes CUDA, after which a process cannot be forked.
        return Workers(
            judging,
            options.jobs,
            options.seconds,
            store.FOLDER,
            most_tasks=_TASKS_ON_GPU,
            start="spawn",
        )
    if way.threads == 1:
        # The modules that the first program loads are then shared by the forked processes; threads
        # of this process would be missing in them.
        judge(first, replace(way, varied=""))
    return Workers(judging, options.jobs, options.seconds, store.FOLDER)


def _outcome(result: Any) -> Outcome:
    if isinstance(result, Died):
        return Outcome("hung" if result.hung else "crashed", result.message)
    assert isinstance(result, Outcome)
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
