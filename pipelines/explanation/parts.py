"""The parts of what is known of a value: the rank, each size, the dtype, or a scalar's value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from torch_refine.abstract_interpreter.lattice import (
    BoolOrInt,
    Integer,
    LatticeValue,
    Scalar,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Symbol, symbols_in
from torch_refine.dialect.tensor_type import TensorType

PartKind = Literal["rank", "size", "dtype", "value"]


@dataclass(frozen=True)
class Part:
    """A part of a value; `dim` is that of a size, `item` the index of a tensor in a list."""

    kind: PartKind
    dim: int = 0
    item: int | None = None

    def __str__(self) -> str:
        text = {"size": f"dim {self.dim}", "rank": "the rank", "dtype": "the dtype"}.get(
            self.kind, "the value"
        )
        return text if self.item is None else f"{text} of item {self.item}"

    def of_item(self, item: int | None) -> Part:
        """This part of an item of a list."""
        return Part(self.kind, self.dim, item)


VALUE = Part("value")


def unknown_parts(type: TensorType) -> Iterator[Part]:
    """The parts of a tensor that its type does not state."""
    if type.sizes is None:
        yield Part("rank")
    else:
        for dim, size in enumerate(type.sizes):
            if size is None:
                yield Part("size", dim)
    if type.element is None:
        yield Part("dtype")


def inner(fact: LatticeValue | None, part: Part) -> LatticeValue | None:
    """The lattice value that a part is of: that of an item of a list, or the value itself."""
    while isinstance(fact, BoolOrInt):
        fact = fact.value
    if isinstance(fact, Sequence) and part.kind != "value":
        if fact.items is None:
            return fact.element
        if part.item is not None and part.item < len(fact.items):
            return fact.items[part.item]
        return None
    return fact


def state_of(fact: LatticeValue | None, part: Part) -> object:
    """What is known of a part: None, a number, or an expression of symbols."""
    fact = inner(fact, part)
    if isinstance(fact, Tensor):
        if part.kind == "dtype":
            return fact.dtype
        if part.kind == "value":
            return None if fact.elements is None else fact.elements
        if fact.sizes is None:
            return None
        if part.kind == "rank":
            return len(fact.sizes)
        return fact.sizes[part.dim] if part.dim < len(fact.sizes) else None
    if isinstance(fact, Scalar):
        return "None" if fact.value is None else fact.value
    if isinstance(fact, Integer):
        return fact.expression
    if isinstance(fact, Sequence) and fact.items is not None:
        states = [state_of(item, VALUE) for item in fact.items]
        return None if any(not is_known(each) for each in states) else tuple(states)
    return None


def is_known(state: object) -> bool:
    """Whether a part is known as a number, or has another known value."""
    return state is not None and not isinstance(state, Expression)


def symbols_of(state: object) -> tuple[Symbol, ...]:
    """The symbols of a part that is an expression."""
    return tuple(dict.fromkeys(symbols_in(state))) if isinstance(state, Expression) else ()


def parts_with(fact: LatticeValue | None, symbol: Symbol) -> Iterator[Part]:
    """The parts of a value that have a symbol, those that are nothing else first."""
    if fact is None or symbol not in fact.symbols:
        return
    while isinstance(fact, BoolOrInt):
        fact = fact.value
    if isinstance(fact, Integer):
        yield VALUE
    elif isinstance(fact, Tensor):
        dims = [
            Part("size", dim)
            for dim, size in enumerate(fact.sizes or ())
            if symbol in symbols_of(size)
        ]
        yield from dims
        if not dims:
            yield VALUE
    elif isinstance(fact, Sequence):
        items = [fact.element] if fact.items is None else list(fact.items)
        for index, item in enumerate(items):
            for part in parts_with(item, symbol):
                yield part.of_item(None if fact.items is None else index)
