"""Expressions and conditions compiled to a list of steps, each computed once.

A call fills in the symbols and runs the steps in order: its time is linear in their number, and no
text is parsed. A step on an unknown operand, or a division by zero, gives None.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias

from torch_refine.abstract_interpreter.conditions.conditions import (
    And,
    Condition,
    NonNegative,
    Not,
    Or,
    Zero,
)
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Expression,
    Monomial,
    Number,
    Symbol,
)

Values: TypeAlias = list[int | None]
# Larger intermediate results are unknown: a product of two sizes has at most 126 bits.
_MOST = 2**256


class UndefinedError(Exception):
    """A condition depends on an unknown value, or on a division by zero."""


def _multiply(left: int, right: int) -> int:
    product = left * right
    if -_MOST < product < _MOST:
        return product
    raise ZeroDivisionError


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "mul": _multiply,
    "floordiv": operator.floordiv,
    "remainder": operator.mod,
    "min": min,
    "max": max,
}
Test: TypeAlias = Callable[[Values], bool]


class Calculation:
    """The steps that compute numbers; a number is at the position that `number` returns."""

    def __init__(self) -> None:
        self._initial: Values = []
        self._constants: dict[int, int] = {}
        self._symbols: dict[Symbol, int] = {}
        self._places: dict[tuple[str, int, int], int] = {}
        self._numbers: dict[Expression, int] = {}
        self._steps: list[tuple[int, Callable[[int, int], int], int, int]] = []

    def run(self, symbols: Mapping[Symbol, int]) -> Values:
        """The values at all positions, for the values of symbols; None for what is unknown."""
        values = self._initial.copy()
        for symbol, place in self._symbols.items():
            values[place] = symbols.get(symbol)
        for place, function, left, right in self._steps:
            try:
                values[place] = function(values[left], values[right])  # type: ignore[arg-type]
            except (TypeError, ZeroDivisionError):
                values[place] = None
        return values

    def number(self, number: Number) -> int:
        """The position of a number."""
        if isinstance(number, int):
            return self._constant(number)
        found = self._numbers.get(number)
        if found is None:
            total = self._constant(number.constant) if number.constant else None
            for atoms, factor in number.terms:
                product = self._product(atoms, factor)
                total = product if total is None else self._step("add", total, product)
            assert total is not None
            found = self._numbers[number] = total
        return found

    def condition(self, condition: Condition) -> Test:
        """A test of values; it raises UndefinedError. Raises ValueError for opaque conditions.

        The right side of a conjunction or disjunction is only tested if the left does not decide.
        """
        if isinstance(condition, bool):
            return lambda _: condition
        if isinstance(condition, Not):
            inner = self.condition(condition.operand)
            return lambda values: not inner(values)
        if isinstance(condition, And | Or):
            left, right = self.condition(condition.left), self.condition(condition.right)
            if isinstance(condition, And):
                return lambda values: left(values) and right(values)
            return lambda values: left(values) or right(values)
        if not isinstance(condition, Zero | NonNegative):
            raise ValueError("an opaque condition has no value")
        place, is_zero = self.number(condition.expression), isinstance(condition, Zero)

        def test(values: Values) -> bool:
            value = values[place]
            if value is None:
                raise UndefinedError
            return value == 0 if is_zero else value >= 0

        return test

    def _product(self, atoms: Monomial, factor: int) -> int:
        product = self._atom(atoms[0])
        for atom in atoms[1:]:
            product = self._step("mul", product, self._atom(atom))
        return product if factor == 1 else self._step("mul", product, self._constant(factor))

    def _atom(self, atom: Atom) -> int:
        if isinstance(atom, Symbol):
            found = self._symbols.get(atom)
            if found is None:
                found = self._symbols[atom] = self._new(None)
            return found
        left, right = (self.number(operand) for operand in atom.operands)
        return self._step(atom.operation, left, right)

    def _constant(self, value: int) -> int:
        found = self._constants.get(value)
        if found is None:
            found = self._constants[value] = self._new(value)
        return found

    def _step(self, operation: str, left: int, right: int) -> int:
        key = (operation, left, right)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = self._new(None)
            self._steps.append((found, _OPERATIONS[operation], left, right))
        return found

    def _new(self, value: int | None) -> int:
        self._initial.append(value)
        return len(self._initial) - 1
