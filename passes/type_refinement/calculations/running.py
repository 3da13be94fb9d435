"""Run reified calculations, each once per lattice values of its captured values."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from torch_refine.abstract_interpreter.adapting import Results
from torch_refine.abstract_interpreter.capturing import Captured, capture
from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor
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
from torch_refine.passes.type_refinement.sweep_state import SweepState

_NESTED_TOO_DEEPLY = "its function is nested too deeply"


@dataclass
class Run:
    """One run of a calculation, for certain lattice values of its captured values."""

    captured: Captured
    outcome: Outcome | None = None
    raised: str | None = None
    remark: str | None = None


@dataclass
class RunCache:
    """A cache of runs: the decoded functions of a module, and their results."""

    programs: dict[str, Program | None] = field(default_factory=dict)
    runs: dict[Hashable, Run] = field(default_factory=dict)


class Runs:
    """The runs of the calculations of one module."""

    def __init__(self, sweep: SweepState, cache: RunCache) -> None:
        self.sweep = sweep
        self.cache = cache
        self._functions = {
            symbol_name(op): op
            for op in operations(enclosing_module(sweep.module).regions[0].blocks[0])
            if op.name == "func.func"
        }

    def program(self, symbol: str) -> Program | None:
        """The decoded function of a symbol, None if the module does not define it."""
        programs = self.cache.programs
        if symbol not in programs:
            op = self._functions.get(symbol)
            blocks = [] if op is None else list(op.regions[0].blocks)
            # A function with several blocks is not a library function.
            programs[symbol] = decode(blocks[0], self.sweep.types) if len(blocks) == 1 else None
        return programs[symbol]

    def run(self, block: ir.Block, key: int, lattice_values: tuple[LatticeValue, ...]) -> Run:
        """Run a calculation for these lattice values of its captured values."""
        inference = self.sweep.inference
        whole = (key, lattice_values, inference.device)
        found = self.cache.runs.get(whole)
        if found is None:
            found = self.cache.runs[whole] = self._run(block, lattice_values)
            inference.misses += 1
        else:
            inference.hits += 1
        return found

    def _run(self, block: ir.Block, lattice_values: tuple[LatticeValue, ...]) -> Run:
        captured = capture(lattice_values)
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
        self,
        run: Run,
        names: dict[Atom, Number],
        lattice_values: tuple[LatticeValue, ...],
        kind: Kind,
        count: int,
    ) -> list[Tensor | None]:
        """The results of a calculation as lattice values over the program's symbols."""
        outcome = run.outcome
        if outcome is None or outcome.values is None or len(outcome.values) != count:
            return [None] * count
        of, known = (
            self.sweep.facts,
            {symbol for lattice_value in lattice_values for symbol in lattice_value.symbols},
        )
        results = Results(of, known)
        found: list[LatticeValue] = []
        for value in outcome.values:
            if kind == "dtype":
                found.append(of.tensor(None, results.dtype(value, outcome.assumptions)))
            else:
                found.append(of.tensor(results.sizes(value, outcome.assumptions), None))
        restored = self.sweep.inference.restored(tuple(found), names)
        return [
            lattice_value if isinstance(lattice_value, Tensor) else None
            for lattice_value in restored
        ]


def _resolved(value: Any, evaluator: Evaluator) -> Any:
    """A result in terms of unbound atoms at the end of the run."""
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
