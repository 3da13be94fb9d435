"""Sums in the tile registers of AMX.

A tile register has up to 16 rows of 64 bytes. An instruction multiplies a tile of groups of the
left operand, one row per row of sums, and a tile of the right operand, whose rows are groups of
each column: what is packed for dot products (`dot_products.py`).

Registers are chosen here, as LLVM does not keep tiles of several shapes apart: with few registers
left, it gives a tile one that is configured for another shape.
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
from torch_refine.passes.lowering.kernels.contractions.intrinsics import (
    call_intrinsic,
    declare_intrinsic,
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
# Vectors are as long as a row of a tile.
_ROW_BYTES = 64
_WORD_BYTES = 4
# Tiles along the rows of sums, and along their columns.
_TOGETHER = 2
# The first registers of the operands.
_LEFT, _RIGHT = 4, 6
# The configuration: its version, and where the bytes of a row and the rows of registers are.
_PALETTE, _SIZES, _ROWS = 1, 16, 48
_PREFIX = "llvm.x86."
# LLVM's mark of an index that is an operand.
_DYNAMIC_INDEX = -(1 << 31)
# With fewer rows, dot products of vectors are as fast.
_LEAST_ROWS = 4


def has_tiles(narrow: str, target: CpuTarget) -> bool:
    """Whether a target multiplies tiles of an element type, given that it has dot products."""
    feature = _FEATURES.get(narrow)
    is_wide = target.vector_bits == 8 * _ROW_BYTES
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


def groups_of_step(groups: Number) -> int:
    """How many groups of the reduction a step multiplies: as many in all steps, if possible."""
    if not isinstance(groups, int):
        return TILE
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
class TileRoom:
    """Memory on the stack for the sums in all tile registers, and for their configurations."""

    sums: ir.Value
    configuration: ir.Value

    @staticmethod
    def on_stack(element: ir.Type) -> TileRoom:
        """Allocate it at the insertion point."""
        sums = _alloca([_TOGETHER * TILE, _TOGETHER * TILE], element)
        return TileRoom(sums, _alloca([_ROW_BYTES], _integer(8)))

    def row(self, row: Number, column: int) -> ir.Value:
        """A vector of the sums of a row."""
        vector = ir.VectorType.get([TILE], ir.MemRefType(self.sums.type).element_type)
        indices = [index_value(row), index_value(column * TILE)]
        return create_value("vector.load", vector, [self.sums, *indices])

    def configure(self, height: int, step: int) -> None:
        """Set the shapes of the tile registers, and clear them.

        Tiles have `height` rows of sums, and a step multiplies as many groups.
        """
        sums, left, right = (height, _ROW_BYTES), (height, step * _WORD_BYTES), (step, _ROW_BYTES)
        shapes = [sums] * _TOGETHER**2 + [left] * _TOGETHER + [right] * _TOGETHER
        content = bytearray(_ROW_BYTES)
        content[0] = _PALETTE
        for register, (rows, size) in enumerate(shapes):
            content[_SIZES + 2 * register] = size
            content[_ROWS + register] = rows
        type = ir.VectorType.get([_ROW_BYTES], _integer(8))
        numbers = [ir.IntegerAttr.get(_integer(8), each) for each in content]
        value = {"value": ir.DenseElementsAttr.get(numbers, type)}
        constant = create_value("arith.constant", type, [], value)
        create_op("vector.store", [constant, self.configuration, index_value(0)])
        _call("ldtilecfg", [_pointer(self.configuration)[0]])


@dataclass(frozen=True)
class TileProducts:
    """Emits the sums of tiles of a contraction in groups.

    Tile registers 0 to 3 have sums, 4 and 5 rows of the left operand, 6 and 7 columns of the right.

    Args:
        element: the element type of the sums.
        sizes: the sizes of the loops of its reduction, but that over the elements of a group.
        left, right: the operands, and which part of them is a tile. Of the right one, the last
            dimension has columns and groups.
        room: where sums are stored.
    """

    element: ir.Type
    sizes: Mapping[int, Number]
    left: tuple[ir.Value, OperandTile]
    right: tuple[ir.Value, OperandTile]
    room: TileRoom

    @property
    def _groups(self) -> Number:
        return list(self.sizes.values())[-1]

    @property
    def _step(self) -> int:
        return groups_of_step(self._groups)

    def depth(self) -> Number:
        """The groups of the innermost loop of the reduction that are in whole steps."""
        return multiply(divide(self._groups, self._step), self._step)

    def store(
        self,
        at: dict[int, Number],
        rows: Sequence[TileRows],
        columns: Sequence[dict[int, Number]],
    ) -> None:
        """Store the sums of tiles of rows, by tiles of columns, in the room."""
        depth, step = self.depth(), self._step
        places = list(cross(range(len(rows)), range(len(columns))))

        def multiplied(steps: dict[int, Number]) -> None:
            known = {**at, **steps}
            for row, each in enumerate(rows):
                self._load(_LEFT + row, self.left, {**known, **each.place})
            for column, known_column in enumerate(columns):
                self._load(_RIGHT + column, self.right, {**known, **known_column})
            product = "tdpbf16ps" if isinstance(self.element, ir.F32Type) else "tdpbssd"
            for row, column in places:
                registers = [row * _TOGETHER + column, _LEFT + row, _RIGHT + column]
                _call(product, list(map(_register, registers)))

        def nest(loops: Sequence[int], steps: dict[int, Number]) -> list[ir.Value]:
            if not loops:
                multiplied(steps)
                return []
            loop, *inner = loops
            span = Span(0, self.sizes[loop], 1) if inner else Span(0, depth, step)
            return for_each_with(span, [], lambda index, _: nest(inner, {**steps, loop: index}))

        for row, column in places:
            _call("tilezero", [_register(row * _TOGETHER + column)])
        nest(list(self.sizes), {})
        start, stride = _pointer(self.room.sums)
        size = ir.MemRefType(self.room.sums.type).shape[1] * _WORD_BYTES
        for row, column in places:
            offset = TILE * (row * size + column * _WORD_BYTES)
            place = _moved(start, offset)
            _call("tilestored64", [_register(row * _TOGETHER + column), place, stride])

    def _load(
        self, register: int, operand: tuple[ir.Value, OperandTile], at: dict[int, Number]
    ) -> None:
        """Load a tile of an operand."""
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
        _call("tileloadd64", [_register(register), *_pointer(memory)])


def release_tiles() -> None:
    """Clear the tile registers, so that they need not be saved at a switch of threads."""
    _call("tilerelease", [])


def declare_tiles(op: ir.Operation) -> None:
    """Declare the functions of instructions on tiles in the module of an op."""
    byte, word, pointer = _integer(8), _integer(64), ir.Type.parse("!llvm.ptr")
    taken: dict[str, list[ir.Type]] = {
        "ldtilecfg": [pointer],
        "tilerelease": [],
        "tilezero": [byte],
        "tileloadd64": [byte, pointer, word],
        "tilestored64": [byte, pointer, word],
        "tdpbf16ps": [byte] * 3,
        "tdpbssd": [byte] * 3,
    }
    for name, types in taken.items():
        declare_intrinsic(op, _PREFIX + name, types)


def _call(name: str, operands: Sequence[ir.Value]) -> None:
    call_intrinsic(_PREFIX + name, operands)


def _register(number: int) -> ir.Value:
    value = {"value": ir.IntegerAttr.get(_integer(8), number)}
    return create_value("arith.constant", _integer(8), [], value)


def _pointer(memory: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Where a memref starts, and the bytes from one row to the next."""
    type = ir.MemRefType(memory.type)
    word, pointer = _integer(64), ir.Type.parse("!llvm.ptr")
    ranks = f"array<{type.rank} x i64>"
    made = ir.Type.parse(f"!llvm.struct<(ptr, ptr, i64, {ranks}, {ranks})>")
    descriptor = create_value("builtin.unrealized_conversion_cast", made, [memory])

    def field(kind: ir.Type, *places: int) -> ir.Value:
        position = {"position": ir.DenseI64ArrayAttr.get(list(places))}
        return create_value("llvm.extractvalue", kind, [descriptor], position)

    start = create_value(
        "llvm.getelementptr",
        pointer,
        [field(pointer, 1), field(word, 2)],
        {
            "rawConstantIndices": ir.DenseI32ArrayAttr.get([_DYNAMIC_INDEX]),
            "elem_type": ir.TypeAttr.get(type.element_type),
        },
    )
    size = ir.IntegerAttr.get(word, type.element_type.width // 8)
    scale = create_value("arith.constant", word, [], {"value": size})
    return start, create_value("arith.muli", word, [field(word, 4, 0), scale])


def _moved(pointer: ir.Value, by: int) -> ir.Value:
    attributes: dict[str, ir.Attribute] = {
        "rawConstantIndices": ir.DenseI32ArrayAttr.get([by]),
        "elem_type": ir.TypeAttr.get(_integer(8)),
    }
    return create_value("llvm.getelementptr", pointer.type, [pointer], attributes)


def _alloca(shape: list[int], element: ir.Type) -> ir.Value:
    attributes: dict[str, ir.Attribute] = {
        "alignment": ir.IntegerAttr.get(_integer(64), _ROW_BYTES),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
    }
    return create_value("memref.alloca", ir.MemRefType.get(shape, element), [], attributes)


def _integer(bits: int) -> ir.Type:
    return ir.IntegerType.get_signless(bits)


def coefficient(expression: ir.AffineExpr, loop: int) -> int:
    """By how much an affine expression grows with a loop."""
    zeros: dict[int, Number] = dict.fromkeys(loops_in(expression), 0)
    start, end = (evaluated(expression, {**zeros, loop: each}) for each in (0, 1))
    assert isinstance(start, int), "of constants"
    assert isinstance(end, int), "of constants"
    return end - start
