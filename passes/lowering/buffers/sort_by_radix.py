"""Lower sorts of numbers to radix sorts, and those of short rows to ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    add,
    create_op,
    create_value,
    finish,
    if_then,
    index_type,
    index_value,
    less_than,
    multiply,
)
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.buffers.memory import (
    each_column,
    frame_of,
    sizes_of,
    stack_memory,
)
from torch_refine.passes.lowering.buffers.sort_keys import (
    DIGIT_BITS,
    Keys,
    Order,
    order_of,
)
from torch_refine.passes.lowering.buffers.sorts import (
    SORT,
    Sort,
    allocate,
    load,
    load_place,
    memref_type,
    store,
)


@dataclass
class SortByRadix(Pass):
    """Lower sorts of numbers to radix sorts, and those of short rows to ranks.

    These are the sorts with the comparators of PyTorch: integers, or floats with NaN as the
    greatest, in either direction. Elements get integers as keys, which have their order. Zeros of
    both signs have the same key, and all NaNs have one. Both methods are stable.

    The rank of an element is the number of those that come before it. Vectors of keys are compared
    with all keys of the row, and each element moves to its rank. That takes quadratic time, so
    longer rows are sorted by eight bits of the keys at a time, the lowest first. Digits that are
    the same in all elements, as the highest ones of small integers are, are skipped. Elements move
    once, after that. Where the length of rows is dynamic, it decides at run time.

    Sorts of which few first elements are read are left to `sort-by-merging`, which selects them.

    Before:

    ```mlir
    func.func @f(%arg0: memref<3x?xi32>) {
      tm_tensor.sort dimension(1) outs(%arg0 : memref<3x?xi32>) {
      ^bb0(%arg1: i32, %arg2: i32):
        %0 = arith.cmpi sle, %arg1, %arg2 : i32
        tm_tensor.yield %0 : i1
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<3x?xi32>) {
      // ...
      %0 = arith.cmpi slt, %c192, %dim : index
      scf.if %0 {
        // ...
        scf.parallel (%arg1) = (%c0) to (%c3) step (%c1_5) {
          // ...
          %2 = scf.for %arg2 = %c0_8 to %c4 step %c1_9 iter_args(%arg3 = %c0_8) -> (index) {
            // ...
            %12 = scf.if %11 -> (index) {
              scf.yield %arg3 : index
            } else {
              // ...
              scf.for %arg4 = %c0_8 to %dim step %c1_9 {
                %15 = arith.addi %arg3, %arg4 : index
                %16 = memref.load %alloc[%15] : memref<?xi32>
                %17 = arith.shrui %16, %5 : i32
                %18 = arith.andi %17, %c255_i32 : i32
                %19 = arith.index_castui %18 : i32 to index
                %20 = memref.load %alloc_3[%arg2, %19] : memref<4x256xindex>
                %21 = arith.addi %20, %c1_9 : index
                memref.store %21, %alloc_3[%arg2, %19] : memref<4x256xindex>
                memref.store %16, %alloc[%20] : memref<?xi32>
                %22 = memref.load %alloc_2[%15] : memref<?xindex>
                memref.store %22, %alloc_2[%20] : memref<?xindex>
              }
              scf.yield %13 : index
            }
            scf.yield %12 : index
          }
          // ...
        }
        // ...
      } else {
        // ...
        scf.parallel (%arg1) = (%c0) to (%c3) step (%c1_2) {
          // ...
            %8 = scf.for %arg3 = %3 to %dim step %c1_6 iter_args(%arg4 = %7) -> (vector<8xi32>) {
              %9 = memref.load %alloca[%arg3] : memref<192xi32>
              %10 = vector.broadcast %9 : i32 to vector<8xi32>
              %11 = arith.cmpi slt, %10, %1 : vector<8xi32>
              %12 = arith.extsi %11 : vector<8xi1> to vector<8xi32>
              %13 = arith.subi %arg4, %12 : vector<8xi32>
              scf.yield %13 : vector<8xi32>
            }
            vector.store %8, %alloca_0[%arg2] : memref<192xi32>, vector<8xi32>
          }
          // ...
        }
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "sort-by-radix"

    threads: int = option(1, "the number of threads that rows are distributed over")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == SORT]:
            if not all(isinstance(operand.type, ir.MemRefType) for operand in each.operands):
                continue
            order = order_of(each)
            if order is None or Sort(each).read_first() is not None:
                continue
            with each.location:
                _Sort(each, order, self.threads > 1).write()
            each.erase()
            state.count(self.name, "sorts")


class _Scratch(NamedTuple):
    """Memory in which rows are sorted."""

    # Two halves of items, two of places unless those are packed, and counts of digits.
    sorted: list[ir.Value]
    # A row of each element type.
    copies: dict[ir.Type, ir.Value]


class _Sort(Sort):
    """A sort whose elements have keys."""

    def __init__(self, op: ir.Operation, order: Order, is_parallel: bool) -> None:
        super().__init__(op)
        self.order = order
        self.is_parallel = is_parallel
        self.types = [memref_type(each).element_type for each in self.memory]

    def write(self) -> None:
        """Emit the loops in front of the op; rows are independent."""
        with ir.InsertionPoint(self.op):
            self.sizes = sizes_of(self.memory[0])
            self.count = self.sizes.pop(self.along)
            # Without other dimensions, there is one row, and nothing is parallel.
            self.is_parallel = self.is_parallel and len(self.sizes) > 0
            self.keys = Keys(self.types[self.order.operand], self.order, self.count)
            most = self.keys.most_ranked
            if isinstance(self.count, int):
                if self.count > most:
                    self._sort_rows()
                elif self.count > 1:
                    self._rank_rows()
                return
            chosen = if_then(less_than(most, self.count))
            short = ir.Block.create_at_start(chosen.regions[1], [], [])
            long = chosen.regions[0].blocks[0]
            for block, write in ((long, self._sort_rows), (short, self._rank_rows)):
                with ir.InsertionPoint(block):
                    write()
                finish(block)

    def _rank_rows(self) -> None:
        """Rank the elements of every row, in memory on the stack."""
        if self.is_parallel:
            self.each_row(self.sizes, lambda: self._rank_row(self._stack()))
            return
        with ir.InsertionPoint.at_block_begin(frame_of(self.op)):
            memory = self._stack()
        self.each_row(self.sizes, lambda: self._rank_row(memory))

    def _stack(self) -> list[ir.Value]:
        """Memory for keys, ranks and a row of each operand."""
        types = [self.keys.type, self.keys.type, *self.types]
        return [stack_memory(each, self.keys.padded) for each in types]

    def _rank_row(self, memory: list[ir.Value]) -> None:
        """Move the elements of a row to their ranks."""
        keys, ranks, *copies = memory
        with each_column(self.count) as column:
            for source, copy in zip(self.memory, copies, strict=True):
                store(load(source, self.at(column)), copy, [column])
            number = load(copies[self.order.operand], [column])
            store(self.keys.of(number), keys, [column])
        self.keys.rank(keys, ranks, index_value(self.count))
        with each_column(self.count) as column:
            rank = create_value("arith.index_castui", index_type(), [load_place(ranks, [column])])
            for copy, target in zip(copies, self.memory, strict=True):
                store(load(copy, [column]), target, self.at(rank))

    def _sort_rows(self) -> None:
        """Sort every row by digits of keys."""
        if self.is_parallel:
            self.each_row(self.sizes, lambda: self._with_scratch(self._sort_row))
            return
        self._with_scratch(
            lambda scratch: self.each_row(self.sizes, lambda: self._sort_row(scratch))
        )

    def _with_scratch(self, write: Callable[[_Scratch], None]) -> None:
        """Allocate scratch memory, and free it after what is emitted."""
        halves = multiply(2, self.count)
        items = [allocate(self.keys.item, [halves])]
        places = [] if self.keys.is_packed else [allocate(self.keys.place, [halves])]
        counts = [allocate(index_type(), [self.keys.digits, 1 << DIGIT_BITS])]
        types = dict.fromkeys(self.types)
        copies = {type: allocate(type, [self.count]) for type in types}
        sorted = [*items, *places, *counts]
        write(_Scratch(sorted, copies))
        for each in (*sorted, *copies.values()):
            create_op("memref.dealloc", [each])

    def _sort_row(self, scratch: _Scratch) -> None:
        """Sort the items of a row, and move its elements."""
        items, *places, _ = scratch.sorted
        # Packed items have places.
        placed = (items, *places)[-1]
        keyed = self.memory[self.order.operand]
        with each_column(self.count) as column:
            store(self.keys.item_of(load(keyed, self.at(column)), column), items, [column])
            if not self.keys.is_packed:
                store(self.keys.place_of(column), placed, [column])
        start = self.keys.sort(scratch.sorted, index_value(self.count))
        for memory, type in zip(self.memory, self.types, strict=True):
            copy = scratch.copies[type]
            with each_column(self.count) as column:
                store(load(memory, self.at(column)), copy, [column])
            with each_column(self.count) as column:
                place = load_place(placed, [index_value(add(start, column))])
                source = self.keys.index_of(place)
                store(load(copy, [source]), memory, self.at(column))
