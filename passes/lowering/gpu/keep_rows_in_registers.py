"""Keep rows in the registers of the threads that share them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    both,
    create_op,
    create_value,
    delinearize,
    divide_up,
    finish,
    if_then,
    index_type,
    index_value,
    less_than,
    minimum,
    multiply,
    subtract,
)
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    iterators,
    num_inputs,
    operation_of,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.loops import (
    THREADS,
    Bounds,
    finish_mapped_loop,
    mapped_loop,
    maps_to,
    replace_indices,
)
from torch_refine.passes.lowering.gpu.reductions.combining import (
    combine,
    combiner_of,
    finds_first,
    inline_body,
    neutral_element,
)
from torch_refine.passes.lowering.gpu.row_program import (
    RowProgram,
    element_count,
    is_inside,
    is_whole_reduction,
    row_program,
    slice_of,
)
from torch_refine.passes.lowering.gpu.thread_groups import Group, in_pairs

_LOAD_BITS = 128
_BYTE = 8
# As many groups of threads find in the first cache what one of them read.
_FEW_ROWS = 8
# Of the 32-bit registers of a thread, 32.
_MOST_BITS_AHEAD = 1024


@dataclass
class KeepRowsInRegisters(Pass):
    """Keep rows in the registers of the threads that share them.

    In a loop over blocks whose body computes a row of static length, a group of threads computes a
    row: part of a warp if the row is short, so a block computes several rows, or else a block. A
    thread loads its elements of a row once, as vectors of up to 128 bits; intermediates of the row
    stay in its registers. Reductions use shuffles, and shared memory only across warps. Groups
    without a row compute the last row, and store nothing, as all threads of a warp must shuffle.
    A reduction of all elements of memrefs to one element is such a row.

    The order of accumulation differs from that of the loop.

    Before:

    ```mlir
    func.func @f(%arg0: memref<63x4xf32>, %arg1: memref<63xf32>) {
      scf.forall (%arg2) in (63) {
        %0 = memref.subview %arg0[%arg2, 0] [1, 4] [1, 1] : memref<63x4xf32> \
to memref<4xf32, strided<[1], offset: ?>>
        %1 = memref.subview %arg1[%arg2] [1] [1] : memref<63xf32> \
to memref<f32, strided<[], offset: ?>>
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], \
iterator_types = ["reduction"]} ins(%0 : memref<4xf32, strided<[1], offset: ?>>) \
outs(%1 : memref<f32, strided<[], offset: ?>>) {
        ^bb0(%in: f32, %out: f32):
          %2 = arith.addf %in, %out : f32
          linalg.yield %2 : f32
        }
      } {mapping = [#gpu.block<linear_dim_0>]}
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<63x4xf32>, %arg1: memref<63xf32>) {
      scf.forall (%arg2) in (1) {
        scf.forall (%arg3) in (256) {
          %c0 = arith.constant 0 : index
          %c256 = arith.constant 256 : index
          %0 = arith.muli %arg2, %c256 : index
          %1 = arith.addi %0, %arg3 : index
          %c63 = arith.constant 63 : index
          %2 = arith.cmpi slt, %1, %c63 : index
          %c62 = arith.constant 62 : index
          %3 = arith.minsi %1, %c62 : index
          %subview = memref.subview %arg0[%3, 0] [1, 4] [1, 1] : memref<63x4xf32> to \
memref<4xf32, strided<[1], offset: ?>>
          %subview_0 = memref.subview %arg1[%3] [1] [1] : memref<63xf32> to memref<f32, \
strided<[], offset: ?>>
          %4 = vector.load %subview[%c0] : memref<4xf32, strided<[1], offset: ?>>, vector<4xf32>
          %5 = vector.extract %4[0] : f32 from vector<4xf32>
          %6 = vector.extract %4[1] : f32 from vector<4xf32>
          %7 = vector.extract %4[2] : f32 from vector<4xf32>
          %8 = vector.extract %4[3] : f32 from vector<4xf32>
          %cst = arith.constant 0.000000e+00 : f32
          %c0_1 = arith.constant 0 : index
          %9 = memref.load %subview_0[] : memref<f32, strided<[], offset: ?>>
          %10 = arith.addf %5, %6 : f32
          %11 = arith.addf %7, %8 : f32
          %12 = arith.addf %10, %11 : f32
          %13 = arith.addf %9, %12 : f32
          %c0_2 = arith.constant 0 : index
          %c0_3 = arith.constant 0 : index
          %14 = arith.cmpi eq, %c0_2, %c0_3 : index
          %15 = arith.andi %14, %2 : i1
          scf.if %15 {
            %c0_4 = arith.constant 0 : index
            memref.store %13, %subview_0[] : memref<f32, strided<[], offset: ?>>
          }
        } {mapping = [#gpu.thread<linear_dim_0>]}
      } {mapping = [#gpu.block<linear_dim_0>]}
      return
    }
    ```
    """

    name: ClassVar[str] = "keep-rows-in-registers"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the loops over blocks in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == GENERIC]:
            if is_whole_reduction(each):
                _enclose(each)
                state.count(self.name, "reductions to one element")
        for loop in [each for each in walk(op) if each.name == "scf.forall"]:
            if not maps_to(loop, "block") or len(loop.results):
                continue
            program = row_program(loop)
            if program is not None:
                with loop.location:
                    _Rewrite(program).run()
                state.count(self.name, "loops over rows")


def _enclose(op: ir.Operation) -> None:
    """Put a reduction to one element into a loop over one block, with the ops that fill its
    results."""
    ops = list(operations(op.block))
    inside = [op]
    for each in reversed(ops[: ops.index(op)]):
        if each.name != GENERIC or len(iterators(each)) or not set(_outs(each)) <= set(_outs(op)):
            break
        inside.insert(0, each)
    with ir.InsertionPoint(op), op.location:
        body = mapped_loop(1, "block")
    for each in inside:
        each.detach_from_parent()
        body.append(each)
    finish_mapped_loop(body)


def _order(program: RowProgram, extents: list[Number]) -> list[int]:
    """The loops over rows, the one whose iterations are adjacent groups of threads last.

    Of a matmul of few rows, adjacent groups read the same row of the other operand.
    """
    order = list(range(len(extents)))
    few = extents[-2] if len(extents) > 1 else 0
    if not isinstance(few, int) or not 1 < few <= _FEW_ROWS:
        return order
    rows, columns = list(program.body.arguments)[-2:]
    by_row = by_column = False
    for op in operations(program.body):
        for operand in op.operands if op.name == GENERIC else ():
            if not isinstance(operand.type, ir.MemRefType) or element_count(operand) == 1:
                continue
            view = defining_op(slice_of(operand))
            used = list(view.operands) if view is not None else []
            by_row |= rows in used and columns not in used
            by_column |= columns in used and rows not in used
    return [*order[:-2], order[-1], order[-2]] if by_row and by_column else order


class _Rewrite:
    """The computation of a row by the threads of a group."""

    def __init__(self, program: RowProgram) -> None:
        self.program = program
        self.distribution = program.distribution
        # The elements that the current thread has of a row, by the slice of memory; all threads
        # have what is a single element.
        self.rows: dict[ir.Value, list[ir.Value]] = {}
        self.numbers: dict[ir.Value, ir.Value] = {}
        # Single elements outside, which one thread stores at the end.
        self.stores: dict[ir.Value, ir.Value] = {}
        # Whether the group has a row; None if every group has.
        self.has_row: ir.Value | None = None

    def run(self) -> None:
        """Replace the loop."""
        loop = self.program.loop
        with ir.InsertionPoint(loop):
            bounds = Bounds(loop)
            total, divisors = bounds.total(), bounds.divisors()
            self.blocks = mapped_loop(divide_up(total, self.distribution.rows), "block")
        with ir.InsertionPoint(self.blocks):
            threads = mapped_loop(THREADS, "thread")
        self.threads = operation_of(threads.owner)
        with ir.InsertionPoint(threads):
            self.group = Group(self.distribution, threads.arguments[0])
            row = self._row_number(self.blocks.arguments[0], total)
            order = _order(self.program, bounds.extents)
            counts = delinearize(row, [divisors[dim] for dim in order])
            places = dict(zip(order, counts, strict=True))
            indices = bounds.indices([places[dim] for dim in range(len(order))])
            replace_indices(self.program.body, indices)
        ops = list(operations(self.program.body))[:-1]
        generics = [op for op in ops if op.name == GENERIC]
        for op in ops:
            if op.name != GENERIC and not self._is_memory_of_row(op):
                op.detach_from_parent()
                threads.append(op)
        with ir.InsertionPoint(threads):
            self._load_ahead(generics)
            for op in generics:
                self._generic(op)
            self._store_numbers()
        finish_mapped_loop(threads)
        finish_mapped_loop(self.blocks)
        for op in reversed(list(operations(self.program.body))[:-1]):
            op.erase()
        loop.erase()

    def _load_ahead(self, ops: list[ir.Operation]) -> None:
        """Load rows that are used after a reduction before it, if they take few registers."""
        needed: dict[ir.Value, tuple[ir.Operation, int]] = {}
        for op in ops:
            for place, operand in enumerate(op.operands):
                if self._is_row(operand) and not self._is_private(operand):
                    needed.setdefault(slice_of(operand), (op, place))
            # Arguments may alias: what follows may read what this wrote.
            if not all(map(self._is_private, _outs(op))):
                break
        widths = [ir.MemRefType(memory.type).element_type.width for memory in needed]
        if sum(widths) * self.distribution.elements <= _MOST_BITS_AHEAD:
            for op, place in needed.values():
                self._row(op, place)

    def _is_memory_of_row(self, op: ir.Operation) -> bool:
        """Whether an op allocates memory of the row, or is a view of it."""
        (result,) = op.results
        return isinstance(result.type, ir.MemRefType) and self._is_private(result)

    def _row_number(self, block: ir.Value, total: Number) -> Number:
        row = add(multiply(block, self.distribution.rows), self.group.number)
        if isinstance(total, int) and total % self.distribution.rows == 0:
            return row
        if self.distribution.rows == 1:
            return row
        self.has_row = less_than(row, total)
        return minimum(row, subtract(total, 1))

    def _generic(self, op: ir.Operation) -> None:
        outs = _outs(op)
        if not any(self._is_row(operand) for operand in op.operands):
            numbers = [self._number(op, place) for place in range(len(op.operands))]
            indices = [index_value(0) for _ in iterators(op)]
            results = self._results(op, inline_body(op, numbers, indices))
            for out, result in zip(outs, results, strict=True):
                self._set_number(out, result)
        elif finds_first(op):
            for out, result in zip(outs, self._first(op), strict=True):
                self._set_number(out, result)
        elif iterators(op) == ["reduction"]:
            self._set_number(outs[0], self._reduced(op))
        else:
            elements = [
                self._results(op, inline_body(op, arguments, indices))
                for arguments, indices in self._elements(op)
            ]
            for out, row in zip(outs, zip(*elements, strict=True), strict=True):
                self._set_row(out, list(row))

    def _results(self, op: ir.Operation, copies: dict[ir.Value, ir.Value]) -> list[ir.Value]:
        last = list(operations(op.regions[0].blocks[0]))[-1]
        return [copies.get(operand, operand) for operand in last.operands]

    def _elements(self, op: ir.Operation) -> list[tuple[list[ir.Value], list[ir.Value]]]:
        """The arguments of the body for each element of the thread, and its index if needed."""
        columns = [
            self._row(op, place)
            if self._is_row(op.operands[place])
            else [self._number(op, place)] * self.distribution.elements
            for place in range(len(op.operands))
        ]
        needs_index = any(each.name == "linalg.index" for each in walk(op))
        indices = [
            [index_value(add(start, element))] if needs_index else []
            for start in self.group.starts
            for element in range(self.distribution.width)
        ]
        return list(zip(map(list, zip(*columns, strict=True)), indices, strict=True))

    def _is_row(self, operand: ir.Value) -> bool:
        return isinstance(operand.type, ir.MemRefType) and element_count(operand) > 1

    def _reduced(self, op: ir.Operation) -> ir.Value:
        combiner = combiner_of(op)
        assert combiner is not None, "checked before"
        out = op.regions[0].blocks[0].arguments[num_inputs(op)]
        (side,) = (operand for operand in combiner.operands if operand != out)
        neutral = neutral_element(combiner)
        values = []
        for place, (arguments, indices) in enumerate(self._elements(op)):
            value = inline_body(op, arguments, indices, but=combiner).get(side, side)
            inside = self.group.inside[place // self.distribution.width]
            if inside is not None:
                value = create_value("arith.select", value.type, [inside, value, neutral])
            values.append([value])

        def both_of(a: list[ir.Value], b: list[ir.Value]) -> list[ir.Value]:
            return [combine(combiner, a[0], b[0])]

        shared = self._shared(self.group.shared_types([neutral.type]))
        (all,) = self.group.reduce(in_pairs(values, both_of), both_of, shared)
        start = self._number(op, num_inputs(op))
        return combine(combiner, start, all)

    def _first(self, op: ir.Operation) -> list[ir.Value]:
        """The greatest or least element, and its first index."""
        found = [self._number(op, place) for place in (1, 2)]

        def later(element: ir.Value, index: ir.Value, best: list[ir.Value]) -> list[ir.Value]:
            return self._results(op, inline_body(op, [element, *best], [index]))

        def first_of(a: list[ir.Value], b: list[ir.Value]) -> list[ir.Value]:
            is_later = less_than(_as_index(a[1]), _as_index(b[1]))
            first, second = (
                [create_value("arith.select", x.type, [is_later, x, y])
                 for x, y in zip(one, other, strict=True)]
                for one, other in ((a, b), (b, a))
            )  # fmt: skip
            return later(second[0], _as_index(second[1]), first)

        for arguments, indices in self._elements(op):
            found = later(arguments[0], indices[0], found)
        shared = self._shared(self.group.shared_types([each.type for each in found]))
        return self.group.reduce(found, first_of, shared)

    def _shared(self, types: list[ir.Type]) -> list[ir.Value]:
        """Shared memory of the block."""
        with ir.InsertionPoint(self.threads):
            segments = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
            return [create_value("memref.alloca", type, [], segments) for type in types]

    def _number(self, op: ir.Operation, place: int) -> ir.Value:
        """The value of an operand that is a number, or one element."""
        operand = op.operands[place]
        if not isinstance(operand.type, ir.MemRefType):
            return operand
        memory = slice_of(operand)
        if memory not in self.numbers:
            self.numbers[memory] = (
                _unknown(operand)
                if self._is_unused(op, place) or self._is_private(operand)
                else _load(operand, 0)
            )
        return self.numbers[memory]

    def _row(self, op: ir.Operation, place: int) -> list[ir.Value]:
        """The thread's elements of an operand that is a row."""
        operand = op.operands[place]
        memory = slice_of(operand)
        if memory in self.rows:
            return self.rows[memory]
        if self._is_unused(op, place) or self._is_private(operand):
            return [_unknown(operand)] * self.distribution.elements
        self.rows[memory] = [
            element for start in self.group.starts for element in self._load_vector(operand, start)
        ]
        return self.rows[memory]

    def _is_unused(self, op: ir.Operation, place: int) -> bool:
        """Whether the body does not use an operand."""
        return not any(True for _ in op.regions[0].blocks[0].arguments[place].uses)

    def _is_private(self, operand: ir.Value) -> bool:
        return is_inside(operand, self.program.loop)

    def _load_vector(self, memory: ir.Value, start: ir.Value) -> list[ir.Value]:
        width = self.distribution.width
        part = self._part(memory)
        if part == 1:
            return [_load(memory, add(start, element)) for element in range(width)]
        type = ir.VectorType.get([part], ir.MemRefType(memory.type).element_type)
        found = []
        for first in range(0, width, part):
            at = index_value(add(start, first))
            vector = create_value("vector.load", type, [memory, at])
            found += [_extract(vector, element) for element in range(part)]
        return found

    def _part(self, memory: ir.Value) -> int:
        """How many elements of a row are loaded or stored at a time."""
        bits = ir.MemRefType(memory.type).element_type.width
        if bits < _BYTE:
            return 1
        part = min(self.distribution.width, _LOAD_BITS // bits)
        return part if _is_aligned(memory, part) else 1

    def _set_number(self, out: ir.Value, value: ir.Value) -> None:
        memory = slice_of(out)
        self.numbers[memory] = value
        if not self._is_private(out):
            self.stores[memory] = out

    def _set_row(self, out: ir.Value, row: list[ir.Value]) -> None:
        memory = slice_of(out)
        if not self._is_private(out):
            # What was loaded through other arguments may have changed.
            self.rows = {each: row for each, row in self.rows.items() if self._is_private(each)}
            self._store_row(out, row)
        self.rows[memory] = row

    def _store_row(self, out: ir.Value, row: list[ir.Value]) -> None:
        width = self.distribution.width
        for vector, (start, inside) in enumerate(
            zip(self.group.starts, self.group.inside, strict=True)
        ):
            conditions = [each for each in (inside, self.has_row) if each is not None]
            elements = row[vector * width : (vector + 1) * width]
            with _when(conditions):
                self._store_vector(out, start, elements)

    def _store_vector(self, out: ir.Value, start: ir.Value, elements: list[ir.Value]) -> None:
        part = self._part(out)
        type = ir.VectorType.get([part], ir.MemRefType(out.type).element_type)
        for first in range(0, len(elements), part):
            at = index_value(add(start, first))
            if part == 1:
                create_op("memref.store", [elements[first], out, at])
                continue
            own = elements[first : first + part]
            create_op("vector.store", [create_value("vector.from_elements", type, own), out, at])

    def _store_numbers(self) -> None:
        """Store the single elements outside."""
        if not self.stores:
            return
        conditions = [each for each in (self.group.is_first(), self.has_row) if each is not None]
        with _when(conditions):
            for memory, out in self.stores.items():
                indices = [index_value(0)] * ir.MemRefType(out.type).rank
                create_op("memref.store", [self.numbers[memory], out, *indices])


class _when:
    """An insertion point where conditions hold."""

    def __init__(self, conditions: list[ir.Value]) -> None:
        self.block: ir.Block | None = None
        if conditions:
            condition = conditions[0]
            for each in conditions[1:]:
                condition = both(condition, each)
            self.block = if_then(condition).regions[0].blocks[0]
            self.point = ir.InsertionPoint(self.block)

    def __enter__(self) -> None:
        if self.block is not None:
            self.point.__enter__()

    def __exit__(self, *error: object) -> None:
        if self.block is not None:
            self.point.__exit__(None, None, None)
            if error[0] is None:
                finish(self.block)


def _outs(op: ir.Operation) -> list[ir.Value]:
    return list(op.operands)[num_inputs(op) :]


def _as_index(value: ir.Value) -> ir.Value:
    return create_value("arith.index_cast", index_type(), [value])


def _load(memory: ir.Value, index: Number) -> ir.Value:
    type = ir.MemRefType(memory.type)
    return create_value(
        "memref.load", type.element_type, [memory, *([index_value(index)] * type.rank)]
    )


def _extract(vector: ir.Value, position: int) -> ir.Value:
    where = {"static_position": ir.DenseI64ArrayAttr.get([position])}
    return create_value("vector.extract", ir.VectorType(vector.type).element_type, [vector], where)


def _unknown(memory: ir.Value) -> ir.Value:
    """The contents of memory that nothing was written to."""
    type = ir.MemRefType(memory.type).element_type
    return create_value("ub.poison", type, [], {"value": ir.Attribute.parse("#ub.poison")})


def _is_aligned(memory: ir.Value, width: int) -> bool:
    """Whether the row's first element, and so each multiple of a width, is aligned to vectors.

    Buffers are aligned to more than a vector of 128 bits.
    """
    while True:
        type = ir.MemRefType(memory.type)
        strides, _ = type.get_strides_and_offset()
        if strides and strides[-1] != 1:
            return False
        producer = defining_op(memory)
        if producer is None:
            return isinstance(type.layout, ir.AffineMapAttr)
        if producer.name == "memref.alloc":
            return True
        if producer.name != "memref.subview":
            return False
        memory = producer.operands[0]
        source = ir.MemRefType(memory.type)
        strides, _ = source.get_strides_and_offset()
        offsets = list(ir.DenseI64ArrayAttr(producer.attributes["static_offsets"]))
        # A dynamic stride or offset is negative.
        for stride, offset in zip(strides, offsets, strict=True):
            if stride < 0 or (stride % width and (offset < 0 or stride * offset % width)):
                return False
