"""Sums in the tile registers of AMX.

A tile register has up to 16 rows of 64 bytes. An instruction multiplies a tile of groups of the
left operand, one row per row of sums, and a tile of the right operand, whose rows are groups of
each column: what is packed for dot products (`dot_products.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product as cross
from typing import TypeAlias

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_op,
    create_value,
    divide,
    index_value,
    multiply,
    subtract,
)
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
_RANK = 2
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
    """Rows of sums of one tile: where it starts, by loops, and which of its rows are wanted."""

    place: Mapping[int, Number]
    first: int
    last: int


def tile_rows(start: Number, step: int, height: int) -> list[tuple[Number, int, int]]:
    """Tiles of `height` rows that cover `step` rows: their starts, and which rows are wanted.

    The last one starts before its first row where it would not be whole otherwise.
    """
    found: list[tuple[Number, int, int]] = []
    for offset in range(0, step, height):
        others = max(0, offset + height - step)
        found.append((_shifted(start, offset - others), others, height))
    return found


def padded_tile_rows(start: Number, step: int, height: int) -> list[tuple[Number, int, int]]:
    """The same where the last one may read rows beyond those that are wanted."""
    return [
        (_shifted(start, offset), 0, min(height, step - offset))
        for offset in range(0, step, height)
    ]


def _shifted(start: Number, by: int) -> Number:
    return add(start, by) if by >= 0 else subtract(start, -by)


OperandTile: TypeAlias = Callable[[dict[int, Number], int], Slice]
"""The part of an operand in an iteration, in as many groups: two of its dimensions are not 1."""


@dataclass(frozen=True)
class TileProducts:
    """Emits the sums of tiles of a contraction in groups.

    Args:
        element: the element type of the sums.
        sizes: the sizes of the loops of its reduction, but that over the elements of a group.
        left, right: the operands, and which part of them is a tile. Of the right one, the last
            dimension has columns and groups.
        room: memory for the sums of all tiles, as many rows and columns as they have.
    """

    element: ir.Type
    sizes: Mapping[int, Number]
    left: tuple[ir.Value, OperandTile]
    right: tuple[ir.Value, OperandTile]
    room: ir.Value

    @property
    def _groups(self) -> Number:
        return list(self.sizes.values())[-1]

    @property
    def _step(self) -> int:
        groups = self._groups
        return groups_of_step(groups) if isinstance(groups, int) else TILE

    def depth(self) -> Number:
        """The groups of the innermost loop of the reduction that are in whole steps."""
        return multiply(divide(self._groups, self._step), self._step)

    def store(
        self,
        at: dict[int, Number],
        rows: Sequence[TileRows],
        height: int,
        columns: Sequence[dict[int, Number]],
    ) -> None:
        """Store the sums of tiles of `height` rows, by tiles of columns, in the room."""
        type = _type(height, TILE, self.element)
        depth, step = self.depth(), self._step

        def multiplied(steps: dict[int, Number], carried: list[ir.Value]) -> list[ir.Value]:
            known = {**at, **steps}
            lefts = [self._load(self.left, {**known, **each.place}) for each in rows]
            rights = [self._load(self.right, {**known, **each}) for each in columns]
            return [
                _carried(self._multiplied(left, right, _tile(old, type)))
                for (left, right), old in zip(cross(lefts, rights), carried, strict=True)
            ]

        def nest(
            loops: Sequence[int], steps: dict[int, Number], carried: list[ir.Value]
        ) -> list[ir.Value]:
            if not loops:
                return multiplied(steps, carried)
            loop, *inner = loops
            span = Span(0, self.sizes[loop], 1) if inner else Span(0, depth, step)
            return for_each_with(
                span, carried, lambda index, more: nest(inner, {**steps, loop: index}, more)
            )

        # One each: there is no instruction that copies a tile.
        zeros = [create_value("x86.amx.tile_zero", type, []) for _ in cross(rows, columns)]
        found = nest(list(self.sizes), {}, list(map(_carried, zeros)))
        for place, sums in enumerate(found):
            row, column = divmod(place, len(columns))
            indices = [index_value(each * TILE) for each in (row, column)]
            create_op(
                "x86.amx.tile_store",
                [self.room, *indices, _tile(sums, type)],
                {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 2, 1, 0])},
            )

    def _load(self, operand: tuple[ir.Value, OperandTile], at: dict[int, Number]) -> ir.Value:
        """A tile of an operand."""
        tensor, part_at = operand
        element = ir.RankedTensorType(tensor.type).element_type
        part = part_at(at, self._step)
        shape = [each for each in part.sizes if isinstance(each, int) and each > 1]
        shape = [1] * (_RANK - len(shape)) + shape
        found = part.extract(tensor, ir.RankedTensorType.get(shape, element))
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        layout = ir.StridedLayoutAttr.get(dynamic, [dynamic, 1])
        memory = create_value(
            "bufferization.to_buffer",
            ir.MemRefType.get(shape, element, layout),
            [found],
            {"read_only": ir.UnitAttr.get()},
        )
        start = index_value(0)
        return create_value(
            "x86.amx.tile_load",
            _type(*shape, element),
            [memory, start, start],
            {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 2, 0])},
        )

    def _multiplied(self, left: ir.Value, right: ir.Value, sums: ir.Value) -> ir.Value:
        is_float = isinstance(self.element, ir.F32Type)
        name = "x86.amx.tile_mulf" if is_float else "x86.amx.tile_muli"
        return create_value(name, sums.type, [left, right, sums])


def _type(rows: int, columns: int, element: ir.Type) -> ir.Type:
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


def coefficient(expression: ir.AffineExpr, loop: int) -> int:
    """By how much an affine expression grows with a loop."""
    zeros: dict[int, Number] = dict.fromkeys(loops_in(expression), 0)
    start, end = (evaluated(expression, {**zeros, loop: each}) for each in (0, 1))
    assert isinstance(start, int), "of constants"
    assert isinstance(end, int), "of constants"
    return end - start


# The conversion of branches does not know tiles, but LLVM's type of them.


def _carried(tile: ir.Value) -> ir.Value:
    type = ir.Type.parse("!llvm.x86_amx")
    return create_value("builtin.unrealized_conversion_cast", type, [tile])


def _tile(carried: ir.Value, type: ir.Type) -> ir.Value:
    return create_value("builtin.unrealized_conversion_cast", type, [carried])
