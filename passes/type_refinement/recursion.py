"""Recursive functions: iterated to a fixed point.

Each function has one lattice value per argument, joined over all of its calls, and one per result.
A call that was not seen to return yet yields bottom, so paths that return without it come first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Types

from torch_refine.abstract_interpreter.lattice import LatticeValue, Sequence, Tensor, number_of
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Number,
    Symbol,
    fresh,
    single_atom,
)
from torch_refine.dialect.bindings import ir
from torch_refine.passes.type_refinement.fixed_point import FixedPoint
from torch_refine.passes.type_refinement.sweep_state import SweepState

Signature = tuple[Types[ir.Type], Types[ir.Type]]
Results = tuple[LatticeValue, ...]
# Analyzes a function for given operands: its results, None if it never returns.
Visit = Callable[[str, Results], Results | None]


class Recursion:
    """The fixed point of mutually recursive functions, `members`, for some calls from outside.

    `final` once it is reached.
    """

    def __init__(self, sweep: SweepState, members: Mapping[str, Signature]) -> None:
        """`members` are the functions with the types of their arguments and results."""
        self.members = list(members)
        self.final = False
        self._facts = sweep.facts
        self._operands = {s: FixedPoint(sweep, types) for s, (types, _) in members.items()}
        self._results = {s: FixedPoint(sweep, types) for s, (_, types) in members.items()}
        self._callers: dict[str, set[str]] = {symbol: set() for symbol in members}
        self._pending: set[str] = set()
        self._current = ""

    def solve(self, entries: Mapping[str, Results], visit: Visit) -> None:
        """Visit the functions, without writing, until a fixed point is reached."""
        for symbol, operands in entries.items():
            self._operands[symbol].add(operands)
            self._pending.add(symbol)
        while self._pending:
            for symbol in self.members:
                if symbol in self._pending:
                    self._pending.remove(symbol)
                    self._visit(symbol, visit)
        self.final = True

    def _visit(self, symbol: str, visit: Visit) -> None:
        operands = self.operands(symbol)
        assert operands is not None
        self._current = symbol
        found = visit(symbol, operands)
        if symbol in self._pending:
            # It called itself with other operands, so this did not cover all of its calls.
            return
        if found is not None and self._results[symbol].add(found):
            self._pending |= self._callers[symbol]

    def operands(self, symbol: str) -> Results | None:
        """The join of a function's arguments over all of its calls; None if there are none."""
        return self._operands[symbol].state

    def results(self, symbol: str, operands: Results) -> Results | None:
        """The results of a call for these operands; None if it never returns."""
        taken, given = self._operands[symbol], self._results[symbol]
        if not self.final:
            self._callers[symbol].add(self._current)
            if taken.add(operands):
                # Earlier results were for other operands.
                given.restart()
                self._pending.add(symbol)
        if given.state is None or taken.state is None:
            return None
        names: dict[Atom, Number] = {}
        for lattice_value, operand in zip(taken.state, operands, strict=True):
            _bind(lattice_value, operand, names)
        for lattice_value in given.state:
            for symbol_of in lattice_value.symbols:
                if symbol_of not in names:
                    names[symbol_of] = fresh(symbol_of.low, symbol_of.high)
        return tuple(self._facts.renamed(lattice_value, names) for lattice_value in given.state)


def _bind(lattice_value: LatticeValue, operand: LatticeValue, names: dict[Atom, Number]) -> None:
    """Record what the symbols of an argument are in a call."""
    if isinstance(lattice_value, Tensor) and isinstance(operand, Tensor):
        one, other = lattice_value.sizes, operand.sizes
        if one is not None and other is not None and len(one) == len(other):
            for size, known in zip(one, other, strict=True):
                _bind_number(size, known, names)
    elif isinstance(lattice_value, Sequence) and isinstance(operand, Sequence):
        if lattice_value.items is not None and operand.items is not None:
            for item, known_item in zip(lattice_value.items, operand.items, strict=False):
                _bind(item, known_item, names)
    else:
        number, known_number = number_of(lattice_value), number_of(operand)
        if number is not None and known_number is not None:
            _bind_number(number, known_number, names)


def _bind_number(number: Number, known: Number, names: dict[Atom, Number]) -> None:
    atom = None if isinstance(number, int) else single_atom(number)
    if isinstance(atom, Symbol):
        names.setdefault(atom, known)
