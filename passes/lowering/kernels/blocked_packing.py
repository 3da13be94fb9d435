"""The loops of packing: squares that are transposed in registers, straight into panels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, add, create_value, delinearize, multiply
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.lowering.fusion.images.building import collapsed
from torch_refine.passes.lowering.kernels.blocked_transposes import (
    BITS,
    has_square,
    transposed,
    within,
)
from torch_refine.passes.lowering.kernels.contractions.nests import Span, for_each
from torch_refine.passes.lowering.kernels.contractions.tensors import read, write
from torch_refine.passes.lowering.kernels.layouts import is_contiguous
from torch_refine.passes.lowering.kernels.targets.record import target_of


def has_squares(type: ir.RankedTensorType, column: int, width: int, lanes: int) -> bool:
    """Whether panels of `width` of a tensor's dimension `column` can be packed by squares.

    Elements must be f32 and contiguous along other dimensions, behind that one.
    """
    if not type.has_static_shape or str(type.element_type) != f"f{BITS}" or 0 in type.shape:
        return False
    is_whole = width % lanes == 0 and type.shape[column] % lanes == 0
    return has_square(lanes) and is_whole and math.prod(type.shape[column + 1 :]) >= lanes


@dataclass
class BlockedPacking:
    """Emits the loops of a `linalg.pack` for which `has_squares` holds.

    Panel by panel, the dimensions behind that of the columns are read as one.
    """

    op: ir.Operation
    column: int
    """The dimension of the source that is split into panels."""
    width: int
    lanes: int

    def write(self) -> None:
        """Replace the op by the loops."""
        source, memory = self.op.operands[0], self.op.operands[1]
        self.sizes = list(ir.RankedTensorType(source.type).shape)
        self.order = list(ir.DenseI64ArrayAttr(self.op.attributes["outer_dims_perm"]))
        self.run = range(self.column + 1, len(self.sizes))
        groups = [*([dim] for dim in range(self.column + 1)), list(self.run)]
        with ir.InsertionPoint(self.op), self.op.location:
            self.source = source if len(self.run) == 1 else collapsed(self.op, source, groups)
            result = self._outer_loops([], memory)
        self.op.results[0].replace_all_uses_with(result)
        self.op.erase()

    def _outer_loops(self, outer: list[Number], memory: ir.Value) -> ir.Value:
        """The loops over the dimensions before that of the columns."""
        if len(outer) == self.column:
            return self._panels(outer, memory)
        span = Span(0, self.sizes[len(outer)], 1)
        return for_each(
            span, memory, lambda index, inner: self._outer_loops([*outer, index], inner)
        )

    def _panels(self, outer: Sequence[Number], memory: ir.Value) -> ir.Value:
        """The whole panels, and one that is filled with zeros."""
        whole, rest = divmod(self.sizes[self.column], self.width)
        found = for_each(
            Span(0, whole, 1),
            memory,
            lambda panel, inner: self._rows(outer, panel, self.width, inner),
        )
        return self._rows(outer, whole, rest, found) if rest else found

    def _rows(
        self, outer: Sequence[Number], panel: Number, filled: int, memory: ir.Value
    ) -> ir.Value:
        """All rows of a panel whose first `filled` columns are those of the source."""
        size = math.prod(self.sizes[dim] for dim in self.run)

        def some(start: Number, inner: ir.Value) -> ir.Value:
            row = within(start, size, self.lanes)
            places = [self._place(outer, panel, add(row, each)) for each in range(self.lanes)]
            for column in range(0, self.width, self.lanes):
                vectors = self._vectors(outer, panel, column, row, column < filled)
                for vector, place in zip(vectors, places, strict=True):
                    inner = write(vector, inner, [*place, column], True)
            return inner

        return for_each(Span(0, size, self.lanes), memory, some)

    def _vectors(
        self, outer: Sequence[Number], panel: Number, column: int, row: Number, is_filled: bool
    ) -> list[ir.Value]:
        """For each of some rows, a vector of columns."""
        if not is_filled:
            element = ir.RankedTensorType(self.source.type).element_type
            type = ir.VectorType.get([self.lanes], element)
            zero = ir.DenseElementsAttr.get_splat(type, ir.FloatAttr.get(element, 0.0))
            return [create_value("arith.constant", type, [], {"value": zero})] * self.lanes
        first = add(multiply(panel, self.width), column)
        return transposed(
            [
                read(self.source, [*outer, add(first, each), row], self.lanes, True)
                for each in range(self.lanes)
            ]
        )

    def _place(self, outer: Sequence[Number], panel: Number, row: Number) -> list[Number]:
        """The outer indices of a row in the result."""
        rows = delinearize(row, [self.sizes[dim] for dim in self.run])
        indices = [*outer, panel, *rows]
        return [indices[dim] for dim in self.order]


def is_zero_constant(number: ir.Value) -> bool:
    """Whether a number is a constant of value 0."""
    producer = defining_op(number)
    if producer is None or producer.name != "arith.constant":
        return False
    value = producer.attributes["value"]
    return isinstance(value, (ir.FloatAttr, ir.IntegerAttr)) and bool(value.value == 0)


def blocked_packing_of(op: ir.Operation) -> BlockedPacking | None:
    """The loops of packing by squares; None if there are none, or none that are faster."""
    if op.name != "linalg.pack":
        return None
    columns = list(ir.DenseI64ArrayAttr(op.attributes["inner_dims_pos"]))
    widths = list(ir.DenseI64ArrayAttr(op.attributes["static_inner_tiles"]))
    source, _, *padding = op.operands
    type = ir.RankedTensorType(source.type)
    lanes = target_of(op).lanes(BITS)
    is_permuted = "outer_dims_perm" in op.attributes
    if len(columns) != 1 or not is_permuted or any(not is_zero_constant(each) for each in padding):
        return None
    (column,), (width,) = columns, widths
    if not has_squares(type, column, width, lanes):
        return None
    pairs = range(column + 2, type.rank)
    if not all(is_contiguous(source, dim - 1, dim) for dim in pairs):
        return None
    return BlockedPacking(op, column, width, lanes)
