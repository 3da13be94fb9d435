"""Conversions between symbolic ints and affine expressions.

Products of symbols, and divisions by them, are semi-affine expressions; minima and maxima are none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Atom, Derived, Number, Symbol
from torch_refine.dialect.bindings import ir

_OPERATIONS: tuple[tuple[Any, Callable[[Number, Number], Number | None]], ...] = (
    (ir.AffineAddExpr, expressions.add),
    (ir.AffineMulExpr, expressions.multiply),
    (ir.AffineFloorDivExpr, lambda a, b: expressions.derive("floordiv", (a, b))),
    (ir.AffineModExpr, lambda a, b: expressions.derive("remainder", (a, b))),
    (ir.AffineCeilDivExpr, lambda a, b: _ceil_divide(a, b)),
)


def _ceil_divide(number: Number, divisor: Number) -> Number | None:
    """`number / divisor`, rounded up; None for a division by zero."""
    negated = expressions.derive("floordiv", (expressions.negate(number), divisor))
    if isinstance(divisor, int) and divisor > 0:
        raised = expressions.add(number, divisor - 1)
        return expressions.floor_divide(raised, divisor)
    return None if negated is None else expressions.negate(negated)


def number_of_affine(expression: ir.AffineExpr, symbols: Sequence[Number | None]) -> Number | None:
    """The number that an affine expression gives for the values of its symbols.

    None for an unknown symbol, a dimension, a division by zero, or too many terms.
    """
    if isinstance(expression, ir.AffineConstantExpr):
        return int(expression.value)
    if isinstance(expression, ir.AffineSymbolExpr):
        return symbols[int(expression.position)]
    for kind, operation in _OPERATIONS:
        if isinstance(expression, kind):
            sides = (expression.lhs, expression.rhs)
            left, right = (number_of_affine(side, symbols) for side in sides)
            found = None if left is None or right is None else operation(left, right)
            return None if found is None or expressions.too_large(found) else found
    return None


class AffineWriter:
    """Writes numbers as affine expressions; `position` returns the symbol of an atom.

    Atoms are symbols, and derived ones that no affine expression gives, such as a maximum.
    """

    def __init__(self, position: Callable[[Atom], int], context: ir.Context) -> None:
        self.position = position
        self.context = context

    def write(self, number: Number) -> ir.AffineExpr:
        """An affine expression equal to a number."""
        if isinstance(number, int):
            return self._constant(number)
        total = None
        for atoms, factor in number.terms:
            product = self._atom(atoms[0])
            for atom in atoms[1:]:
                product = ir.AffineExpr.get_mul(product, self._atom(atom))
            if factor != 1:
                product = ir.AffineExpr.get_mul(product, self._constant(factor))
            total = product if total is None else ir.AffineExpr.get_add(total, product)
        assert total is not None
        if number.constant:
            total = ir.AffineExpr.get_add(total, self._constant(number.constant))
        return total

    def _constant(self, value: int) -> ir.AffineExpr:
        return ir.AffineExpr.get_constant(value, self.context)

    def _atom(self, atom: Atom) -> ir.AffineExpr:
        if not is_written_affine(atom):
            return ir.AffineExpr.get_symbol(self.position(atom), self.context)
        assert isinstance(atom, Derived)
        number, divisor = atom.operands
        if atom.operation == "remainder":
            return ir.AffineExpr.get_mod(self.write(number), self.write(divisor))
        if isinstance(divisor, int) and not isinstance(number, int):
            exact = expressions.subtract(number, divisor - 1)
            if divisor > 1 and not isinstance(exact, int) and exact.constant == 0:
                return ir.AffineExpr.get_ceil_div(self.write(exact), self._constant(divisor))
        return ir.AffineExpr.get_floor_div(self.write(number), self.write(divisor))


def is_written_affine(atom: Atom) -> bool:
    """Whether an atom is a division or remainder by a positive number.

    Affine divisors are positive by definition.
    """
    if isinstance(atom, Symbol) or atom.operation not in ("floordiv", "remainder"):
        return False
    return NOTHING.range_of(atom.operands[1]).low >= 1


def named_atoms(number: Number) -> list[Atom]:
    """The atoms that `AffineWriter.write` asks the positions of, each once, in order."""
    found: dict[Atom, None] = {}
    for atom in expressions.atoms_in(number):
        if is_written_affine(atom):
            assert isinstance(atom, Derived)
            for operand in atom.operands:
                found.update(dict.fromkeys(named_atoms(operand)))
        else:
            found[atom] = None
    return list(found)
