"""The loops of a contraction: blocks, register tiles and accumulators."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product as cross
from typing import TypeAlias

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_value,
    divide,
    index_value,
    multiply,
    remainder,
    subtract,
)
from torch_refine.dialect.structured_ops import iterators, maps
from torch_refine.passes.lowering.kernels.contractions.amx import (
    TileRoom,
    declare_tiles,
    has_tiles,
    release_tiles,
    row_spans,
)
from torch_refine.passes.lowering.kernels.contractions.chain import Chain, is_of_rows
from torch_refine.passes.lowering.kernels.contractions.dot_products import (
    add_excess,
    add_products,
    declare,
    dot_product_of,
    group_loop,
    left_word,
)
from torch_refine.passes.lowering.kernels.contractions.nests import (
    Span,
    evaluated,
    for_each,
    for_each_with,
    least,
    loops_in,
    spans,
)
from torch_refine.passes.lowering.kernels.contractions.row_products import RowProducts
from torch_refine.passes.lowering.kernels.contractions.schedule import Schedule
from torch_refine.passes.lowering.kernels.contractions.tensors import (
    extract,
    for_threads,
    insert,
    insert_in_parallel,
    prefetch_line,
    read,
    size_of,
    slice_of,
    write,
)
from torch_refine.passes.lowering.kernels.contractions.tile_loops import Columns, TileLoops
from torch_refine.passes.lowering.kernels.contractions.vectors import broadcast, steps, vectorized
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget, target_of

# Rows that are read in turn, and the elements of each: with more, rows that are a power of 2 apart
# would evict each other from the first cache.
_ROWS_READ = 4
_STEPS_READ = 64
# Partial sums have this many products, or a small multiple of it.
_PART = 8


PanelBody: TypeAlias = Callable[[Columns, list[ir.Value]], list[ir.Value]]


@dataclass
class ContractionLoops(TileLoops):
    """Emits the loops of a chain in front of its root."""

    chain: Chain
    schedule: Schedule
    target: CpuTarget = field(init=False)
    lanes: int = field(init=False)

    def __post_init__(self) -> None:
        sums = self.chain.sums
        self.target = target_of(sums)
        self.element = ir.RankedTensorType(sums.results[0].type).element_type
        self.lanes = self.schedule.lanes or self.target.lanes(self.element.width)
        self.is_float = isinstance(self.element, (ir.F32Type, ir.F64Type))
        self.sum, self.product = (
            ("arith.addf", "arith.mulf") if self.is_float else ("arith.addi", "arith.muli")
        )
        self.maps = maps(sums)
        self.kinds = iterators(sums)
        self.result_loops = [each.position for each in self.maps[2].results]
        self.vector_loop = self.result_loops[-1]
        self.panel_loop = self.result_loops[-2] if self.chain.unpack is not None else None
        self.dot = dot_product_of(sums)
        self.group_loop = None if self.dot is None else group_loop(sums)
        self.summed = [
            loop
            for loop, kind in enumerate(self.kinds)
            if kind == "reduction" and loop != self.group_loop
        ]
        # The loops over the rows of a tile, with their tile sizes, outermost first: those that the
        # right operand does not depend on. Of an image, the last two of these.
        columns = (self.vector_loop, self.panel_loop)
        shared = {loop for each in self.maps[1].results for loop in loops_in(each)}
        rows = [loop for loop in self.result_loops if loop not in shared and loop not in columns]
        self.row_tiles = {rows[-1]: self.schedule.rows}
        if len(self.summed) > 1:
            self.row_tiles = {rows[-2]: self.schedule.lines, **self.row_tiles}
        self.is_depthwise = any(self.vector_loop in loops_in(each) for each in self.maps[0].results)
        self.is_of_rows = is_of_rows(sums)
        fixed = {self.vector_loop, self.panel_loop, *self.summed, *self.row_tiles}
        # How many elements of each operand an instruction multiplies per sum.
        self.group = 1 if self.dot is None else self.dot.group
        self.outer = [loop for loop in self.result_loops if loop not in fixed]
        self.sizes: dict[int, Number] = {}
        self.shared: int | None = None
        self.right: ir.Value | None = None
        dot = self.dot
        is_narrow = dot is not None and has_tiles(dot.element, self.target)
        self.has_tiles = self.schedule.amx and is_narrow
        # What each step of the reduction prefetches.
        self.ahead: Callable[[Number], None] | None = None
        # Where sums in tile registers are stored.
        self.room: TileRoom | None = None
        # By dimensions of the destination, the offset of a thread's slice of it.
        self.offsets: dict[int, Number] = {}

    def write(self) -> None:
        """Replace the chain by the loops."""
        root = self.chain.root
        with ir.InsertionPoint(root), root.location:
            if self.dot is not None:
                declare(self.chain.sums, self.lanes, self.dot)
            self.measure()
            self.shared = self._shared_loop()
            if self.has_tiles:
                declare_tiles(root)
                self.enter_tiles()
            result = self._outer_loops(0, {}, self.chain.memory)
            if self.has_tiles:
                release_tiles()
        root.results[0].replace_all_uses_with(result)
        for each in (self.chain.last, self.chain.unpack, self.chain.sums):
            if each is not None:
                each.erase()

    # Sizes.

    def measure(self) -> None:
        """Compute the trip count of each loop."""
        sums = self.chain.sums
        for operand, map in zip(sums.operands, self.maps, strict=True):
            type = ir.RankedTensorType(operand.type)
            for place, each in enumerate(map.results):
                if isinstance(each, ir.AffineDimExpr) and each.position not in self.sizes:
                    self.sizes[each.position] = size_of(operand, type, place)

    def number_of_columns(self) -> Number:
        """The size of the result's last dimension."""
        memory = self.chain.memory
        type = ir.RankedTensorType(memory.type)
        return size_of(memory, type, type.rank - 1)

    # Loops.

    def _outer_loops(self, depth: int, at: dict[int, Number], memory: ir.Value) -> ir.Value:
        """The loops that are not tiled, such as that of a batch."""
        if depth == len(self.outer):
            return self._blocks(at, memory)
        loop = self.outer[depth]

        def one(index: Number, inner: ir.Value) -> ir.Value:
            return self._outer_loops(depth + 1, {**at, loop: index}, inner)

        span = Span(0, self.sizes[loop], 1)
        if loop == self.shared:
            return self._by_threads(loop, span, memory, lambda p, inner: for_each(p, inner, one))
        return for_each(span, memory, one)

    def _blocks(self, at: dict[int, Number], memory: ir.Value) -> ir.Value:
        """All tiles of rows, by all columns."""
        loops = list(self.row_tiles)
        split = [*[spans] * (len(loops) - 1), row_spans if self.has_tiles else spans]
        parts_of = [
            each(self.sizes[loop], self.row_tiles[loop])
            for each, loop in zip(split, loops, strict=True)
        ]
        for parts in cross(*parts_of):
            rows = dict(zip(loops, parts, strict=True))
            memory = self._shared_region(at, rows, memory)
        return memory

    def _shared_region(
        self, at: dict[int, Number], rows: dict[int, Span], memory: ir.Value
    ) -> ir.Value:
        """Tiles of rows of one size, distributed over threads if threads share the rows."""
        shared = self.shared
        if shared is None or shared not in rows:
            return self._region(at, rows, memory)

        def part(span: Span, inner: ir.Value) -> ir.Value:
            return self._region(at, {**rows, shared: span}, inner)

        return self._by_threads(shared, rows[shared], memory, part)

    def _region(self, at: dict[int, Number], rows: dict[int, Span], memory: ir.Value) -> ir.Value:
        """Tiles of rows of one size, by all columns."""
        if not self.schedule.block or len(rows) > 1:
            return self._panels(at, rows, memory, None)
        ((loop, span),) = rows.items()
        block = max(1, self.schedule.block // span.step) * span.step
        if isinstance(span.start, int) and isinstance(span.stop, int):
            block = min(block, span.stop - span.start)

        def one(start: Number, inner: ir.Value) -> ir.Value:
            part = Span(start, least(add(start, block), span.stop), span.step)
            packed = self._packed(at, loop, part, block) if self.schedule.pack else None
            return self._panels(at, {loop: part}, inner, packed)

        return for_each(Span(span.start, span.stop, block), memory, one)

    def _panels(
        self,
        at: dict[int, Number],
        rows: dict[int, Span],
        memory: ir.Value,
        packed: ir.Value | None,
    ) -> ir.Value:
        """All columns, by some tiles of rows."""
        columns, width = self.number_of_columns(), self.schedule.columns

        def tiles(columns: Columns, carried: list[ir.Value]) -> list[ir.Value]:
            return [self._tiles(at, rows, columns, carried[0], packed)]

        if self.shared == self.vector_loop:
            whole = divide(columns, width)
            memory = self._by_threads(
                self.vector_loop,
                Span(0, whole, 1),
                memory,
                lambda span, inner: self._whole_panels(span, [inner], tiles)[0],
                width,
            )
            return self._last_panel(columns, [memory], tiles)[0]
        return self.each_panel(columns, [memory], tiles)[0]

    def each_panel(
        self, columns: Number, carried: list[ir.Value], body: PanelBody
    ) -> list[ir.Value]:
        """A loop over panels of columns; the last panel may have fewer."""
        whole = Span(0, divide(columns, self.schedule.columns), 1)
        return self._last_panel(columns, self._whole_panels(whole, carried, body), body)

    def _whole_panels(self, span: Span, carried: list[ir.Value], body: PanelBody) -> list[ir.Value]:
        vectors = self.schedule.columns // self.lanes
        return for_each_with(
            span, carried, lambda panel, inner: body(self._columns(panel, vectors, True), inner)
        )

    def _last_panel(
        self, columns: Number, carried: list[ir.Value], body: PanelBody
    ) -> list[ir.Value]:
        width = self.schedule.columns
        whole = divide(columns, width)
        rest = subtract(columns, multiply(whole, width))
        if rest == 0:
            return carried
        vectors = -(-rest // self.lanes) if isinstance(rest, int) else width // self.lanes
        is_whole = isinstance(rest, int) and rest % self.lanes == 0
        end = add(whole, 1) if isinstance(rest, int) else divide(add(columns, width - 1), width)
        return for_each_with(
            Span(whole, end, 1),
            carried,
            lambda panel, inner: body(self._columns(panel, vectors, is_whole), inner),
        )

    def _columns(self, panel: Number, vectors: int, is_whole: bool) -> Columns:
        place = None if self.panel_loop is None else panel
        return Columns(multiply(panel, self.schedule.columns), vectors, is_whole, place)

    # Threads.

    def _shared_loop(self) -> int | None:
        """The loop to distribute over threads; None if no loop has enough iterations."""
        threads = self.schedule.threads
        if threads < 2:
            return None
        columns = self.number_of_columns()
        tiles: list[tuple[int, Number]] = [
            (loop, divide(self.sizes[loop], tile)) for loop, tile in self.row_tiles.items()
        ]
        panels: tuple[int, Number] = (
            self.vector_loop,
            divide(columns, self.schedule.columns),
        )
        # Each thread reads all of one operand. Distributing rows needs no barrier for a packed
        # block; but every thread would read a large right operand from memory.
        rows = [self.sizes[loop] for loop in self.row_tiles]
        type = ir.RankedTensorType(self.chain.sums.operands[1].type)
        bits = math.prod(type.shape) * type.element_type.width if type.has_static_shape else 0
        is_large = bits // 8 > 2 * self.target.l2_bytes
        is_wide = is_large and isinstance(columns, int) and len(rows) == 1
        is_wide = is_wide and all(isinstance(each, int) and each < columns for each in rows)
        ordered = [panels, *tiles] if is_wide else [*tiles, panels]
        outer: list[tuple[int, Number]] = [(loop, self.sizes[loop]) for loop in self.outer]
        counts = [*outer, *ordered]
        for enough in (4 * threads, threads):
            for loop, number in counts:
                if isinstance(number, int) and number >= enough:
                    return int(loop)
        return next((loop for loop, number in counts if not isinstance(number, int)), None)

    def _by_threads(
        self,
        loop: int,
        span: Span,
        memory: ir.Value,
        body: Callable[[Span, ir.Value], ir.Value],
        scale: int = 1,
    ) -> ir.Value:
        """Distribute the iterations of a loop over threads, each of which gets a slice of the
        destination.

        An iteration of the loop covers `scale` elements of the destination.
        """
        threads = self.schedule.threads
        count = divide(subtract(span.stop, span.start), span.step)
        if isinstance(count, int) and count < threads:
            return body(span, memory)
        place = [each for each in self.result_loops if each != self.panel_loop].index(loop)
        type = ir.RankedTensorType(memory.type)
        forall, block = for_threads(threads, memory)
        with ir.InsertionPoint(block):
            thread, shared = block.arguments
            start, stop = (
                add(span.start, multiply(divide(multiply(each, count), threads), span.step))
                for each in (thread, add(thread, 1))
            )
            offset = multiply(start, scale)
            sizes = [
                multiply(subtract(stop, start), scale)
                if dim == place
                else size_of(shared, type, dim)
                for dim in range(type.rank)
            ]
            offsets: list[Number] = [offset if dim == place else 0 for dim in range(type.rank)]
            slice = slice_of(shared, offsets, sizes)
            self.offsets[place] = offset
            room = self.room
            if self.has_tiles:
                # Each thread has its own registers.
                self.enter_tiles()
            result = body(Span(start, stop, span.step), slice)
            if self.has_tiles:
                release_tiles()
            self.room = room
            del self.offsets[place]
            insert_in_parallel(result, shared, offsets, sizes)
        if self.has_tiles:
            # One of the threads was this one.
            self.configure_tiles()
        return forall.results[0]

    def _tiles(
        self,
        at: dict[int, Number],
        rows: dict[int, Span],
        columns: Columns,
        memory: ir.Value,
        packed: ir.Value | None,
    ) -> ir.Value:
        """Tiles of rows, by one panel of columns."""
        loops = list(rows)
        products = self.tile_products(rows)
        first = self._first_sums(at, columns) if products is None else None

        def nest(depth: int, starts: dict[int, Number], inner: ir.Value) -> ir.Value:
            if depth < len(loops):
                loop = loops[depth]
                return for_each(
                    rows[loop], inner, lambda i, more: nest(depth + 1, {**starts, loop: i}, more)
                )
            span = rows[loops[-1]]
            tile = divide(subtract(starts[loops[-1]], span.start), span.step)
            if products is not None:
                return self.by_tiles(products, at, rows, starts, columns, inner)
            self.ahead = self._ahead(at, columns, tile)
            places = [
                {
                    loop: add(starts[loop], offset)
                    for loop, offset in zip(loops, offsets, strict=True)
                }
                for offsets in cross(*(range(rows[loop].step) for loop in loops))
            ]
            tile = None if packed is None else tile
            sums = self.sums_of(at, places, columns, packed, tile, first)
            self.ahead = None
            return self.stored(at, places, columns, sums, inner)

        return nest(0, {}, memory)

    def _ahead(
        self, at: dict[int, Number], columns: Columns, tile: Number
    ) -> Callable[[Number], None] | None:
        """What prefetches a line of the next panel, given a step of the reduction.

        The next panel arrives in the second cache while tiles are multiplied by this one: each of
        some tiles prefetches an equal part of it, one line in each iteration. None if all panels
        fit there.
        """
        type = ir.RankedTensorType(self.chain.sums.operands[1].type)
        if columns.panel is None or self.panel_loop is None or not type.has_static_shape:
            return None
        size = type.element_type.width // 8
        line = self.target.line_bytes // size
        lines, rest = divmod(self.schedule.columns * self.group, line)
        is_large = math.prod(type.shape) * size > self.target.l2_bytes
        if not is_large or rest or len(self.summed) > 1:
            return None
        parts = lines * self.schedule.unroll
        depth = type.shape[-2 if self.dot is None else -3]
        operand = self.chain.sums.operands[1] if self.dot is None else self.right_of_groups()
        known = {**at, self.panel_loop: add(columns.panel, 1)}
        first = multiply(remainder(tile, parts), depth * lines // parts)
        places = list(self.maps[1].results)[: ir.RankedTensorType(operand.type).rank - 1]

        def prefetch(step: Number) -> None:
            number = add(first, divide(step, self.schedule.unroll))
            row = {**known, self.summed[-1]: divide(number, lines)}
            indices = [evaluated(place, row) for place in places]
            prefetch_line(operand, [*indices, multiply(remainder(number, lines), line)])

        return prefetch

    # Sums.

    def sums_of(
        self,
        at: dict[int, Number],
        places: list[dict[int, Number]],
        columns: Columns,
        packed: ir.Value | None,
        tile: Number | None,
        first: list[ir.Value] | None = None,
    ) -> list[ir.Value]:
        """The sums of a tile, row by row, each of some vectors.

        They start at `first`, which has the vectors of a row, or at zero.
        """
        if self.is_of_rows:
            products = RowProducts(
                self.chain.sums,
                self.sizes[self.summed[0]],
                self.number_of_columns(),
                self.lanes,
            )
            return [
                products.sums_of(
                    {**at, **place}, add(columns.start, vector * self.lanes), columns.is_whole
                )
                for place in places
                for vector in range(columns.vectors)
            ]

        def step(steps: dict[int, Number], carried: list[ir.Value]) -> list[ir.Value]:
            return self.step({**at, **steps}, places, columns, packed, tile, carried)

        zeros = [self.zero()] * (len(places) * columns.vectors)
        return self._reduced(step, zeros if first is None else first * len(places))

    def _first_sums(self, at: dict[int, Number], columns: Columns) -> list[ir.Value] | None:
        """What the sums of each row start at, None for zero.

        An instruction that reads the left operand as unsigned adds an excess that depends on the
        right operand only.
        """
        dot = self.dot
        if dot is None or not dot.is_left_unsigned:
            return None

        def step(steps: dict[int, Number], carried: list[ir.Value]) -> list[ir.Value]:
            rights = self.rights({**at, **steps}, columns)
            return [
                add_excess(old, right, self.lanes, dot)
                for old, right in zip(carried, rights, strict=True)
            ]

        zero = self.zero()
        excess = self._reduced(step, [zero] * columns.vectors)
        return [create_value("arith.subi", zero.type, [zero, each]) for each in excess]

    def zero(self) -> ir.Value:
        """A vector of sums that are zero."""
        type = ir.VectorType.get([self.lanes], self.element)
        number = ir.FloatAttr if self.is_float else ir.IntegerAttr
        splat = ir.DenseElementsAttr.get_splat(type, number.get(self.element, 0))
        return create_value("arith.constant", type, [], {"value": splat})

    def _reduced(
        self,
        step: Callable[[dict[int, Number], list[ir.Value]], list[ir.Value]],
        first: list[ir.Value],
    ) -> list[ir.Value]:
        """Vectors after all steps of the reduction loops, in parts that are summed apart."""
        type = ir.VectorType.get([self.lanes], self.element)
        zeros = [self.zero()] * len(first)
        level, part = self._partial_sums()

        def nest(depth: int, steps: dict[int, Number], carried: list[ir.Value]) -> list[ir.Value]:
            if depth == len(self.summed):
                return step(steps, carried)
            size = self.sizes[self.summed[depth]]
            if depth != level:
                return run(depth, steps, Span(0, size, 1), carried)

            def add_part(start: Number, totals: list[ir.Value]) -> list[ir.Value]:
                span = Span(start, least(add(start, part), size), 1)
                sums = run(depth, steps, span, zeros)
                return [
                    create_value(self.sum, type, [total, each])
                    for total, each in zip(totals, sums, strict=True)
                ]

            return for_each_with(Span(0, size, part), carried, add_part)

        def run(
            depth: int, steps: dict[int, Number], span: Span, carried: list[ir.Value]
        ) -> list[ir.Value]:
            """All steps of a span of one loop, and of the loops inside."""
            loop = self.summed[depth]
            unroll = self.schedule.unroll if depth == len(self.summed) - 1 else 1

            def steps_at(index: Number, count: int, inner: list[ir.Value]) -> list[ir.Value]:
                if self.ahead is not None and count == unroll:
                    self.ahead(index)
                for offset in range(count):
                    inner = nest(depth + 1, {**steps, loop: add(index, offset)}, inner)
                return inner

            length = subtract(span.stop, span.start)
            whole = add(span.start, multiply(divide(length, unroll), unroll))
            carried = for_each_with(
                Span(span.start, whole, unroll),
                carried,
                lambda i, inner: steps_at(i, unroll, inner),
            )
            if unroll == 1:
                return carried
            return for_each_with(
                Span(whole, span.stop, 1), carried, lambda i, inner: steps_at(i, 1, inner)
            )

        return nest(0, {}, first)

    def _partial_sums(self) -> tuple[int, int]:
        """The loop at which partial sums are accumulated, and the number of its steps in each.

        The level is -1 if the reduction is short enough for one accumulation.
        """
        most = self.schedule.depth
        if not most:
            return -1, 0
        inner = self.group
        for level in reversed(range(len(self.summed))):
            size = self.sizes[self.summed[level]]
            if not isinstance(size, int) or inner * size > most:
                # A whole multiple of any unroll factor, so that none of them changes the result.
                unit = _PART if level == len(self.summed) - 1 else 1
                unit = unit if unit % self.schedule.unroll == 0 else self.schedule.unroll
                steps = max(1, most // inner // unit) * unit
                # Parts of equal length, so that the last one is not a short remainder.
                if isinstance(size, int):
                    count = -(-size // steps)
                    steps = -(-size // count // unit) * unit
                return level, steps
            inner *= size
        return -1, 0

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
        rights = self.rights(at, columns)
        type = ir.VectorType.get([self.lanes], self.element)
        found = []
        for row, place in enumerate(places):
            if self.dot is not None:
                word = left_word(self._group({**at, **place}, packed, tile, row), self.dot)
                for vector, right in enumerate(rights):
                    old = sums[row * columns.vectors + vector]
                    found.append(add_products(old, word, right, self.lanes, self.dot))
                continue
            if packed is None or tile is None:
                lefts = self._lefts({**at, **place}, columns)
            else:
                number = extract(packed, [tile, at[self.summed[0]], row])
                lefts = [create_value("vector.broadcast", type, [self._widened(number)])]
            for vector, right in enumerate(rights):
                product = create_value(self.product, type, [lefts[vector % len(lefts)], right])
                old = sums[row * columns.vectors + vector]
                found.append(create_value(self.sum, type, [old, product]))
        return found

    def _group(
        self, at: dict[int, Number], packed: ir.Value | None, tile: Number | None, row: int
    ) -> ir.Value:
        """The group of elements of the left operand of a row."""
        if packed is not None and tile is not None:
            return read(packed, [tile, at[self.summed[0]], row * self.group], self.group, True)
        known = {**at, self.group_loop: 0} if self.group_loop is not None else at
        indices = [evaluated(each, known) for each in self.maps[0].results]
        return read(self.chain.sums.operands[0], indices, self.group, True)

    def _lefts(self, at: dict[int, Number], columns: Columns) -> list[ir.Value]:
        """The left operand of a row: one vector for all columns, or one for each vector of them."""
        operand, results = self.chain.sums.operands[0], self.maps[0].results
        if not self.is_depthwise:
            type = ir.VectorType.get([self.lanes], self.element)
            number = extract(operand, [evaluated(each, at) for each in results])
            return [create_value("vector.broadcast", type, [self._widened(number)])]
        found = []
        for vector in range(columns.vectors):
            known = {**at, self.vector_loop: add(columns.start, vector * self.lanes)}
            indices = [evaluated(each, known) for each in results]
            is_whole = self._is_whole(columns, vector)
            found.append(self._widened(read(operand, indices, self.lanes, is_whole)))
        return found

    def rights(self, at: dict[int, Number], columns: Columns) -> list[ir.Value]:
        """The right operand for each vector of columns; a scalar, if it is broadcast along them."""
        operand, results = self.chain.sums.operands[1], self.maps[1].results
        if any(self.vector_loop in loops_in(each) for each in results):
            return [self._right(at, columns, vector) for vector in range(columns.vectors)]
        type = ir.VectorType.get([self.lanes], self.element)
        number = extract(operand, [evaluated(each, at) for each in results])
        return [create_value("vector.broadcast", type, [self._widened(number)])] * columns.vectors

    def _right(self, at: dict[int, Number], columns: Columns, vector: int) -> ir.Value:
        """A vector of the right operand."""
        known = {**at, **self.columns_at(columns, vector)}
        if self.dot is not None:
            *outer, column, _ = self.maps[1].results
            indices = [evaluated(each, known) for each in outer]
            indices.append(multiply(evaluated(column, known), self.group))
            return read(self.right_of_groups(), indices, self.group * self.lanes, True)
        indices = [evaluated(each, known) for each in self.maps[1].results]
        # Packed panels are padded.
        is_whole = self.panel_loop is not None or self._is_whole(columns, vector)
        return self._widened(read(self.chain.sums.operands[1], indices, self.lanes, is_whole))

    def columns_at(self, columns: Columns, vector: int) -> dict[int, Number]:
        """Where a vector of columns is, by loops."""
        offset = vector * self.lanes
        if self.panel_loop is not None and columns.panel is not None:
            return {self.panel_loop: columns.panel, self.vector_loop: offset}
        return {self.vector_loop: add(columns.start, offset)}

    def right_of_groups(self) -> ir.Value:
        """The right operand, with the elements of a group in the dimension of its columns."""
        if self.right is None:
            operand = self.chain.sums.operands[1]
            type = ir.RankedTensorType(operand.type)
            *outer, width, count = type.shape
            flat = ir.RankedTensorType.get([*outer, width * count], type.element_type)
            groups = [[place] for place in range(len(outer))] + [[len(outer), len(outer) + 1]]
            number = ir.IntegerType.get_signless(64)
            attribute = ir.ArrayAttr.get(
                [
                    ir.ArrayAttr.get([ir.IntegerAttr.get(number, place) for place in group])
                    for group in groups
                ]
            )
            with ir.InsertionPoint(self.chain.sums):
                self.right = create_value(
                    "tensor.collapse_shape", flat, [operand], {"reassociation": attribute}
                )
        return self.right

    def _widened(self, value: ir.Value) -> ir.Value:
        vector = ir.VectorType(value.type) if isinstance(value.type, ir.VectorType) else None
        element = value.type if vector is None else vector.element_type
        if element == self.element:
            return value
        type = self.element if vector is None else ir.VectorType.get([self.lanes], self.element)
        return create_value("arith.extf" if self.is_float else "arith.extsi", type, [value])

    def _is_whole(self, columns: Columns, vector: int) -> bool:
        """Whether all columns of a vector are in bounds."""
        if columns.is_whole:
            return True
        count = self._known_columns()
        return count is not None and vector < (count % self.schedule.columns) // self.lanes

    def _known_columns(self) -> int | None:
        type = ir.RankedTensorType(self.chain.memory.type)
        return None if type.shape[-1] < 0 else int(type.shape[-1])

    # Results.

    def stored(
        self,
        at: dict[int, Number],
        places: list[dict[int, Number]],
        columns: Columns,
        sums: list[ir.Value],
        memory: ir.Value,
    ) -> ir.Value:
        """The destination with the results of a tile."""
        for row, place in enumerate(places):
            known = {**at, **place}
            before = [
                known[loop]
                for loop in self.result_loops
                if loop not in (self.panel_loop, self.vector_loop)
            ]
            for vector in range(columns.vectors):
                indices = [*before, add(columns.start, vector * self.lanes)]
                is_whole = self._is_whole(columns, vector)
                memory = self.put(sums[row * columns.vectors + vector], indices, is_whole, memory)
        return memory

    def put(
        self, sums: ir.Value, indices: list[Number], is_whole: bool, memory: ir.Value
    ) -> ir.Value:
        """Store a vector of sums after the epilogue."""
        value = self.finished(sums, indices, is_whole)
        inside = [
            subtract(index, self.offsets[dim]) if dim in self.offsets else index
            for dim, index in enumerate(indices)
        ]
        return write(value, memory, inside, is_whole)

    def finished(self, sums: ir.Value, indices: list[Number], is_whole: bool) -> ir.Value:
        """Sums after the epilogue."""
        last = self.chain.last
        if last is None:
            return sums
        block = last.regions[0].blocks[0]
        known: dict[ir.Value, ir.Value] = {}
        columns = len(indices) - 1
        own = maps(last)
        for place, argument in enumerate(list(block.arguments)[:-1]):
            if place == self.chain.operand:
                known[argument] = sums
            elif any(True for _ in argument.uses):
                results = own[place].results
                found = [evaluated(each, dict(enumerate(indices))) for each in results]
                is_vector = any(
                    isinstance(each, ir.AffineDimExpr) and each.position == columns
                    for each in results
                )
                operand = last.operands[place]
                known[argument] = (
                    read(operand, found, self.lanes, is_whole)
                    if is_vector
                    else extract(operand, found)
                )
        *body, end = operations(block)
        for op in body:
            if op.name == "linalg.index":
                dim = ir.IntegerAttr(op.attributes["dim"]).value
                known[op.results[0]] = (
                    steps(indices[dim], self.lanes) if dim == columns else index_value(indices[dim])
                )
                continue
            known[op.results[0]] = vectorized(
                op, [known.get(operand, operand) for operand in op.operands], self.lanes
            )
        value = end.operands[0]
        return broadcast(known.get(value, value), self.lanes)

    # Packing.

    def _packed(self, at: dict[int, Number], loop: int, rows: Span, block: int) -> ir.Value:
        """A block of the left operand, packed tile by tile: the elements of a step are
        contiguous."""
        operand = self.chain.sums.operands[0]
        element = ir.RankedTensorType(operand.type).element_type
        (summed,) = self.summed
        depth = self.sizes[summed]
        unknown = ir.ShapedType.get_dynamic_size()
        steps = depth if isinstance(depth, int) else unknown
        shape = [block // rows.step, steps, rows.step * self.group]
        type = ir.RankedTensorType.get(shape, element)
        room = create_value("tensor.empty", type, [] if isinstance(depth, int) else [depth])

        def tile(start: Number, inner: ir.Value) -> ir.Value:
            place = divide(subtract(start, rows.start), rows.step)

            def some(first: int, chunk: Span, more: ir.Value) -> ir.Value:
                def step(index: Number, inside: ir.Value) -> ir.Value:
                    rows_read = range(first, min(first + _ROWS_READ, rows.step))
                    for row, part in cross(rows_read, range(self.group)):
                        known = {**at, loop: add(start, row), summed: index}
                        if self.group_loop is not None:
                            known[self.group_loop] = part
                        indices = [evaluated(each, known) for each in self.maps[0].results]
                        number = extract(operand, indices)
                        inside = insert(number, inside, [place, index, row * self.group + part])
                    return inside

                return for_each(chunk, more, step)

            def part(begin: Number, more: ir.Value) -> ir.Value:
                chunk = Span(begin, least(add(begin, _STEPS_READ), depth), 1)
                for first in range(0, rows.step, _ROWS_READ):
                    more = some(first, chunk, more)
                return more

            return for_each(Span(0, depth, _STEPS_READ), inner, part)

        return for_each(rows, room, tile)
