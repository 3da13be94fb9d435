"""Tasks of a sweep: programs that are generated, compiled and compared in one process."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import torch
from torch_refine.build_tools.fuzz.batches import Way
from torch_refine.build_tools.fuzz.drawing import Drawer
from torch_refine.build_tools.fuzz.drawn_programs import ProgramDrawer
from torch_refine.build_tools.fuzz.enlarging import enlarged
from torch_refine.build_tools.fuzz.outcomes import judge_alone, judge_batch
from torch_refine.build_tools.fuzz.printing import shown
from torch_refine.build_tools.fuzz.seeds import Seeds
from torch_refine.build_tools.fuzz.steps import Program
from torch_refine.build_tools.fuzz.store import FOLDER, Fault, Result
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.judging import Outcome
from torch_refine.build_tools.numerics.report import FAULTS, reason_of
from torch_refine.build_tools.numerics.workers import Died, Workers

# Compiling this many together takes a fortieth of the time per program; more gain nothing.
CALLS, PROGRAMS = 64, 8
# Per task.
SECONDS = 400.0


@dataclass(frozen=True)
class Task:
    """A seed: `kind` is "calls" or "programs"; `places` are the indices to compile, or all.

    Of programs, those that are `larger` have a size multiplied.
    """

    kind: str
    seed: int
    number: int
    way: Way
    operators: tuple[str, ...] = ()
    places: tuple[int, ...] | None = None
    larger: bool = False

    @property
    def key(self) -> str:
        """A key of the programs and the options of compiling."""
        way = f"{'dynamic' if self.way.dynamic else 'static'} {self.way.opt_level}"
        some = f" {','.join(self.operators)}" if self.operators else ""
        return f"{self.kind} {self.seed} {self.number} {way}{some}{' larger' * self.larger}"

    def halves(self, count: int) -> list[Task]:
        """Two tasks of half the programs each."""
        places = self.places or tuple(range(count))
        middle = len(places) // 2
        return [replace(self, places=places[:middle]), replace(self, places=places[middle:])]

    @property
    def size(self) -> int:
        """The maximum number of programs."""
        whole = CALLS if self.kind == "calls" else PROGRAMS
        return whole if self.places is None else len(self.places)


def drawn(task: Task, seeds: Seeds) -> list[Program]:
    """The programs of a task, deterministic."""
    drawer = Drawer(seeds)
    programs: list[Program] = []
    rng = Random(f"{task.kind} {task.seed} {task.number}")
    if task.kind == "programs":
        whole = ProgramDrawer(drawer)
        programs = [whole.program(Random(rng.getrandbits(64))) for _ in range(PROGRAMS)]
        return _chosen(_grown([each for each in programs if each.steps], task, rng), task)
    operators = task.operators or seeds.operators
    weights = None if task.operators else seeds.weights
    while len(programs) < CALLS:
        [operator] = rng.choices(operators, weights)
        call = drawer.call(Random(rng.getrandbits(64)), operator)
        if call is not None:
            programs.append(Program.of_call(call))
    return _chosen(_grown(programs, task, rng), task)


def _grown(programs: list[Program], task: Task, rng: Random) -> list[Program]:
    if not task.larger:
        return programs
    return [enlarged(each, Random(rng.getrandbits(64))) or each for each in programs]


def _chosen(programs: list[Program], task: Task) -> list[Program]:
    if task.places is None:
        return programs
    return [programs[place] for place in task.places if place < len(programs)]


def warm_up() -> None:
    """Compile a small program, because the first one of a process takes much longer."""
    inputs = (torch.ones(2, 3), torch.ones(3, 2))
    call = ValueCall("aten::mm", inputs, {}, "fuzz", "fuzz")
    judge_batch([Program.of_call(call), Program.of_call(call)], Way())
    judge_batch([Program.of_call(call), Program.of_call(call)], Way(dynamic=True))
    # Otherwise the garbage collector takes a third of the time, on PyTorch's modules.
    gc.collect()
    gc.freeze()


def perform(task: Task, seeds: Seeds) -> Result:
    """Generate, compile, compare."""
    # A forked process does not have its parent's threads.
    torch.set_num_threads(1)
    gc.collect()
    gc.disable()
    start = time.process_time()
    programs = drawn(task, seeds)
    if len(programs) == 1:
        outcomes = [judge_alone(programs[0], task.way)]
    else:
        outcomes = judge_batch(programs, task.way)
    places = task.places or tuple(range(len(programs)))
    return result_of(task, programs, outcomes, places, time.process_time() - start)


def result_of(
    task: Task,
    programs: Sequence[Program],
    outcomes: Sequence[Outcome],
    places: Sequence[int],
    seconds: float,
) -> Result:
    """Count outcomes."""
    counts: Counter[str] = Counter(outcome.kind for outcome in outcomes)
    operators: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    faults = []
    for program, outcome, place in zip(programs, outcomes, places, strict=False):
        if outcome.kind in ("right", "closer"):
            operators.update(program.operators)
        elif outcome.kind == "refused":
            refused[reason_of(outcome)] += 1
        elif outcome.kind in FAULTS:
            faults.append(Fault(outcome.kind, outcome.message[:2000], shown(program), place))
    return Result(task.key, "", dict(counts), dict(operators), dict(refused), faults, seconds)


def drawn_apart(task: Task, seeds: Seeds) -> list[Program] | None:
    """The programs of a task, drawn in a separate process; None if eager mode ends that."""
    workers = Workers(partial(_drawn_on_one_thread, seeds=seeds), 1, SECONDS, FOLDER / "one")
    [(_, found)] = list(workers.run([task]))
    return None if isinstance(found, Died) else list(found)


def _drawn_on_one_thread(task: Task, seeds: Seeds) -> list[Program]:
    # A forked process does not have its parent's threads.
    torch.set_num_threads(1)
    return drawn(task, seeds)


def whole(task: Task, found: object, seeds: Seeds) -> Result:
    """The result of a task; if its process died, those of its halves."""
    if isinstance(found, Result):
        return found
    assert isinstance(found, Died)
    if drawn_apart(task, seeds) is None:
        return Result(task.key, "", {"eager mode died": 1})
    return _of_halves(task, found, seeds)


def _of_halves(task: Task, found: object, seeds: Seeds) -> Result:
    if isinstance(found, Result):
        return found
    assert isinstance(found, Died)
    if task.size > 1:
        # A separate process and log: the other workers continue.
        folder = FOLDER / "halves"
        halves = Workers(partial(perform, seeds=seeds), 1, SECONDS, folder)
        parts = halves.run(task.halves(task.size))
        results = [_of_halves(half, each, seeds) for half, each in parts]
        return merged(results[0], results[1])
    kind = "hung" if found.hung else "crashed"
    place = task.places[0] if task.places else 0
    return Result(task.key, "", {kind: 1}, faults=[Fault(kind, found.message, "", place)])


def merged(first: Result, second: Result) -> Result:
    """The results of two parts of a task."""
    return Result(
        first.key,
        first.code,
        dict(Counter(first.counts) + Counter(second.counts)),
        dict(Counter(first.operators) + Counter(second.operators)),
        dict(Counter(first.refused) + Counter(second.refused)),
        [*first.faults, *second.faults],
        first.seconds + second.seconds,
    )
