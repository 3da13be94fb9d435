"""Expressions as text, in Python syntax."""

from __future__ import annotations

import re
from collections.abc import Callable

from torch_refine.abstract_interpreter.numbers.expressions import (
    Derived,
    Expression,
    Monomial,
    Number,
    Symbol,
)

Naming = Callable[[Symbol], str]

_SIGNS = {"floordiv": "//", "remainder": "%"}
_COMPOSED = re.compile(r"[ *]")


def expression_text(number: Number, name: Naming) -> str:
    """A number over the names of its symbols: `2*n + 1`."""
    if isinstance(number, int):
        return str(number)
    return sum_text(number.terms, number.constant, name)


def sum_text(terms: tuple[tuple[Monomial, int], ...], constant: int, name: Naming) -> str:
    """A sum of terms and a constant."""
    parts = []
    for atoms, factor in terms:
        factors = [str(factor)] if factor not in (1, -1) else []
        factors += [name(atom) if isinstance(atom, Symbol) else _derived(atom, name)
                    for atom in atoms]  # fmt: skip
        parts.append(f"{'-' if factor == -1 else ''}{'*'.join(factors)}")
    if constant or not parts:
        parts.append(str(constant))
    return " + ".join(parts).replace("+ -", "- ")


def _derived(atom: Derived, name: Naming) -> str:
    left, right = (expression_text(operand, name) for operand in atom.operands)
    if atom.operation not in _SIGNS:
        return f"{atom.operation}({left}, {right})"
    left, right = (f"({side})" if _COMPOSED.search(side) else side for side in (left, right))
    return f"({left} {_SIGNS[atom.operation]} {right})"


def comparison_text(expression: Expression, sign: str, name: Naming) -> str:
    """`expression sign 0`, with the subtracted terms on the other side; `sign` is mirrored if all
    terms are subtracted.
    """
    left = tuple((atoms, factor) for atoms, factor in expression.terms if factor > 0)
    right = tuple((atoms, -factor) for atoms, factor in expression.terms if factor < 0)
    constant = expression.constant
    if not left:
        left, right, constant, sign = right, left, -constant, _MIRRORED[sign]
    # A constant is on the side where it is positive; alone, it is on the right.
    beside = constant if constant > 0 and right else 0
    if not right:
        sign, constant = _FAMILIAR.get((sign, constant), (sign, constant))
    sides = sum_text(left, beside, name), sum_text(right, beside - constant, name)
    return f"{sides[0]} {sign} {sides[1]}"


_MIRRORED = {"==": "==", "!=": "!=", ">=": "<=", "<": ">"}
# `n >= 0` for `n > -1`, and `n < 0` for `n <= -1`.
_FAMILIAR = {(">", 1): (">=", 0), ("<=", 1): ("<", 0)}
