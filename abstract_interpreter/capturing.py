"""Values that a calculation captures from the program around it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from torch_refine.abstract_interpreter.lattice import (
    BoolOrInt,
    Integer,
    Lattice,
    LatticeValue,
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
    """The captured values of a calculation.

    `given` maps atoms to captured values; `steps` are the queries, such as the size of a tensor,
    that define the remaining atoms.
    """

    values: list[Any] = field(default_factory=list)
    given: dict[Any, int] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)


def capture(lattice_values: tuple[LatticeValue, ...]) -> Captured:
    """Capture values of a program with these lattice values."""
    captured = Captured()
    for index, lattice_value in enumerate(lattice_values):
        value = value_of(lattice_value)
        captured.values.append(value)
        whole = value if isinstance(value, ListObject) else atom_of(value)
        if whole is not None:
            captured.given.setdefault(whole, index)
    for value in captured.values:
        captured.steps += parts(value)
        if isinstance(value, TensorValue):
            captured.steps += size_steps(value, captured.given)
        elif isinstance(value, ListObject):
            captured.steps += _elements(value, captured.given)
    return captured


def value_of(lattice_value: LatticeValue) -> Any:
    """A lattice value as a value of a calculation."""
    if isinstance(lattice_value, Tensor):
        return TensorValue(lattice_value)
    if isinstance(lattice_value, Scalar):
        return lattice_value.value
    if isinstance(lattice_value, Integer):
        return lattice_value.expression
    if isinstance(lattice_value, BoolOrInt):
        return value_of(lattice_value.value)
    if isinstance(lattice_value, Sequence):
        if lattice_value.kind.startswith("tuple<"):
            return tuple(map(value_of, lattice_value.items or ()))
        items = None if lattice_value.items is None else list(map(value_of, lattice_value.items))
        return ListObject(lattice_value.kind, items, frozen=True)
    return unknown(lattice_value.kind)


def size_steps(value: TensorValue, given: Collection[Any] = ()) -> list[Step]:
    """The steps that define symbolic sizes of a tensor, but those that are given."""
    found: list[Step] = []
    for dim, size in enumerate(value.lattice_value.sizes or ()):
        if atom_of(size) is not None and atom_of(size) not in given:
            operation = Operation("torch.aten.size.int", ["tensor", "int"], ["int"])
            found.append(Applied(operation, [value, dim], [size]))
    return found


def _elements(value: ListObject, given: dict[Any, int]) -> list[Step]:
    """The steps that define symbolic elements of a list."""
    found: list[Step] = []
    for index, item in enumerate(value.items or ()):
        atom: Atom | None = atom_of(item)
        if atom is not None and atom not in given:
            kinds = [element_kind(value.kind)]
            operation = Operation("torch.aten.__getitem__.t", [value.kind, "int"], kinds)
            found.append(Applied(operation, [Reference(value), index], [item]))
            if isinstance(item, TensorValue):
                found += size_steps(item, given)
    return found


def with_names(lattice: Lattice, captured: tuple[LatticeValue, ...]) -> tuple[LatticeValue, ...]:
    """Lattice values in which every non-trivial expression is replaced by a symbol of its own."""
    names: dict[Expression, Expression] = {}
    return tuple(_named(lattice, lattice_value, names) for lattice_value in captured)


def _named(
    lattice: Lattice, lattice_value: LatticeValue, names: dict[Expression, Expression]
) -> LatticeValue:
    if isinstance(lattice_value, Tensor) and lattice_value.sizes is not None:
        sizes: tuple[Number, ...] = tuple(_name(size, names, True) for size in lattice_value.sizes)
        return lattice.tensor(sizes, lattice_value.dtype)
    if isinstance(lattice_value, Integer):
        return lattice.integer(_name(lattice_value.expression, names, False))
    if isinstance(lattice_value, Sequence) and lattice_value.items is not None:
        return lattice.sequence(
            lattice_value.kind, tuple(_named(lattice, each, names) for each in lattice_value.items)
        )
    return lattice_value


def _name(number: Number, names: dict[Expression, Expression], is_size: bool) -> Number:
    if isinstance(number, int) or isinstance(atom_of(number), Symbol):
        return number
    if number not in names:
        names[number] = dimension() if is_size else fresh()
    return names[number]
