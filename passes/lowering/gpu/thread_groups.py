"""Groups of threads that share a row: its elements in each thread, and reductions across them.

A group is a part of a warp, or a block. The threads of a part of a warp exchange values by
shuffles, those of a block also through shared memory, with one barrier per reduction.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    constant,
    create_op,
    create_value,
    divide,
    finish,
    if_then,
    index_value,
    less_than,
    minimum,
    multiply,
    remainder,
)
from torch_refine.dialect.ir_builder import equal as is_equal
from torch_refine.passes.lowering.gpu.host.launching import barrier
from torch_refine.passes.lowering.gpu.loops import THREADS
from torch_refine.passes.lowering.gpu.warps import WARP

Combine = Callable[[list[ir.Value], list[ir.Value]], list[ir.Value]]

_LOAD_BYTES = 16
"""The widest load of a thread."""
_MAX_WIDTH = 8
# Elements of a thread: two vectors where the row is short, and as many as registers allow.
_FEW_VECTORS = 2
_WARP_ELEMENTS = 32
_BLOCK_ELEMENTS = 64
# With fewer rows than this, a row of a warp leaves most of a GPU idle.
_FEW_ROWS = 1024
_LONG_ROW = 256
_SHUFFLED_BITS = 32


@dataclass(frozen=True)
class Distribution:
    """How a row is distributed: `width` contiguous elements for each of `group` threads, again and
    again."""

    length: int
    width: int
    group: int

    @property
    def vectors(self) -> int:
        """The number of vectors of a thread; the last may be past the end of the row."""
        return -(-self.length // (self.width * self.group))

    @property
    def elements(self) -> int:
        """The number of elements of a thread."""
        return self.vectors * self.width

    @property
    def rows(self) -> int:
        """The number of rows of a block."""
        return THREADS // self.group

    def is_partial(self, vector: int) -> bool:
        """Whether only some threads have a vector of this number."""
        return (vector + 1) * self.width * self.group > self.length


def distribute(length: int, element_bytes: list[int], rows: int) -> Distribution | None:
    """A distribution of a row with operands of these sizes; None if a row is too long for it.

    `rows` is negative if the number of rows is dynamic.
    """
    width = math.gcd(length, min(_LOAD_BYTES // min(element_bytes), _MAX_WIDTH))
    vectors = length // width
    for group in (1, 2, 4, 8, 16, WARP, THREADS):
        found = Distribution(length, width, group)
        if group == WARP and 0 <= rows < _FEW_ROWS and length > _LONG_ROW:
            continue
        if group < WARP and vectors <= group * _FEW_VECTORS:
            return found
        if group == WARP and found.elements <= _WARP_ELEMENTS:
            return found
    return found if found.elements <= _BLOCK_ELEMENTS else None


class Group:
    """The group of the current thread."""

    def __init__(self, distribution: Distribution, thread: ir.Value) -> None:
        self.distribution = distribution
        self.thread = thread
        size = distribution.group
        self.number: Number = 0 if size == THREADS else divide(thread, size)
        self.lane: Number = thread if size == THREADS else remainder(thread, size)
        self.starts: list[ir.Value] = []
        self.inside: list[ir.Value | None] = []
        for vector in range(distribution.vectors):
            self._place(vector)

    def _place(self, vector: int) -> None:
        """Find the first element of a vector; a vector past the end becomes the last one."""
        width, length = self.distribution.width, self.distribution.length
        offset = add(vector * self.distribution.group, self.lane)
        start = index_value(multiply(offset, width))
        if not self.distribution.is_partial(vector):
            self.starts.append(start)
            self.inside.append(None)
            return
        self.inside.append(less_than(start, length))
        self.starts.append(index_value(minimum(start, length - width)))

    def is_first(self) -> ir.Value:
        """Whether the thread is the first of its group."""
        return is_equal(self.lane, 0)

    def reduce(
        self, values: list[ir.Value], combine: Combine, shared: list[ir.Value]
    ) -> list[ir.Value]:
        """Combine the values of all threads of the group; each of them gets the result.

        `shared` has an element per warp for each value, which only this reduction uses.
        """
        distance = min(self.distribution.group, WARP) // 2
        distances = []
        while distance:
            distances.append(distance)
            distance //= 2
        for distance in distances:
            values = combine(values, [_shuffle(value, distance) for value in values])
        if self.distribution.group != THREADS:
            return values
        warp = divide(self.thread, WARP)
        first = if_then(is_equal(remainder(self.thread, WARP), 0)).regions[0].blocks[0]
        with ir.InsertionPoint(first):
            for value, memory in zip(values, shared, strict=True):
                create_op("memref.store", [value, memory, index_value(warp)])
        finish(first)
        barrier()
        found = [
            [create_value("memref.load", value.type, [memory, index_value(place)])
             for value, memory in zip(values, shared, strict=True)]
            for place in range(THREADS // WARP)
        ]  # fmt: skip
        return in_pairs(found, combine)

    def shared_types(self, types: list[ir.Type]) -> list[ir.Type]:
        """The memory that a reduction of these types needs."""
        if self.distribution.group != THREADS:
            return []
        return [ir.MemRefType.get([THREADS // WARP], type) for type in types]


def in_pairs(values: list[list[ir.Value]], combine: Combine) -> list[ir.Value]:
    """Combine values pairwise, so that few wait for each other."""
    while len(values) > 1:
        combined = [combine(a, b) for a, b in zip(values[::2], values[1::2], strict=False)]
        values = combined + values[2 * len(combined) :]
    return values[0]


def _shuffle(value: ir.Value, distance: int) -> ir.Value:
    """The value of the thread whose number differs in the bit of this distance."""
    type = value.type
    context = type.context
    number = ir.IntegerType.get_signless(_SHUFFLED_BITS, context)
    width = type.width
    narrow = ir.IntegerType.get_signless(width, context)
    if width < _SHUFFLED_BITS:
        if isinstance(type, ir.FloatType):
            value = create_value("arith.bitcast", narrow, [value])
        value = create_value("arith.extui", number, [value])
    shuffled = create_op(
        "gpu.shuffle",
        [value, constant(number, distance), constant(number, WARP)],
        {"mode": ir.Attribute.parse("#gpu<shuffle_mode xor>", context)},
        results=[value.type, ir.IntegerType.get_signless(1, context)],
    ).results[0]
    if width < _SHUFFLED_BITS:
        shuffled = create_value("arith.trunci", narrow, [shuffled])
        if isinstance(type, ir.FloatType):
            shuffled = create_value("arith.bitcast", type, [shuffled])
    return shuffled
