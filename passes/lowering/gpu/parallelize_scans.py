"""Compute cumulative operations in parallel: in chunks of each row."""

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
    divide,
    divide_up,
    finish,
    for_loop,
    if_then,
    index_value,
    less_than,
    minimum,
    multiply,
    parallel_loop,
    remainder,
    subtract,
)
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.buffers.memory import sizes_of

_SCAN = "tm_tensor.scan"
_FREE = "memref.dealloc"
# Elements of a chunk where the size of the rows is not known.
_CHUNK = 128
# Rows of so few elements are not divided.
_SHORT = 64


@dataclass
class ParallelizeScans(Pass):
    """Compute cumulative operations in parallel: in chunks of each row.

    Upstream's loops take one element after the other, in a single thread of a GPU. Here a thread
    combines the elements of a chunk, one thread per row continues the last elements of the chunks,
    and in the end the last element of the chunk before is combined with each element of a chunk.
    The operation must be associative; floats are rounded otherwise than one after the other, as in
    PyTorch on a GPU. Rows of up to 64 elements are one chunk. Exclusive scans, and those whose
    total is used, are left.

    Before:

    ```mlir
    func.func @f(%arg0: memref<9x40xf32>, %arg1: memref<9x40xf32>) {
      %alloc = memref.alloc() : memref<9xf32>
      tm_tensor.scan dimension(1) inclusive(true) ins(%arg0 : memref<9x40xf32>) outs(%arg1, \
%alloc : memref<9x40xf32>, memref<9xf32>) {
      ^bb0(%arg2: f32, %arg3: f32):
        %0 = arith.addf %arg2, %arg3 : f32
        tm_tensor.yield %0 : f32
      }
      memref.dealloc %alloc : memref<9xf32>
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<9x40xf32>, %arg1: memref<9x40xf32>) {
      %alloc = memref.alloc() : memref<9xf32>
      %c0 = arith.constant 0 : index
      %c0_0 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %c1 = arith.constant 1 : index
      %c1_1 = arith.constant 1 : index
      %c1_2 = arith.constant 1 : index
      scf.parallel (%arg2, %arg3) = (%c0, %c0_0) to (%c9, %c1) step (%c1_1, %c1_2) {
        %c40 = arith.constant 40 : index
        %0 = arith.muli %arg3, %c40 : index
        %1 = memref.load %arg0[%arg2, %0] : memref<9x40xf32>
        memref.store %1, %arg1[%arg2, %0] : memref<9x40xf32>
        %c40_3 = arith.constant 40 : index
        %2 = arith.addi %0, %c40_3 : index
        %c40_4 = arith.constant 40 : index
        %3 = arith.minsi %2, %c40_4 : index
        %c1_5 = arith.constant 1 : index
        %4 = arith.addi %0, %c1_5 : index
        %c1_6 = arith.constant 1 : index
        %5 = scf.for %arg4 = %4 to %3 step %c1_6 iter_args(%arg5 = %1) -> (f32) {
          %6 = memref.load %arg0[%arg2, %arg4] : memref<9x40xf32>
          %7 = arith.addf %arg5, %6 : f32
          memref.store %7, %arg1[%arg2, %arg4] : memref<9x40xf32>
          scf.yield %7 : f32
        }
        scf.reduce 
      }
      memref.dealloc %alloc : memref<9xf32>
      return
    }
    ```
    """

    name: ClassVar[str] = "parallelize-scans"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _SCAN]:
            if _is_parallel(each):
                with each.location, ir.InsertionPoint(each):
                    _Scan(each).parallelize()
                each.erase()
                state.count(self.name, "scans")


def _is_parallel(op: ir.Operation) -> bool:
    """Whether an op is on memrefs, includes each element, and only its elements are used."""
    return (
        not len(op.results)
        and all(isinstance(each.type, ir.MemRefType) for each in op.operands)
        and bool(ir.BoolAttr(op.attributes["inclusive"]).value)
        and _is_unused(op.operands[2], op)
    )


def _is_unused(total: ir.Value, op: ir.Operation) -> bool:
    """Whether only an op writes the memory of its total, and nothing reads it."""
    producer = defining_op(total)
    users = [operation_of(use.owner) for use in total.uses]
    others = {each.name for each in users if each != op}
    return producer is not None and producer.name == "memref.alloc" and others <= {_FREE}


class _Scan:
    """A scan whose rows are in one dimension of its input."""

    def __init__(self, op: ir.Operation) -> None:
        self.source, self.out = list(op.operands)[:2]
        self.dim = int(ir.IntegerAttr(op.attributes["dimension"]).value)
        self.block = op.regions[0].blocks[0]
        sizes = sizes_of(self.source)
        self.length = sizes.pop(self.dim)
        self.others = sizes
        self.chunk = _chunk_of(self.length)

    @property
    def _type(self) -> ir.MemRefType:
        return ir.MemRefType(self.source.type)

    def parallelize(self) -> None:
        """Create the loops at the current insertion point."""
        self._scan_chunks()
        if not isinstance(self.length, int) or self.length > self.chunk:
            self._continue_chunks()
            self._finish_chunks()

    def _scan_chunks(self) -> None:
        body = parallel_loop([*self.others, divide_up(self.length, self.chunk)])
        with ir.InsertionPoint(body):
            *others, number = body.arguments
            start = multiply(number, self.chunk)
            first = self._load(self.source, others, start)
            self._store(first, others, start)
            end = minimum(add(start, self.chunk), self.length)
            _, inner = for_loop(add(start, 1), end, 1, [first])
            with ir.InsertionPoint(inner):
                place, before = inner.arguments
                found = self._combined(before, self._load(self.source, others, place))
                self._store(found, others, place)
            finish(inner, [found])
            create_op("scf.reduce")

    def _continue_chunks(self) -> None:
        """Let the last elements of all whole chunks be those of the whole row."""
        # A loop over no dimension would be none.
        body = parallel_loop(self.others or [1])
        with ir.InsertionPoint(body):
            others = list(body.arguments)[: len(self.others)]
            _, inner = for_loop(1, divide(self.length, self.chunk), 1)
            with ir.InsertionPoint(inner):
                start = multiply(inner.arguments[0], self.chunk)
                before = self._load(self.out, others, subtract(start, 1))
                last = add(start, self.chunk - 1)
                found = self._combined(before, self._load(self.out, others, last))
                self._store(found, others, last)
            finish(inner)
            create_op("scf.reduce")

    def _finish_chunks(self) -> None:
        """Combine the others with the last element of the chunk before."""
        body = parallel_loop([*self.others, self.length])
        with ir.InsertionPoint(body):
            *others, place = body.arguments
            is_later = less_than(self.chunk - 1, place)
            is_not_last = less_than(remainder(place, self.chunk), self.chunk - 1)
            inner = if_then(both(is_later, is_not_last)).regions[0].blocks[0]
            with ir.InsertionPoint(inner):
                start = multiply(divide(place, self.chunk), self.chunk)
                before = self._load(self.out, others, subtract(start, 1))
                found = self._combined(before, self._load(self.out, others, place))
                self._store(found, others, place)
            finish(inner)
            create_op("scf.reduce")

    def _combined(self, before: ir.Value, element: ir.Value) -> ir.Value:
        known: dict[ir.Value, ir.Value] = dict(
            zip(self.block.arguments, (before, element), strict=True)
        )
        for each in operations(self.block):
            operands = [known.get(operand, operand) for operand in each.operands]
            if each.name == "tm_tensor.yield":
                return operands[0]
            copy = each.clone()
            for place, operand in enumerate(operands):
                copy.operands[place] = operand
            known.update(zip(each.results, copy.results, strict=True))
        raise AssertionError("a scan yields its result")

    def _places(self, others: list[ir.Value], place: Number) -> list[ir.Value]:
        return [*others[: self.dim], index_value(place), *others[self.dim :]]

    def _load(self, memory: ir.Value, others: list[ir.Value], place: Number) -> ir.Value:
        return create_value(
            "memref.load", self._type.element_type, [memory, *self._places(others, place)]
        )

    def _store(self, value: ir.Value, others: list[ir.Value], place: Number) -> None:
        create_op("memref.store", [value, self.out, *self._places(others, place)])


def _chunk_of(length: Number) -> int:
    """The number of elements of a chunk: about as many as a row has chunks."""
    if not isinstance(length, int):
        return _CHUNK
    if length <= _SHORT:
        return max(length, 1)
    return 1 << ((length - 1).bit_length() + 1) // 2
