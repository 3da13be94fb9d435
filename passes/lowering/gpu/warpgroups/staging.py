"""What kernels of warpgroups share: copies to stages, descriptors, addresses."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    both,
    constant,
    create_value,
    divide,
    divide_up,
    index_type,
    index_value,
    less_than,
    multiply,
    remainder,
)
from torch_refine.passes.lowering.buffers.memory import sizes_of
from torch_refine.passes.lowering.gpu.warpgroups import instructions as ptx
from torch_refine.passes.lowering.gpu.warpgroups.plan import DEPTH, WIDTH, Operand

THREADS = 128
"""Of a warpgroup."""
ROW_BYTES = DEPTH * 2
"""The bytes of a row of a panel."""
COPIED_ROWS = THREADS * WIDTH // DEPTH
"""The rows that a warpgroup copies at once."""
# Rows of 128 bytes are permuted in units of eight rows, which must be aligned.
_ALIGNMENT = 1024
_SWIZZLE_128 = 1 << 62


class Copies:
    """The copies of one thread for the tiles of an operand.

    A stage has panels: rows of 64 adjacent elements. Eight threads copy a row, and the warpgroup 16
    rows at a time. `depth` are the elements of the summed dimension that a stage has.
    """

    def __init__(
        self,
        memory: ir.Value,
        operand: Operand,
        batch: Sequence[Number],
        first: Number,
        extent: int,
        thread: Number,
        depth: int = DEPTH,
    ) -> None:
        self.operand = operand
        self.depth = depth
        self.first = first
        self.extent = extent
        sizes = sizes_of(memory)
        strides = strides_of(sizes)
        self.row_size, self.last_size = sizes[operand.row], sizes[operand.last]
        self.row_stride = strides[operand.row]
        start: Number = 0
        for position, loop in operand.batch:
            start = add(start, multiply(batch[loop], strides[position]))
        self.chunk, self.row = remainder(thread, 8), divide(thread, 8)
        pointer = create_value("memref.extract_aligned_pointer_as_index", index_type(), [memory])
        self.start = add(pointer, multiply(start, 2))
        permuted = create_value(
            "arith.xori",
            index_type(),
            [index_value(self.chunk), index_value(remainder(self.row, 8))],
        )
        self.place = add(multiply(self.row, ROW_BYTES), multiply(permuted, 16))

    def copy(self, start: Number, target: ir.Value) -> None:
        """Start the copies of one stage, from `start` on along the summed dimension."""
        rows, columns = self.extent, self.depth
        first_row, first_last = self.first, start
        if not self.operand.is_along:
            rows, columns = columns, rows
            first_row, first_last = first_last, first_row
        panels = columns // DEPTH
        for panel in range(panels):
            last = add(add(first_last, panel * DEPTH), multiply(self.chunk, WIDTH))
            is_along = less_than(last, self.last_size)
            for number in range(rows // COPIED_ROWS):
                row = add(add(first_row, self.row), number * COPIED_ROWS)
                is_inside = both(is_along, less_than(row, self.row_size))
                count = create_value(
                    "arith.select",
                    ptx.word(),
                    [is_inside, word_constant(2 * WIDTH), word_constant(0)],
                )
                # Nothing is read where the count is 0, but the address is one of the operand.
                source = create_value(
                    "arith.select",
                    index_type(),
                    [is_inside, index_value(self._address(row, last)), index_value(self.start)],
                )
                offset = (panel * rows + number * COPIED_ROWS) * ROW_BYTES
                ptx.copy(plus(target, add(self.place, offset)), _long_of(source), count)

    def _address(self, row: Number, last: Number) -> Number:
        return add(self.start, multiply(add(multiply(row, self.row_stride), last), 2))


def descriptor(address: ir.Value, operand: Operand, depth: int = DEPTH) -> ir.Value:
    """The descriptor of a part of a stage: see "Matrix Descriptor Format" in the PTX ISA.

    Eight rows of a panel are 1,024 bytes. Along the summed dimension a panel has all rows, and the
    other offset is unused; else it is that of the next panel.
    """
    panel = depth * ROW_BYTES
    leading = 16 if operand.is_along else panel
    fixed = _SWIZZLE_128 | (8 * ROW_BYTES >> 4) << 32 | (leading >> 4) << 16
    long = ptx.long()
    wide = create_value("arith.extui", long, [address])
    units = create_value("arith.shrui", long, [wide, constant(long, 4)])
    kept = create_value("arith.andi", long, [units, constant(long, 0x3FFF)])
    return create_value("arith.ori", long, [kept, constant(long, fixed)])


def advance(operand: Operand) -> int:
    """What 16 elements of the summed dimension add to a descriptor, in units of 16 bytes."""
    return 16 * 2 // 16 if operand.is_along else 16 * ROW_BYTES // 16


def shared_memory() -> ir.Value:
    """The address of a block's dynamic shared memory, aligned for panels; 1 KiB may be skipped."""
    space = ir.Attribute.parse("#gpu.address_space<workgroup>")
    with ir.Location.current:
        type = ir.MemRefType.get(
            [ir.ShapedType.get_dynamic_size()],
            ir.IntegerType.get_signless(8),
            memory_space=space,
        )
    memory = create_value("gpu.dynamic_shared_memory", type, [])
    start = create_value("memref.extract_aligned_pointer_as_index", index_type(), [memory])
    return word_of(multiply(divide_up(start, _ALIGNMENT), _ALIGNMENT))


def strides_of(sizes: Sequence[Number]) -> list[Number]:
    """The strides of contiguous memory."""
    strides: list[Number] = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, multiply(strides[0], size))
    return strides


def at_most(number: Number, most: Number) -> Number:
    """The minimum of two indices, which are not negative."""
    if isinstance(number, int) and isinstance(most, int):
        return min(number, most)
    return create_value("arith.minui", index_type(), [index_value(number), index_value(most)])


def word_constant(number: int) -> ir.Value:
    """A 32-bit constant."""
    return constant(ptx.word(), number)


def word_of(number: Number) -> ir.Value:
    """An index in 32 bits."""
    return create_value("arith.index_castui", ptx.word(), [index_value(number)])


def _long_of(number: Number) -> ir.Value:
    return create_value("arith.index_castui", ptx.long(), [index_value(number)])


def plus(address: ir.Value, count: Number) -> ir.Value:
    """A 32-bit address at an offset in bytes."""
    if count == 0:
        return address
    offset = word_constant(count) if isinstance(count, int) else word_of(count)
    return create_value("arith.addi", ptx.word(), [address, offset])
