"""Joins of lattice values."""

from __future__ import annotations

from collections.abc import Hashable

from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING
from torch_refine.abstract_interpreter.lattice import (
    BoolOrInt,
    Lattice,
    LatticeValue,
    Sequence,
    Tensor,
    number_of,
)
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    INT_MIN,
    Number,
    dimension,
    fresh,
)


class Joiner:
    """Joins lattice values.

    With `widening`, these are of successive loop iterations: an int that changes becomes the same
    fresh symbol in every iteration, so that a fixed point is reached. `place` identifies the value.
    """

    def __init__(self, lattice: Lattice, widening: bool = False) -> None:
        self.lattice = lattice
        self._widened: dict[Hashable, Number] | None = {} if widening else None

    def join(
        self, one: LatticeValue, other: LatticeValue, kind: str, place: Hashable = ()
    ) -> LatticeValue:
        """The join of two lattice values of type `kind`."""
        if one is other:
            return one
        if isinstance(one, Tensor) and isinstance(other, Tensor):
            return self.tensors(one, other, place)
        if isinstance(one, Sequence) and isinstance(other, Sequence) and one.kind == other.kind:
            return self.sequences(one, other, place)
        numbers = number_of(one), number_of(other)
        if numbers[0] is not None and numbers[1] is not None:
            joined = self.lattice.integer(self.number(numbers[0], numbers[1], place))
            either = isinstance(one, BoolOrInt) or isinstance(other, BoolOrInt)
            return self.lattice.bool_or_int(joined) if either else joined
        return self.lattice.anything(kind)

    def tensors(self, one: Tensor, other: Tensor, place: Hashable) -> LatticeValue:
        """The sizes and dtype that two tensors agree on."""
        sizes: tuple[Number, ...] | None = None
        if one.sizes is not None and other.sizes is not None and len(one.sizes) == len(other.sizes):
            sizes = tuple(
                a if a == b else self.size((place, index))
                for index, (a, b) in enumerate(zip(one.sizes, other.sizes, strict=True))
            )
        elements = one.elements if one.elements == other.elements else None
        return self.lattice.tensor(sizes, one.dtype if one.dtype == other.dtype else None, elements)

    def size(self, place: Hashable) -> Number:
        """The symbol of a size that differs."""
        if self._widened is None:
            return dimension()
        return self._widened.setdefault(place, dimension())

    def number(self, one: Number, other: Number, place: Hashable) -> Number:
        """An int: the common one, or a fresh symbol."""
        if one == other:
            return one
        if self._widened is not None:
            return self._widened.setdefault(place, fresh())
        left, right = NOTHING.range_of(one), NOTHING.range_of(other)
        low, high = min(left.low, right.low), max(left.high, right.high)
        return expressions.fresh(int(max(low, INT_MIN)), int(min(high, INT_MAX)))

    def sequences(self, one: Sequence, other: Sequence, place: Hashable) -> LatticeValue:
        """Lists or tuples, element by element if their lengths are equal."""
        if one.items is not None and other.items is not None and len(one.items) == len(other.items):
            pairs = zip(one.items, other.items, strict=True)
            items = tuple(
                self.join(a, b, "any", (place, index)) for index, (a, b) in enumerate(pairs)
            )
            return self.lattice.sequence(one.kind, items)
        left, right = self.element(one, place), self.element(other, place)
        if left is None or right is None:
            # An empty list says nothing of elements; neither does an unknown one.
            left = right = left or right if () in (one.items, other.items) else None
        element = None if left is None or right is None else self.join(left, right, "any", place)
        return self.lattice.sequence(one.kind, None, element)

    def element(self, sequence: Sequence, place: Hashable) -> LatticeValue | None:
        """The join of the elements of a list."""
        if sequence.items is None:
            return sequence.element
        if not sequence.items:
            return None
        first, *others = sequence.items
        for item in others:
            first = self.join(first, item, "any", place)
        return first
