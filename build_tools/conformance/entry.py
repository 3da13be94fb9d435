"""All checks of one OpInfo entry, which run in a separate process."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import torch
from torch_refine.build_tools.conformance.calls import judge_call, recorded
from torch_refine.build_tools.conformance.programs import Part, Program, export, programs_of
from torch_refine.build_tools.conformance.rejections import Rejection, rejections_of
from torch_refine.build_tools.conformance.samples import samples_of
from torch_refine.build_tools.conformance.verdicts import Rejected, Verdict, judge
from torch_refine.dialect.bindings import ir, new_context

_BROKEN = "it becomes a program that PyTorch itself rejects: indexing with no index"


@dataclass
class Tally:
    """Outcomes of programs or calls, and examples of inexact ones, by cause."""

    outcomes: Counter[str] = field(default_factory=Counter)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, outcome: str, cause: str, where: str) -> None:
        """Count one."""
        self.outcomes[outcome] += 1
        if cause:
            self.causes[outcome, cause] += 1
            self.examples.setdefault((outcome, cause), where)

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.outcomes += other.outcomes
        self.causes += other.causes
        self.examples = {**other.examples, **self.examples}


@dataclass
class EntryResult:
    """The results of an entry.

    `programs` are refined with all sizes, `hidden` with one or two erased; `calls` are those of
    single operators. `tried` and `exact` count results and calls by operator.
    """

    name: str
    programs: Tally = field(default_factory=Tally)
    hidden: Tally = field(default_factory=Tally)
    calls: Tally = field(default_factory=Tally)
    not_exported: Counter[str] = field(default_factory=Counter)
    rejections: list[Rejection] = field(default_factory=list)
    tried: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)


def check_entry(name: str, keep: float = 1.0) -> EntryResult:
    """Run all checks of an entry, on all of its samples or a sample of them, seeded by its name."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    chosen = Random(name)
    result = EntryResult(name)
    check_programs(result, None if keep >= 1 else lambda: chosen.random() < keep)
    if keep >= 1 or chosen.random() < keep:
        check_calls(result)
        result.rejections = list(rejections_of(name))
    return result


def check_programs(result: EntryResult, wanted: Callable[[], bool] | None = None) -> None:
    """Refine the programs of an entry, with all sizes and with some erased."""
    context = new_context()
    made = programs_of(result.name, wanted)
    for reason in made.reasons:
        result.not_exported[reason] += 1
    for program in made.programs:
        verdicts = judge_each(program, context)
        for part, verdict in zip(program.parts, verdicts, strict=True):
            if is_broken(part):
                result.not_exported[_BROKEN] += 1
                continue
            result.programs.add(verdict.outcome, verdict.cause, part.where)
            result.tried += verdict.tried
            result.exact += verdict.exact
        hidden = judge_each(program, context, hide=True)
        for part, verdict, less in zip(program.parts, verdicts, hidden, strict=True):
            if not is_broken(part):
                _add_hidden(result.hidden, part, verdict, less)


def is_broken(part: Part) -> bool:
    """Whether PyTorch exports a sample as a program that PyTorch cannot run.

    A zero-dim tensor that is resized becomes `index(x, [])`, which requires at least one index.
    """
    return part.name == "resize_" and part.inputs == 1 and part.index == 2


def judge_each(program: Program, context: ir.Context, hide: bool = False) -> list[Verdict]:
    """The verdicts on a program's samples; each is refined alone if one of them is rejected."""
    try:
        return judge(program, context, hide)
    except Rejected as error:
        if len(program.parts) == 1:
            return [Verdict("contradiction", f"rejected: {error}")]
    wanted = {part.where for part in program.parts}
    verdicts = []
    for sample in samples_of(program.parts[0].name):
        part = next((each for each in program.parts if each.where == sample.where), None)
        if part is not None and part.where in wanted:
            alone = Program([part], export([sample]))
            verdicts += judge_each(alone, context, hide)
    return verdicts


def _add_hidden(tally: Tally, part: Part, verdict: Verdict, less: Verdict) -> None:
    """Count a program with erased sizes: contradictions, lost ranks and dtypes, or neither."""
    lost = less.lost - verdict.lost
    if less.outcome == "contradiction":
        tally.add("contradiction", less.cause, part.where)
    elif lost:
        tally.add("rank or dtype lost", next(iter(lost)), part.where)
    else:
        tally.add("right", "", part.where)


def check_calls(result: EntryResult) -> None:
    """Compare single operators with the CPU kernels."""
    for call in recorded(result.name):
        verdict = judge_call(call)
        if verdict is None:
            continue
        result.tried[verdict.operator] += 1
        result.exact[verdict.operator] += verdict.outcome == "exact"
        cause = "" if verdict.outcome == "exact" else f"{verdict.operator}: {verdict.cause}"
        if verdict.outcome == "incomplete":
            cause = verdict.operator
        result.calls.add(verdict.outcome, cause, verdict.cause)
