"""Sums of products of two rows: of a few rows by the rows of a transposed right operand.

Both operands are read once, in vectors along the reduction, and nothing is packed. The sums of a
vector of columns are partial sums in as many vectors, which are added by halves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, add, create_value, divide, multiply, subtract
from torch_refine.dialect.structured_ops import iterators, maps
from torch_refine.passes.lowering.kernels.contractions.nests import (
    Span,
    evaluated,
    for_each_with,
    least,
)
from torch_refine.passes.lowering.kernels.contractions.tensors import read, read_or_zero

# Shorter reductions are unrolled: this many vectors.
_UNROLLED = 8


@dataclass(frozen=True)
class RowProducts:
    """Emits the sums of a contraction for which `is_of_rows` holds.

    `depth` and `columns` are the sizes of the reduction and of the columns, `lanes` the elements of
    a vector.
    """

    sums: ir.Operation
    depth: Number
    columns: Number
    lanes: int

    @property
    def type(self) -> ir.VectorType:
        """The vectors of the sums."""
        return ir.VectorType.get(
            [self.lanes], ir.RankedTensorType(self.sums.results[0].type).element_type
        )

    def sums_of(self, at: dict[int, Number], first: Number, is_whole: bool) -> ir.Value:
        """The sums of a row and a vector of columns from the first on.

        Unless it is whole, there may be fewer columns: the sums of the others are any numbers.
        """
        own: list[Number] = [add(first, lane) for lane in range(self.lanes)]
        if not is_whole:
            last = subtract(self.columns, 1)
            own = [least(each, last) for each in own]
        lanes, depth = self.lanes, self.depth
        whole = multiply(divide(depth, lanes), lanes)
        partial: list[ir.Value] = []
        if isinstance(whole, int) and 0 < whole <= _UNROLLED * lanes:
            for start in range(0, whole, lanes):
                partial = self._step(at, own, start, True, partial)
        else:
            partial = for_each_with(
                Span(0, whole, lanes),
                [self._zero()] * lanes,
                lambda start, inner: self._step(at, own, start, True, inner),
            )
        partial = for_each_with(
            Span(whole, depth, lanes),
            partial,
            lambda start, inner: self._step(at, own, start, False, inner),
        )
        return _added_by_halves(partial, lanes)

    def _zero(self) -> ir.Value:
        type = self.type
        splat = ir.DenseElementsAttr.get_splat(type, ir.FloatAttr.get(type.element_type, 0.0))
        return create_value("arith.constant", type, [], {"value": splat})

    def _step(
        self,
        at: dict[int, Number],
        own: Sequence[Number],
        start: Number,
        is_whole: bool,
        partial: list[ir.Value],
    ) -> list[ir.Value]:
        """The partial sums of the columns `own` after one more vector of the reduction."""
        summed = iterators(self.sums).index("reduction")
        column = maps(self.sums)[2].results[-1].position
        known = {**at, summed: start}
        left = self._vector(0, known, is_whole)
        found = []
        for lane, place in enumerate(own):
            right = self._vector(1, {**known, column: place}, is_whole)
            product = create_value("arith.mulf", self.type, [left, right])
            found.append(_added(partial[lane], product) if partial else product)
        return found

    def _vector(self, place: int, known: dict[int, Number], is_whole: bool) -> ir.Value:
        """A vector of an operand along the reduction."""
        operand = self.sums.operands[place]
        indices = [evaluated(each, known) for each in maps(self.sums)[place].results]
        if is_whole:
            return read(operand, indices, self.lanes, True)
        return read_or_zero(operand, indices, self.lanes)


def _added_by_halves(vectors: list[ir.Value], lanes: int) -> ir.Value:
    """The vector of the sums of each vector's elements."""
    # A vector has the partial sums of several columns, each in as many adjacent lanes.
    parts = lanes
    while len(vectors) > 1:
        parts //= 2
        starts = range(0, 2 * lanes, 2 * parts)
        low, high = (
            [start + offset + lane for start in starts for lane in range(parts)]
            for offset in (0, parts)
        )
        vectors = [
            _added(_shuffled(one, other, low), _shuffled(one, other, high))
            for one, other in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]


def _added(one: ir.Value, other: ir.Value) -> ir.Value:
    return create_value("arith.addf", one.type, [one, other])


def _shuffled(one: ir.Value, other: ir.Value, lanes: list[int]) -> ir.Value:
    attributes: dict[str, ir.Attribute] = {"mask": ir.DenseI64ArrayAttr.get(lanes)}
    return create_value("vector.shuffle", one.type, [one, other], attributes)
