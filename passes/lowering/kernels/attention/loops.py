"""The loops of attention: blocks of queries by blocks of keys."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    at_least_zero,
    create_value,
    divide,
    divide_up,
    index_type,
    index_value,
    multiply,
    subtract,
)
from torch_refine.passes.lowering.kernels.attention.pattern import Attention
from torch_refine.passes.lowering.kernels.attention.schedule import AttentionSchedule
from torch_refine.passes.lowering.kernels.attention.softmax import Rows, add_block, is_equal, number
from torch_refine.passes.lowering.kernels.attention.visible import diagonal_of
from torch_refine.passes.lowering.kernels.contractions.amx import (
    groups_of_step,
)
from torch_refine.passes.lowering.kernels.contractions.intrinsics import (
    call_intrinsic,
    declare_intrinsic,
)
from torch_refine.passes.lowering.kernels.contractions.loops import ContractionLoops
from torch_refine.passes.lowering.kernels.contractions.nests import (
    Span,
    for_each,
    for_each_with,
    least,
)
from torch_refine.passes.lowering.kernels.contractions.schedule import TILE, Schedule
from torch_refine.passes.lowering.kernels.contractions.tensors import extract, insert, read, write
from torch_refine.passes.lowering.kernels.contractions.tile_loops import Columns
from torch_refine.passes.lowering.kernels.slices import Slice

_LESS_THAN = 6
# The instruction that rounds a vector of f32 to bfloat16.
_ROUNDING, _ROUNDED_LANES = "llvm.x86.avx512bf16.cvtneps2bf16.512", 16


@dataclass
class AttentionLoops(ContractionLoops):
    """Emits the loops of attention in front of its root.

    The tiles are those of the contraction with the values; a tile's left operand is the weights of
    a block of keys. When the maximum of a row grows, its sums so far are multiplied by a correction
    factor.
    """

    attention: Attention = field(kw_only=True)
    blocks: AttentionSchedule = field(kw_only=True)
    scores: ContractionLoops = field(kw_only=True)

    def __post_init__(self) -> None:
        # A block of keys is short enough for one accumulator.
        self.schedule = replace(self.schedule, depth=0)
        super().__post_init__()
        (self.key_loop,) = self.summed
        self.diagonal = diagonal_of(self.attention.scores)
        self.keys: Number = 0
        # The offsets of the current block of queries and of keys, and the weights of the block.
        self.query: Number = 0
        self.key: Number = 0
        self.weights: ir.Value | None = None
        # Their copy in bfloat16, if the products are of groups.
        self.rounded: ir.Value | None = None
        self.is_finite: ir.Value | None = None

    def write(self) -> None:
        """Replace the attention by the loops."""
        values = set(self.attention.values.members)
        others = [each for each in self.attention.members if each not in values]
        if self.dot is not None and self._rounds_at_once():
            with self.chain.root.location:
                elements = ir.BF16Type.get(), self.element
                narrow, wide = (ir.VectorType.get([self.lanes], each) for each in elements)
                declare_intrinsic(self.chain.root, _ROUNDING, [wide], [narrow])
        super().write()
        for each in reversed(others):
            each.erase()

    def measure(self) -> None:
        """Compute the trip count of each loop, including those of the scores."""
        scores = self.scores
        scores.measure()
        self.keys = scores.number_of_columns()
        # The whole tensor of weights is never materialized, so it has no sizes to query.
        self.sizes = {self.key_loop: divide_up(self.keys, self.group)}
        for own, theirs in zip(
            (*self.outer, *self.row_tiles), (*scores.outer, *scores.row_tiles), strict=True
        ):
            self.sizes[own] = scores.sizes[theirs]
        super().measure()

    # Blocks.

    def _blocks(self, at: dict[int, Number], memory: ir.Value) -> ir.Value:
        """All queries of a batch."""
        if self.diagonal is not None:
            self.is_finite = self._finite_values(at)
        return super()._blocks(at, memory)

    def _region(self, at: dict[int, Number], rows: dict[int, Span], memory: ir.Value) -> ir.Value:
        """Tiles of queries of one size, by all keys."""
        ((loop, span),) = rows.items()
        block = max(1, self.blocks.queries // span.step) * span.step
        if isinstance(span.start, int) and isinstance(span.stop, int):
            block = min(block, span.stop - span.start)
        rooms = self._buffers(block)

        def one(start: Number, carried: list[ir.Value]) -> list[ir.Value]:
            part = Span(start, least(add(start, block), span.stop), span.step)
            self.query = start
            return self._block(at, loop, part, carried)

        found = for_each_with(Span(span.start, span.stop, block), [memory, *rooms], one)
        return found[0]

    def _buffers(self, block: int) -> list[ir.Value]:
        """Buffers of a block: weights; maximum, sum and correction factor per row; sums of
        values."""
        columns = divide_up(self.number_of_columns(), self.schedule.columns)
        columns = multiply(columns, self.schedule.columns)
        # Rows padded by one vector beyond a power of 2 avoid conflict misses in L1.
        width = self.blocks.keys + self.lanes
        shapes: list[list[Number]] = [[block, width], [block], [block], [block], [block, columns]]
        rooms = [self._buffer(each, self.element) for each in shapes]
        if self.dot is not None:
            # All rows of the last tile may be read.
            rows = -(-block // TILE) * TILE
            rooms.append(self._buffer([rows, width + self.lanes], ir.BF16Type.get()))
        return rooms

    def _buffer(self, sizes: list[Number], element: ir.Type) -> ir.Value:
        unknown = ir.ShapedType.get_dynamic_size()
        shape = [each if isinstance(each, int) else unknown for each in sizes]
        missing = [each for each in sizes if not isinstance(each, int)]
        type = ir.RankedTensorType.get(shape, element)
        return create_value("tensor.empty", type, missing)

    def _block(
        self, at: dict[int, Number], loop: int, rows: Span, carried: list[ir.Value]
    ) -> list[ir.Value]:
        """A block of queries, by all keys that are visible to them."""
        memory, *rooms = carried
        count = subtract(rows.stop, rows.start)
        rooms = for_each_with(Span(0, count, 1), rooms, self._start)

        def some_keys(key: Number, inner: list[ir.Value]) -> list[ir.Value]:
            weights, maxima, sums, factors, totals, *rounded = inner
            number = least(self.blocks.keys, subtract(end, key))
            self.key = key
            self.sizes[self.key_loop] = divide_up(number, self.group)
            if is_reshaped := self._is_reshaped():
                self.scores.configure_tiles()
            weights = self._weights(at, rows, number, weights)

            # Tiles read groups of whole panels.
            unit = self.lanes if self.dot is None else self.scores.schedule.columns

            def row(index: Number, carried: list[ir.Value]) -> list[ir.Value]:
                whole = multiply(divide_up(number, unit), unit)
                return add_block(Rows(*carried), index, whole, self.lanes, self._narrowed).values

            state = [weights, maxima, sums, factors, *rounded]
            found = for_each_with(Span(0, count, 1), state, row)
            self.weights = found[0]
            self.rounded = found[-1]
            if is_reshaped:
                self.configure_tiles(groups_of_step(self.sizes[self.key_loop]))
            totals = self._totals(at, loop, rows, totals, found[3])
            self.sizes[self.key_loop] = divide_up(self.keys, self.group)
            return [*found[:4], totals, *found[4:]]

        end = self._end(rows)
        rooms = for_each_with(Span(0, end, self.blocks.keys), rooms, some_keys)
        _, _, sums, _, totals, *_ = rooms
        memory = for_each(
            Span(0, count, 1),
            memory,
            lambda row, inner: self._result(at, loop, row, sums, totals, inner),
        )
        return [memory, *rooms]

    def _start(self, row: Number, rooms: list[ir.Value]) -> list[ir.Value]:
        """Initialize a row: maximum of minus infinity, sum of zero."""
        weights, maxima, sums, factors, totals, *rounded = rooms
        zero = number(0.0, self.element)
        zeros = create_value(
            "vector.broadcast", ir.VectorType.get([self.lanes], self.element), [zero]
        )
        type = ir.RankedTensorType(totals.type)
        columns = type.shape[1] if type.shape[1] >= 0 else self.number_of_columns()
        return [
            weights,
            insert(number(-float("inf"), self.element), maxima, [row]),
            insert(zero, sums, [row]),
            factors,
            for_each(
                Span(0, columns, self.lanes),
                totals,
                lambda column, inner: write(zeros, inner, [row, column], True),
            ),
            *rounded,
        ]

    def _narrowed(self, weight: ir.Value) -> ir.Value:
        """A vector of weights in bfloat16.

        The instruction flushes denormal numbers to zero, which they are next to the largest weight.
        """
        type = ir.VectorType.get([self.lanes], ir.BF16Type.get())
        if not self._rounds_at_once():
            return create_value("arith.truncf", type, [weight])
        return call_intrinsic(_ROUNDING, [weight], [type]).result

    def _rounds_at_once(self) -> bool:
        return self.target.has("avx512bf16") and self.lanes == _ROUNDED_LANES

    def configure_tiles(self, step: int = TILE) -> None:
        """Set the shapes of the tile registers: most products have whole tiles."""
        super().configure_tiles(step)

    def _is_reshaped(self) -> bool:
        """Whether some tiles are not whole, so that scores and values configure them anew."""
        if not self.has_tiles:
            return False
        scores = self.scores
        scores.room = self.room
        own = groups_of_step(self.sizes[self.key_loop])
        return own != TILE or groups_of_step(scores.sizes[scores.summed[-1]]) != TILE

    def _end(self, rows: Span) -> Number:
        """The number of keys that are visible to some of the queries."""
        if self.diagonal is None or self.is_finite is None:
            return self.keys
        end: Number = at_least_zero(add(rows.stop, self.diagonal))
        if self._is_exact():
            end = multiply(divide_up(end, self.scores.schedule.columns),
                           self.scores.schedule.columns)  # fmt: skip
        # Zero times a non-finite value is not zero, so in this case all keys are computed.
        seen, keys = (index_value(each) for each in (least(end, self.keys), self.keys))
        return create_value("arith.select", index_type(), [self.is_finite, seen, keys])

    def _finite_values(self, at: dict[int, Number]) -> ir.Value:
        """Whether all values of a batch are finite, so that zero times them is zero."""
        type = ir.VectorType.get([self.lanes * self.group], self.element)
        zero = number(0.0, self.element)
        zeros = create_value("vector.broadcast", type, [zero])
        self.key = 0

        def panel(columns: Columns, carried: list[ir.Value]) -> list[ir.Value]:
            def one(key: Number, inner: list[ir.Value]) -> list[ir.Value]:
                values = self.rights({**at, self.key_loop: key}, columns)
                for value in values:
                    if self.dot is not None:
                        value = create_value("arith.extf", type, [value])
                    product = create_value("arith.mulf", type, [value, zeros])
                    inner = [create_value("arith.addf", type, [inner[0], product])]
                return inner

            return for_each_with(Span(0, self.sizes[self.key_loop], 1), carried, one)

        (total,) = self.each_panel(self.number_of_columns(), [zeros], panel)
        kind = {"kind": ir.Attribute.parse("#vector.kind<add>")}
        return is_equal(create_value("vector.reduction", self.element, [total], kind), zero)

    # Scores.

    def _is_exact(self) -> bool:
        """Whether blocks of keys are whole panels."""
        width = self.scores.schedule.columns
        return isinstance(self.keys, int) and self.keys % width == 0

    def _weights(
        self, at: dict[int, Number], rows: Span, count: Number, weights: ir.Value
    ) -> ir.Value:
        """The scores of a block; rows are padded with minus infinity."""
        scores = self.scores
        width = scores.schedule.columns
        inside = dict(zip(scores.outer, (at[loop] for loop in self.outer), strict=True))
        (loop,) = scores.row_tiles
        scores.room = self.room
        products = scores.tile_products({loop: rows})
        if products is not None:
            step = rows.step
        else:
            most = scores.schedule.rows
            step = max(each for each in range(1, most + 1) if rows.step % each == 0)
        first = divide(self.key, width)

        def panels(span: Span, is_whole: bool, inner: ir.Value) -> ir.Value:
            def panel(index: Number, more: ir.Value) -> ir.Value:
                place = add(first, index)
                columns = Columns(multiply(place, width), width // self.lanes, is_whole, None)
                if scores.panel_loop is not None:
                    columns.panel = place
                return for_each(
                    Span(rows.start, rows.stop, step),
                    more,
                    lambda row, last: tile(row, multiply(index, width), columns, last),
                )

            return for_each(span, inner, panel)

        def tile(row: Number, column: Number, columns: Columns, inner: ir.Value) -> ir.Value:
            if products is not None:
                return scores.by_tiles(
                    products,
                    inside,
                    {loop: rows},
                    {loop: row},
                    columns,
                    inner,
                    lambda _, places, columns, sums, more: stored(
                        places[0][loop], column, columns, sums, more
                    ),
                )
            places = [{loop: add(row, offset)} for offset in range(step)]
            sums = scores.sums_of(inside, places, columns, None, None)
            return stored(row, column, columns, sums, inner)

        def stored(
            row: Number,
            column: Number,
            columns: Columns,
            sums: list[ir.Value],
            inner: ir.Value,
        ) -> ir.Value:
            for place, each in enumerate(sums):
                offset = place % columns.vectors * self.lanes
                here = add(row, place // columns.vectors)
                indices = [*inside.values(), here, add(columns.start, offset)]
                value = scores.finished(each, indices, columns.is_whole)
                if not columns.is_whole:
                    value = self._before(value, subtract(count, add(column, offset)))
                where = [subtract(here, self.query), add(column, offset)]
                inner = write(value, inner, where, True)
            return inner

        if self._is_exact():
            return panels(Span(0, divide(count, width), 1), True, weights)
        whole = divide(count, width)
        weights = panels(Span(0, whole, 1), True, weights)
        return panels(Span(whole, divide_up(count, width), 1), False, weights)

    def _before(self, value: ir.Value, count: Number) -> ir.Value:
        """The first `count` lanes of a vector, and minus infinity in the others."""
        indices = ir.VectorType.get([self.lanes], index_type())
        bits = ir.VectorType.get([self.lanes], ir.IntegerType.get_signless(1))
        steps = create_value("vector.step", indices, [])
        # The remaining count may be negative: then every lane is out of bounds.
        end = create_value("vector.broadcast", indices, [index_value(at_least_zero(count))])
        predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _LESS_THAN)
        is_before = create_value("arith.cmpi", bits, [steps, end], {"predicate": predicate})
        unseen = create_value("vector.broadcast", value.type, [number(-float("inf"), self.element)])
        return create_value("arith.select", value.type, [is_before, value, unseen])

    # Values.

    def _totals(
        self,
        at: dict[int, Number],
        loop: int,
        rows: Span,
        totals: ir.Value,
        factors: ir.Value,
    ) -> ir.Value:
        """The sums of values, after accumulating those of a block of keys."""
        type = ir.VectorType.get([self.lanes], self.element)

        products = self.tile_products({loop: rows})

        def tile(row: Number, columns: Columns, inner: ir.Value) -> ir.Value:
            if products is not None:
                return self.by_tiles(
                    products,
                    at,
                    {loop: rows},
                    {loop: row},
                    columns,
                    inner,
                    lambda _, places, columns, sums, more: stored(
                        places[0][loop], columns, sums, more
                    ),
                    is_padded=True,
                )
            places = [{loop: add(row, offset)} for offset in range(rows.step)]
            return stored(row, columns, self.sums_of(at, places, columns, None, None), inner)

        def stored(
            row: Number, columns: Columns, sums: list[ir.Value], inner: ir.Value
        ) -> ir.Value:
            for place, sum in enumerate(sums):
                here = subtract(add(row, place // columns.vectors), self.query)
                where = [here, add(columns.start, place % columns.vectors * self.lanes)]
                factor = create_value("vector.broadcast", type, [extract(factors, [here])])
                old = create_value(
                    "arith.mulf", type, [read(inner, where, self.lanes, True), factor]
                )
                inner = write(create_value("arith.addf", type, [old, sum]), inner, where, True)
            return inner

        def panel(columns: Columns, carried: list[ir.Value]) -> list[ir.Value]:
            return [for_each(rows, carried[0], lambda row, inner: tile(row, columns, inner))]

        (result,) = self.each_panel(self.number_of_columns(), [totals], panel)
        return result

    def _lefts(self, at: dict[int, Number], columns: Columns) -> list[ir.Value]:
        """The weight of a key."""
        (loop,) = self.row_tiles
        type = ir.VectorType.get([self.lanes], self.element)
        assert self.weights is not None, "the weights of the block of keys are not set"
        where = [subtract(at[loop], self.query), at[self.key_loop]]
        return [create_value("vector.broadcast", type, [extract(self.weights, where)])]

    def left_operand(self) -> ir.Value:
        """The weights of the block of keys, rounded."""
        assert self.rounded is not None, "the weights of the block of keys are not set"
        return self.rounded

    def left_tile(self, at: dict[int, Number], row_loop: int, height: int, groups: int) -> Slice:
        """Rows of the weights, of as many groups of keys."""
        return Slice(self._weights_at(at), [height, groups * self.group], [1, 1])

    def _weights_at(self, at: dict[int, Number]) -> list[Number]:
        """Where the weights of a query and a group of keys are."""
        (loop,) = self.row_tiles
        return [subtract(at[loop], self.query), multiply(at[self.key_loop], self.group)]

    def _group(
        self, at: dict[int, Number], packed: ir.Value | None, tile: Number | None, row: int
    ) -> ir.Value:
        """The weights of a group of keys."""
        return read(self.left_operand(), self._weights_at(at), self.group, True)

    def right_tile(self, at: dict[int, Number], groups: int) -> Slice:
        """As many groups of values of the block."""
        return super().right_tile(self._behind(at), groups)

    def _right(self, at: dict[int, Number], columns: Columns, vector: int) -> ir.Value:
        """A vector of values of a key, or group of keys, of the block."""
        return super()._right(self._behind(at), columns, vector)

    def _behind(self, at: dict[int, Number]) -> dict[int, Number]:
        """Indices with those in the block of keys replaced by those of all keys."""
        key = add(divide(self.key, self.group), at[self.key_loop])
        return {**at, self.key_loop: key}

    # Results.

    def _result(
        self,
        at: dict[int, Number],
        loop: int,
        row: Number,
        sums: ir.Value,
        totals: ir.Value,
        memory: ir.Value,
    ) -> ir.Value:
        """Store a row of the result: sums of values divided by the sum of the weights."""
        type = ir.VectorType.get([self.lanes], self.element)
        sum = extract(sums, [row])
        zero = number(0.0, self.element)
        broadcast = create_value("vector.broadcast", type, [sum])
        zeros = create_value("vector.broadcast", type, [zero])
        is_unseen = is_equal(sum, zero)
        known = {**at, loop: add(self.query, row)}
        before = [
            known[each]
            for each in self.result_loops
            if each not in (self.panel_loop, self.vector_loop)
        ]

        def some(column: Number, is_whole: bool, inner: ir.Value) -> ir.Value:
            total = read(totals, [row, column], self.lanes, True)
            value = create_value("arith.divf", type, [total, broadcast])
            if self.attention.is_safe:
                value = create_value("arith.select", type, [is_unseen, zeros, value])
            return self.put(value, [*before, column], is_whole, inner)

        columns = self.number_of_columns()
        whole = multiply(divide(columns, self.lanes), self.lanes)
        memory = for_each(
            Span(0, whole, self.lanes), memory, lambda column, inner: some(column, True, inner)
        )
        return for_each(
            Span(whole, columns, self.lanes),
            memory,
            lambda column, inner: some(column, False, inner),
        )


def attention_loops(
    attention: Attention, blocks: AttentionSchedule, scores: Schedule, values: Schedule
) -> AttentionLoops:
    """A function that emits the loops of an attention with given schedules."""
    return AttentionLoops(
        attention.values,
        values,
        attention=attention,
        blocks=blocks,
        scores=ContractionLoops(attention.scores, scores),
    )
