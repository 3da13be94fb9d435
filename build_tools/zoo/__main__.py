"""Compile the architectures of transformers, timm and torchvision, compare, time, document.

    python -m torch_refine.build_tools.zoo [--columns COLUMN ...] [--filter TEXT] [--part K/N]
        [--jobs N] [--again KIND ...] [--any-code] [--seconds S] [--minutes M] [--most N]
        [--threads N ...]
        [--list | --document]

The columns are `static`, `dynamic`, `bfloat16`, `dynamo` and `generate`, which compare results, and
`time`. All architectures are compiled for one column before the next. Each architecture and column
has a process of its own, with limits of time and memory. Results are stored in
`build/zoo/results.jsonl`, so an interrupted run resumes; a result is computed again if the sources
changed, unless `--any-code` is given, or if its kind is named by `--again`. `--document` writes
`docs/zoo.md` from these results and those in `docs/zoo.jsonl`, and runs nothing. The exit code is 0
if there is no fault.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from random import Random
from threading import Timer, get_ident
from traceback import extract_stack
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from torch_refine.build_tools.numerics.parts import part_of
from torch_refine.build_tools.numerics.store import code_digest
from torch_refine.build_tools.numerics.workers import Died, Workers, note
from torch_refine.build_tools.zoo import columns, store
from torch_refine.build_tools.zoo.architectures import Architecture, architectures
from torch_refine.build_tools.zoo.columns import FAULTS, Outcome, judged
from torch_refine.build_tools.zoo.document import write
from torch_refine.build_tools.zoo.generating import generate
from torch_refine.build_tools.zoo.networks import MEDIUM, SCALES, SMALL
from torch_refine.build_tools.zoo.report import show
from torch_refine.build_tools.zoo.timing import timed

_SECONDS = 300.0
_GIB = 8
# The seconds of a column of an architecture that no run has compiled.
_EXPECTED = 30.0
# A process that is killed tells where it is before that, in seconds and frames.
_TO_TELL, _FRAMES = 3.0, 8
_COLUMNS: dict[str, Callable[..., Outcome]] = {
    "static": columns.static,
    "dynamic": columns.dynamic,
    "bfloat16": columns.bfloat16,
    "dynamo": columns.dynamo,
    "generate": generate,
    "time": timed,
}
_ENVIRONMENT = {
    "TORCH_REFINE_COMPILE_GIB": str(_GIB),
    "TORCH_REFINE_PROGRESS": "0",
    # Inductor would start a pool of processes in each of ours.
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
}
_PRELOADED = (
    "torch_refine.importer.lowering",
    "torch_refine.runtime.partition.building",
    "transformers.models.auto.modeling_auto",
    "transformers.models.llama.modeling_llama",
)
Task = tuple[Architecture, str]


def main(words: list[str]) -> int:
    """Compile, compare, print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--columns", nargs="*", default=list(_COLUMNS), choices=list(_COLUMNS))
    parser.add_argument("--filter", default="", help="only architectures with this in their name")
    parser.add_argument("--part", default="1/1", help="K/N: the K-th of N parts of them")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--again", nargs="*", default=[], help="compute these kinds again")
    parser.add_argument("--any-code", action="store_true", help="keep results of other sources")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="for each process")
    parser.add_argument("--minutes", type=float, default=1e9, help="start none after this time")
    parser.add_argument("--most", type=int, help="so many architectures, drawn by a fixed seed")
    parser.add_argument("--scale", choices=list(SCALES), help="small; medium for times")
    parser.add_argument(
        "--threads", type=int, nargs="*", default=[1, 2], help="numbers of threads of the times"
    )
    parser.add_argument("--list", action="store_true", help="print the names of architectures")
    parser.add_argument("--document", action="store_true", help="write docs/zoo.md")
    options = parser.parse_args(words)
    chosen = chosen_architectures(options.filter, options.part, options.most)
    if options.list:
        print("\n".join(each.name for each in chosen))
        return 0
    known = store.results()
    if options.document:
        write(list(known.values()))
        return 0
    os.environ |= _ENVIRONMENT
    console = Console(width=None if sys.stdout.isatty() else 150)
    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*shown, TimeElapsedColumn(), console=console, auto_refresh=False) as progress:
        tasks = [(each, column) for column in options.columns for each in chosen]
        found = _run(tasks, known, options, progress)
    show(found, console)
    return int(any(each.outcome.kind in FAULTS for each in found))


def chosen_architectures(text: str, part: str, most: int | None = None) -> list[Architecture]:
    """The architectures of a part, in an order that mixes packages.

    Raises ValueError if `part` is not K/N.
    """
    found = [each for each in architectures() if text in each.name]
    Random(0).shuffle(found)
    return part_of(found, part)[:most]


def judge(
    task: Task, scale_name: str | None = None, numbers_of_threads: Sequence[int] = (1, 2)
) -> Outcome:
    """The outcome of an architecture in a column, in this process."""
    architecture, column = task
    scale = SCALES[scale_name] if scale_name else MEDIUM if column == "time" else SMALL
    column_of = _COLUMNS[column]
    if column == "time":
        column_of = partial(timed, numbers_of_threads=numbers_of_threads)
    return judged(column_of, lambda: architecture.build(scale))


def _judge_limited(given: tuple[Task, str | None, float, list[int]]) -> Outcome:
    """The same, in a process of its own, which is killed after some seconds."""
    import torch

    task, scale, seconds, numbers_of_threads = given
    timer = Timer(seconds - _TO_TELL, _tell_where, (get_ident(),))
    timer.daemon = True
    timer.start()
    # Anonymous memory, since code and files are mapped as well.
    resource.setrlimit(resource.RLIMIT_DATA, (_GIB << 30, _GIB << 30))
    torch.set_num_threads(1)
    return judge(task, scale, numbers_of_threads)


def _tell_where(thread: int) -> None:
    """Report the innermost frames of a thread, as one line that a Died then has."""
    frames = extract_stack(sys._current_frames()[thread])[-_FRAMES:]
    shown = [f"{Path(each.filename).name}:{each.lineno} {each.name}" for each in frames]
    note(" > ".join(shown))


def _run(
    tasks: list[Task],
    known: dict[tuple[str, str], store.Result],
    options: argparse.Namespace,
    progress: Progress,
) -> list[store.Result]:
    """The results of all tasks, stored and new ones."""
    done: dict[tuple[str, str], store.Result] = {}
    waiting = []
    for task in tasks:
        result = known.get((task[0].name, task[1]))
        if result is not None and _still_holds(result, options):
            done[result.key] = result
        elif not _is_unfit(task, known, options):
            waiting.append(task)
    # The quick ones first, so that an interrupted run covers many.
    waiting.sort(key=lambda task: (options.columns.index(task[1]), _expected(task, known)))
    shown = progress.add_task("zoo", total=len(waiting))
    counts: Counter[str] = Counter()
    end = time.monotonic() + 60 * options.minutes
    _preload()
    workers = Workers(_judge_limited, options.jobs, options.seconds, store.FOLDER, True, 1)
    given = (
        (task, options.scale, options.seconds, options.threads) for task in _until(waiting, end)
    )
    for ((architecture, column), scale, _, _), found in workers.run(given):
        result = store.Result(
            architecture.name,
            column,
            scale or (MEDIUM if column == "time" else SMALL).name,
            code_digest(),
            _versions(),
            _outcome(found),
        )
        store.keep(result)
        done[result.key] = result
        counts[result.outcome.kind] += 1
        said = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
        progress.update(shown, advance=1, description=f"{column}: {said}")
        if progress.console.is_terminal:
            progress.refresh()
        else:
            message = result.outcome.message.partition("\n")[0][:100]
            print(
                f"{counts.total()}/{len(waiting)} {architecture.name} {column}:"
                f" {result.outcome.kind}, {result.outcome.seconds:.0f} s {message}",
                flush=True,
            )
    return list(done.values())


def _is_unfit(
    task: Task, known: dict[tuple[str, str], store.Result], options: argparse.Namespace
) -> bool:
    """Whether eager mode is known not to run an architecture, so that no column can compile it."""
    static = known.get((task[0].name, "static"))
    is_known = static is not None and _still_holds(static, options)
    return is_known and static is not None and static.outcome.kind == "unfit"


def _expected(task: Task, known: dict[tuple[str, str], store.Result]) -> float:
    """The seconds of an architecture in its first column; those that hung come last."""
    static = known.get((task[0].name, "static"))
    if static is None:
        return _EXPECTED
    return static.outcome.seconds or _SECONDS


def _until(tasks: list[Task], end: float) -> Iterator[Task]:
    for task in tasks:
        if time.monotonic() < end:
            yield task


def _preload() -> None:
    """Import what all processes need before they are forked."""
    for name in _PRELOADED:
        import_module(name)


def _still_holds(result: store.Result, options: argparse.Namespace) -> bool:
    if result.outcome.kind in options.again:
        return False
    return options.any_code or (result.code, result.versions) == (code_digest(), _versions())


def _versions() -> str:
    return " ".join(f"{name} {version(name)}" for name in ("torch", "transformers"))


def _outcome(found: Any) -> Outcome:
    if isinstance(found, Died):
        return Outcome("hung" if found.hung else "crashed", found.message)
    assert isinstance(found, Outcome)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
