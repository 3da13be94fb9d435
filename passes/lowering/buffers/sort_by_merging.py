"""Lower sorts to a merge sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    constant,
    create_op,
    create_value,
    divide,
    finish,
    for_loop,
    if_then,
    index_value,
    less_than,
    multiply,
    subtract,
)
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.buffers.memory import each_column, sizes_of
from torch_refine.passes.lowering.buffers.sorts import (
    SORT,
    Sort,
    allocate,
    load,
    memref_type,
    store,
)
from torch_refine.passes.lowering.kernels.contractions.vectors import (
    broadcast,
    is_vectorizable,
    vectorized,
)

_BITS = 64


@dataclass
class SortByMerging(Pass):
    """Lower sorts to a merge sort.

    The wheel's loops compare all pairs of elements. These merge sorted runs, of length one at
    first, then of two, of four and so on, into a second buffer, and copy them back. The sort is
    stable. Each step of a merge is branchless. A template as text would be of one rank and one
    number of operands with their types, and these vary.

    Where only the first few elements of each row are read afterwards, such as those of `topk`, they
    are kept in order at its start: an element that comes before the last of them is inserted, and
    most are only compared, some at once. The rest of the row is not sorted then.

    Before:

    ```mlir
    func.func @f(%arg0: memref<3x50xf32>) {
      tm_tensor.sort dimension(1) outs(%arg0 : memref<3x50xf32>) {
      ^bb0(%arg1: f32, %arg2: f32):
        %0 = arith.cmpf ole, %arg1, %arg2 : f32
        tm_tensor.yield %0 : i1
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<3x50xf32>) {
      %alloc = memref.alloc() : memref<3x50xf32>
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c1 = arith.constant 1 : index
      scf.parallel (%arg1) = (%c0) to (%c3) step (%c1) {
        %c0_0 = arith.constant 0 : index
        %c6 = arith.constant 6 : index
        %c1_1 = arith.constant 1 : index
        scf.for %arg2 = %c0_0 to %c6 step %c1_1 {
          %c1_2 = arith.constant 1 : index
          %0 = arith.shli %c1_2, %arg2 : index
          %c1_3 = arith.constant 1 : index
          %1 = arith.shli %0, %c1_3 : index
          %c0_4 = arith.constant 0 : index
          %c50 = arith.constant 50 : index
          scf.for %arg3 = %c0_4 to %c50 step %1 {
            %2 = arith.addi %arg3, %0 : index
            %c50_8 = arith.constant 50 : index
            %3 = arith.minui %2, %c50_8 : index
            %4 = arith.addi %arg3, %1 : index
            %c50_9 = arith.constant 50 : index
            %5 = arith.minui %4, %c50_9 : index
            %c1_10 = arith.constant 1 : index
            %6:2 = scf.for %arg4 = %arg3 to %5 step %c1_10 iter_args(%arg5 = %arg3, %arg6 = %3) \
-> (index, index) {
              %c1_11 = arith.constant 1 : index
              %7 = arith.subi %5, %c1_11 : index
              %8 = memref.load %arg0[%arg1, %arg5] : memref<3x50xf32>
              %9 = arith.minui %arg6, %7 : index
              %10 = memref.load %arg0[%arg1, %9] : memref<3x50xf32>
              %11 = arith.cmpf ole, %8, %10 : f32
              %12 = arith.cmpi slt, %arg6, %5 : index
              %true = arith.constant true
              %13 = arith.xori %12, %true : i1
              %14 = arith.cmpi slt, %arg5, %3 : index
              %15 = arith.ori %13, %11 : i1
              %16 = arith.andi %14, %15 : i1
              %17 = arith.select %16, %8, %10 : f32
              memref.store %17, %alloc[%arg1, %arg4] : memref<3x50xf32>
              %c1_12 = arith.constant 1 : index
              %18 = arith.addi %arg5, %c1_12 : index
              %c1_13 = arith.constant 1 : index
              %19 = arith.addi %arg6, %c1_13 : index
              %20 = arith.select %16, %18, %arg5 : index
              %21 = arith.select %16, %arg6, %19 : index
              scf.yield %20, %21 : index, index
            }
          }
          %c0_5 = arith.constant 0 : index
          %c50_6 = arith.constant 50 : index
          %c1_7 = arith.constant 1 : index
          scf.for %arg3 = %c0_5 to %c50_6 step %c1_7 {
            %2 = memref.load %alloc[%arg1, %arg3] : memref<3x50xf32>
            memref.store %2, %arg0[%arg1, %arg3] : memref<3x50xf32>
          }
        }
        scf.reduce
      }
      memref.dealloc %alloc : memref<3x50xf32>
      return
    }
    ```
    """

    name: ClassVar[str] = "sort-by-merging"

    lanes: int = option(1, "the number of elements of a row that are compared at once")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == SORT]:
            if all(isinstance(operand.type, ir.MemRefType) for operand in each.operands):
                with each.location:
                    _Sort(each, self.lanes).write()
                each.erase()
                state.count(self.name, "sorts")


class _Sort(Sort):
    def __init__(self, op: ir.Operation, lanes: int) -> None:
        super().__init__(op)
        self.lanes = lanes

    def write(self) -> None:
        """Emit the loops in front of the op; rows are independent."""
        with ir.InsertionPoint(self.op):
            sizes = sizes_of(self.memory[0])
            first = self.read_first()
            if first is not None:
                self.count = sizes.pop(self.along)
                self.each_row(sizes, lambda: self._select(first))
                return
            self.scratch = [allocate(memref_type(each).element_type, sizes) for each in self.memory]
            self.count = sizes.pop(self.along)
            passes = self._merge_passes()
            self.each_row(sizes, lambda: self._row(passes))
            for each in self.scratch:
                create_op("memref.dealloc", [each])

    def _select(self, first: int) -> None:
        """Move the first elements of a row to its start, in order."""
        number = (
            min(first, self.count)
            if isinstance(self.count, int)
            else _index("arith.minui", self.count, index_value(first))
        )
        with each_column(number) as place:
            self._insert(place, place)
        last = index_value(subtract(number, 1))
        start = number
        if self._can_compare_vectors():
            rest = subtract(self.count, number)
            blocks = divide(rest, self.lanes)
            with each_column(blocks) as block:
                begin = add(number, multiply(block, self.lanes))
                found = if_then(self._has_earlier(begin, last))
                with ir.InsertionPoint(found.regions[0].blocks[0]):
                    self._insert_earlier(begin, add(begin, self.lanes), last, number)
                    create_op("scf.yield")
            start = add(number, multiply(blocks, self.lanes))
        self._insert_earlier(start, self.count, last, number)

    def _insert_earlier(self, start: Number, end: Number, last: ir.Value, number: Number) -> None:
        """Insert those of some elements that come before the last of the first ones."""
        _, elements = for_loop(start, end, 1)
        with ir.InsertionPoint(elements):
            place = elements.arguments[0]
            kept, given = (
                [load(each, self.at(at)) for each in self.memory] for at in (last, place)
            )
            insertion = if_then(_flipped(self._compared(_pairs(kept, given))))
            with ir.InsertionPoint(insertion.regions[0].blocks[0]):
                self._insert(place, index_value(number))
                create_op("scf.yield")
        finish(elements)

    def _insert(self, place: ir.Value, number: ir.Value) -> None:
        """Insert an element into so many ones in order; what comes last then moves to its place."""
        given = [load(each, self.at(place)) for each in self.memory]
        loop, step = for_loop(0, number, 1, [_false(), *given])
        with ir.InsertionPoint(step):
            here, is_placed, *moved = step.arguments
            held = [load(each, self.at(here)) for each in self.memory]
            # Behind the new element all others move, also those that are equal.
            is_before = self._compared(_pairs(held, given))
            stays = _bool("arith.andi", is_before, _flipped(is_placed))
            following = [_flipped(stays)]
            for one, other, target in zip(held, moved, self.memory, strict=True):
                chosen = create_value("arith.select", one.type, [stays, one, other])
                store(chosen, target, self.at(here))
                following.append(create_value("arith.select", one.type, [stays, other, one]))
        finish(step, following)
        # What comes last is at its place, or one of those that are not read.
        for value, target in zip(list(loop.results)[1:], self.memory, strict=True):
            store(value, target, self.at(place))

    def _can_compare_vectors(self) -> bool:
        """Whether rows are contiguous, and the comparator is one of numbers."""
        *ops, _ = operations(self.comparison)
        compared = [memref_type(each) for each in self._compared_memory()]
        return (
            self.lanes > 1
            and self.along == len(self.others)
            and all(each.affine_map == _identity(each) for each in compared)
            and not any(isinstance(each.element_type, ir.ComplexType) for each in compared)
            and all(map(is_vectorizable, ops))
        )

    def _compared_memory(self) -> list[ir.Value]:
        """The operands whose elements the comparator reads."""
        arguments = list(self.comparison.arguments)
        pairs = zip(arguments[::2], arguments[1::2], strict=True)
        return [
            memory
            for memory, pair in zip(self.memory, pairs, strict=True)
            if any(True for argument in pair for _ in argument.uses)
        ]

    def _has_earlier(self, start: Number, last: ir.Value) -> ir.Value:
        """Whether one of `lanes` elements comes before the last of the first ones."""
        known: dict[ir.Value, ir.Value] = {}
        compared = self._compared_memory()
        for place, memory in enumerate(self.memory):
            if memory in compared:
                one, other = list(self.comparison.arguments)[2 * place : 2 * place + 2]
                known[one] = load(memory, self.at(last))
                type = ir.VectorType.get([self.lanes], memref_type(memory).element_type)
                indices = self.at(index_value(start))
                known[other] = create_value("vector.load", type, [memory, *indices])
        *ops, end = operations(self.comparison)
        for op in ops:
            operands = [known.get(each, each) for each in op.operands]
            known[op.results[0]] = vectorized(op, operands, self.lanes)
        holds = broadcast(known.get(end.operands[0], end.operands[0]), self.lanes)
        kind = {"kind": ir.Attribute.parse("#vector.kind<and>")}
        bit = ir.IntegerType.get_signless(1)
        return _flipped(create_value("vector.reduction", bit, [holds], kind))

    def _row(self, passes: Number) -> None:
        """Merge the runs of a row until there is one."""
        _, merge_loop = for_loop(0, passes, 1)
        with ir.InsertionPoint(merge_loop):
            width = _index("arith.shli", index_value(1), merge_loop.arguments[0])
            twice = _index("arith.shli", width, index_value(1))
            _, pair = for_loop(0, self.count, twice)
            with ir.InsertionPoint(pair):
                start = pair.arguments[0]
                middle = _index(
                    "arith.minui", index_value(add(start, width)), index_value(self.count)
                )
                end = _index("arith.minui", index_value(add(start, twice)), index_value(self.count))
                self._merge(start, middle, end)
            finish(pair)
            _, back = for_loop(0, self.count, 1)
            with ir.InsertionPoint(back):
                place = self.at(back.arguments[0])
                for source, target in zip(self.scratch, self.memory, strict=True):
                    store(load(source, place), target, place)
            finish(back)
        finish(merge_loop)

    def _merge_passes(self) -> Number:
        """The number of passes, each of which doubles the length of runs."""
        if isinstance(self.count, int):
            return max(self.count - 1, 0).bit_length()
        number = ir.IntegerType.get_signless(_BITS)
        last = _index(
            "arith.subi", _index("arith.maxui", self.count, index_value(1)), index_value(1)
        )
        wide = create_value("arith.index_cast", number, [last])
        zeros = create_value("math.ctlz", number, [wide])
        return _index(
            "arith.subi",
            index_value(_BITS),
            create_value("arith.index_cast", ir.IndexType.get(), [zeros]),
        )

    def _merge(self, start: ir.Value, middle: ir.Value, end: ir.Value) -> None:
        """Merge two adjacent runs, the second of which may be empty."""
        _, step = for_loop(start, end, 1, [start, middle])
        with ir.InsertionPoint(step):
            place, left, right = step.arguments
            # Past the end of a run, its last element is loaded, and not selected.
            last = _index("arith.subi", end, index_value(1))
            pairs = [
                [
                    load(each, self.at(left)),
                    load(each, self.at(_index("arith.minui", right, last))),
                ]
                for each in self.memory
            ]
            is_first = self._compared([number for pair in pairs for number in pair])
            right_ended = _flipped(less_than(right, end))
            takes_left = _bool(
                "arith.andi", less_than(left, middle), _bool("arith.ori", right_ended, is_first)
            )
            for pair, target in zip(pairs, self.scratch, strict=True):
                chosen = create_value("arith.select", pair[0].type, [takes_left, *pair])
                store(chosen, target, self.at(place))
            moved = [_index("arith.addi", each, index_value(1)) for each in (left, right)]
            following = [
                create_value("arith.select", ir.IndexType.get(), [takes_left, moved[0], left]),
                create_value("arith.select", ir.IndexType.get(), [takes_left, right, moved[1]]),
            ]
        finish(step, following)

    def _compared(self, numbers: Sequence[ir.Value]) -> ir.Value:
        """The comparator, applied to the elements of both runs."""
        known = dict(zip(self.comparison.arguments, numbers, strict=True))
        *ops, last = operations(self.comparison)
        for op in ops:
            copy = op.clone()
            for index, operand in enumerate(op.operands):
                copy.operands[index] = known.get(operand, operand)
            known.update(zip(op.results, copy.results, strict=True))
        return known.get(last.operands[0], last.operands[0])


def _identity(type: ir.MemRefType) -> ir.AffineMap:
    return ir.AffineMap.get_identity(type.rank, type.context)


def _pairs(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> list[ir.Value]:
    """The comparator's arguments: for each operand, the elements of both."""
    return [each for pair in zip(left, right, strict=True) for each in pair]


def _index(name: str, a: Number, b: ir.Value) -> ir.Value:
    return create_value(name, ir.IndexType.get(), [index_value(a), b])


def _bool(name: str, a: ir.Value, b: ir.Value) -> ir.Value:
    return create_value(name, a.type, [a, b])


def _false() -> ir.Value:
    return constant(ir.IntegerType.get_signless(1), 0)


def _flipped(condition: ir.Value) -> ir.Value:
    type = condition.type
    true = create_value("arith.constant", type, [], {"value": ir.IntegerAttr.get(type, 1)})
    return _bool("arith.xori", condition, true)
