"""Add long sums of floats in blocks, and keep the rounding errors of their total."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar, NamedTuple

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    as_fold_result,
    create_op,
    create_value,
    finish,
    for_loop,
    if_then,
    index_value,
    less_than,
    minimum,
    move_body,
    multiply,
    subtract,
)
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.buffers.memory import each_column, frame_of, stack_memory

_FOR, _LOAD, _STORE = "scf.for", "memref.load", "memref.store"
# Marks innermost loops that add a block, or few rows, already.
_IN_BLOCKS = "torch_refine.in_blocks"
_FLOATS = ("f32", "f64")
# The terms of a block that an innermost loop adds. It has several accumulators of a vector each, so
# each of those adds about as many terms as one of `_ROWS`.
_TERMS = 1024
# The rows of a block, and the columns that stay in the first cache.
_ROWS = 64
_COLUMNS = 1024
# Shorter sums of rows stay as they are.
_LEAST_ROWS = 256
_PURE = ("arith.", "math.", "affine.", "memref.subview", "memref.dim", "memref.reinterpret_cast")
# Other ops may have effects on memory, or on the order of effects.
_MOVED = (*_PURE, _LOAD, _STORE, "cf.assert")
# The number of the predicate that is true of NaN.
_UNORDERED = 14


class Columns(NamedTuple):
    """The part of the columns that is added at once: the first, and how many."""

    start: Number
    number: Number


@dataclass
class SumInBlocks(Pass):
    """Add long sums of floats in blocks, and keep the rounding errors of their total.

    The rounding error of a running sum grows with the number of its terms: the sum of 200,000
    floats was 50 units off in the last place, PyTorch's, which adds in parts, 8. Here, an
    accumulator adds a block, then the block is added to the total, whose rounding errors are added
    separately (O. Møller's and D. Knuth's sum of two numbers) and to the total at the end. So the
    error is that of a block, whatever the number of terms. Sums of f16 and bf16 are sums of f32
    here. A sum of rows, whose columns are the innermost loop, has a block for each column.

    Before:

    ```mlir
    func.func @f(%arg0: memref<?xf32>, %arg1: memref<f32>, %arg2: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %arg3 = %c0 to %arg2 step %c1 {
        %0 = memref.load %arg0[%arg3] : memref<?xf32>
        %1 = memref.load %arg1[] : memref<f32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %arg1[] : memref<f32>
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<?xf32>, %arg1: memref<f32>, %arg2: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = memref.load %arg1[] : memref<f32>
      %cst = arith.constant 0.000000e+00 : f32
      %c0_0 = arith.constant 0 : index
      %c1024 = arith.constant 1024 : index
      %1:2 = scf.for %arg3 = %c0_0 to %arg2 step %c1024 iter_args(%arg4 = %0, %arg5 = %cst) -> \
(f32, f32) {
        %c1024_1 = arith.constant 1024 : index
        %5 = arith.addi %arg3, %c1024_1 : index
        %6 = arith.minsi %5, %arg2 : index
        %cst_2 = arith.constant 0.000000e+00 : f32
        %c1_3 = arith.constant 1 : index
        %7 = scf.for %arg6 = %arg3 to %6 step %c1_3 iter_args(%arg7 = %cst_2) -> (f32) {
          %15 = memref.load %arg0[%arg6] : memref<?xf32>
          %16 = arith.addf %15, %arg7 fastmath<reassoc,contract> : f32
          scf.yield %16 : f32
        }
        %8 = arith.addf %arg4, %7 : f32
        %9 = arith.subf %8, %arg4 : f32
        %10 = arith.subf %8, %9 : f32
        %11 = arith.subf %arg4, %10 : f32
        %12 = arith.subf %7, %9 : f32
        %13 = arith.addf %11, %12 : f32
        %14 = arith.addf %arg5, %13 : f32
        scf.yield %8, %14 : f32, f32
      }
      %2 = arith.cmpf uno, %1#1, %1#1 : f32
      %3 = arith.addf %1#0, %1#1 : f32
      %4 = arith.select %2, %1#0, %3 : f32
      memref.store %4, %arg1[] : memref<f32>
      return
    }
    ```
    """

    name: ClassVar[str] = "sum-in-blocks"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the loops in a module, or in one function."""
        for loop in [each for each in walk(op) if each.name == _FOR]:
            sum = Sum.of(loop)
            if sum is None:
                continue
            with sum.loops[-1].location, ir.InsertionPoint(sum.loops[-1]):
                if sum.column is None:
                    sum.add_terms()
                else:
                    sum.add_rows()
            state.count(self.name, "sums")


@dataclass
class Sum:
    """Nested loops that add to elements of a memref, each loop the only one in the next one.

    Attributes:
        loops: the innermost first; the last ones are those of the sum.
        add, load, store: the ops that add to an element, the only ones that access it.
        column: which index of the element is that of the innermost loop; None if the element is
            the same in all loops.
        place: the memref, and the indices of the element.
    """

    loops: list[ir.Operation]
    add: ir.Operation
    load: ir.Operation
    store: ir.Operation
    column: int | None
    place: list[ir.Value]

    @staticmethod
    def of(loop: ir.Operation) -> Sum | None:
        """The sum whose innermost loop this is, if it may be long."""
        if _IN_BLOCKS in loop.attributes:
            return None
        body = _movable(loop)
        stores = [each for each in body if each.name == _STORE]
        if len(stores) != 1 or any(len(each.regions) for each in body) or len(loop.results):
            return None
        store = stores[0]
        added = defining_op(store.operands[0])
        if added is None or added.name != "arith.addf" or str(added.result.type) not in _FLOATS:
            return None
        place = list(store.operands)[1:]
        load = next(
            (each for each in map(defining_op, added.operands) if _loads(each, place)), None
        )
        if load is None or any(len(list(each.result.uses)) != 1 for each in (load, added)):
            return None
        number = loop.regions[0].blocks[0].arguments[0]
        columns = [at for at, each in enumerate(place[1:]) if each == number]
        if len(columns) > 1:
            return None
        column = columns[0] if columns else None
        fixed = [each for each in place if each != number]
        loops = [loop]
        while len(loops) < 2 or column is None:
            outer = _around(loops[-1])
            if outer is None or not all(_is_outside(each, outer) for each in fixed):
                break
            loops.append(outer)
        if not all(_is_outside(each, loops[0]) for each in fixed):
            return None
        found = Sum(loops, added, load, store, column, place)
        return found if found._may_be_long() and not found._is_read() else None

    def _is_read(self) -> bool:
        """Whether the loops read the memref elsewhere, too."""
        ops = [op for loop in self.loops for op in operations(loop.regions[0].blocks[0])]
        loads = [op for op in ops if op.name == _LOAD and op != self.load]
        return any(load.operands[0] == self.place[0] for load in loads)

    def _may_be_long(self) -> bool:
        if self.column is not None:
            if len(self.loops) < 2 or any(_bounds(each)[2] != 1 for each in self.loops):
                return False
            inner, outer = self.loops
            if not all(_is_outside(each, outer) for each in list(inner.operands)[:2]):
                return False
            rows = _trips(self.loops[1])
            return rows is None or rows > _LEAST_ROWS
        counts = [_trips(each) for each in self.loops]
        return None in counts or prod(each or 0 for each in counts) > self._terms()

    def _terms(self) -> int:
        """The terms of a block: fewer if the loop is not vectorized, and has fewer accumulators."""
        inner = self.loops[0]
        number = inner.regions[0].blocks[0].arguments[0]
        for op in operations(inner.regions[0].blocks[0]):
            places = list(op.operands)[1:] if op.name == _LOAD else []
            is_next = places[-1:] == [number] and all(
                _is_outside(each, inner) for each in places[:-1]
            )
            if not is_next and not all(_is_outside(each, inner) for each in places):
                return _ROWS
        return _TERMS

    def add_terms(self) -> None:
        """Rewrite loops that add to one element; the insertion point is in front of them."""
        type = self.add.result.type
        start = create_value(_LOAD, type, self.place)
        total, error = self._nest(len(self.loops) - 1, (start, _zero(type)))
        create_op(_STORE, [_rounded(total, error), *self.place])
        self.loops[-1].erase()

    def _nest(self, depth: int, carried: Sequence[ir.Value]) -> list[ir.Value]:
        """Loops from this depth to the innermost; returns the total and its error."""
        loop = self.loops[depth]
        if depth == 0:
            return self._blocks(carried)
        made, body = for_loop(*_bounds(loop), carried)
        _take_body(loop, body)
        inner = self.loops[depth - 1]
        with ir.InsertionPoint(inner):
            found = self._nest(depth - 1, list(body.arguments)[1:])
        inner.erase()
        finish(body, found)
        return list(made.results)

    def _blocks(self, carried: Sequence[ir.Value]) -> list[ir.Value]:
        """The innermost loop in blocks, which are added to the total."""
        loop = self.loops[0]
        first, end, step = _bounds(loop)
        trips = _trips(loop)
        terms = self._terms()
        if trips is not None and trips <= 2 * terms:
            total, error = carried
            return two_sum(total, error, self._block(first, end, step))
        stride = multiply(step, terms)
        made, body = for_loop(first, end, stride, carried)
        with ir.InsertionPoint(body):
            start = body.arguments[0]
            last = minimum(add(start, stride), end)
            total, error = list(body.arguments)[1:]
            found = two_sum(total, error, self._block(start, last, step))
        finish(body, found)
        return list(made.results)

    def _block(self, first: Number, end: Number, step: Number) -> ir.Value:
        """The sum of some terms, in whatever order is fastest."""
        type = self.add.result.type
        made, body = for_loop(first, end, step, [_zero(type)])
        _take_body(self.loops[0], body)
        self.load.result.replace_all_uses_with(body.arguments[1])
        self.store.erase()
        self.load.erase()
        reorder = ir.Attribute.parse("#arith.fastmath<reassoc,contract>", self.add.context)
        self.add.attributes["fastmath"] = reorder
        finish(body, [self.add.result])
        return made.result

    def add_rows(self) -> None:
        """Rewrite loops that add rows; the insertion point is in front of them.

        If the number of rows is dynamic, few of them are added as before.
        """
        rows = self.loops[1]
        if _trips(rows) is not None:
            self._add_many_rows()
            return
        first, end, _ = _bounds(rows)
        chosen = if_then(less_than(_LEAST_ROWS, subtract(end, first)))
        few = ir.Block.create_at_start(chosen.regions[1], [], [])
        kept = operations(rows.clone(ir.InsertionPoint(few)).regions[0].blocks[0])
        _mark(next(each for each in kept if each.name == _FOR))
        many = chosen.regions[0].blocks[0]
        rows.detach_from_parent()
        many.append(rows)
        with ir.InsertionPoint(rows):
            self._add_many_rows()
        for block in (few, many):
            finish(block)

    def _add_many_rows(self) -> None:
        inner, rows = self.loops
        type = self.add.result.type
        with ir.InsertionPoint.at_block_begin(frame_of(rows)):
            total, error, partial = (stack_memory(type, _COLUMNS) for _ in range(3))
        left, right, _ = _bounds(inner)
        _, strip = for_loop(left, right, _COLUMNS)
        with ir.InsertionPoint(strip):
            start = strip.arguments[0]
            count = minimum(subtract(right, start), _COLUMNS)
            zero = _zero(type)
            with each_column(count) as column:
                given = create_value(_LOAD, type, self._place(add(start, column)))
                _put(given, total, column)
                _put(zero, error, column)
            self._add_blocks(partial, total, error, Columns(start, count))
            with each_column(count) as column:
                found = _rounded(_get(total, column), _get(error, column))
                create_op(_STORE, [found, *self._place(add(start, column))])
        finish(strip)
        rows.erase()

    def _add_blocks(
        self, partial: ir.Value, total: ir.Value, error: ir.Value, columns: Columns
    ) -> None:
        """Add all rows of some columns, block by block."""
        inner, rows = self.loops
        start, count = columns
        top, bottom, _ = _bounds(rows)
        _, block = for_loop(top, bottom, _ROWS)
        with ir.InsertionPoint(block):
            above = block.arguments[0]
            zero = _zero(self.add.result.type)
            with each_column(count) as column:
                _put(zero, partial, column)
            _, some = for_loop(above, minimum(add(above, _ROWS), bottom), 1)
            _take_body(rows, some)
            with ir.InsertionPoint(inner):
                added, terms = for_loop(0, count, 1)
            _mark(added)
            column = terms.arguments[0]
            with ir.InsertionPoint(terms):
                number = index_value(add(start, column))
            inner.regions[0].blocks[0].arguments[0].replace_all_uses_with(number)
            move_body(inner.regions[0].blocks[0], terms)
            inner.erase()
            with ir.InsertionPoint(self.load):
                read = _get(partial, column)
            self.load.result.replace_all_uses_with(read)
            with ir.InsertionPoint(self.store):
                _put(self.add.result, partial, column)
            self.store.erase()
            self.load.erase()
            for each in (terms, some):
                finish(each)
            with each_column(count) as column:
                before, rounded, term = (_get(each, column) for each in (total, error, partial))
                after = two_sum(before, rounded, term)
                _put(after[0], total, column)
                _put(after[1], error, column)
        finish(block)

    def _place(self, column: Number) -> list[ir.Value]:
        """The memref and the indices of the element of a column."""
        assert self.column is not None, "a sum of rows"
        return [
            *self.place[: self.column + 1],
            index_value(column),
            *self.place[self.column + 2 :],
        ]


def _mark(loop: ir.Operation) -> None:
    loop.attributes[_IN_BLOCKS] = ir.UnitAttr.get(loop.context)


def two_sum(total: ir.Value, error: ir.Value, term: ir.Value) -> list[ir.Value]:
    """The sum of two numbers, and the rounding errors so far with that of this sum."""
    sum = _float("addf", total, term)
    rest = _float("subf", sum, total)
    of_total = _float("subf", total, _float("subf", sum, rest))
    of_term = _float("subf", term, rest)
    return [sum, _float("addf", error, _float("addf", of_total, of_term))]


def _rounded(total: ir.Value, error: ir.Value) -> ir.Value:
    """A total with its error, which is NaN if the total is infinite."""
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _UNORDERED)
    truth = ir.IntegerType.get_signless(1)
    is_unknown = create_value("arith.cmpf", truth, [error, error], {"predicate": number})
    exact = _float("addf", total, error)
    return create_value("arith.select", total.type, [is_unknown, total, exact])


def _float(name: str, a: ir.Value, b: ir.Value) -> ir.Value:
    return create_value(f"arith.{name}", a.type, [a, b])


def _zero(type: ir.Type) -> ir.Value:
    return create_value("arith.constant", type, [], {"value": ir.FloatAttr.get(type, 0.0)})


def _get(memory: ir.Value, column: Number) -> ir.Value:
    type = ir.MemRefType(memory.type).element_type
    return create_value(_LOAD, type, [memory, index_value(column)])


def _put(value: ir.Value, memory: ir.Value, column: Number) -> None:
    create_op(_STORE, [value, memory, index_value(column)])


def _take_body(loop: ir.Operation, target: ir.Block) -> None:
    """Move the body of a loop to a new one."""
    source = loop.regions[0].blocks[0]
    source.arguments[0].replace_all_uses_with(target.arguments[0])
    move_body(source, target)


def _bounds(loop: ir.Operation) -> tuple[Number, Number, Number]:
    first, end, step = (as_fold_result(each) for each in list(loop.operands)[:3])
    return first, end, step


def _trips(loop: ir.Operation) -> int | None:
    """The number of iterations; None if it is dynamic."""
    first, end, step = _bounds(loop)
    if not (isinstance(first, int) and isinstance(end, int) and isinstance(step, int)):
        return None
    return len(range(first, end, step)) if step > 0 else None


def _loads(op: ir.Operation | None, place: Sequence[ir.Value]) -> bool:
    return op is not None and op.name == _LOAD and list(op.operands) == list(place)


def _movable(loop: ir.Operation) -> list[ir.Operation]:
    """The ops of a loop; none if some have effects that are not known."""
    body = list(operations(loop.regions[0].blocks[0]))[:-1]
    return body if all(each.name.startswith(_MOVED) for each in body) else []


def _around(loop: ir.Operation) -> ir.Operation | None:
    """The loop that has nothing else with an effect than this one."""
    outer = operation_of(loop.block.owner)
    if outer.name != _FOR or len(outer.results):
        return None
    others = [each for each in list(operations(loop.block))[:-1] if each != loop]
    is_pure = all(each.name.startswith(_PURE) or each.name == _LOAD for each in others)
    return outer if is_pure else None


def _is_outside(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether a value is defined outside of a loop."""
    owner = value.owner
    block = owner if isinstance(owner, ir.Block) else operation_of(owner).block
    while True:
        op = operation_of(block.owner)
        if op == loop:
            return False
        if op.name == "func.func":
            return True
        block = op.block
