"""Running reified calculations, each once for what is known of the values that it captures."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.adapting import Results
from torch_refine.abstract_interpreter.capturing import Captured, capture
from torch_refine.abstract_interpreter.facts import Fact, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import Atom, Expression, Number
from torch_refine.abstract_interpreter.outcomes import Outcome
from torch_refine.abstract_interpreter.running.decoder import Program, decode
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import KNOWN, Evaluator
from torch_refine.abstract_interpreter.running.recording import Recorder, UnrecordedError
from torch_refine.abstract_interpreter.values import ListObject
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.names import Kind
from torch_refine.passes.program import enclosing_module, symbol_name

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

_NESTED_TOO_DEEPLY = "its function is nested too deeply"


@dataclass
class Run:
    """One run of a calculation, for captured values of which certain facts are known."""

    captured: Captured
    outcome: Outcome | None = None
    raised: str | None = None
    remark: str | None = None


@dataclass
class Memory:
    """What is remembered of runs: the decoded functions of a module, and what they gave."""

    programs: dict[str, Program | None] = field(default_factory=dict)
    runs: dict[Hashable, Run] = field(default_factory=dict)


class Runs:
    """The runs of the calculations of one module."""

    def __init__(self, sweep: Sweep, memory: Memory) -> None:
        self.sweep = sweep
        self.memory = memory
        self._functions = {
            symbol_name(op): op
            for op in operations(enclosing_module(sweep.module).regions[0].blocks[0])
            if op.name == "func.func"
        }

    def program(self, symbol: str) -> Program | None:
        """The decoded function of a symbol, None when the module has no body for it."""
        programs = self.memory.programs
        if symbol not in programs:
            op = self._functions.get(symbol)
            blocks = [] if op is None else list(op.regions[0].blocks)
            # A function with branches between blocks is no library function.
            programs[symbol] = decode(blocks[0], self.sweep.types) if len(blocks) == 1 else None
        return programs[symbol]

    def run(self, block: ir.Block, key: int, facts: tuple[Fact, ...]) -> Run:
        """Run a calculation for captured values of which facts are known."""
        inference = self.sweep.inference
        whole = (key, facts, inference.device)
        found = self.memory.runs.get(whole)
        if found is None:
            found = self.memory.runs[whole] = self._run(block, facts)
            inference.misses += 1
        else:
            inference.hits += 1
        return found

    def _run(self, block: ir.Block, facts: tuple[Fact, ...]) -> Run:
        captured = capture(facts)
        recorder = Recorder(KNOWN.__contains__)
        recorder.trace.steps += captured.steps
        evaluator = Evaluator(self.program, self.sweep.inference.device, recorder)
        try:
            program = decode(block, self.sweep.types)
            values = evaluator.run(program, [], captured.values)
        except Raised as error:
            return Run(captured, raised=str(error))
        except (GivenUp, UnrecordedError) as error:
            return Run(captured, remark=str(error))
        except RecursionError:
            return Run(captured, remark=_NESTED_TOO_DEEPLY)
        resolved = tuple(_resolved(value, evaluator) for value in values)
        return Run(captured, Outcome(resolved, evaluator.assumptions, recorder.trace))

    def results(
        self, run: Run, names: dict[Atom, Number], facts: tuple[Fact, ...], kind: Kind, count: int
    ) -> list[Tensor | None]:
        """What a calculation says of each result, under the names of the program."""
        outcome = run.outcome
        if outcome is None or outcome.values is None or len(outcome.values) != count:
            return [None] * count
        of, known = self.sweep.facts, {symbol for fact in facts for symbol in fact.symbols}
        results = Results(of, known)
        found: list[Fact] = []
        for value in outcome.values:
            if kind == "dtype":
                found.append(of.tensor(None, results.dtype(value, outcome.assumptions)))
            else:
                found.append(of.tensor(results.sizes(value, outcome.assumptions), None))
        restored = self.sweep.inference.restored(tuple(found), names)
        return [fact if isinstance(fact, Tensor) else None for fact in restored]


def _resolved(value: Any, evaluator: Evaluator) -> Any:
    """A result in terms of what is not bound at the end of the run."""
    if isinstance(value, ListObject) and value.items is not None:
        value.items = [_resolved(item, evaluator) for item in value.items]
        return value
    if isinstance(value, tuple):
        return tuple(_resolved(item, evaluator) for item in value)
    if not isinstance(value, Expression):
        return value
    number = evaluator.assumptions.resolve(value)
    only = None if isinstance(number, int) else evaluator.assumptions.range_of(number).value
    return number if only is None else only
