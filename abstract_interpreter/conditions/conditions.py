"""Conditions: bools that are only partly known.

A bool of a calculation is a Python bool if it is known, else a condition: a comparison of
expressions, an `Opaque` condition that only has an identity, or a combination of these. Assuming a
condition refines the ints it compares on one side of an `If`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Number,
    add,
    negate,
    next_serial,
    subtract,
)


@dataclass(frozen=True, slots=True)
class Zero:
    """`expression == 0`."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class NonNegative:
    """`expression >= 0`."""

    expression: Expression


class Opaque:
    """A condition without structure; equal only to itself."""

    __slots__ = ("serial",)

    def __init__(self) -> None:
        self.serial = next_serial()


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a condition."""

    operand: SymbolicCondition


@dataclass(frozen=True, slots=True)
class And:
    """The conjunction of two conditions."""

    left: SymbolicCondition
    right: SymbolicCondition


@dataclass(frozen=True, slots=True)
class Or:
    """The disjunction of two conditions."""

    left: SymbolicCondition
    right: SymbolicCondition


SymbolicCondition: TypeAlias = Zero | NonNegative | Opaque | Not | And | Or
Condition: TypeAlias = bool | SymbolicCondition

SYMBOLIC_CONDITIONS = (Zero, NonNegative, Opaque, Not, And, Or)

# Conditions with more parts than this are treated as opaque.
_PARTS_LIMIT = 64


def equal(left: Number, right: Number) -> Condition:
    """`left == right`."""
    return zero(subtract(left, right))


def at_least(left: Number, right: Number) -> Condition:
    """`left >= right`."""
    return nonnegative(subtract(left, right))


def zero(number: Number) -> Condition:
    """`number == 0`, canonical for all multiples of a number."""
    if not isinstance(number, Expression):
        return number == 0
    divisor = math.gcd(*(factor for _, factor in number.terms))
    if number.constant % divisor:
        return False
    if number.terms[0][1] < 0:
        divisor = -divisor
    return Zero(_divided(number, divisor))


def nonnegative(number: Number) -> Condition:
    """`number >= 0`, canonical for all positive multiples of a number."""
    if not isinstance(number, Expression):
        return number >= 0
    return NonNegative(_divided(number, math.gcd(*(factor for _, factor in number.terms))))


def _divided(number: Expression, divisor: int) -> Expression:
    """An expression with its coefficients divided exactly, and its constant rounded down."""
    if divisor == 1:
        return number
    terms = tuple((atoms, factor // divisor) for atoms, factor in number.terms)
    return Expression(terms, number.constant // divisor)


def negative(expression: Expression) -> Condition:
    """`expression < 0`, the negation of `NonNegative`."""
    return nonnegative(add(negate(expression), -1))


def invert(condition: Condition) -> Condition:
    """The negation of a condition."""
    if isinstance(condition, bool):
        return not condition
    return condition.operand if isinstance(condition, Not) else Not(condition)


def both(left: Condition, right: Condition) -> Condition:
    """The conjunction of two conditions."""
    if isinstance(left, bool):
        return right if left else False
    if isinstance(right, bool):
        return left if right else False
    return left if left == right else And(left, right)


def either(left: Condition, right: Condition) -> Condition:
    """The disjunction of two conditions."""
    if isinstance(left, bool):
        return True if left else right
    if isinstance(right, bool):
        return True if right else left
    return left if left == right else Or(left, right)


def choose(condition: SymbolicCondition, then: Condition, otherwise: Condition) -> Condition:
    """`then if condition else otherwise`; opaque if the condition would grow too large."""
    if then == otherwise:
        return then
    result = either(both(condition, then), both(invert(condition), otherwise))
    if isinstance(otherwise, bool):
        result = either(invert(condition), then) if otherwise else both(condition, then)
    elif isinstance(then, bool):
        result = either(condition, otherwise) if then else both(invert(condition), otherwise)
    return Opaque() if _parts(result) > _PARTS_LIMIT else result


def _parts(condition: Condition) -> int:
    if isinstance(condition, And | Or):
        return _parts(condition.left) + _parts(condition.right)
    return _parts(condition.operand) if isinstance(condition, Not) else 1
