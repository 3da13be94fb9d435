"""The loops of a contraction whose sums are in tile registers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product as cross
from typing import TypeAlias

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, add, create_value, multiply
from torch_refine.passes.lowering.kernels.contractions.amx import (
    TileProducts,
    TileRoom,
    TileRows,
    coefficient,
    groups_of_step,
    padded_tile_rows,
    tile_rows,
)
from torch_refine.passes.lowering.kernels.contractions.chain import Chain
from torch_refine.passes.lowering.kernels.contractions.dot_products import DotProduct, add_excess
from torch_refine.passes.lowering.kernels.contractions.nests import (
    Span,
    evaluated,
    for_each,
    for_each_with,
    loops_in,
)
from torch_refine.passes.lowering.kernels.contractions.schedule import TILE
from torch_refine.passes.lowering.kernels.slices import Slice


@dataclass
class Columns:
    """A panel of columns: its offset, and which of its vectors are whole.

    `panel` is the index of the packed panel, None if the right operand is not packed.
    """

    start: Number
    vectors: int
    is_whole: bool
    panel: Number | None


Store: TypeAlias = Callable[
    [dict[int, Number], list[dict[int, Number]], Columns, list[ir.Value], ir.Value], ir.Value
]


class TileLoops(ABC):
    """What the loops of a contraction do with tile registers.

    The attributes and the abstract methods are those of `ContractionLoops`.
    """

    chain: Chain
    element: ir.Type
    lanes: int
    maps: list[ir.AffineMap]
    sizes: dict[int, Number]
    summed: list[int]
    row_tiles: dict[int, int]
    group_loop: int | None
    group: int
    dot: DotProduct | None
    has_tiles: bool
    room: TileRoom | None

    def tile_products(self, rows: dict[int, Span]) -> TileProducts | None:
        """What multiplies tiles of rows in tile registers; None if vectors do."""
        loop = list(rows)[-1]
        size = self.sizes[loop]
        is_whole = isinstance(size, int) or rows[loop].step % TILE == 0
        if not self.has_tiles or self.room is None or not is_whole:
            return None
        height = self.tile_height()
        return TileProducts(
            self.element,
            {each: self.sizes[each] for each in self.summed},
            (self.left_operand(), lambda at, groups: self.left_tile(at, loop, height, groups)),
            (self.right_of_groups(), self.right_tile),
            self.room,
        )

    def enter_tiles(self) -> None:
        """Allocate room for the sums in tile registers, and configure these."""
        self.room = TileRoom.on_stack(self.element)
        self.configure_tiles()

    def configure_tiles(self, step: int = 0) -> None:
        """Set the shapes of the tile registers, for steps of as many groups, or the usual ones."""
        assert self.room is not None, "there is room for tiles"
        step = step or groups_of_step(self.sizes[self.summed[-1]])
        self.room.configure(self.tile_height(), step)

    def tile_height(self) -> int:
        """The rows of a tile register that are used."""
        size = self.sizes[list(self.row_tiles)[-1]]
        return min(size, TILE) if isinstance(size, int) else TILE

    def left_operand(self) -> ir.Value:
        """The tensor that tiles of the left operand are read from."""
        return self.chain.sums.operands[0]

    def left_tile(self, at: dict[int, Number], row_loop: int, height: int, groups: int) -> Slice:
        """Rows of the left operand, of as many groups."""
        results = self.maps[0].results
        known = at if self.group_loop is None else {**at, self.group_loop: 0}
        offsets = [evaluated(each, known) for each in results]
        sizes, strides = [1] * len(offsets), [1] * len(offsets)
        for dim, each in enumerate(results):
            if row_loop in loops_in(each):
                sizes[dim], strides[dim] = height, coefficient(each, row_loop)
        sizes[-1] = groups * self.group
        return Slice(offsets, sizes, strides)

    def right_tile(self, at: dict[int, Number], groups: int) -> Slice:
        """As many groups of the right operand, of a tile's columns."""
        *outer, column, _ = self.maps[1].results
        offsets = [evaluated(each, at) for each in outer]
        offsets.append(multiply(evaluated(column, at), self.group))
        sizes = [1] * len(offsets)
        sizes[-2:] = [groups, TILE * self.group]
        return Slice(offsets, sizes, [1] * len(sizes))

    def by_tiles(
        self,
        products: TileProducts,
        at: dict[int, Number],
        rows: dict[int, Span],
        starts: dict[int, Number],
        columns: Columns,
        memory: ir.Value,
        store: Store | None = None,
        is_padded: bool = False,
    ) -> ir.Value:
        """The rows at `starts` by a panel of columns, in tile registers.

        `store` takes the sums of a row; by default it stores results. If the left operand is
        padded, there are rows to read behind the last one.
        """
        *lines, loop = rows
        height = self.tile_height()
        split = padded_tile_rows if is_padded else tile_rows
        places = []
        for offsets in cross(*(range(rows[line].step) for line in lines)):
            known = {
                line: add(starts[line], offset) for line, offset in zip(lines, offsets, strict=True)
            }
            for start, first, last in split(starts[loop], rows[loop].step, height):
                places.append(TileRows({**known, loop: start}, first, last))
        found = [self.columns_at(columns, vector) for vector in range(columns.vectors)]
        products.store(at, places, found)
        depth = products.depth()
        for tile, each in enumerate(places):
            memory = for_each(
                Span(each.first, each.last, 1),
                memory,
                partial(self._tile_row, products, depth, at, each, tile * TILE, columns, store),
            )
        return memory

    def _tile_row(
        self,
        products: TileProducts,
        depth: Number,
        at: dict[int, Number],
        rows: TileRows,
        first: int,
        columns: Columns,
        store: Store | None,
        index: Number,
        memory: ir.Value,
    ) -> ir.Value:
        """Store the sums of a row of a tile, which is in the room from row `first` on."""
        loop = list(rows.place)[-1]
        own = {**rows.place, loop: add(rows.place[loop], index)}
        sums = [products.room.row(add(first, index), vector) for vector in range(columns.vectors)]
        sums = self._with_rest(depth, {**at, **own}, columns, sums)
        return (self.stored if store is None else store)(at, [own], columns, sums, memory)

    def _with_rest(
        self, depth: Number, at: dict[int, Number], columns: Columns, sums: list[ir.Value]
    ) -> list[ir.Value]:
        """Sums of a row after the groups of the reduction from `depth` on, which are in no tile."""
        *outer, last = self.summed
        dot = self.dot
        assert dot is not None, "tiles are of groups"
        rest = Span(depth, self.sizes[last], 1)
        if isinstance(depth, int) and isinstance(rest.stop, int) and depth == rest.stop:
            return sums

        def nest(place: int, steps: dict[int, Number], carried: list[ir.Value]) -> list[ir.Value]:
            if place > len(outer):
                if not dot.is_left_unsigned:
                    return self.step({**at, **steps}, [{}], columns, None, None, carried)
                excess = [
                    add_excess(self.zero(), right, self.lanes, dot)
                    for right in self.rights({**at, **steps}, columns)
                ]
                added = self.step({**at, **steps}, [{}], columns, None, None, carried)
                return [
                    create_value("arith.subi", each.type, [each, more])
                    for each, more in zip(added, excess, strict=True)
                ]
            loop = self.summed[place]
            span = Span(0, self.sizes[loop], 1) if place < len(outer) else rest
            return for_each_with(
                span, carried, lambda index, inner: nest(place + 1, {**steps, loop: index}, inner)
            )

        return nest(0, {}, sums)

    @abstractmethod
    def columns_at(self, columns: Columns, vector: int) -> dict[int, Number]:
        """Where a vector of columns is, by loops."""

    @abstractmethod
    def right_of_groups(self) -> ir.Value:
        """The right operand, with the elements of a group in the dimension of its columns."""

    @abstractmethod
    def rights(self, at: dict[int, Number], columns: Columns) -> list[ir.Value]:
        """The right operand for each vector of columns."""

    @abstractmethod
    def step(
        self,
        at: dict[int, Number],
        places: list[dict[int, Number]],
        columns: Columns,
        packed: ir.Value | None,
        tile: Number | None,
        sums: list[ir.Value],
    ) -> list[ir.Value]:
        """The sums after one more multiply-add."""

    @abstractmethod
    def stored(
        self,
        at: dict[int, Number],
        places: list[dict[int, Number]],
        columns: Columns,
        sums: list[ir.Value],
        memory: ir.Value,
    ) -> ir.Value:
        """The destination with the results of a tile."""

    @abstractmethod
    def zero(self) -> ir.Value:
        """A vector of sums that are zero."""
