"""Sums of products of two rows: of a few rows by the rows of a transposed right operand.

Both operands are read once, in vectors along the reduction, and nothing is packed. The sums of a
vector of columns are partial sums in as many vectors, which are added by halves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, add, create_value, divide, multiply, subtract
from torch_refine.passes.lowering.kernels.contractions.nests import (
    Span,
    evaluated,
    for_each_with,
    least,
)
from torch_refine.passes.lowering.kernels.contractions.tensors import read, read_or_zero

if TYPE_CHECKING:
    from torch_refine.passes.lowering.kernels.contractions.loops import Columns, ContractionLoops

# Shorter reductions are unrolled: this many vectors.
_UNROLLED = 8


def row_products(
    loops: ContractionLoops,
    at: dict[int, Number],
    places: list[dict[int, Number]],
    columns: Columns,
) -> list[ir.Value]:
    """The sums of a tile, row by row, each of some vectors."""
    return [
        _sums(loops, {**at, **place}, columns, vector)
        for place in places
        for vector in range(columns.vectors)
    ]


def _sums(
    loops: ContractionLoops, at: dict[int, Number], columns: Columns, vector: int
) -> ir.Value:
    """The sums of one row and a vector of columns; of columns that are out of bounds, any."""
    lanes, (summed,) = loops.lanes, loops.summed
    type = ir.VectorType.get([lanes], loops.element)
    first = add(columns.start, vector * lanes)
    own: list[Number] = [add(first, lane) for lane in range(lanes)]
    if not columns.is_whole:
        last = subtract(loops.number_of_columns(), 1)
        own = [least(each, last) for each in own]

    def vector_of(operand: int, known: dict[int, Number], is_whole: bool) -> ir.Value:
        indices = [evaluated(each, known) for each in loops.maps[operand].results]
        source = loops.chain.sums.operands[operand]
        return (
            read(source, indices, lanes, True) if is_whole else read_or_zero(source, indices, lanes)
        )

    def step(start: Number, is_whole: bool, partial: list[ir.Value]) -> list[ir.Value]:
        known = {**at, summed: start}
        left = vector_of(0, known, is_whole)
        found = []
        for lane, column in enumerate(own):
            right = vector_of(1, {**known, loops.vector_loop: column}, is_whole)
            product = create_value(loops.product, type, [left, right])
            found.append(
                create_value(loops.sum, type, [partial[lane], product]) if partial else product
            )
        return found

    depth = loops.sizes[summed]
    whole = multiply(divide(depth, lanes), lanes)
    partial: list[ir.Value] = []
    if isinstance(whole, int) and 0 < whole <= _UNROLLED * lanes:
        for start in range(0, whole, lanes):
            partial = step(start, True, partial)
    else:
        zeros = [loops.zero()] * lanes
        partial = for_each_with(
            Span(0, whole, lanes), zeros, lambda start, inner: step(start, True, inner)
        )
    partial = for_each_with(
        Span(whole, depth, lanes), partial, lambda start, inner: step(start, False, inner)
    )
    return _added_by_halves(loops, partial)


def _added_by_halves(loops: ContractionLoops, vectors: list[ir.Value]) -> ir.Value:
    """The vector of the sums of each vector's elements."""
    lanes = loops.lanes
    # A vector has the partial sums of several columns, each in as many adjacent lanes.
    parts = lanes
    while len(vectors) > 1:
        parts //= 2
        starts = range(0, 2 * lanes, 2 * parts)
        halves = [
            [start + offset + lane for start in starts for lane in range(parts)]
            for offset in (0, parts)
        ]
        vectors = [
            create_value(
                loops.sum,
                one.type,
                [_shuffled(one, other, half) for half in halves],
            )
            for one, other in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]


def _shuffled(one: ir.Value, other: ir.Value, lanes: list[int]) -> ir.Value:
    attributes: dict[str, ir.Attribute] = {"mask": ir.DenseI64ArrayAttr.get(lanes)}
    return create_value("vector.shuffle", one.type, [one, other], attributes)
