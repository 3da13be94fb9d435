"""How large the tile of a contraction is whose sums stay in registers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from torch_refine.passes.lowering.targets.record import CpuTarget

# A size that is not known is taken for a large one.
_LARGE = 1 << 16
_MOST_VECTORS = 4
# What an iteration costs besides, in cycles: its counter, and its place in the code.
_ITERATION = 0.25
# Bytes of the right operand that arrive from the second cache in a cycle, besides all else.
_STREAMED = 256
# Registers for numbers of the left operand. x86 spreads one as it loads it; Arm loads pairs, and
# multiplies by one number of a register: two pairs may be on their way.
_LEFT_REGISTERS = {"x86-64": 1, "aarch64": 5}
# The part of the loads that a processor can start which a loop gets out of it.
_LOADED = 0.9
# Fewer multiply-adds in an iteration than this are unrolled.
_MANY = 16


class Tile(NamedTuple):
    """A register tile: rows that are broadcast, by columns that are vectors; both in elements."""

    rows: int
    columns: int


class Region(NamedTuple):
    """Indices from `start` to `stop`, in tiles of `step`."""

    start: int
    stop: int
    step: int


def cycles(rows: int, vectors: int, target: CpuTarget, depthwise: bool = False) -> float:
    """What an iteration costs that adds to `rows` x `vectors` vectors of sums, in cycles.

    A depthwise one loads a vector of the left operand for each sum, others one number for a row.
    """
    sums = rows * vectors
    loads = (sums if depthwise else rows) + vectors
    busy = max(
        sums / target.fma_ports, loads / (_LOADED * target.load_ports), float(target.fma_latency)
    )
    return busy + _ITERATION + vectors * target.vector_bits / 8 / _STREAMED


def fits(rows: int, vectors: int, target: CpuTarget) -> bool:
    """Whether sums, a row of the right operand, and one number of the left fit into registers."""
    left = _LEFT_REGISTERS[target.architecture]
    return rows * vectors + vectors + left <= target.vector_registers


def tile_of(rows: int, columns: int, bits: int, target: CpuTarget, depthwise: bool = False) -> Tile:
    """The register tile that takes the fewest cycles; a size that is negative is not known.

    That is by what the processor can start in a cycle: multiply-adds, loads, and the latency of a
    sum where there are too few of them. Of the same cost, the larger tile is taken.
    """
    rows = _LARGE if rows < 0 else rows
    columns = _LARGE if columns < 0 else columns
    lanes = target.lanes(bits)
    best, chosen = float("inf"), Tile(1, lanes)
    for vectors in range(1, _MOST_VECTORS + 1):
        if vectors > 1 and (vectors - 1) * lanes >= columns:
            break
        most = 1
        while most < rows and fits(most + 1, vectors, target):
            most += 1
        whole, rest = divmod(columns, vectors * lanes)
        for size in range(1, most + 1):
            parts = list(regions(rows, size))
            cost = whole * _column_cost(parts, vectors, target, depthwise)
            if rest:
                cost += _column_cost(parts, -(-rest // lanes), target, depthwise)
            if cost < best * (1 - 1e-9) or (cost <= best and size > chosen.rows):
                best, chosen = cost, Tile(size, vectors * lanes)
    return chosen


def _column_cost(parts: list[Region], vectors: int, target: CpuTarget, depthwise: bool) -> float:
    return sum(
        (part.stop - part.start) // part.step * cycles(part.step, vectors, target, depthwise)
        for part in parts
    )


def regions(size: int, most: int) -> Iterator[Region]:
    """A known size in as few tiles as possible of at most `most`, of two sizes that differ by 1.

    So no tile is a small rest, whose sums would wait for each other.
    """
    if size == 0:
        return
    count = -(-size // most)
    small, larger = divmod(size, count)
    border = larger * (small + 1)
    if larger:
        yield Region(0, border, small + 1)
    if border < size:
        yield Region(border, size, small)


def unrolling(tile: Tile, bits: int, target: CpuTarget) -> int:
    """How many steps of the innermost summed loop follow each other without a branch."""
    return 2 if tile.rows * tile.columns // target.lanes(bits) >= _MANY else 4
