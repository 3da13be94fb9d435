"""Where the unknown values of a run come from: the instruction that made each, and its condition.

Used to explain a result; refinement itself keeps no such record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from torch_refine.abstract_interpreter.conditions.conditions import Condition, SymbolicCondition
from torch_refine.abstract_interpreter.numbers.expressions import Symbol, next_serial
from torch_refine.abstract_interpreter.outcomes import Atom
from torch_refine.abstract_interpreter.running.decoder import Block, Instruction, Program
from torch_refine.abstract_interpreter.running.evaluator import Evaluator
from torch_refine.abstract_interpreter.values import Maybe, Value


@dataclass(frozen=True)
class Origin:
    """The instruction of a function that made an unknown value.

    `condition` is that of an `If` whose sides give different values, None for other instructions.
    """

    symbol: str
    program: Program
    instruction: Instruction
    condition: Condition | None = None


class TracingEvaluator(Evaluator):
    """Runs a function, and keeps which instruction made each fresh value."""

    def __init__(
        self, symbol: str, functions: Callable[[str], Program | None], device: str | None = None
    ) -> None:
        super().__init__(self._found, device)
        self._functions = functions
        # The symbols of programs that calls found, by the identity of the program.
        self._called: dict[int, str] = {}
        self._symbols = [symbol]
        self._programs: list[Program] = []
        # Serial numbers taken while an instruction ran, the innermost instructions first.
        self._made: list[tuple[int, int, Origin]] = []

    def origin(self, atom: Atom) -> Origin | None:
        """The instruction that made a value, None for one that was given."""
        serial = serial_of(atom)
        for first, last, origin in self._made:
            if first < serial < last:
                return origin
        return None

    def run(
        self, program: Program, arguments: list[Any], captured: Iterable[Any] = ()
    ) -> list[Value]:
        """Run a function, as `Evaluator` does."""
        if self._programs:
            self._symbols.append(self._called.get(id(program), ""))
        self._programs.append(program)
        try:
            return super().run(program, arguments, captured)
        finally:
            self._programs.pop()
            if self._programs:
                self._symbols.pop()

    def _found(self, symbol: str) -> Program | None:
        """The program of a callee."""
        program = self._functions(symbol)
        if program is not None:
            self._called[id(program)] = symbol
        return program

    def run_both(
        self, instruction: Instruction, condition: SymbolicCondition, frame: list[Any]
    ) -> list[Value]:
        """Run both sides of an `If`, and join them."""
        first = next_serial()
        values = super().run_both(instruction, condition, frame)
        self._note(first, instruction, condition)
        return values

    def run_block(self, block: Block, frame: list[Any]) -> list[Value]:
        """Run a block, an instruction at a time."""
        for instruction in block.instructions:
            first = next_serial()
            super().run_block(Block([], [instruction], [], False), frame)
            self._note(first, instruction)
        return [frame[slot] for slot in block.yields]

    def _note(
        self, first: int, instruction: Instruction, condition: Condition | None = None
    ) -> None:
        last = next_serial()
        origin = Origin(self._symbols[-1], self._programs[-1], instruction, condition)
        self._made.append((first, last, origin))


def serial_of(atom: Atom) -> int:
    """The serial number of a value, -1 if it has none."""
    if isinstance(atom, Symbol):
        return int(atom.key[1])
    return -1 if isinstance(atom, Maybe) else atom.serial
