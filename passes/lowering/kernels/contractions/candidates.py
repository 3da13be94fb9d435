"""The schedules worth measuring for a contraction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from torch_refine.passes.lowering.kernels.contractions.schedule import Schedule
from torch_refine.passes.lowering.kernels.contractions.tiles import cycles, fits
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget

_MOST_VECTORS = 4
_UNROLLED = (1, 2, 4, 8)
_BLOCKS = (0.25, 0.5, 2)
# Tiles whose cost is estimated at more than this multiple of the best one's are not measured.
_SLOWER = 1.4
_MOST_TILES = 8


def tiles(base: Schedule, bits: int, target: CpuTarget) -> list[Schedule]:
    """Other tiles that fit into registers, by increasing estimated cost.

    Results are bitwise equal with all of them: the order of accumulation does not change. There is
    one way to fill the tile registers of AMX.
    """
    if base.amx:
        return []
    lanes = target.lanes(bits)

    def cost(schedule: Schedule) -> float:
        """The cycles of a multiply-add, as estimated by `tiles.cycles`."""
        rows, vectors = schedule.rows * schedule.lines, schedule.columns // lanes
        return cycles(rows, vectors, target) / (rows * vectors)

    found = set()
    for vectors in range(1, _MOST_VECTORS + 1):
        most = 1
        while fits(most + 1, vectors, target):
            most += 1
        for rows in {most, most - 1, most - 2, most // 2, base.rows} - {0}:
            for lines in {1, base.lines}:
                if fits(rows * lines, vectors, target):
                    found.add(replace(base, rows=rows, columns=vectors * lanes, lines=lines))
    limit = _SLOWER * cost(base)
    worth = [each for each in found - {base} if cost(each) <= limit]
    order = sorted(worth, key=lambda each: (cost(each), -each.rows, each.columns, each.lines))
    return order[:_MOST_TILES]


def others(base: Schedule) -> Iterator[Schedule]:
    """The same tiles with other unrolling, blocking and packing of the left operand."""
    for unroll in _UNROLLED:
        if unroll != base.unroll and not base.amx:
            yield replace(base, unroll=unroll)
    if not base.block:
        return
    if not base.amx:
        yield replace(base, pack=not base.pack)
    for part in _BLOCKS:
        block = max(1, int(base.block * part) // base.rows) * base.rows
        if block != base.block:
            yield replace(base, block=block)
