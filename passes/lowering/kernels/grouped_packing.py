"""The loops of packing in groups: elements that one instruction multiplies become adjacent.

Rows that are contiguous along the columns are interleaved; those that are contiguous along the
reduction are transposed in squares of groups, which are words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_value,
    divide,
    index_value,
    less_than,
    multiply,
    subtract,
)
from torch_refine.passes.lowering.fusion.images.building import collapsed, expanded
from torch_refine.passes.lowering.kernels.blocked_packing import is_zero_constant
from torch_refine.passes.lowering.kernels.blocked_transposes import (
    BITS,
    has_square,
    transposed,
    within,
)
from torch_refine.passes.lowering.kernels.contractions.nests import Span, for_each, least
from torch_refine.passes.lowering.kernels.contractions.tensors import (
    read,
    read_or_zero,
    size_of,
    write,
)
from torch_refine.passes.lowering.kernels.targets.record import target_of

_INNER_DIMS = 2


@dataclass
class GroupedPacking:
    """Emits the loops of a `linalg.pack` into panels of columns, by groups of rows."""

    op: ir.Operation
    column: int
    """The dimension of the source that is split into panels."""
    depth: int
    """The dimension that is split into groups, of static size."""
    width: int
    group: int
    lanes: int
    """Groups in a vector."""

    def write(self) -> None:
        """Replace the op by the loops."""
        self.source, memory = self.op.operands[0], self.op.operands[1]
        self.type = ir.RankedTensorType(self.source.type)
        self.order = list(ir.DenseI64ArrayAttr(self.op.attributes["outer_dims_perm"]))
        rank = self.type.rank
        groups = [*([dim] for dim in range(rank)), [rank, rank + 1]]
        with ir.InsertionPoint(self.op), self.op.location:
            self.sizes = [size_of(self.source, self.type, dim) for dim in range(rank)]
            rows = collapsed(self.op, memory, groups)
            outer = [dim for dim in range(rank) if dim not in (self.column, self.depth)]
            result = expanded(self.op, self._outer_loops(outer, {}, rows), groups, memory)
        self.op.results[0].replace_all_uses_with(result)
        self.op.erase()

    def _outer_loops(
        self, outer: Sequence[int], at: dict[int, Number], memory: ir.Value
    ) -> ir.Value:
        """The loops over the dimensions that stay as they are."""
        if not outer:
            return self._panels(at, memory)
        dim, *rest = outer
        return for_each(
            Span(0, self.sizes[dim], 1),
            memory,
            lambda index, inner: self._outer_loops(rest, {**at, dim: index}, inner),
        )

    def _panels(self, at: dict[int, Number], memory: ir.Value) -> ir.Value:
        """The whole panels, and one that is filled with zeros."""
        size, width = self.sizes[self.column], self.width
        whole, end = divide(size, width), divide(add(size, width - 1), width)
        panel = self._interleaved if self.column == self.type.rank - 1 else self._transposed
        memory = for_each(Span(0, whole, 1), memory, partial(panel, at, True))
        return for_each(Span(whole, end, 1), memory, partial(panel, at, False))

    def _interleaved(
        self, at: dict[int, Number], is_whole: bool, panel: Number, memory: ir.Value
    ) -> ir.Value:
        """A panel of a source whose columns are contiguous."""
        depth = self.sizes[self.depth]
        start = multiply(panel, self.width)
        zeros = self._zeros(self.width)

        def some(count: int, row: Number, inner: ir.Value) -> ir.Value:
            rows = [zeros] * self.group
            for place in range(count):
                known = {**at, self.column: start, self.depth: add(row, place)}
                indices = [known[dim] for dim in range(self.type.rank)]
                rows[place] = (
                    read(self.source, indices, self.width, True)
                    if is_whole
                    else read_or_zero(self.source, indices, self.width)
                )
            while len(rows) > 1:
                half = len(rows) // 2
                rows = [
                    self._pairs(one, other)
                    for one, other in zip(rows[:half], rows[half:], strict=True)
                ]
            where = self._place({**at, self.column: panel, self.depth: divide(row, self.group)})
            return write(rows[0], inner, [*where, 0], True)

        assert isinstance(depth, int), "groups are of a static size"
        whole = depth // self.group * self.group
        memory = for_each(
            Span(0, whole, self.group), memory, lambda row, inner: some(self.group, row, inner)
        )
        return memory if whole == depth else some(depth - whole, whole, memory)

    def _pairs(self, one: ir.Value, other: ir.Value) -> ir.Value:
        """The elements of two vectors in turn."""
        vector = ir.VectorType(one.type)
        type = ir.VectorType.get([2 * vector.shape[0]], vector.element_type)
        return create_value("vector.interleave", type, [one, other])

    def _transposed(
        self, at: dict[int, Number], is_whole: bool, panel: Number, memory: ir.Value
    ) -> ir.Value:
        """A panel of a source whose groups are contiguous."""
        depth = self.sizes[self.depth]
        assert isinstance(depth, int), "groups are of a static size"
        words = depth // self.group

        def square(word: Number, inner: ir.Value) -> ir.Value:
            first = within(word, words, self.lanes)
            for column in range(0, self.width, self.lanes):
                start = add(multiply(panel, self.width), column)
                vectors = [
                    self._words({**at, self.column: add(start, lane)}, first, is_whole)
                    for lane in range(self.lanes)
                ]
                for lane, vector in enumerate(transposed(vectors)):
                    known = {**at, self.column: panel, self.depth: add(first, lane)}
                    place = [*self._place(known), column * self.group]
                    inner = write(self._cast(vector, self.type.element_type), inner, place, True)
            return inner

        return for_each(Span(0, words, self.lanes), memory, square)

    def _words(self, at: dict[int, Number], word: Number, is_whole: bool) -> ir.Value:
        """A vector of the groups of a column, which are zero if there is no such column."""
        size, column = self.sizes[self.column], at[self.column]
        number = ir.IntegerType.get_signless(BITS)
        if not is_whole and isinstance(column, int) and isinstance(size, int) and column >= size:
            return self._cast(self._zeros(self.lanes * self.group), number)
        last = column if is_whole else least(column, subtract(size, 1))
        known = {**at, self.column: last, self.depth: multiply(word, self.group)}
        indices = [known[dim] for dim in range(self.type.rank)]
        found = read(self.source, indices, self.lanes * self.group, True)
        if not is_whole and not (isinstance(column, int) and isinstance(size, int)):
            zeros = self._zeros(self.lanes * self.group)
            found = create_value(
                "arith.select", found.type, [less_than(index_value(column), size), found, zeros]
            )
        return self._cast(found, number)

    def _cast(self, vector: ir.Value, element: ir.Type) -> ir.Value:
        """A vector read as one of another element type."""
        type = ir.VectorType(vector.type)
        bits = type.shape[0] * type.element_type.width
        return create_value(
            "vector.bitcast", ir.VectorType.get([bits // element.width], element), [vector]
        )

    def _zeros(self, count: int) -> ir.Value:
        type = ir.VectorType.get([count], self.type.element_type)
        is_integer = isinstance(self.type.element_type, ir.IntegerType)
        zero = (ir.IntegerAttr if is_integer else ir.FloatAttr).get(self.type.element_type, 0)
        value = ir.DenseElementsAttr.get_splat(type, zero)
        return create_value("arith.constant", type, [], {"value": value})

    def _place(self, at: dict[int, Number]) -> list[Number]:
        """The outer indices in the result."""
        return [at[dim] for dim in self.order]


def grouped_packing_of(op: ir.Operation) -> GroupedPacking | None:
    """The loops of packing in groups of 32 bits; None if there are none."""
    if op.name != "linalg.pack":
        return None
    dims = list(ir.DenseI64ArrayAttr(op.attributes["inner_dims_pos"]))
    tiles = list(ir.DenseI64ArrayAttr(op.attributes["static_inner_tiles"]))
    source, _, *padding = op.operands
    type = ir.RankedTensorType(source.type)
    if "outer_dims_perm" not in op.attributes or len(dims) != _INNER_DIMS:
        return None
    if any(not is_zero_constant(each) for each in padding):
        return None
    column, depth = dims
    width, group = tiles
    lanes = target_of(op).lanes(BITS)
    size = type.shape[depth]
    if width % lanes or group * type.element_type.width != BITS or size < 1:
        return None
    if depth == type.rank - 1:
        if size % group or size // group < lanes or not has_square(lanes):
            return None
    elif column != type.rank - 1:
        return None
    return GroupedPacking(op, column, depth, width, group, lanes)
