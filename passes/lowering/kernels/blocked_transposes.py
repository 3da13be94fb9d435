"""The loops of transposes of short or odd dimensions: squares that are transposed in registers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, add, create_value, delinearize
from torch_refine.passes.lowering.fusion.images.building import collapsed, expanded
from torch_refine.passes.lowering.kernels.contractions.nests import Span, for_each, least
from torch_refine.passes.lowering.kernels.contractions.tensors import read, write
from torch_refine.passes.lowering.kernels.layouts import is_contiguous
from torch_refine.passes.lowering.kernels.targets.record import target_of

BITS = 32
"""The width of the elements of squares."""

# The elements of 128 bits, which most shuffles of AVX stay in.
_PART = 4


@dataclass
class BlockedTranspose:
    """Emits the loops of a `linalg.transpose` of static sizes.

    Elements of a *run* of dimensions are contiguous: the source has one, and the result another.
    Squares of vectors along both are transposed in registers; the last square of a run overlaps
    the one before it.
    """

    op: ir.Operation
    order: list[int]
    """The dimension of the source of each dimension of the result."""
    read_run: list[int]
    """The last dimensions of the source."""
    written_run: list[int]
    """The last dimensions of the result."""

    def __post_init__(self) -> None:
        source, memory = self.op.operands
        self.place_of = {dim: place for place, dim in enumerate(self.order)}
        self.source_sizes = list(ir.RankedTensorType(source.type).shape)
        self.sizes = list(ir.RankedTensorType(memory.type).shape)
        self.lanes = target_of(self.op).lanes(BITS)
        self.read_sizes = [self.source_sizes[dim] for dim in self.read_run]
        self.written_sizes = [self.sizes[place] for place in self.written_run]

    def write(self) -> None:
        """Replace the op by the loops."""
        source, memory = self.op.operands
        with ir.InsertionPoint(self.op), self.op.location:
            self.source = self._merged(source, self.read_run)
            written = self._merged(memory, self.written_run)
            inside = {self.place_of[dim] for dim in self.read_run} | set(self.written_run)
            outer = [place for place in range(len(self.order)) if place not in inside]
            result = self._outer_loops(outer, {}, written)
            if result.type != memory.type:
                result = expanded(self.op, result, self._groups(self.written_run), memory)
        self.op.results[0].replace_all_uses_with(result)
        self.op.erase()

    def _groups(self, run: Sequence[int]) -> list[list[int]]:
        return [*([dim] for dim in range(run[0])), list(run)]

    def _merged(self, tensor: ir.Value, run: Sequence[int]) -> ir.Value:
        return tensor if len(run) == 1 else collapsed(self.op, tensor, self._groups(run))

    def _outer_loops(
        self, outer: Sequence[int], at: dict[int, Number], memory: ir.Value
    ) -> ir.Value:
        """The loops over the dimensions of the result that are in no run."""
        if not outer:
            return self._squares(at, memory)
        place, *rest = outer
        return for_each(
            Span(0, self.sizes[place], 1),
            memory,
            lambda index, inner: self._outer_loops(rest, {**at, place: index}, inner),
        )

    def _squares(self, at: dict[int, Number], memory: ir.Value) -> ir.Value:
        """The loops over squares. The inner one follows the result, whose lines it completes."""
        rows, columns = math.prod(self.read_sizes), math.prod(self.written_sizes)

        def squares_of(row: Number, inner: ir.Value) -> ir.Value:
            return for_each(
                Span(0, columns, self.lanes),
                inner,
                lambda column, found: self._square(
                    at, within(row, rows, self.lanes), within(column, columns, self.lanes), found
                ),
            )

        return for_each(Span(0, rows, self.lanes), memory, squares_of)

    def _square(
        self, at: dict[int, Number], row: Number, column: Number, memory: ir.Value
    ) -> ir.Value:
        """Transpose the vectors from `row` in the source's run and `column` in the result's."""
        vectors = [
            read(self.source, self._read_at(at, row, add(column, lane)), self.lanes, True)
            for lane in range(self.lanes)
        ]
        for lane, vector in enumerate(transposed(vectors)):
            memory = write(vector, memory, self._written_at(at, add(row, lane), column), True)
        return memory

    def _read_at(self, at: dict[int, Number], row: Number, column: Number) -> list[Number]:
        """Where a vector of the source starts."""
        found = dict(zip(self.written_run, delinearize(column, self.written_sizes), strict=True))
        known = {**at, **found}
        return [*(known[self.place_of[dim]] for dim in range(self.read_run[0])), row]

    def _written_at(self, at: dict[int, Number], row: Number, column: Number) -> list[Number]:
        """Where a vector of the result starts."""
        found = dict(zip(self.read_run, delinearize(row, self.read_sizes), strict=True))
        known = {**at, **{self.place_of[dim]: index for dim, index in found.items()}}
        return [*(known[place] for place in range(self.written_run[0])), column]


def within(start: Number, size: int, lanes: int) -> Number:
    """The start of a square, which must not exceed its run: the last one overlaps another."""
    return start if size % lanes == 0 else least(start, size - lanes)


def has_square(lanes: int) -> bool:
    """Whether `transposed` knows squares of this width; a record may have vectors of any."""
    return lanes >= _PART and lanes.bit_count() == 1


def transposed(vectors: Sequence[ir.Value]) -> list[ir.Value]:
    """The columns of a square of as many vectors as they have elements (`has_square`).

    Squares of 4 x 4 are transposed, then the square of those.
    """
    lanes = len(vectors)
    found = list(vectors)
    for distance in (1, 2):
        found = _exchanged(found, distance, [_within_parts(lanes, distance, n) for n in (0, 1)])
    # These leave the columns of each 4 x 4 in the order 0, 2, 1, 3.
    found = [found[start + place] for start in range(0, lanes, _PART) for place in (0, 2, 1, 3)]
    distance = _PART
    while distance < lanes:
        found = _exchanged(found, distance, [_of_parts(lanes, distance, n) for n in (0, 1)])
        distance *= 2
    return found


def _exchanged(
    vectors: Sequence[ir.Value], distance: int, masks: Sequence[list[int]]
) -> list[ir.Value]:
    """Replace vectors that are `distance` apart by two shuffles of them."""
    found = list(vectors)
    for place in range(len(vectors)):
        if place & distance == 0:
            pair = vectors[place], vectors[place + distance]
            found[place], found[place + distance] = (_shuffled(pair, mask) for mask in masks)
    return found


def _shuffled(pair: tuple[ir.Value, ir.Value], mask: list[int]) -> ir.Value:
    attributes = {"mask": ir.DenseI64ArrayAttr.get(mask)}
    return create_value("vector.shuffle", pair[0].type, list(pair), attributes)


def _within_parts(lanes: int, size: int, half: int) -> list[int]:
    """Alternating runs of `size` elements of two vectors, from one half of each 4 elements."""
    return [
        part + 2 * half + each + other * lanes
        for part in range(0, lanes, _PART)
        for start in range(0, _PART // 2, size)
        for other in (0, 1)
        for each in range(start, start + size)
    ]


def _of_parts(lanes: int, size: int, half: int) -> list[int]:
    """Of two vectors, alternating, the runs of `size` elements in even or in odd places."""
    return [
        start + half * size + other * lanes + each
        for start in range(0, lanes, 2 * size)
        for other in (0, 1)
        for each in range(size)
    ]


def blocked_transpose_of(op: ir.Operation) -> BlockedTranspose | None:
    """The loops of a transpose of floats with static sizes and a vector of elements in each run.

    None for others, and if the last dimensions have whole vectors: the schedule is as fast.
    """
    if op.name != "linalg.transpose":
        return None
    source, memory = op.operands
    types = [ir.RankedTensorType(each.type) for each in (source, memory)]
    if not types[0].has_static_shape or str(types[0].element_type) != f"f{BITS}":
        return None
    order = list(ir.DenseI64ArrayAttr(op.attributes["permutation"]))
    last = types[0].rank - 1
    if order[last] == last or 0 in types[0].shape:
        return None
    lanes = target_of(op).lanes(BITS)
    if not has_square(lanes):
        return None
    read_run = _run(source, order[last] + 1, lanes)
    between = max(order.index(dim) for dim in read_run)
    written_run = _run(memory, between + 1, lanes)
    if not any(type.shape[last] % lanes for type in types):
        return None
    for type, run in zip(types, (read_run, written_run), strict=True):
        if math.prod(type.shape[dim] for dim in run) < lanes:
            return None
    return BlockedTranspose(op, order, read_run, written_run)


def _run(tensor: ir.Value, first: int, lanes: int) -> list[int]:
    """The last dimension of a tensor, with others from `first` on if it has no whole vectors."""
    shape = ir.RankedTensorType(tensor.type).shape
    run = [len(shape) - 1]
    while run[0] > first and shape[run[0]] % lanes and is_contiguous(tensor, run[0] - 1, run[0]):
        run.insert(0, run[0] - 1)
    return run
