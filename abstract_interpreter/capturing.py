"""Values of a program as a calculation sees them that reads them from outside of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torch_refine.abstract_interpreter.facts import (
    BoolOrInt,
    Fact,
    Facts,
    Integer,
    Scalar,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Number,
    Symbol,
    dimension,
    fresh,
)
from torch_refine.abstract_interpreter.outcomes import (
    Applied,
    Atom,
    Operation,
    Reference,
    Step,
    atom_of,
)
from torch_refine.abstract_interpreter.running.recording import parts
from torch_refine.abstract_interpreter.values import ListObject, TensorValue, unknown
from torch_refine.dialect.kinds import element_kind


@dataclass
class Captured:
    """What a calculation reads from outside.

    `given` tells for what only has a name which of the values it is; `steps` are the questions of
    them, such as a size of a tensor, that name the rest.
    """

    values: list[Any] = field(default_factory=list)
    given: dict[Any, int] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)


def capture(facts: tuple[Fact, ...]) -> Captured:
    """Some values of a program, of which facts are known."""
    captured = Captured()
    for index, fact in enumerate(facts):
        value = value_of(fact)
        captured.values.append(value)
        whole = value if isinstance(value, ListObject) else atom_of(value)
        if whole is not None:
            captured.given.setdefault(whole, index)
    for value in captured.values:
        captured.steps += parts(value)
        if isinstance(value, TensorValue):
            captured.steps += _sizes(value, captured.given)
        elif isinstance(value, ListObject):
            captured.steps += _elements(value, captured.given)
    return captured


def value_of(fact: Fact) -> Any:
    """A fact as a calculation reads it."""
    if isinstance(fact, Tensor):
        return TensorValue(fact)
    if isinstance(fact, Scalar):
        return fact.value
    if isinstance(fact, Integer):
        return fact.expression
    if isinstance(fact, BoolOrInt):
        return value_of(fact.value)
    if isinstance(fact, Sequence):
        if fact.kind.startswith("tuple<"):
            return tuple(map(value_of, fact.items or ()))
        items = None if fact.items is None else list(map(value_of, fact.items))
        return ListObject(fact.kind, items, frozen=True)
    return unknown(fact.kind)


def _sizes(value: TensorValue, given: dict[Any, int]) -> list[Step]:
    """The sizes of a tensor that are a name."""
    found: list[Step] = []
    for dim, size in enumerate(value.fact.sizes or ()):
        if atom_of(size) is not None and atom_of(size) not in given:
            operation = Operation("torch.aten.size.int", ["tensor", "int"], ["int"])
            found.append(Applied(operation, [value, dim], [size]))
    return found


def _elements(value: ListObject, given: dict[Any, int]) -> list[Step]:
    """The elements of a list that are a name."""
    found: list[Step] = []
    for index, item in enumerate(value.items or ()):
        atom: Atom | None = atom_of(item)
        if atom is not None and atom not in given:
            kinds = [element_kind(value.kind)]
            operation = Operation("torch.aten.__getitem__.t", [value.kind, "int"], kinds)
            found.append(Applied(operation, [Reference(value), index], [item]))
            if isinstance(item, TensorValue):
                found += _sizes(item, given)
    return found


def with_names(facts: Facts, captured: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts in which every int that is computed from others has a name of its own."""
    names: dict[Expression, Expression] = {}
    return tuple(_named(facts, fact, names) for fact in captured)


def _named(facts: Facts, fact: Fact, names: dict[Expression, Expression]) -> Fact:
    if isinstance(fact, Tensor) and fact.sizes is not None:
        sizes: tuple[Number, ...] = tuple(_name(size, names, True) for size in fact.sizes)
        return facts.tensor(sizes, fact.dtype)
    if isinstance(fact, Integer):
        return facts.integer(_name(fact.expression, names, False))
    if isinstance(fact, Sequence) and fact.items is not None:
        return facts.sequence(fact.kind, tuple(_named(facts, each, names) for each in fact.items))
    return fact


def _name(number: Number, names: dict[Expression, Expression], is_size: bool) -> Number:
    if isinstance(number, int) or isinstance(atom_of(number), Symbol):
        return number
    if number not in names:
        names[number] = dimension() if is_size else fresh()
    return names[number]
