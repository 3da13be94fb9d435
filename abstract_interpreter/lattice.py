"""Lattice values: what inference knows of the values of a program, passed from op to op.

Lattice values are immutable and, made by one `Lattice`, uniqued: equality is identity, so a lookup
costs as much as that of a pointer.
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
    """A tensor: its sizes, its dtype's number, and its elements if they are a few ints.

    `sizes` is None if unranked, `dtype` if unknown, and `elements`, in row-major order, nearly
    always.
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
    """A known Python scalar: an int, float, bool, str or None."""

    __slots__ = ("value",)
    symbols: tuple[Symbol, ...] = ()

    def __init__(self, value: Any) -> None:
        self.value = value


class Integer:
    """An int given by an expression."""

    __slots__ = ("expression", "symbols")

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self.symbols = _symbols((expression,))


class Sequence:
    """A list or tuple of type `kind`. If its length is unknown, `items` is None and `element` is
    the join of its elements.
    """

    __slots__ = ("element", "items", "kind", "symbols")

    def __init__(
        self, kind: str, items: tuple[LatticeValue, ...] | None, element: LatticeValue | None
    ) -> None:
        self.kind = kind
        self.items = items
        self.element = element
        held = items if items is not None else () if element is None else (element,)
        found: dict[Symbol, None] = dict.fromkeys(s for each in held for s in each.symbols)
        self.symbols: tuple[Symbol, ...] = tuple(found)


class BoolOrInt:
    """An int that may stand for a bool of the model.

    The dialect cannot pass a bool where PyTorch takes a number, so importers cast it; promotion
    must not treat it as an int.
    """

    __slots__ = ("symbols", "value")

    def __init__(self, value: LatticeValue) -> None:
        self.value = value
        self.symbols: tuple[Symbol, ...] = value.symbols


class Anything:
    """A value of which only the kind is known."""

    __slots__ = ("kind",)
    symbols: tuple[Symbol, ...] = ()

    def __init__(self, kind: str) -> None:
        self.kind = kind


LatticeValue: TypeAlias = Tensor | Scalar | Integer | Sequence | BoolOrInt | Anything


def number_of(lattice_value: LatticeValue) -> Number | None:
    """The int of a lattice value, known or symbolic; None for any other kind."""
    if isinstance(lattice_value, BoolOrInt):
        return number_of(lattice_value.value)
    if isinstance(lattice_value, Integer):
        return lattice_value.expression
    return (
        lattice_value.value
        if isinstance(lattice_value, Scalar) and type(lattice_value.value) is int
        else None
    )


def _symbols(numbers: Iterable[Number]) -> tuple[Symbol, ...]:
    """The symbols of numbers, each once, in order of first occurrence."""
    return tuple(dict.fromkeys(symbol for number in numbers for symbol in symbols_in(number)))


class Lattice:
    """Creates and uniques lattice values."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def tensor(
        self,
        sizes: tuple[Number, ...] | None,
        dtype: int | None,
        elements: tuple[Number, ...] | None = None,
    ) -> Tensor:
        """The lattice value of a tensor."""
        key = (Tensor, sizes, dtype, elements)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Tensor(sizes, dtype, elements)
        return found

    def scalar(self, value: Any) -> Scalar:
        """The lattice value of a known Python scalar."""
        key = (type(value), repr(value) if isinstance(value, float) else value)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Scalar(value)
        return found

    def integer(self, number: Number) -> Scalar | Integer:
        """The lattice value of an int, known or symbolic."""
        if not isinstance(number, Expression):
            return self.scalar(number)
        key = (Integer, number)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Integer(number)
        return found

    def sequence(
        self, kind: str, items: tuple[LatticeValue, ...] | None, element: LatticeValue | None = None
    ) -> Sequence:
        """The lattice value of a list or tuple."""
        key = (Sequence, kind, items, element)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Sequence(kind, items, element)
        return found

    def bool_or_int(self, value: LatticeValue) -> BoolOrInt:
        """The lattice value of an int that may stand for a bool."""
        key = (BoolOrInt, value)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = BoolOrInt(value)
        return found

    def anything(self, kind: str) -> LatticeValue:
        """The lattice value of which only the kind is known."""
        if kind == "none":
            return self.scalar(None)
        key = (Anything, kind)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Anything(kind)
        return found

    def renamed(self, lattice_value: LatticeValue, names: Mapping[Atom, Number]) -> LatticeValue:
        """A lattice value with symbols replaced."""
        if not lattice_value.symbols:
            return lattice_value
        if isinstance(lattice_value, Tensor):
            sizes, elements = lattice_value.sizes, lattice_value.elements
            return self.tensor(
                None if sizes is None else tuple(substitute(size, names) for size in sizes),
                lattice_value.dtype,
                None if elements is None else tuple(substitute(each, names) for each in elements),
            )
        if isinstance(lattice_value, Integer):
            return self.integer(substitute(lattice_value.expression, names))
        if isinstance(lattice_value, BoolOrInt):
            return self.bool_or_int(self.renamed(lattice_value.value, names))
        assert isinstance(lattice_value, Sequence)
        items = lattice_value.items
        return self.sequence(
            lattice_value.kind,
            None if items is None else tuple(self.renamed(item, names) for item in items),
            None if lattice_value.element is None else self.renamed(lattice_value.element, names),
        )

    def instance(self, element: LatticeValue) -> LatticeValue:
        """An element of a list, given the join of its elements.

        Every symbol is replaced by a fresh one, as elements may differ in it.
        """
        return self.renamed(element, {s: fresh(s.low, s.high) for s in element.symbols})
