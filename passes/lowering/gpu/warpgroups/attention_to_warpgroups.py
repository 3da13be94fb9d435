"""Lower attention of 16-bit floats to the matrix instructions of warpgroups."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    at_least_zero,
    both,
    create_op,
    create_value,
    delinearize,
    divide,
    divide_up,
    either,
    equal,
    finish,
    for_loop,
    if_then,
    index_value,
    less_than,
    multiply,
    remainder,
    subtract,
)
from torch_refine.dialect.structured_ops import dims_of, maps, num_inputs
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.buffers.memory import sizes_of
from torch_refine.passes.lowering.gpu.host.launching import Launch, barrier
from torch_refine.passes.lowering.gpu.warpgroups import instructions as ptx
from torch_refine.passes.lowering.gpu.warpgroups.attention_pattern import (
    ELEMENT,
    KEY,
    QUERY,
    score_of,
)
from torch_refine.passes.lowering.gpu.warpgroups.outline_gpu_attention import (
    ATTENTION,
    MASK,
    MASK_SCALE,
)
from torch_refine.passes.lowering.gpu.warpgroups.plan import DEPTH, GROUP_ROWS, Operand
from torch_refine.passes.lowering.gpu.warpgroups.staging import (
    ROW_BYTES,
    THREADS,
    Copies,
    advance,
    at_most,
    descriptor,
    plus,
    shared_memory,
    word_constant,
    word_of,
)

_GROUPS = 2
_ROWS = GROUP_ROWS * _GROUPS
_KEYS = 128
"""The keys of a tile."""
_STAGES = 2
# A fragment has two rows, eight below each other, and pairs of columns in blocks of eight.
_FRAGMENT_ROWS = 2
_LOG2_E = math.log2(math.e)
_BARRIERS = 1 + 4 * _STAGES
_EXTRA_BYTES = 1024 + 8 * _BARRIERS


@dataclass
class AttentionToWarpgroups(Pass):
    """Lower attention of 16-bit floats to the matrix instructions of warpgroups (sm_90a).

    A kernel that `outline-gpu-attention` made becomes one launch: a block computes 128 queries of
    one head. Its last warpgroup copies tiles of 128 keys and values to shared memory; the two
    others have the scores of 64 queries each in registers, as they come from the multiplication.
    Maximum and sum of a row are updated tile by tile, and what was summed of the values is scaled
    accordingly (online softmax), so that scores are never in memory. Weights are rounded to the
    type of the operands, and are multiplied from registers. Tiles in which a diagonal mask hides
    every key are left out; a mask is evaluated only where it may hide some.

    The attribute says all but the mask, so the example has no ops of attention.

    Before:

    ```mlir
    func.func @f(%arg0: memref<6x70x64xf16>, %arg1: memref<6x150x64xf16>, %arg2: \
memref<6x150x64xf16>, %arg3: memref<6x70x64xf16>) attributes {torch_refine.attention = {arguments \
= array<i64: 0, 1, 2, 3>, is_safe = false, loops = [array<i64: 0, -1, -3>, array<i64: 0, -2, -3>, \
array<i64: 0, -2, -3>, array<i64: 0, -1, -3>], scale = 1.250000e-01 : f64, value_scale = \
1.000000e+00 : f64}} {
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<6x70x64xf16>, %arg1: memref<6x150x64xf16>, %arg2: \
memref<6x150x64xf16>, %arg3: memref<6x70x64xf16>) {
      // ...
      gpu.launch blocks(%arg4, %arg5, %arg6) in (%arg10 = %c6, %arg11 = %c1, %arg12 = %c1) \
threads(%arg7, %arg8, %arg9) in (%arg13 = %c384, %arg14 = %c1, %arg15 = %c1) \
dynamic_shared_memory_size %c83016_i32 {
        // ...
          gpu.barrier
          // ...
              vector.store %43, %arg3[%arg4, %20, %23] : memref<6x70x64xf16>, vector<2xf16>
          // ...
      return
    }
    ```
    """

    name: ClassVar[str] = "attention-to-warpgroups"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Lower the attention kernels of a module."""
        for function in list(operations(op.regions[0].blocks[0])):
            if ATTENTION in function.attributes:
                with function.location:
                    _Kernel(function).lower()
                del function.attributes[ATTENTION]
                state.count(self.name, "kernels")


@dataclass
class _Rows:
    """The state of a thread's two rows: maximum, sum, and sums of values, all in f32."""

    maxima: list[ir.Value]
    sums: list[ir.Value]
    values: list[ir.Value]

    def flat(self) -> list[ir.Value]:
        """All values."""
        return [*self.maxima, *self.sums, *self.values]

    @staticmethod
    def of(values: Sequence[ir.Value]) -> _Rows:
        """The inverse of `flat`."""
        first, second = _FRAGMENT_ROWS, 2 * _FRAGMENT_ROWS
        return _Rows(list(values[:first]), list(values[first:second]), list(values[second:]))


class _Kernel:
    """The launch that computes attention."""

    def __init__(self, function: ir.Operation) -> None:
        self.function = function
        self.body = function.regions[0].blocks[0]
        marks = ir.DictAttr(function.attributes[ATTENTION])
        arguments = list(self.body.arguments)
        places = list(ir.DenseI64ArrayAttr(marks["arguments"]))
        loops = [tuple(ir.DenseI64ArrayAttr(each)) for each in ir.ArrayAttr(marks["loops"])]
        self.query, self.key, self.value, self.result = (arguments[place] for place in places)
        self.loops = loops
        self.scale = float(ir.FloatAttr(marks["scale"]).value)
        self.value_scale = float(ir.FloatAttr(marks["value_scale"]).value)
        self.is_safe = bool(ir.BoolAttr(marks["is_safe"]).value)
        self.diagonal = (
            int(ir.IntegerAttr(marks["diagonal"]).value) if "diagonal" in marks else None
        )
        masks = [each for each in walk(function) if MASK in each.attributes]
        self.mask = masks[0] if masks else None
        type = ir.MemRefType(self.query.type)
        self.element = str(type.element_type)
        self.size = int(type.shape[-1])
        # Missing elements of a head are copied as zeros.
        self.panels = -(-self.size // DEPTH)
        self.batch_rank = len(loops[3]) - 2

    def lower(self) -> None:
        """Replace the body of the function by a launch."""
        *old, end = operations(self.body)
        with ir.InsertionPoint(end):
            self._sizes()
            tiles = divide_up(self.rows, _ROWS)
            blocks = tiles
            for size in self.batch:
                blocks = multiply(blocks, size)
            launch = Launch(blocks, THREADS * (_GROUPS + 1), self._shared_bytes())
        with ir.InsertionPoint(launch.body):
            inside = if_then(less_than(launch.block_id, blocks))
        with ir.InsertionPoint(inside.regions[0].blocks[0]):
            self._block(launch, tiles)
        finish(inside.regions[0].blocks[0])
        launch.finish()
        self._erase(old)

    def _erase(self, old: list[ir.Operation]) -> None:
        """Erase what the launch replaces."""
        for op in reversed(old):
            if not any(True for result in op.results for _ in result.uses):
                op.erase()

    def _sizes(self) -> None:
        query, key = sizes_of(self.query), sizes_of(self.key)
        by_loop = dict(zip(self.loops[0], query, strict=True))
        result = dict(zip(self.loops[3], sizes_of(self.result), strict=True))
        self.batch: list[Number] = [result[loop] for loop in range(self.batch_rank)]
        self.rows = by_loop[QUERY]
        self.keys = key[self.loops[1].index(KEY)]

    def _shared_bytes(self) -> int:
        return self._tile_bytes(_ROWS) + 2 * _STAGES * self._tile_bytes(_KEYS) + _EXTRA_BYTES

    def _tile_bytes(self, rows: int) -> int:
        return self.panels * rows * ROW_BYTES

    def _operand(self, place: int, own: int, *, is_along: bool) -> Operand:
        loops = self.loops[place]
        batch = tuple((at, loop) for at, loop in enumerate(loops) if loop >= 0)
        return Operand(loops.index(own), len(loops) - 1, is_along, batch)

    def _block(self, launch: Launch, tiles: Number) -> None:
        thread = launch.thread_id
        start = shared_memory()
        self.query_tile = start
        self.key_tiles = plus(start, self._tile_bytes(_ROWS))
        self.value_tiles = plus(self.key_tiles, _STAGES * self._tile_bytes(_KEYS))
        self.barriers = plus(self.value_tiles, _STAGES * self._tile_bytes(_KEYS))
        *batch, place = delinearize(launch.block_id, [*self.batch, tiles])
        # Queries that see most keys first.
        place = subtract(subtract(tiles, 1), place)
        first = multiply(place, _ROWS)
        count = divide_up(self.keys, _KEYS)
        if self.diagonal is not None:
            visible = at_least_zero(add(first, _ROWS + self.diagonal))
            count = at_most(count, divide_up(visible, _KEYS))
        is_first = if_then(equal(thread, 0))
        with ir.InsertionPoint(is_first.regions[0].blocks[0]):
            for number in range(_BARRIERS):
                is_empty = number > 2 * _STAGES
                arrivals = 4 * _GROUPS if is_empty else THREADS
                ptx.init_barrier(self._barrier(number), arrivals)
        finish(is_first.regions[0].blocks[0])
        barrier()
        multiplies = if_then(less_than(thread, THREADS * _GROUPS))
        with ir.InsertionPoint(multiplies.regions[0].blocks[0]):
            self._multiply(thread, batch, first, count)
        finish(multiplies.regions[0].blocks[0])
        copies = if_then(less_than(THREADS * _GROUPS - 1, thread))
        with ir.InsertionPoint(copies.regions[0].blocks[0]):
            self._copy(thread, batch, first, count)
        finish(copies.regions[0].blocks[0])

    def _barrier(self, number: Number) -> ir.Value:
        """Barriers: the queries, full keys, full values, empty keys, empty values."""
        return plus(self.barriers, multiply(number, 8))

    def _ring(self, step: Number) -> tuple[Number, ir.Value]:
        return remainder(step, _STAGES), word_of(remainder(divide(step, _STAGES), 2))

    def _copy(
        self, thread: ir.Value, batch: Sequence[Number], first: Number, count: Number
    ) -> None:
        own = remainder(thread, THREADS)
        query = Copies(
            self.query, self._operand(0, QUERY, is_along=True), batch, first, _ROWS, own,
            self.panels * DEPTH,
        )  # fmt: skip
        query.copy(0, self.query_tile)
        ptx.arrive_after_copies(self._barrier(0))
        _, body = for_loop(0, count, 1)
        with ir.InsertionPoint(body):
            step = body.arguments[0]
            stage, parity = self._ring(step)
            opposite = create_value("arith.xori", ptx.word(), [parity, word_constant(1)])
            key = Copies(
                self.key, self._operand(1, KEY, is_along=True), batch, multiply(step, _KEYS),
                _KEYS, own, self.panels * DEPTH,
            )  # fmt: skip
            ptx.wait(self._barrier(add(stage, 1 + 2 * _STAGES)), opposite)
            offset = multiply(stage, self._tile_bytes(_KEYS))
            key.copy(0, plus(self.key_tiles, offset))
            ptx.arrive_after_copies(self._barrier(add(stage, 1)))
            value = Copies(
                self.value, self._operand(2, KEY, is_along=False), batch, 0,
                self.panels * DEPTH, own, _KEYS,
            )  # fmt: skip
            ptx.wait(self._barrier(add(stage, 1 + 3 * _STAGES)), opposite)
            value.copy(multiply(step, _KEYS), plus(self.value_tiles, offset))
            ptx.arrive_after_copies(self._barrier(add(stage, 1 + _STAGES)))
        finish(body)

    def _multiply(
        self, thread: ir.Value, batch: Sequence[Number], first: Number, count: Number
    ) -> None:
        group, own = divide(thread, THREADS), remainder(thread, THREADS)
        lane = remainder(own, 32)
        # The fragment of a thread: see "Register Fragments for wgmma.mma_async.m64nNk16".
        within = add(multiply(divide(own, 32), 16), divide(lane, 4))
        row = add(add(first, multiply(group, GROUP_ROWS)), within)
        self.fragment_rows = [row, add(row, 8)]
        self.pair = multiply(remainder(lane, 4), 2)
        is_first = create_value("arith.extui", ptx.word(), [equal(lane, 0)])
        ptx.wait(self._barrier(0), word_constant(0))
        zero, lowest = _float(0.0), _float(float("-inf"))
        columns = self.panels * DEPTH
        start = _Rows([lowest] * 2, [zero] * 2, [zero] * (columns // 2))
        loop, body = for_loop(0, count, 1, start.flat())
        with ir.InsertionPoint(body):
            step, *carried = body.arguments
            rows = _Rows.of(carried)
            stage, parity = self._ring(step)
            offset = multiply(stage, self._tile_bytes(_KEYS))
            ptx.wait(self._barrier(add(stage, 1)), parity)
            along = self._operand(1, KEY, is_along=True)
            left = plus(self.query_tile, multiply(group, GROUP_ROWS * ROW_BYTES))
            scores = ptx.multiply_once(
                descriptor(left, along),
                descriptor(plus(self.key_tiles, offset), along),
                element=self.element,
                columns=_KEYS,
                advances=[
                    (_along(step_, _ROWS), _along(step_, _KEYS)) for step_ in range(columns // 16)
                ],
            )
            ptx.arrive(self._barrier(add(stage, 1 + 2 * _STAGES)), is_first)
            first_key = multiply(step, _KEYS)
            scores, factor = self._masked(scores, batch, first, group, first_key)
            rows, weights = self._update(rows, scores, factor)
            ptx.wait(self._barrier(add(stage, 1 + _STAGES)), parity)
            across = self._operand(2, KEY, is_along=False)
            values = ptx.multiply_registers(
                rows.values,
                weights,
                descriptor(plus(self.value_tiles, offset), across, _KEYS),
                element=self.element,
                advance=advance(across),
            )
            ptx.arrive(self._barrier(add(stage, 1 + 3 * _STAGES)), is_first)
        finish(body, [*rows.maxima, *rows.sums, *values])
        self._store(_Rows.of(list(loop.results)), batch)

    def _masked(
        self,
        scores: list[ir.Value],
        batch: Sequence[Number],
        first: Number,
        group: Number,
        first_key: Number,
    ) -> tuple[list[ir.Value], float]:
        """Scores with minus infinity where keys are hidden or missing, and what scales them."""
        end = add(first_key, _KEYS)
        is_partial = less_than(self.keys, end)
        if not self._has_values():
            condition = is_partial
            if self.diagonal is not None:
                lowest = add(add(first, multiply(group, GROUP_ROWS)), self.diagonal)
                condition = either(condition, less_than(lowest, subtract(end, 1)))
            chosen = if_then(condition, [value.type for value in scores])
            with ir.InsertionPoint(chosen.regions[0].blocks[0]):
                hidden = [
                    self._visible(value, *self._place(number, first_key))
                    for number, value in enumerate(scores)
                ]
            finish(chosen.regions[0].blocks[0], hidden)
            finish(chosen.regions[1].blocks[0], scores)
            return list(chosen.results), self.scale
        assert self.mask is not None, "a mask is evaluated"
        scale = _float(self.scale)
        found = []
        for number, score in enumerate(scores):
            row, key = self._place(number, first_key)
            scaled = create_value("arith.mulf", score.type, [score, scale])
            masked = self._evaluated(self.mask, scaled, batch, row, key)
            found.append(self._visible(masked, row, key))
        return found, 1.0

    def _place(self, number: int, first_key: Number) -> tuple[Number, Number]:
        """The query and the key of an element of a fragment."""
        block, rest = divmod(number, 4)
        row = self.fragment_rows[rest // 2]
        return row, add(add(first_key, self.pair), 8 * block + rest % 2)

    def _visible(self, score: ir.Value, row: Number, key: Number) -> ir.Value:
        is_there = less_than(key, self.keys)
        if self.diagonal is not None:
            is_there = both(is_there, less_than(key, add(row, self.diagonal + 1)))
        hidden = _float(float("-inf"))
        return create_value("arith.select", score.type, [is_there, score, hidden])

    def _evaluated(
        self,
        mask: ir.Operation,
        score: ir.Value,
        batch: Sequence[Number],
        row: Number,
        key: Number,
    ) -> ir.Value:
        """A mask at one element; behind the last row or key, that of the last."""
        at_row = at_most(row, subtract(self.rows, 1))
        indices = [*batch, at_row, at_most(key, subtract(self.keys, 1))]
        body = mask.regions[0].blocks[0]
        place = int(ir.IntegerAttr(mask.attributes[MASK]).value)
        # The score is scaled already.
        scaled, factor = score_of(mask, place)
        expected = float(ir.FloatAttr(mask.attributes[MASK_SCALE]).value)
        assert factor == expected, f"scores are scaled by {expected}, and a mask by {factor}"
        known = {body.arguments[place]: score, scaled: score}
        inputs = list(mask.operands)[: num_inputs(mask)]
        for number, (argument, operand) in enumerate(zip(body.arguments, inputs, strict=False)):
            if number == place:
                continue
            assert isinstance(operand.owner, ir.Block), "a mask reads arguments of its kernel"
            dims = dims_of(maps(mask)[number]) or []
            places = [index_value(indices[dim]) for dim in dims]
            known[argument] = create_value("memref.load", argument.type, [operand, *places])
        *ops, end = operations(body)
        for op in ops:
            if op.result in known:
                continue
            if op.name == "linalg.index":
                dim = int(ir.IntegerAttr(op.attributes["dim"]).value)
                known[op.result] = index_value(indices[dim])
                continue
            operands = [known.get(value, value) for value in op.operands]
            attributes = {name: op.attributes[name] for name in op.attributes}
            known[op.result] = create_value(op.name, op.result.type, operands, attributes)
        return known.get(end.operands[0], end.operands[0])

    def _update(
        self, rows: _Rows, scores: list[ir.Value], factor: float
    ) -> tuple[_Rows, list[ir.Value]]:
        """The rows after a tile, and its weights in pairs."""
        scale = _float(factor * _LOG2_E)
        zero, lowest = _float(0.0), _float(float("-inf"))
        maxima, sums, rescales = [], [], []
        weights: list[ir.Value] = list(scores)
        for half in range(_FRAGMENT_ROWS):
            own = [number for number in range(len(scores)) if number % 4 // 2 == half]
            greatest = _tree(ptx.greater, [scores[number] for number in own])
            for distance in (1, 2):
                other = ptx.from_lane(greatest, distance)
                greatest = ptx.greater(greatest, other)
            # The largest product with the scale, which may be negative only if no score is scaled.
            new = ptx.greater(rows.maxima[half], greatest)
            is_none = create_value(
                "arith.cmpf", ir.IntegerType.get_signless(1), [new, lowest],
                {"predicate": ir.IntegerAttr.get(ptx.long(), 1)},
            )  # fmt: skip
            base = create_value("arith.select", new.type, [is_none, zero, new])
            weigh = self._weigh_masked if self._has_values() else self._weigh
            rescale, *found = weigh([rows.maxima[half], *(scores[n] for n in own)], base, scale)
            for number, weight in zip(own, found, strict=True):
                weights[number] = weight
            total = _tree(_sum, [weights[number] for number in own])
            maxima.append(new)
            sums.append(create_value("math.fma", new.type, [rows.sums[half], rescale, total]))
            rescales.append(rescale)
        values = [
            _binary("arith.mulf", value, rescales[number % 4 // 2])
            for number, value in enumerate(rows.values)
        ]
        pairs = [
            ptx.pack(weights[number], weights[number + 1], self.element)
            for number in range(0, len(weights), 2)
        ]
        return _Rows(maxima, sums, values), pairs

    def _has_values(self) -> bool:
        """Whether the mask is evaluated, and may be anything."""
        return self.mask is not None and self.diagonal is None

    @staticmethod
    def _weigh(scores: list[ir.Value], base: ir.Value, scale: ir.Value) -> list[ir.Value]:
        """2 to the power of what scores are above a base, scaled."""
        shift = create_value("arith.negf", base.type, [_binary("arith.mulf", base, scale)])
        return [
            ptx.exponential(create_value("math.fma", base.type, [score, scale, shift]))
            for score in scores
        ]

    @staticmethod
    def _weigh_masked(scores: list[ir.Value], base: ir.Value, scale: ir.Value) -> list[ir.Value]:
        """The same if the base may be the lowest finite float, which must not be scaled."""
        above = [_binary("arith.subf", score, base) for score in scores]
        return [ptx.exponential(_binary("arith.mulf", each, scale)) for each in above]

    def _store(self, rows: _Rows, batch: Sequence[Number]) -> None:
        """Divide by the sums of weights, and store."""
        type = ir.MemRefType(self.result.type).element_type
        inverses = []
        for total in rows.sums:
            for distance in (1, 2):
                total = _binary("arith.addf", total, ptx.from_lane(total, distance))
            inverse = _binary("arith.divf", _float(self.value_scale), total)
            # Without keys there is nothing to sum.
            if self.is_safe or not isinstance(self.keys, int):
                is_none = create_value(
                    "arith.cmpf", ir.IntegerType.get_signless(1), [total, _float(0.0)],
                    {"predicate": ir.IntegerAttr.get(ptx.long(), 1)},
                )  # fmt: skip
                if not self.is_safe:
                    is_none = both(is_none, equal(self.keys, 0))
                inverse = create_value("arith.select", total.type, [is_none, _float(0.0), inverse])
            inverses.append(inverse)
        vector = ir.VectorType.get([2], type)
        for half, row in enumerate(self.fragment_rows):
            inside = if_then(less_than(row, self.rows))
            with ir.InsertionPoint(inside.regions[0].blocks[0]):
                for block in range(self.size // 8):
                    pair = rows.values[4 * block + 2 * half :][:2]
                    found = [_binary("arith.mulf", each, inverses[half]) for each in pair]
                    if not isinstance(type, ir.F32Type):
                        found = [create_value("arith.truncf", type, [each]) for each in found]
                    values = create_value("vector.from_elements", vector, found)
                    column = add(self.pair, 8 * block)
                    at = {QUERY: row, ELEMENT: column, **dict(enumerate(batch))}
                    places = [index_value(at[loop]) for loop in self.loops[3]]
                    create_op("vector.store", [values, self.result, *places])
            finish(inside.regions[0].blocks[0])


def _along(step: int, rows: int) -> int:
    """What a step of 16 elements adds to a descriptor of panels with these rows, in all."""
    panel, inside = divmod(step, DEPTH // 16)
    return panel * rows * ROW_BYTES // 16 + 2 * inside


def _float(value: float) -> ir.Value:
    type = ir.F32Type.get()
    return create_value("arith.constant", type, [], {"value": ir.FloatAttr.get(type, value)})


def _binary(name: str, a: ir.Value, b: ir.Value) -> ir.Value:
    return create_value(name, a.type, [a, b])


def _sum(a: ir.Value, b: ir.Value) -> ir.Value:
    return _binary("arith.addf", a, b)


def _tree(
    combine: Callable[[ir.Value, ir.Value], ir.Value], values: Sequence[ir.Value]
) -> ir.Value:
    """Values combined in pairs."""
    while len(values) > 1:
        values = [combine(a, b) for a, b in zip(values[::2], values[1::2], strict=True)]
    return values[0]
