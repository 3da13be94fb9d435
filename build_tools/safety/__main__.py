"""Make bad calls to compiled programs of all lowered operators, and compare with eager mode.

    python -m torch_refine.build_tools.safety [--jobs N] [--operator NAME ...] [--way WAY ...]
        [--bases N] [--seconds S] [--minutes M] [--any-code]

For each operator that `lowered.json` counts, some calls of PyTorch's samples are compiled, for
dynamic sizes and integers, and for static sizes; each program is then called with arguments that
may be invalid. Invalid calls that need a separate program are compiled: the library's raising
cases, integers that are constants of the program, OpInfo's error inputs. Each call is made twice,
with the unreadable pages at either end of its buffers.

Results are stored under `build/safety`, so an interrupted run resumes. A program is compiled again
if the sources changed, with `--any-code` only if it had a fault. The exit code is 0 if there is no
fault.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from torch.utils import _pytree as pytree
from torch_refine.build_tools.conformance.samples import entries
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.choosing import choose, incomparable
from torch_refine.build_tools.numerics.recording import is_of_cases, recorded
from torch_refine.build_tools.numerics.store import code_digest
from torch_refine.build_tools.numerics.workers import Died, Workers
from torch_refine.build_tools.safety import store
from torch_refine.build_tools.safety.judging import FAULTS, Judged, judge_program
from torch_refine.build_tools.safety.programs import Way
from torch_refine.build_tools.safety.rejected import judge_error_inputs, judge_rejected
from torch_refine.build_tools.safety.report import faults_of, show
from torch_refine.operator_coverage import lowered

# The limit of a program with all its calls.
_SECONDS = 600.0
# The number of calls of an operator that are tried until one compiles.
_MOST_TRIED = 2
_WAYS = ("numbers", "static", "compiled", "error inputs")


@dataclass(frozen=True)
class Task:
    """Calls of an operator, of which one becomes a program, or an entry with error inputs."""

    way: str
    name: str
    calls: tuple[ValueCall, ...] = ()

    @property
    def shown(self) -> str:
        """The task as text."""
        return str(self.calls[0]) if self.calls else self.name

    @property
    def key(self) -> str:
        """A short deterministic name."""
        return hashlib.sha256(f"{self.way} {self.shown}".encode()).hexdigest()[:16]


def main(words: list[str]) -> int:
    """Compile, call, compare, print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--operator", nargs="*", default=[], help="such as aten::add.Tensor")
    parser.add_argument("--way", nargs="*", default=list(_WAYS), choices=_WAYS, help="all of them")
    parser.add_argument("--bases", type=int, default=1, help="programs of each operator and way")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="for each program")
    parser.add_argument("--minutes", type=float, default=1e9, help="for all programs together")
    parser.add_argument("--any-code", action="store_true", help="keep results of other sources")
    options = parser.parse_args(words)
    torch.set_num_threads(1)
    os.environ["TORCH_REFINE_CACHE"] = "0"
    console = Console(width=None if sys.stdout.isatty() else 150)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, auto_refresh=False) as progress:
        tasks = list(tasks_of(options, progress))
        found = _run(tasks, options, progress)
    show(found, console)
    return int(bool(faults_of(found)))


def tasks_of(options: argparse.Namespace, progress: Progress) -> Iterator[Task]:
    """All tasks, ordered so that an interrupted run covers all operators."""
    wanted = lowered()["operators"]
    names = [
        name
        for name, entry in wanted.items()
        if entry["equal"] and (not options.operator or name in options.operator)
    ]
    sources = dict.fromkeys(wanted[name]["entry"] for name in names)
    bases = bases_of(names, recorded(list(sources), options.jobs, progress))
    tasks = [
        Task(way, name, tuple(calls[first:]))
        for way in options.way
        if way != "error inputs"
        for name, calls in bases.items()
        for first in range(min(options.bases, len(calls)))
    ]
    if "error inputs" in options.way:
        tasks += [Task("error inputs", name) for name in sources if _has_error_inputs(name)]
    Random(0).shuffle(tasks)
    tasks.sort(key=lambda task: (_WAYS.index(task.way), _is_harmless(task)))
    yield from tasks


def _is_harmless(task: Task) -> int:
    """The order of kinds of calls: those of indices first, then those of consistent sizes."""
    leaves = pytree.tree_leaves([(call.args, call.kwargs) for call in task.calls[:1]])
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    if any(not each.is_floating_point() and each.dtype != torch.bool for each in tensors):
        return 0
    is_several = any(type(leaf) is int for leaf in leaves) or len(tensors) > 1
    return 1 if is_several else 2


def _has_error_inputs(name: str) -> bool:
    return not is_of_cases(name) and entries()[name].error_inputs_func is not None


def bases_of(names: list[str], calls: list[ValueCall]) -> dict[str, list[ValueCall]]:
    """Small calls of each operator, those with floats first."""
    chosen: dict[str, list[ValueCall]] = {name: [] for name in names}
    for call in choose(calls):
        if call.operator in chosen and not call.kind.startswith("extremes"):
            chosen[call.operator].append(call)
    return {
        name: sorted(found, key=_rank)
        for name, found in chosen.items()
        if found and not incomparable(name)
    }


def _rank(call: ValueCall) -> tuple[bool, bool, bool, int]:
    counts = [tensor.numel() for tensor in call.tensors]
    # Few elements, but enough for indices out of bounds.
    has_few = max(counts, default=0) < 2
    return min(counts, default=1) == 0, call.dtype != "float32", has_few, sum(counts)


def judge_task(task: Task) -> Judged:
    """Run a task."""
    if not task.calls:
        return judge_error_inputs(task.name)
    if task.way == "compiled":
        return judge_rejected(task.calls[0])
    ways: tuple[Way, ...] = ("numbers", "dynamic") if task.way == "numbers" else ("static",)
    return judge_program(task.calls[:_MOST_TRIED], ways)


def _run(tasks: list[Task], options: argparse.Namespace, progress: Progress) -> list[store.Result]:
    """The results of all tasks, stored and new ones."""
    known = store.results()
    code = code_digest()
    done = {
        task.key: known[task.key]
        for task in tasks
        if task.key in known and _still_holds(known[task.key], code, options.any_code)
    }
    waiting = [task for task in tasks if task.key not in done]
    shown = progress.add_task("bad calls", total=len(waiting))

    def judge(number: int) -> Judged:
        return judge_task(waiting[number])

    # Forked processes have the tasks already, so that only indices are sent.
    workers = Workers(judge, options.jobs, options.seconds, store.FOLDER, nests=True)
    counts: Counter[str] = Counter()
    end = time.monotonic() + 60 * options.minutes
    for number, found in workers.run(range(len(waiting))) if waiting else ():
        task = waiting[number]
        result = _result(task, found)
        store.keep([result])
        done[task.key] = result
        for each in result.counts.values():
            counts.update(each)
        description = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        progress.update(shown, advance=1, description=description)
        if progress.console.is_terminal:
            progress.refresh()
        elif len(done) % 50 == 0:
            progress.console.print(f"{len(done)} of {len(tasks)}: {description}")
        if time.monotonic() > end:
            break
    return list(done.values())


def _still_holds(result: store.Result, code: str, any_code: bool) -> bool:
    return result.code == code or (any_code and not result.faults and not result.refused)


def _result(task: Task, found: Any) -> store.Result:
    counts: dict[str, Counter[str]] = {}
    judged = found
    if isinstance(found, Died):
        judged = Judged(task.shown, task.way, f"the compiler ends: {found.message}")
    for each in judged.calls:
        counts.setdefault(each.kind, Counter())[each.verdict] += 1
    return store.Result(
        task.key,
        code_digest(),
        task.name,
        judged.way,
        judged.shown,
        judged.refused,
        {kind: dict(each) for kind, each in counts.items()},
        [each for each in judged.calls if each.verdict in FAULTS],
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
