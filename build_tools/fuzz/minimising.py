"""Faults of a sweep, minimised and printed as tests."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial

from rich.console import Console
from torch_refine.build_tools.fuzz import store
from torch_refine.build_tools.fuzz.batches import Way
from torch_refine.build_tools.fuzz.outcomes import judge_alone
from torch_refine.build_tools.fuzz.printing import as_test, shown
from torch_refine.build_tools.fuzz.seeds import Seeds
from torch_refine.build_tools.fuzz.shrinking import shrink
from torch_refine.build_tools.fuzz.steps import Program
from torch_refine.build_tools.fuzz.tasks import Task, drawn_apart
from torch_refine.build_tools.numerics.judging import Outcome
from torch_refine.build_tools.numerics.report import FAULTS
from torch_refine.build_tools.numerics.workers import Died, Workers

_SECONDS = 60.0
_SECONDS_OF_A_PROGRAM = 60.0
# Faults of one operator mostly have one cause.
_TESTS_OF_AN_OPERATOR = 2


@dataclass
class Minimiser:
    """Minimises the faults of results, prints them, and collects the tests."""

    seeds: Seeds
    console: Console
    seen: Counter[str] = field(default_factory=Counter)

    def __call__(self, task: Task, result: store.Result) -> None:
        """Minimise and print each fault of a result."""
        if not result.faults:
            return
        programs = drawn_apart(replace(task, places=None), self.seeds)
        if programs is None:
            self.console.print(f"{task.key}: drawn again, its programs end the process")
            return
        for number, fault in enumerate(result.faults):
            program = programs[fault.place]
            fault = replace(fault, shown=shown(program))
            smaller = program
            first = f"{fault.kind} {program.operators[0]}"
            if self.seen[first] < _TESTS_OF_AN_OPERATOR:
                smaller = shrink(program, partial(_fails, way=task.way), _SECONDS)
            name = f"{fault.kind} {smaller.operators[-1]}"
            self.seen[first] += 1
            if name != first:
                self.seen[name] += 1
            text = as_test(smaller, task.way, name)
            result.faults[number] = replace(fault, test=text)
            message = fault.message.replace("\n", " | ")[:400]
            self.console.print(f"{fault.kind}: {fault.shown}: {message}", markup=False)
            if self.seen[name] <= _TESTS_OF_AN_OPERATOR and len(text) < 6000:
                self.console.print(text, markup=False, highlight=False, soft_wrap=True)


def _fails(program: Program, way: Way) -> bool:
    """Whether a program is wrong, crashes or hangs, in a separate process."""
    workers = Workers(partial(judge_alone, way=way), 1, _SECONDS_OF_A_PROGRAM, store.FOLDER / "one")
    [(_, outcome)] = list(workers.run([program]))
    if isinstance(outcome, Died):
        return True
    assert isinstance(outcome, Outcome)
    return outcome.kind in FAULTS
