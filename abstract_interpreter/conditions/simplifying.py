"""Simplify conditions by what is known where they are evaluated."""

from __future__ import annotations

from torch_refine.abstract_interpreter.conditions.conditions import (
    And,
    Condition,
    NonNegative,
    Not,
    Or,
    Zero,
    both,
    either,
    invert,
)
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING, PathCondition
from torch_refine.abstract_interpreter.numbers.expressions import Derived, Number, atoms_in

_DIVISIONS = ("floordiv", "remainder")


def is_total(number: Number) -> bool:
    """Whether an int is defined for all values of its symbols: no divisor may be zero."""
    for atom in atoms_in(number):
        if isinstance(atom, Derived):
            if not all(map(is_total, atom.operands)):
                return False
            if atom.operation in _DIVISIONS and 0 in NOTHING.range_of(atom.operands[1]):
                return False
    return True


def is_total_condition(condition: Condition) -> bool:
    """Whether a condition is defined for all values of its symbols."""
    if isinstance(condition, Zero | NonNegative):
        return is_total(condition.expression)
    if isinstance(condition, Not):
        return is_total_condition(condition.operand)
    if isinstance(condition, And | Or):
        return is_total_condition(condition.left) and is_total_condition(condition.right)
    return True


def simplified(condition: Condition, known: PathCondition = NOTHING) -> Condition:
    """A condition without the parts that `known`, or its other parts, decide.

    It is evaluated from left to right as far as needed, like `and` and `or`: a part that is not
    defined for all values, such as a remainder, stays behind the one that excludes the others.
    """
    value = known.evaluate(condition)
    if value is not None:
        return value
    if isinstance(condition, Not):
        inner = condition.operand
        if isinstance(inner, And):
            return simplified(either(invert(inner.left), invert(inner.right)), known)
        if isinstance(inner, Or):
            return simplified(both(invert(inner.left), invert(inner.right)), known)
    if not isinstance(condition, And | Or):
        return condition
    conjunction = isinstance(condition, And)
    combine = both if conjunction else either
    left = simplified(condition.left, known)
    if isinstance(left, bool):
        return combine(left, simplified(condition.right, known))
    behind = known.assume(left, conjunction)
    # Without a path behind it, the left side always decides.
    right: Condition = not conjunction if behind is None else simplified(condition.right, behind)
    if isinstance(right, bool) or not is_total_condition(right):
        return combine(left, right)
    behind = known.assume(right, conjunction)
    shorter = left if behind is None else _pruned(left, behind)
    return combine(left, right) if shorter == left else combine(right, shorter)


def _pruned(condition: Condition, known: PathCondition) -> Condition:
    """A condition without the parts that `known` decides."""
    value = known.evaluate(condition)
    if value is not None:
        return value
    if isinstance(condition, And | Or):
        combine = both if isinstance(condition, And) else either
        return combine(_pruned(condition.left, known), _pruned(condition.right, known))
    return condition
