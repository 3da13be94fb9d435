"""Sums in the tile registers of AMX.

A tile register has up to 16 rows of 64 bytes. An instruction multiplies a tile of groups of the
left operand, one row per row of sums, and a tile of the right operand, whose rows are groups of
each column: what is packed for dot products (`dot_products.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product as cross

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, create_op, create_value, index_value, multiply
from torch_refine.dialect.structured_ops import maps
from torch_refine.passes.lowering.kernels.contractions.nests import (
    Span,
    evaluated,
    for_each_with,
    loops_in,
    spans,
)
from torch_refine.passes.lowering.kernels.contractions.schedule import TILE, Schedule
from torch_refine.passes.lowering.kernels.slices import Slice
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget

# By element type of the operands, LLVM's feature.
_FEATURES = {"bf16": "amx-bf16", "i8": "amx-int8"}
_WORD_BITS = 32
# The width in bits of the vectors that are as long as a row of a tile.
_ROW_BITS = 512
# With fewer rows, dot products of vectors are as fast.
_LEAST_ROWS = 4


def has_tiles(narrow: str, target: CpuTarget) -> bool:
    """Whether a target multiplies tiles of an element type, given that it has dot products."""
    feature = _FEATURES.get(narrow)
    is_wide = target.vector_bits == _ROW_BITS
    return feature is not None and is_wide and target.has("amx-tile") and target.has(feature)


def tile_schedule(rows: int, columns: int, depth_bytes: int, target: CpuTarget) -> Schedule | None:
    """The schedule of a matmul in tiles, None if it has too few rows; negative sizes are dynamic.

    `depth_bytes` is the size of a row of the left operand.
    """
    if 0 <= rows < _LEAST_ROWS:
        return None
    height = 2 * TILE if rows < 0 or rows > TILE else rows
    width = TILE if 0 <= columns <= TILE else 2 * TILE
    # Half of the second cache is for the left operand, the rest for a panel and for results.
    block = target.l2_bytes // 2 // max(1, depth_bytes)
    return Schedule(height, width, depth=0, block=max(1, block // height) * height, amx=True)


def image_schedule(lines: int, rows: int, columns: int) -> Schedule | None:
    """The schedule of a convolution in tiles: of lines of an image, by `columns` channels.

    None if lines are too short. Negative sizes are dynamic.
    """
    height = 2 * TILE if rows < 0 or rows > TILE else rows
    together = 2 if height <= TILE and lines != 1 else 1
    if height * together < _LEAST_ROWS:
        return None
    width = TILE if 0 <= columns <= TILE else 2 * TILE
    return Schedule(height, width, together, depth=0, amx=True)


def row_spans(size: Number, most: int) -> list[Span]:
    """Split rows into tiles: whole ones of `most` rows, and one of the rest.

    Of a dynamic size, a rest of less than a tile is in tiles of 4 and 1, for vectors.
    """
    if isinstance(size, int):
        whole = size // most * most
        found = [Span(0, whole, most), Span(whole, size, size - whole)]
        return [each for each in found if each.start != each.stop]
    first, *rest = spans(size, most)
    if most <= TILE:
        return [first, *rest]
    middle, *rest = spans(size, TILE)
    return [first, Span(first.stop, middle.stop, TILE), *rest]


def groups_of_step(groups: int) -> int:
    """How many groups of the reduction a step multiplies: as many in all steps, if possible."""
    if groups <= TILE:
        return groups
    whole = [each for each in range(TILE, TILE // 2, -1) if groups % each == 0]
    return whole[0] if whole else TILE


@dataclass(frozen=True)
class TileRows:
    """Rows of sums of one tile: where they start, by loops, and how many of them others compute."""

    place: Mapping[int, Number]
    skipped: int


def tile_rows(start: Number, step: int, height: int) -> list[tuple[Number, int]]:
    """Tiles of `height` rows that cover `step` rows, with the rows of each that others compute.

    The last one starts before its first row where that is needed to be whole.
    """
    found: list[tuple[Number, int]] = []
    for offset in range(0, step, height):
        skipped = max(0, offset + height - step)
        first = offset - skipped
        if isinstance(start, int):
            found.append((start + first, skipped))
        else:
            amount = index_value(abs(first))
            name = "arith.addi" if first >= 0 else "arith.subi"
            found.append((create_value(name, start.type, [start, amount]), skipped))
    return found


@dataclass(frozen=True)
class TileProducts:
    """Emits the sums of tiles of a contraction in groups.

    Args:
        sums: the contraction.
        sizes: the sizes of its loops.
        summed: the loops of its reduction, but that over the elements of a group.
        group_loop: that loop.
        group: the elements of a group.
        row_loop: the loop over the rows of a tile.
        right: the right operand, with groups in the dimension of the columns.
        room: memory for the sums of all tiles, as many rows and columns as they have.
    """

    sums: ir.Operation
    sizes: Mapping[int, Number]
    summed: Sequence[int]
    group_loop: int
    group: int
    row_loop: int
    right: ir.Value
    room: ir.Value

    @property
    def depth(self) -> int:
        """The groups of the innermost loop of the reduction that are in whole steps."""
        return self._groups // self._step * self._step

    @property
    def _groups(self) -> int:
        groups = self.sizes[self.summed[-1]]
        assert isinstance(groups, int), "groups are of a static size"
        return groups

    @property
    def _step(self) -> int:
        return groups_of_step(self._groups)

    def store(
        self,
        at: dict[int, Number],
        rows: Sequence[TileRows],
        height: int,
        columns: Sequence[dict[int, Number]],
    ) -> None:
        """Store the sums of tiles of `height` rows, by tiles of columns, in the room."""
        type = self._type(height, TILE, ir.RankedTensorType(self.sums.results[0].type).element_type)
        count = len(rows) * len(columns)

        def step(steps: dict[int, Number], carried: list[ir.Value]) -> list[ir.Value]:
            known = {**at, **steps}
            lefts = [self._left({**known, **each.place}, height) for each in rows]
            rights = [self._right({**known, **each}) for each in columns]
            return [
                _carried(self._multiplied(left, right, _tile(old, type)))
                for (left, right), old in zip(cross(lefts, rights), carried, strict=True)
            ]

        def nest(depth: int, steps: dict[int, Number], carried: list[ir.Value]) -> list[ir.Value]:
            if depth == len(self.summed):
                return step(steps, carried)
            loop = self.summed[depth]
            is_last = depth == len(self.summed) - 1
            span = Span(0, self.depth, self._step) if is_last else Span(0, self.sizes[loop], 1)
            return for_each_with(
                span, carried, lambda index, inner: nest(depth + 1, {**steps, loop: index}, inner)
            )

        # One each: there is no instruction that copies a tile.
        zeros = [create_value("x86.amx.tile_zero", type, []) for _ in range(count)]
        found = nest(0, {}, list(map(_carried, zeros)))
        for place, sums in enumerate(found):
            row, column = divmod(place, len(columns))
            indices = [index_value(each * TILE) for each in (row, column)]
            segments = ir.DenseI32ArrayAttr.get([1, 2, 1, 0])
            create_op(
                "x86.amx.tile_store",
                [self.room, *indices, _tile(sums, type)],
                {"operandSegmentSizes": segments},
            )

    def _left(self, at: dict[int, Number], height: int) -> ir.Value:
        """A tile of the left operand."""
        operand, results = self.sums.operands[0], maps(self.sums)[0].results
        known = {**at, self.group_loop: 0}
        offsets = [evaluated(each, known) for each in results]
        sizes, strides = [1] * len(offsets), [1] * len(offsets)
        for dim, each in enumerate(results):
            if self.row_loop in loops_in(each):
                sizes[dim], strides[dim] = height, _coefficient(each, self.row_loop)
        sizes[-1] = self._step * self.group
        return self._load(operand, Slice(offsets, sizes, strides), height)

    def _right(self, at: dict[int, Number]) -> ir.Value:
        """A tile of the right operand."""
        *outer, column, _ = maps(self.sums)[1].results
        offsets = [evaluated(each, at) for each in outer]
        offsets.append(multiply(evaluated(column, at), self.group))
        sizes = [1] * len(offsets)
        sizes[-2:] = [self._step, TILE * self.group]
        return self._load(self.right, Slice(offsets, sizes, [1] * len(sizes)), self._step)

    def _load(self, operand: ir.Value, slice: Slice, height: int) -> ir.Value:
        element = ir.RankedTensorType(operand.type).element_type
        shape = [height, slice.sizes[-1]]
        part = slice.extract(operand, ir.RankedTensorType.get(shape, element))
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        layout = ir.StridedLayoutAttr.get(dynamic, [dynamic, 1])
        memory = create_value(
            "bufferization.to_buffer",
            ir.MemRefType.get(shape, element, layout),
            [part],
            {"read_only": ir.UnitAttr.get()},
        )
        start = index_value(0)
        return create_value(
            "x86.amx.tile_load",
            self._type(height, shape[1], element),
            [memory, start, start],
            {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 2, 0])},
        )

    def _multiplied(self, left: ir.Value, right: ir.Value, sums: ir.Value) -> ir.Value:
        is_float = isinstance(
            ir.RankedTensorType(self.sums.results[0].type).element_type, ir.F32Type
        )
        name = "x86.amx.tile_mulf" if is_float else "x86.amx.tile_muli"
        return create_value(name, sums.type, [left, right, sums])

    def _type(self, rows: int, columns: int, element: ir.Type) -> ir.Type:
        return ir.Type.parse(f"!x86.amx.tile<{rows}x{columns}x{element}>")


def room_for_tiles(element: ir.Type) -> ir.Value:
    """Memory on the stack for the sums of all tile registers."""
    type = ir.MemRefType.get([2 * TILE, 2 * TILE], element)
    alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _ROW_BITS // 8)
    segments = ir.DenseI32ArrayAttr.get([0, 0])
    attributes = {"alignment": alignment, "operandSegmentSizes": segments}
    return create_value("memref.alloca", type, [], attributes)


def sums_in(room: ir.Value, row: Number, column: int) -> ir.Value:
    """A vector of the sums of a row in the room of the tiles."""
    element = ir.MemRefType(room.type).element_type
    vector = ir.VectorType.get([TILE], element)
    return create_value("vector.load", vector, [room, index_value(row), index_value(column * TILE)])


def _coefficient(expression: ir.AffineExpr, loop: int) -> int:
    """By how much an affine expression grows with a loop."""
    zeros: dict[int, Number] = dict.fromkeys(loops_in(expression), 0)
    start, next = (evaluated(expression, {**zeros, loop: each}) for each in (0, 1))
    assert isinstance(start, int), "of constants"
    assert isinstance(next, int), "of constants"
    return next - start


# The conversion of branches does not know tiles, but LLVM's type of them.


def _carried(tile: ir.Value) -> ir.Value:
    type = ir.Type.parse("!llvm.x86_amx")
    return create_value("builtin.unrealized_conversion_cast", type, [tile])


def _tile(carried: ir.Value, type: ir.Type) -> ir.Value:
    return create_value("builtin.unrealized_conversion_cast", type, [carried])
