"""Scalars that a program computes: ints, floats, bools, strings, lists of ints.

They are folded by the interpreter's operations.
"""

from __future__ import annotations

from typing import Any

from torch_refine.abstract_interpreter.capturing import value_of
from torch_refine.abstract_interpreter.lattice import (
    Anything,
    Integer,
    Lattice,
    LatticeValue,
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


def compute(
    lattice: Lattice, name: str, operands: tuple[LatticeValue, ...], kind: str
) -> LatticeValue:
    """The result of a scalar operation; raises Raised if it always raises."""
    evaluator = Evaluator(lambda symbol: None)
    try:
        value = evaluator.apply(name, list(map(value_of, operands)), kind)
    except GivenUp:
        return lattice.anything(kind)
    if isinstance(value, Expression):
        value = evaluator.assumptions.resolve(value)
    return _lattice_value(lattice, value, kind)


# Arithmetic on ints and floats, which returns a float if an operand is one.
_ARITHMETIC = {"torch.aten.add", "torch.aten.sub", "torch.aten.mul"}


def narrower(name: str, operands: tuple[LatticeValue, ...], found: LatticeValue) -> str | None:
    """`int` or `float` for the result of an operation, None if it may be either."""
    if name == "torch.aten.div":
        return "float"
    kinds = {number_kind(lattice_value) for lattice_value in operands}
    if name in _ARITHMETIC and kinds <= {"int", "float"}:
        return "float" if "float" in kinds else "int"
    return number_kind(found)


def number_kind(lattice_value: LatticeValue) -> str | None:
    """`int` or `float` for a scalar, None if it may be either, or a bool."""
    if isinstance(lattice_value, Integer):
        return "int"
    if isinstance(lattice_value, Scalar):
        return {int: "int", float: "float"}.get(type(lattice_value.value))
    return (
        lattice_value.kind
        if isinstance(lattice_value, Anything) and lattice_value.kind in ("int", "float")
        else None
    )


def _lattice_value(lattice: Lattice, value: Any, kind: str) -> LatticeValue:
    """The lattice value of an operation's result."""
    if isinstance(value, Expression):
        return lattice.integer(value)
    if value is None or type(value) in (int, float, bool, str):
        return lattice.scalar(value)
    if isinstance(value, ListObject) and value.items is not None:
        items = tuple(
            _lattice_value(lattice, item, element_kind(value.kind)) for item in value.items
        )
        return lattice.sequence(value.kind, items)
    return lattice.anything(kind)


def ask(lattice: Lattice, name: str, operands: tuple[LatticeValue, ...]) -> LatticeValue | None:
    """The result of a query of a tensor, None if unknown.

    Raises Raised if the query always raises.
    """
    found = QUESTIONS[name](*operands[:1], *map(value_of, operands[1:]))
    return None if found is NotImplemented else _lattice_value(lattice, found, "int")
