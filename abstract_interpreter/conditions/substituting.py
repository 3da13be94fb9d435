"""Conditions with symbols, and conditions in them, replaced."""

from __future__ import annotations

from collections.abc import Mapping

from torch_refine.abstract_interpreter.conditions.conditions import (
    And,
    Condition,
    NonNegative,
    Not,
    Opaque,
    Or,
    Zero,
    both,
    either,
    invert,
    nonnegative,
    zero,
)
from torch_refine.abstract_interpreter.numbers.expressions import Atom, Number, substitute


def substituted(
    condition: Condition,
    values: Mapping[Atom, Number],
    truths: Mapping[Opaque, Condition] | None = None,
) -> Condition:
    """A condition with atoms, and opaque conditions, replaced."""
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, Opaque):
        return condition if truths is None else truths.get(condition, condition)
    if isinstance(condition, Zero):
        return zero(substitute(condition.expression, values))
    if isinstance(condition, NonNegative):
        return nonnegative(substitute(condition.expression, values))
    if isinstance(condition, Not):
        return invert(substituted(condition.operand, values, truths))
    assert isinstance(condition, And | Or)
    combine = both if isinstance(condition, And) else either
    return combine(
        substituted(condition.left, values, truths), substituted(condition.right, values, truths)
    )
