"""Functions that call each other: what their calls give is brought to a fixed point.

One function has one set of facts of its arguments, which hold for all of its calls, and one of its
results. A call that was not seen to return yet gives nothing, so the paths that return without it
come first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from torch_refine.abstract_interpreter.facts import Fact, Sequence, Tensor, number_of
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Number,
    Symbol,
    fresh,
    single_atom,
)
from torch_refine.passes.type_refinement.settling import Settling

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.calls import Calls, Results


class Recursion:
    """The fixed point of functions that call each other, `members`, for some calls from outside.

    `final` once it is found.
    """

    def __init__(self, calls: Calls, members: list[str]) -> None:
        self.calls = calls
        self.members = members
        self.final = False
        sweep = calls.sweep
        self._operands = {s: Settling(sweep, calls.signature(s)[0]) for s in members}
        self._results = {s: Settling(sweep, calls.signature(s)[1]) for s in members}
        self._callers: dict[str, set[str]] = {symbol: set() for symbol in members}
        self._pending: set[str] = set()
        self._current = ""

    def solve(self, entries: Mapping[str, Results]) -> None:
        """Visit the functions, without writing, until the facts of all settle."""
        outer, self.calls.recursion = self.calls.recursion, self
        try:
            for symbol, operands in entries.items():
                self._operands[symbol].add(operands)
                self._pending.add(symbol)
            while self._pending:
                for symbol in self.members:
                    if symbol in self._pending:
                        self._pending.remove(symbol)
                        self._visit(symbol)
        finally:
            self.calls.recursion = outer
        self.final = True

    def _visit(self, symbol: str) -> None:
        operands = self.operands(symbol)
        assert operands is not None
        self._current = symbol
        found = self.calls.look_at(symbol, operands)
        if symbol in self._pending:
            # It called itself with other operands, so this was not for all of its calls.
            return
        if found is not None and self._results[symbol].add(found):
            self._pending |= self._callers[symbol]

    def operands(self, symbol: str) -> Results | None:
        """What holds of a function's arguments in all calls of it; None if there are none."""
        return self._operands[symbol].state

    def results(self, symbol: str, operands: Results) -> Results | None:
        """What a call gives for these operands; None if it never returns."""
        taken, given = self._operands[symbol], self._results[symbol]
        if not self.final:
            self._callers[symbol].add(self._current)
            if taken.add(operands):
                # What was given before was given for other operands.
                given.restart()
                self._pending.add(symbol)
        if given.state is None or taken.state is None:
            return None
        names: dict[Atom, Number] = {}
        for fact, operand in zip(taken.state, operands, strict=True):
            _bind(fact, operand, names)
        for fact in given.state:
            for symbol_of in fact.symbols:
                if symbol_of not in names:
                    names[symbol_of] = fresh(symbol_of.low, symbol_of.high)
        return tuple(self.calls.sweep.facts.renamed(fact, names) for fact in given.state)


def _bind(fact: Fact, operand: Fact, names: dict[Atom, Number]) -> None:
    """Note what the symbols of an argument are in a call."""
    if isinstance(fact, Tensor) and isinstance(operand, Tensor):
        one, other = fact.sizes, operand.sizes
        if one is not None and other is not None and len(one) == len(other):
            for size, known in zip(one, other, strict=True):
                _bind_number(size, known, names)
    elif isinstance(fact, Sequence) and isinstance(operand, Sequence):
        if fact.items is not None and operand.items is not None:
            for item, known_item in zip(fact.items, operand.items, strict=False):
                _bind(item, known_item, names)
    else:
        number, known_number = number_of(fact), number_of(operand)
        if number is not None and known_number is not None:
            _bind_number(number, known_number, names)


def _bind_number(number: Number, known: Number, names: dict[Atom, Number]) -> None:
    atom = None if isinstance(number, int) else single_atom(number)
    if isinstance(atom, Symbol):
        names.setdefault(atom, known)
