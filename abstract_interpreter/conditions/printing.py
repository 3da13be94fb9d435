"""Conditions as text, in Python syntax."""

from __future__ import annotations

from torch_refine.abstract_interpreter.conditions.conditions import (
    And,
    Condition,
    NonNegative,
    Not,
    Or,
    Zero,
)
from torch_refine.abstract_interpreter.numbers.printing import Naming, comparison_text

_SIGNS = {(Zero, True): "==", (Zero, False): "!=", (NonNegative, True): ">=",
          (NonNegative, False): "<"}  # fmt: skip


def condition_text(condition: Condition, name: Naming) -> str:
    """A condition over the names of its symbols, `n >= 2 and (n == m or m == 1)`.

    Raises ValueError for a condition with opaque parts.
    """
    if isinstance(condition, bool):
        return str(condition)
    truth = True
    while isinstance(condition, Not):
        condition, truth = condition.operand, not truth
    if isinstance(condition, Zero | NonNegative):
        return comparison_text(condition.expression, _SIGNS[type(condition), truth], name)
    if not isinstance(condition, And | Or):
        raise ValueError("an opaque condition has no text")
    sides = [
        _side(side if truth else Not(side), isinstance(condition, And) == truth, name)
        for side in (condition.left, condition.right)
    ]
    return f" {'and' if isinstance(condition, And) == truth else 'or'} ".join(sides)


def _side(condition: Condition, is_and: bool, name: Naming) -> str:
    """An operand of `and` or `or`, in parentheses if it is the other."""
    text = condition_text(condition, name)
    inner, truth = condition, True
    while isinstance(inner, Not):
        inner, truth = inner.operand, not truth
    if isinstance(inner, And | Or) and (isinstance(inner, And) == truth) != is_and:
        return f"({text})"
    return text
