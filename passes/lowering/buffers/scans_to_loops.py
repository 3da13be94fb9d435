"""Lower scans to loops, whose sums and products of f32 are f64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_op,
    create_value,
    finish,
    for_loop,
    if_then,
    index_value,
    less_than,
    minimum,
    remainder,
    subtract,
)
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.buffers.memory import (
    each_column,
    frame_of,
    sizes_of,
    stack_memory,
)

_SCAN = "tm_tensor.scan"
# The columns whose running sums are in the first cache.
_COLUMNS = 1024
# The rows that are scanned at once: each waits for its own running values only.
_ROWS = 4
# What is computed of f32 in f32, as nothing is rounded.
_EXACT = ("arith.cmpf", "arith.ori", "arith.select", "tm_tensor.yield")


@dataclass
class ScansToLoops(Pass):
    """Lower scans to loops, whose sums and products of f32 are f64.

    PyTorch's kernels accumulate running sums and products of f32 in f64, and round each. So do
    these loops; upstream's add the next element to a rounded one. The running value is carried by
    the loop, in which four rows are scanned at once, or, unless the scan is along the last
    dimension, in a row on the stack. A scan whose last value is used, or that excludes the element
    itself, is left to upstream.

    On tensors, initial values become empty tensors, as an inclusive scan does not read them.

    Before:

    ```mlir
    func.func @f(%arg0: memref<9xf32>, %arg1: memref<9xf32>) {
      %alloc = memref.alloc() : memref<f32>
      tm_tensor.scan dimension(0) inclusive(true) ins(%arg0 : memref<9xf32>) outs(%arg1, %alloc : \
memref<9xf32>, memref<f32>) {
      ^bb0(%arg2: f32, %arg3: f32):
        %0 = arith.addf %arg2, %arg3 : f32
        tm_tensor.yield %0 : f32
      }
      memref.dealloc %alloc : memref<f32>
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<9xf32>, %arg1: memref<9xf32>) {
      %alloc = memref.alloc() : memref<f32>
      %c0 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %0 = arith.cmpi slt, %c0, %c9 : index
      scf.if %0 {
        %c0_0 = arith.constant 0 : index
        %1 = memref.load %arg0[%c0_0] : memref<9xf32>
        %2 = arith.extf %1 : f32 to f64
        %3 = arith.truncf %2 : f64 to f32
        %c0_1 = arith.constant 0 : index
        memref.store %3, %arg1[%c0_1] : memref<9xf32>
        %c1 = arith.constant 1 : index
        %c9_2 = arith.constant 9 : index
        %c1_3 = arith.constant 1 : index
        %4 = scf.for %arg2 = %c1 to %c9_2 step %c1_3 iter_args(%arg3 = %2) -> (f64) {
          %5 = memref.load %arg0[%arg2] : memref<9xf32>
          %6 = arith.extf %5 : f32 to f64
          %7 = arith.addf %arg3, %6 : f64
          %8 = arith.truncf %7 : f64 to f32
          memref.store %8, %arg1[%arg2] : memref<9xf32>
          scf.yield %7 : f64
        }
      }
      memref.dealloc %alloc : memref<f32>
      return
    }
    ```
    """

    name: ClassVar[str] = "scans-to-loops"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _SCAN]:
            if not ir.BoolAttr(each.attributes["inclusive"]).value or _is_last_used(each):
                continue
            with each.location, ir.InsertionPoint(each):
                if isinstance(each.operands[0].type, ir.MemRefType):
                    Scan(each).write()
                    each.erase()
                    state.count(self.name, "scans")
                elif _forget_initial_values(each):
                    state.count(self.name, "initial values")


def _is_last_used(op: ir.Operation) -> bool:
    """Whether the last running value, which is the second output, is read."""
    if len(op.results):
        return any(True for _ in op.results[1].uses)
    users = {operation_of(use.owner).name for use in op.operands[2].uses}
    is_own = not isinstance(op.operands[2].owner, ir.Block)
    return not is_own or not users <= {_SCAN, "memref.dealloc", "linalg.fill"}


def _forget_initial_values(op: ir.Operation) -> bool:
    """Replace the outputs of a scan of tensors; False if they are empty tensors already."""
    changed = False
    for place in (1, 2):
        given = op.operands[place]
        owner = given.owner
        if not isinstance(owner, ir.Block) and operation_of(owner).name == "tensor.empty":
            continue
        type = ir.RankedTensorType(given.type)
        sizes = [
            create_value("tensor.dim", ir.IndexType.get(), [given, index_value(dim)])
            for dim in range(type.rank)
            if type.is_dynamic_dim(dim)
        ]
        op.operands[place] = create_value("tensor.empty", type, sizes)
        changed = True
    return changed


@contextmanager
def _each(start: Number, end: Number, step: int) -> Iterator[ir.Value]:
    """A loop, whose body is the insertion point, and its index."""
    _, body = for_loop(start, end, step)
    with ir.InsertionPoint(body):
        yield body.arguments[0]
    finish(body)


class Scan:
    """An inclusive scan of memrefs."""

    def __init__(self, op: ir.Operation) -> None:
        """Take the parts of an op."""
        self.source, self.target = list(op.operands)[:2]
        self.along = int(ir.IntegerAttr(op.attributes["dimension"]).value)
        self.combination = op.regions[0].blocks[0]
        self.frame = frame_of(op)
        type = ir.MemRefType(self.source.type)
        self.rank, self.type = type.rank, type.element_type
        is_rounded = any(op.name not in _EXACT for op in operations(self.combination))
        is_narrow = str(self.type) == "f32" and is_rounded
        self.wide = ir.F64Type.get() if is_narrow else self.type
        self.sizes: list[Number] = []

    def write(self) -> None:
        """Emit the loops at the insertion point."""
        self.sizes = sizes_of(self.source)
        if 0 in self.sizes:
            return
        # The first element of an empty dimension would be out of bounds.
        chosen = if_then(less_than(0, self.sizes[self.along]))
        with ir.InsertionPoint(chosen.regions[0].blocks[0]):
            is_innermost = self.along == self.rank - 1
            others = [dim for dim in range(self.rank - (not is_innermost)) if dim != self.along]
            self._nest(others, {})
        finish(chosen.regions[0].blocks[0])

    def _nest(self, dims: Sequence[int], place: dict[int, Number]) -> None:
        """Loops over dimensions, and in them those of the scan; `place` has the other indices."""
        if not dims:
            if self.along == self.rank - 1:
                self._scan_rows([place])
            else:
                self._scan_columns(place)
            return
        size = self.sizes[dims[0]]
        single = 0
        if len(dims) == 1 and self.along == self.rank - 1:
            single = subtract(size, remainder(size, _ROWS))
            if single != 0:
                with _each(0, single, _ROWS) as row:
                    rows = [add(row, index) for index in range(_ROWS)]
                    self._scan_rows([{**place, dims[0]: each} for each in rows])
        if single != size:
            with _each(single, size, 1) as index:
                self._nest(dims[1:], {**place, dims[0]: index})

    def _scan_rows(self, places: Sequence[dict[int, Number]]) -> None:
        firsts = [{**place, self.along: 0} for place in places]
        starts = [self._get(first) for first in firsts]
        for start, first in zip(starts, firsts, strict=True):
            self._put(start, first)
        _, body = for_loop(1, self.sizes[self.along], 1, starts)
        with ir.InsertionPoint(body):
            index, *before = body.arguments
            heres = [{**place, self.along: index} for place in places]
            found = [
                self._combined(running, self._get(here))
                for running, here in zip(before, heres, strict=True)
            ]
            for value, here in zip(found, heres, strict=True):
                self._put(value, here)
        finish(body, found)

    def _scan_columns(self, place: dict[int, Number]) -> None:
        with ir.InsertionPoint.at_block_begin(self.frame):
            running = stack_memory(self.wide, _COLUMNS)
        last = self.rank - 1
        _, strip = for_loop(0, self.sizes[last], _COLUMNS)
        with ir.InsertionPoint(strip):
            start = strip.arguments[0]
            count = minimum(subtract(self.sizes[last], start), _COLUMNS)
            with each_column(count) as column:
                first = {**place, self.along: 0, last: add(start, column)}
                value = self._get(first)
                create_op("memref.store", [value, running, column])
                self._put(value, first)
            _, rows = for_loop(1, self.sizes[self.along], 1)
            with ir.InsertionPoint(rows), each_column(count) as column:
                here = {**place, self.along: rows.arguments[0], last: add(start, column)}
                before = create_value("memref.load", self.wide, [running, column])
                found = self._combined(before, self._get(here))
                create_op("memref.store", [found, running, column])
                self._put(found, here)
            finish(rows)
        finish(strip)

    def _get(self, place: dict[int, Number]) -> ir.Value:
        """An element of the source, as wide as the running value."""
        indices = [index_value(place[dim]) for dim in range(self.rank)]
        return self._as_wide(create_value("memref.load", self.type, [self.source, *indices]))

    def _as_wide(self, value: ir.Value) -> ir.Value:
        if self.wide == self.type or value.type != self.type:
            return value
        return create_value("arith.extf", self.wide, [value])

    def _put(self, value: ir.Value, place: dict[int, Number]) -> None:
        if self.wide != self.type:
            value = create_value("arith.truncf", self.type, [value])
        indices = [index_value(place[dim]) for dim in range(self.rank)]
        create_op("memref.store", [value, self.target, *indices])

    def _combined(self, before: ir.Value, element: ir.Value) -> ir.Value:
        """The next running value; functions of f32 are those of f64."""
        known = dict(zip(self.combination.arguments, (before, element), strict=True))
        for op in list(operations(self.combination)):
            if op.name == "tm_tensor.yield":
                return known.get(op.operands[0], op.operands[0])
            for operand in op.operands:
                # A constant may be outside.
                if operand not in known:
                    known[operand] = self._as_wide(operand)
            made = op.clone()
            for place, operand in enumerate(op.operands):
                made.operands[place] = known[operand]
            if self.wide != self.type:
                self._widen(made)
            known.update(zip(op.results, made.results, strict=True))
        raise AssertionError("a scan yields")

    def _widen(self, op: ir.Operation) -> None:
        for result in op.results:
            if result.type == self.type:
                result.set_type(self.wide)
        value = op.attributes.get("value", None)
        if isinstance(value, ir.FloatAttr) and value.type == self.type:
            op.attributes["value"] = ir.FloatAttr.get(self.wide, value.value)
