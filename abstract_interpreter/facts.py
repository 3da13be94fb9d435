"""What is known of the values of a program, as inference passes it from operator to operator.

Facts never change and, made by one `Facts`, are equal only if they are the same object: looking
one up costs as much as looking up a pointer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Expression,
    Number,
    Symbol,
    fresh,
    substitute,
    symbols_in,
)


class Tensor:
    """A tensor: its sizes, its dtype's number, and its elements where they are a few ints.

    `sizes` is None when not even the rank is known, `dtype` when that is not, and `elements`, in
    row-major order, nearly always.
    """

    __slots__ = ("dtype", "elements", "sizes", "symbols")

    def __init__(
        self,
        sizes: tuple[Number, ...] | None,
        dtype: int | None,
        elements: tuple[Number, ...] | None,
    ) -> None:
        self.sizes = sizes
        self.dtype = dtype
        self.elements = elements
        self.symbols = _symbols((*(sizes or ()), *(elements or ())))


class Scalar:
    """A Python value that is known: an int, float, bool, str or None."""

    __slots__ = ("value",)
    symbols: tuple[Symbol, ...] = ()

    def __init__(self, value: Any) -> None:
        self.value = value


class Integer:
    """An int of which only an expression is known."""

    __slots__ = ("expression", "symbols")

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self.symbols = _symbols((expression,))


class Sequence:
    """A list or tuple, of `kind`. Where the number of `items` is not known, they are None and
    `element` is what is known of each.
    """

    __slots__ = ("element", "items", "kind", "symbols")

    def __init__(self, kind: str, items: tuple[Fact, ...] | None, element: Fact | None) -> None:
        self.kind = kind
        self.items = items
        self.element = element
        held = items if items is not None else () if element is None else (element,)
        found: dict[Symbol, None] = dict.fromkeys(s for each in held for s in each.symbols)
        self.symbols: tuple[Symbol, ...] = tuple(found)


class BoolOrInt:
    """An int that may stand for the bool that a model was written with.

    The dialect cannot pass a bool where PyTorch takes a number, so importers cast it; promotion
    must not take it for an int.
    """

    __slots__ = ("symbols", "value")

    def __init__(self, value: Fact) -> None:
        self.value = value
        self.symbols: tuple[Symbol, ...] = value.symbols


class Anything:
    """A value of which only the kind is known."""

    __slots__ = ("kind",)
    symbols: tuple[Symbol, ...] = ()

    def __init__(self, kind: str) -> None:
        self.kind = kind


Fact: TypeAlias = Tensor | Scalar | Integer | Sequence | BoolOrInt | Anything


def number_of(fact: Fact) -> Number | None:
    """The int that a fact is, known or not; None for anything else."""
    if isinstance(fact, BoolOrInt):
        return number_of(fact.value)
    if isinstance(fact, Integer):
        return fact.expression
    return fact.value if isinstance(fact, Scalar) and type(fact.value) is int else None


def _symbols(numbers: Iterable[Number]) -> tuple[Symbol, ...]:
    """The symbols of numbers, each once, in the order in which they first appear."""
    return tuple(dict.fromkeys(symbol for number in numbers for symbol in symbols_in(number)))


class Facts:
    """Makes facts, each once."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def tensor(
        self,
        sizes: tuple[Number, ...] | None,
        dtype: int | None,
        elements: tuple[Number, ...] | None = None,
    ) -> Tensor:
        """The fact of a tensor."""
        key = (Tensor, sizes, dtype, elements)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Tensor(sizes, dtype, elements)
        return found

    def scalar(self, value: Any) -> Scalar:
        """The fact of a known Python value."""
        key = (type(value), repr(value) if isinstance(value, float) else value)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Scalar(value)
        return found

    def integer(self, number: Number) -> Scalar | Integer:
        """The fact of an int, known or not."""
        if not isinstance(number, Expression):
            return self.scalar(number)
        key = (Integer, number)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Integer(number)
        return found

    def sequence(
        self, kind: str, items: tuple[Fact, ...] | None, element: Fact | None = None
    ) -> Sequence:
        """The fact of a list or tuple."""
        key = (Sequence, kind, items, element)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Sequence(kind, items, element)
        return found

    def bool_or_int(self, value: Fact) -> BoolOrInt:
        """The fact of an int that may have been a bool."""
        key = (BoolOrInt, value)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = BoolOrInt(value)
        return found

    def anything(self, kind: str) -> Fact:
        """The fact of a value of which only the kind is known."""
        if kind == "none":
            return self.scalar(None)
        key = (Anything, kind)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Anything(kind)
        return found

    def renamed(self, fact: Fact, names: Mapping[Atom, Number]) -> Fact:
        """A fact with symbols replaced."""
        if not fact.symbols:
            return fact
        if isinstance(fact, Tensor):
            sizes, elements = fact.sizes, fact.elements
            return self.tensor(
                None if sizes is None else tuple(substitute(size, names) for size in sizes),
                fact.dtype,
                None if elements is None else tuple(substitute(each, names) for each in elements),
            )
        if isinstance(fact, Integer):
            return self.integer(substitute(fact.expression, names))
        if isinstance(fact, BoolOrInt):
            return self.bool_or_int(self.renamed(fact.value, names))
        assert isinstance(fact, Sequence)
        items = fact.items
        return self.sequence(
            fact.kind,
            None if items is None else tuple(self.renamed(item, names) for item in items),
            None if fact.element is None else self.renamed(fact.element, names),
        )

    def instance(self, element: Fact) -> Fact:
        """One element of a list of which only what holds of each is known.

        What two elements do not share must not have one name, so every symbol becomes a new one.
        """
        return self.renamed(element, {s: fresh(s.low, s.high) for s in element.symbols})
