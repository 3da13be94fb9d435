"""Builders of torch dialect ops at the current insertion point and location.

Each method creates one PyTorch operator, with a result type as precise as the operands' types
allow. Known sizes stay Python ints, as in `ir_builder.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.tensor_type import Sizes, TensorType, Types

Size: TypeAlias = "int | ir.Value"

# c10/core/ScalarType.h
CODES = {
    "ui8": 0,
    "si8": 1,
    "si16": 2,
    "si32": 3,
    "si64": 4,
    "f16": 5,
    "f32": 6,
    "f64": 7,
    "i1": 11,
    "bf16": 15,
}
LAST = 2**63 - 1
"""The end of a slice up to the last element."""


class TorchBuilder:
    """Creates operators on tensors with known ranks and element types."""

    def __init__(self, types: Types) -> None:
        self.types = types

    def type(self, value: ir.Value) -> TensorType:
        """The type of a tensor."""
        found = self.types.tensor(value.type)
        assert found is not None, "a tensor"
        return found

    def sizes(self, value: ir.Value) -> Sizes:
        """The sizes of a tensor, None where dynamic."""
        sizes = self.type(value).sizes
        assert sizes is not None, "of a known rank"
        return sizes

    def size(self, value: ir.Value, dim: int) -> Size:
        """The size of a dimension, an int if static."""
        known = self.sizes(value)[dim]
        if known is not None:
            return known
        return create_value("torch.aten.size.int", self._parsed("int"), [value, self.number(dim)])

    def count(self, value: ir.Value, dims: Sequence[int] | None = None) -> Size:
        """The number of elements over some dimensions, or over all."""
        chosen = range(len(self.sizes(value))) if dims is None else dims
        total: Size = 1
        for dim in chosen:
            total = self.multiply(total, self.size(value, dim))
        return total

    # Numbers.

    def number(self, value: Size) -> ir.Value:
        """An int constant as a value."""
        if not isinstance(value, int):
            return value
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
        return create_value("torch.constant.int", self._parsed("int"), [], {"value": attribute})

    def boolean(self, value: bool) -> ir.Value:
        """A bool constant."""
        attribute = ir.BoolAttr.get(value)
        return create_value("torch.constant.bool", self._parsed("bool"), [], {"value": attribute})

    def none(self) -> ir.Value:
        """None."""
        return create_value("torch.constant.none", self._parsed("none"), [])

    def integers(self, values: Sequence[Size]) -> ir.Value:
        """A list of ints."""
        operands = [self.number(each) for each in values]
        return create_value("torch.prim.ListConstruct", self._parsed("list<int>"), operands)

    def tensors(self, values: Sequence[ir.Value]) -> ir.Value:
        """A list of tensors."""
        list = "list<vtensor>"
        return create_value("torch.prim.ListConstruct", self._parsed(list), values)

    def optional_tensors(self, values: Sequence[ir.Value | None]) -> ir.Value:
        """A list of optional tensors."""
        operands = [self.none() if each is None else each for each in values]
        return create_value(
            "torch.prim.ListConstruct", self._parsed("list<optional<vtensor>>"), operands
        )

    def multiply(self, a: Size, b: Size) -> Size:
        """`a * b`."""
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if isinstance(a, int) and a == 1:
            return b
        if isinstance(b, int) and b == 1:
            return a
        return create_value(
            "torch.aten.mul.int", self._parsed("int"), [self.number(a), self.number(b)]
        )

    def add(self, a: Size, b: Size) -> Size:
        """`a + b`."""
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        return create_value(
            "torch.aten.add.int", self._parsed("int"), [self.number(a), self.number(b)]
        )

    def subtract(self, a: Size, b: Size) -> Size:
        """`a - b`."""
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        return create_value(
            "torch.aten.sub.int", self._parsed("int"), [self.number(a), self.number(b)]
        )

    def at_most(self, a: Size, b: Size) -> ir.Value:
        """`a <= b`."""
        return create_value(
            "torch.aten.le.int", self._parsed("bool"), [self.number(a), self.number(b)]
        )

    def equal(self, a: Size, b: Size) -> ir.Value:
        """`a == b`."""
        return create_value(
            "torch.aten.eq.int", self._parsed("bool"), [self.number(a), self.number(b)]
        )

    def assert_that(self, condition: ir.Value, message: str) -> None:
        """Assert a condition: the program fails with the message if it is false."""
        ir.Operation.create(
            "torch.runtime.assert",
            operands=[condition],
            attributes={"message": ir.StringAttr.get(message)},
        )

    def whole(self, value: ir.Value) -> ir.Value:
        """The only element of an integer tensor, as an int."""
        return create_value("torch.aten.Int.Tensor", self._parsed("int"), [value])

    # Tensors.

    def op(
        self, name: str, sizes: Sequence[int | None], element: str | None, *operands: ir.Value
    ) -> ir.Value:
        """An operator with one result."""
        type = TensorType(True, tuple(sizes), element)
        return create_value(f"torch.aten.{name}", self.types.parse(type), operands)

    def view(self, value: ir.Value, sizes: Sequence[Size]) -> ir.Value:
        """`view`: the same elements with other sizes."""
        known = _known(sizes)
        if None not in known and known == self.sizes(value):
            return value
        return self.op("view", known, self.type(value).element, value, self.integers(sizes))

    def flatten(self, value: ir.Value) -> ir.Value:
        """The tensor collapsed to one dimension."""
        return self.merge(value, 0, len(self.sizes(value)))

    def merge(self, value: ir.Value, first: int, count: int) -> ir.Value:
        """Collapse `count` adjacent dimensions into one; 0 inserts a dimension of size 1."""
        if count == 1:
            return value
        sizes: list[Size] = [self.size(value, dim) for dim in range(len(self.sizes(value)))]
        merged = self.count(value, range(first, first + count))
        return self.view(value, [*sizes[:first], merged, *sizes[first + count :]])

    def like(self, value: ir.Value, other: ir.Value) -> ir.Value:
        """`value` viewed with the sizes of `other`."""
        return self.view(value, [self.size(other, dim) for dim in range(len(self.sizes(other)))])

    def to(self, value: ir.Value, element: str) -> ir.Value:
        """Convert to another element type."""
        if self.type(value).element == element:
            return value
        no = self.boolean(False)
        given = [self.number(CODES[element]), no, no, self.none()]
        return self.op("to.dtype", self.sizes(value), element, value, *given)

    def index_select(self, value: ir.Value, dim: int, places: ir.Value) -> ir.Value:
        """`index_select`: the elements at some indices of a dimension."""
        sizes = list(self.sizes(value))
        sizes[dim] = self.sizes(places)[0]
        element = self.type(value).element
        return self.op("index_select", sizes, element, value, self.number(dim), places)

    def select(self, value: ir.Value, dim: int, place: Size) -> ir.Value:
        """`select`: the elements at one index of a dimension."""
        sizes = list(self.sizes(value))
        del sizes[dim]
        given = [self.number(dim), self.number(place)]
        return self.op("select.int", sizes, self.type(value).element, value, *given)

    def slice(self, value: ir.Value, dim: int, start: Size, end: Size) -> ir.Value:
        """`slice` with step 1; the range must be in bounds."""
        sizes = list(self.sizes(value))
        size = sizes[dim]
        sizes[dim] = None
        if isinstance(start, int) and isinstance(end, int):
            if end != LAST:
                sizes[dim] = end - start
            elif size is not None:
                sizes[dim] = max(size - start, 0)
        elif start == 0 and isinstance(end, int):
            sizes[dim] = end
        given = [self.number(each) for each in (dim, start, end, 1)]
        return self.op("slice.Tensor", sizes, self.type(value).element, value, *given)

    def unsqueeze(self, value: ir.Value, dim: int) -> ir.Value:
        """Insert a dimension of size 1."""
        sizes = list(self.sizes(value))
        sizes.insert(dim, 1)
        return self.op("unsqueeze", sizes, self.type(value).element, value, self.number(dim))

    def squeeze(self, value: ir.Value, dim: int) -> ir.Value:
        """Remove a dimension of size 1."""
        sizes = list(self.sizes(value))
        del sizes[dim]
        return self.op("squeeze.dim", sizes, self.type(value).element, value, self.number(dim))

    def transpose(self, value: ir.Value, one: int, other: int) -> ir.Value:
        """Transpose two dimensions."""
        if one == other:
            return value
        sizes = list(self.sizes(value))
        sizes[one], sizes[other] = sizes[other], sizes[one]
        given = [self.number(one), self.number(other)]
        return self.op("transpose.int", sizes, self.type(value).element, value, *given)

    def to_front(self, value: ir.Value, dim: int) -> ir.Value:
        """Move a dimension in front of the others."""
        if dim == 0:
            return value
        order = [dim, *(each for each in range(len(self.sizes(value))) if each != dim)]
        sizes = [self.sizes(value)[each] for each in order]
        return self.op("permute", sizes, self.type(value).element, value, self.integers(order))

    def expand(self, value: ir.Value, sizes: Sequence[Size]) -> ir.Value:
        """`broadcast_to`: expand dimensions of size 1, and add missing leading ones."""
        known = _known(sizes)
        if known == self.sizes(value) and None not in known:
            return value
        return self.op("broadcast_to", known, self.type(value).element, value, self.integers(sizes))

    def cat(self, values: Sequence[ir.Value], dim: int = 0) -> ir.Value:
        """`cat`: concatenate tensors along a dimension."""
        sizes = list(self.sizes(values[0]))
        together = [self.sizes(each)[dim] for each in values]
        sizes[dim] = None if None in together else sum(each or 0 for each in together)
        element = self.type(values[0]).element
        return self.op("cat", sizes, element, self.tensors(values), self.number(dim))

    def full(self, sizes: Sequence[Size], number: Size, element: str) -> ir.Value:
        """`full`: a tensor filled with one scalar."""
        none = self.none()
        given = [self.integers(sizes), self.number(number), self.number(CODES[element])]
        return self.op("full", _known(sizes), element, *given, none, none, none)

    def arange(self, end: Size) -> ir.Value:
        """`arange`: the integers from 0 up to, not including, `end`."""
        none = self.none()
        known = end if isinstance(end, int) else None
        return self.op("arange", [known], "si64", self.number(end), none, none, none, none)

    def cumsum(self, value: ir.Value) -> ir.Value:
        """`cumsum` of a one-dimensional integer tensor."""
        return self.op("cumsum", self.sizes(value), "si64", value, self.number(0), self.none())

    def elementwise(
        self, name: str, element: str | None, a: ir.Value, b: ir.Value, *more: ir.Value
    ) -> ir.Value:
        """A binary elementwise operator; operands broadcast."""
        sizes = broadcast(self.sizes(a), self.sizes(b))
        return self.op(name, sizes, element, a, b, *more)

    def with_number(
        self, name: str, element: str | None, value: ir.Value, number: Size, *more: ir.Value
    ) -> ir.Value:
        """A binary elementwise operator on a tensor and a scalar."""
        return self.op(name, self.sizes(value), element, value, self.number(number), *more)

    def subtract_one(self, value: ir.Value) -> ir.Value:
        """Subtract 1 from each element."""
        one = self.number(1)
        return self.with_number("sub.Scalar", self.type(value).element, value, 1, one)

    def retyped(self, value: ir.Value, type: ir.Type) -> ir.Value:
        """`tensor_static_info_cast` to another type, unless the type is the same."""
        if value.type == type:
            return value
        return create_value("torch.tensor_static_info_cast", type, [value])

    def _parsed(self, name: str) -> ir.Type:
        return self.types.parse(f"!torch.{name}")


def broadcast(a: Sizes, b: Sizes) -> list[int | None]:
    """The broadcast of two shapes, None where dynamic."""
    rank = max(len(a), len(b))
    one, other = ((1,) * (rank - len(each)) + tuple(each) for each in (a, b))
    return [_together(x, y) for x, y in zip(one, other, strict=True)]


def _together(a: int | None, b: int | None) -> int | None:
    if a == 1:
        return b
    return a if b in (1, None) and a is not None else (b if b != 1 else a)


def _known(sizes: Sequence[Size]) -> Sizes:
    return tuple(each if isinstance(each, int) else None for each in sizes)
