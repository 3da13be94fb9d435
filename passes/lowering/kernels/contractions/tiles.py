"""Choose the register tile of a contraction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from torch_refine.passes.lowering.kernels.targets.record import DEFAULT, CpuTarget

# The assumption for a dynamic size.
_LARGE = 1 << 16
_MOST_VECTORS = 4
# The narrowest of several vector widths in bits that is chosen between.
_HALF_BITS = 256
# The overhead of an iteration in cycles: its counter, and instruction fetch.
_ITERATION = 0.25
# Bytes of the right operand that arrive from the second cache per cycle, concurrently.
_STREAMED = 256
# Registers for elements of the left operand. x86 broadcasts one in the load; Arm loads pairs, and
# multiplies by one lane of a register: two pairs may be in flight.
_LEFT_REGISTERS = {"x86-64": 1, "aarch64": 5}
# The fraction of the peak load rate that a loop reaches.
_LOADED = 0.9
# Registers per sum of a depthwise convolution: LLVM keeps the elements for the next column too.
_DEPTHWISE = 2
# The most multiply-adds of a window whose loops LLVM completely unrolls.
_UNROLLED = 72
# Loops with fewer multiply-adds per iteration are unrolled.
_MANY = 16


class Tile(NamedTuple):
    """A register tile: broadcast rows by columns in vectors; both in elements."""

    rows: int
    columns: int


class Window(NamedTuple):
    """The window of a convolution, and the stride and dilation of its rows."""

    rows: int
    columns: int
    step: int
    spread: int


class Region(NamedTuple):
    """Indices from `start` to `stop`, in tiles of `step`."""

    start: int
    stop: int
    step: int


def cycles(rows: int, vectors: int, target: CpuTarget) -> float:
    """The cost of an iteration that accumulates `rows` x `vectors` vectors, in cycles.

    It loads a scalar of the left operand per row, and a row of the right operand.
    """
    return _iteration(rows * vectors, rows + vectors, vectors, target)


def fits(rows: int, vectors: int, target: CpuTarget) -> bool:
    """Whether sums, a row of the right operand, and an element of the left fit into registers."""
    left = _LEFT_REGISTERS[target.architecture]
    return rows * vectors + vectors + left <= target.vector_registers


def tile_of(rows: int, columns: int, bits: int, target: CpuTarget) -> Tile:
    """The register tile that takes the fewest cycles; negative sizes are dynamic.

    The cost is bounded by multiply-adds and loads per cycle, and by the latency of an accumulation
    where there are too few of them. Ties go to the larger tile.
    """
    return _cheapest(rows, columns, bits, target, partial(cycles, target=target))[0]


def depthwise_tile(rows: int, columns: int, bits: int, target: CpuTarget) -> Tile:
    """The tile of a depthwise convolution whose vectors are channels.

    An iteration loads a vector of the image per sum.
    """

    def cost(rows: int, vectors: int) -> float:
        sums = rows * vectors
        return _iteration(sums, sums + vectors, vectors, target)

    return _cheapest(rows, columns, bits, target, cost, _DEPTHWISE)[0]


def line_tile(
    rows: int, columns: int, bits: int, target: CpuTarget, window: Window
) -> tuple[Tile, int]:
    """The tile of a depthwise convolution along lines of an image, and the elements of a vector.

    Vectors start at any element, so most loads of the widest ones cross a cache line, which takes
    several accesses. Some processors execute an instruction on 512 bits as two on 256 bits. There
    vectors of half the width are faster, and fewer of a short line's elements are masked.
    """
    most = target.lanes(bits)
    half = replace(
        target,
        vector_bits=target.vector_bits // 2,
        fma_ports=max(2, target.fma_ports),
        load_ports=max(2, target.load_ports),
        crossing_load=DEFAULT.crossing_load,
    )
    widths = [target, half] if half.vector_bits >= _HALF_BITS else [target]
    best, chosen, lanes = float("inf"), Tile(1, most), most
    for each in widths:
        cost = partial(_line_cycles, window=window, bits=bits, target=each)
        tile, cycles = _cheapest(rows, columns, bits, each, cost, _DEPTHWISE)
        if cycles < best:
            best, chosen, lanes = cycles, tile, each.lanes(bits)
    return chosen, lanes


def _line_cycles(rows: int, vectors: int, window: Window, bits: int, target: CpuTarget) -> float:
    """The cost of the window of a depthwise convolution for vectors along `rows` lines."""
    crossing = (target.vector_bits - bits) / 8 / target.line_bytes
    accesses = 1 + crossing * (target.crossing_load - 1)
    sums, taps = rows * vectors, window.rows * window.columns
    if sums * taps <= _UNROLLED and sums + taps + vectors <= target.vector_registers:
        # LLVM unrolls the loop over the window's rows too, keeps the weights in registers, and
        # loads a vector once for all of its sums.
        lines = {
            row * window.step + tap * window.spread
            for row in range(rows)
            for tap in range(window.rows)
        }
        loads = len(lines) * vectors * window.columns * accesses + taps
        return _iteration(sums * taps, loads, vectors, target)
    loads = window.columns * (sums * accesses + vectors)
    return window.rows * _iteration(sums * window.columns, loads, vectors, target)


def _iteration(sums: int, loads: float, vectors: int, target: CpuTarget) -> float:
    busy = max(
        sums / target.fma_ports, loads / (_LOADED * target.load_ports), float(target.fma_latency)
    )
    return busy + _ITERATION + vectors * target.vector_bits / 8 / _STREAMED


def _cheapest(
    rows: int,
    columns: int,
    bits: int,
    target: CpuTarget,
    cost: Callable[[int, int], float],
    registers: int = 1,
) -> tuple[Tile, float]:
    """The tile of the lowest cost, where each sum needs a number of registers."""
    rows = _LARGE if rows < 0 else rows
    columns = _LARGE if columns < 0 else columns
    lanes = target.lanes(bits)

    def cost_of(parts: list[Region], vectors: int) -> float:
        return sum(
            (part.stop - part.start) // part.step * cost(part.step, vectors) for part in parts
        )

    best, chosen = float("inf"), Tile(1, lanes)
    for vectors in range(1, _MOST_VECTORS + 1):
        if vectors > 1 and (vectors - 1) * lanes >= columns:
            break
        most = 1
        while most < rows and fits((most + 1) * registers, vectors, target):
            most += 1
        whole, rest = divmod(columns, vectors * lanes)
        for size in range(1, most + 1):
            parts = list(regions(rows, size))
            total = whole * cost_of(parts, vectors)
            if rest:
                total += cost_of(parts, -(-rest // lanes))
            if total < best * (1 - 1e-9) or (total <= best and size > chosen.rows):
                best, chosen = total, Tile(size, vectors * lanes)
    return chosen, best


def regions(size: int, most: int) -> Iterator[Region]:
    """Split a static size into the fewest tiles of at most `most`, of two sizes that differ by 1.

    So no tile is a small remainder, whose accumulations would be latency-bound.
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
    """The unroll factor of the innermost reduction loop.

    LLVM may load the right operand of the next step early: a large tile is unrolled only if there
    are registers for it, as sums would be spilled.
    """
    vectors = tile.columns // target.lanes(bits)
    sums = tile.rows * vectors
    if sums < _MANY:
        return 4
    return 2 if sums + 2 * vectors + 1 <= target.vector_registers else 1
