"""Ints, floats, bools, strings and lists of ints that a program computes: sizes and arithmetic on
them, by the operations that calculations are made of."""

from __future__ import annotations

from typing import Any

from torch_refine.abstract_interpreter.capturing import value_of
from torch_refine.abstract_interpreter.facts import (
    Anything,
    Fact,
    Facts,
    Integer,
    Scalar,
)
from torch_refine.abstract_interpreter.numbers.expressions import Expression
from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.errors import GivenUp
from torch_refine.abstract_interpreter.running.evaluator import OPERATIONS, Evaluator
from torch_refine.abstract_interpreter.tensors import QUESTIONS
from torch_refine.abstract_interpreter.values import ListObject
from torch_refine.dialect.kinds import element_kind

_SCALAR_KINDS = {"int", "float", "bool", "str", "none", "number", "list<int>", "list<bool>"}


def is_scalar_operation(name: str, kinds: list[str]) -> bool:
    """Whether an op computes a scalar, or a list of ints, from such values."""
    return (name in OPERATIONS or name in folding.FOLDS) and all(k in _SCALAR_KINDS for k in kinds)


def compute(facts: Facts, name: str, operands: tuple[Fact, ...], kind: str) -> Fact:
    """What a scalar operation gives; raises Raised where it always raises."""
    evaluator = Evaluator(lambda symbol: None)
    try:
        value = evaluator.apply(name, list(map(value_of, operands)), kind)
    except GivenUp:
        return facts.anything(kind)
    if isinstance(value, Expression):
        value = evaluator.assumptions.resolve(value)
    return _fact(facts, value, kind)


# Arithmetic on numbers of either kind, which gives a float where one of them is one.
_ARITHMETIC = {"torch.aten.add", "torch.aten.sub", "torch.aten.mul"}


def narrower(name: str, operands: tuple[Fact, ...], found: Fact) -> str | None:
    """`int` or `float` for a number that an operation gives, None if it may be either."""
    if name == "torch.aten.div":
        return "float"
    kinds = {number_kind(fact) for fact in operands}
    if name in _ARITHMETIC and kinds <= {"int", "float"}:
        return "float" if "float" in kinds else "int"
    return number_kind(found)


def number_kind(fact: Fact) -> str | None:
    """`int` or `float` for a number, None if it may be either, or a bool."""
    if isinstance(fact, Integer):
        return "int"
    if isinstance(fact, Scalar):
        return {int: "int", float: "float"}.get(type(fact.value))
    return fact.kind if isinstance(fact, Anything) and fact.kind in ("int", "float") else None


def _fact(facts: Facts, value: Any, kind: str) -> Fact:
    """A value of an operation as a fact."""
    if isinstance(value, Expression):
        return facts.integer(value)
    if value is None or type(value) in (int, float, bool, str):
        return facts.scalar(value)
    if isinstance(value, ListObject) and value.items is not None:
        items = tuple(_fact(facts, item, element_kind(value.kind)) for item in value.items)
        return facts.sequence(value.kind, items)
    return facts.anything(kind)


def ask(facts: Facts, name: str, operands: tuple[Fact, ...]) -> Fact | None:
    """What a program asks of a tensor, None where that is not known.

    Raises Raised where the question always raises.
    """
    found = QUESTIONS[name](*operands[:1], *map(value_of, operands[1:]))
    return None if found is NotImplemented else _fact(facts, found, "int")
