"""Prefetch the operands of innermost contraction loops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import add, as_fold_result, create_op, index_value
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget, TargetError, target_of

# The latency of a line from the second cache to the first, with other lines in flight.
_CYCLES = 100
# The hint of a prefetch into the first cache.
_FIRST_CACHE = 3


@dataclass
class PrefetchOperands(Pass):
    """Prefetch the operands of innermost contraction loops.

    A loop that keeps sums in registers, and reads whole cache lines in each iteration, prefetches
    the lines of a later iteration: the distance is the latency of the second cache, divided by the
    time of an iteration at the processor's peak multiply-add rate. Without it each line would be
    fetched at a miss: the hardware prefetcher stays within a page. Prefetching an invalid address
    is harmless.

    Before:

    ```mlir
    func.func @f(%arg0: memref<8x32xf32>, %arg1: vector<32xf32>) -> vector<32xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %arg1) -> (vector<32xf32>) {
        %1 = vector.transfer_read %arg0[%i, %c0], %zero {in_bounds = [true]} : memref<8x32xf32>, \
vector<32xf32>
        %2 = arith.addf %sum, %1 : vector<32xf32>
        scf.yield %2 : vector<32xf32>
      }
      return %0 : vector<32xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<8x32xf32>, %arg1: vector<32xf32>) -> vector<32xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %cst = arith.constant 0.000000e+00 : f32
      %0 = scf.for %arg2 = %c0 to %c8 step %c1 iter_args(%arg3 = %arg1) -> (vector<32xf32>) {
        %c25 = arith.constant 25 : index
        %1 = arith.addi %arg2, %c25 : index
        %c0_0 = arith.constant 0 : index
        memref.prefetch %arg0[%1, %c0_0], read, locality<3>, data : memref<8x32xf32>
        %c16 = arith.constant 16 : index
        memref.prefetch %arg0[%1, %c16], read, locality<3>, data : memref<8x32xf32>
        %2 = vector.transfer_read %arg0[%arg2, %c0], %cst {in_bounds = [true]} : \
memref<8x32xf32>, vector<32xf32>
        %3 = arith.addf %arg3, %2 : vector<32xf32>
        scf.yield %3 : vector<32xf32>
      }
      return %0 : vector<32xf32>
    }
    ```
    """

    name: ClassVar[str] = "prefetch-operands"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Prefetch in the innermost loops of a module, or of one function."""
        try:
            target = target_of(op)
        except TargetError as error:
            state.diagnostics.error(op.location, str(error))
            raise PassFailure(self.name) from error
        for each in list(walk(op)):
            if each.name == "scf.for" and _keeps_sums(each):
                body = each.regions[0].blocks[0]
                ops = list(operations(body))
                if any(map(_is_prefetch, ops)):
                    continue
                steps = _steps_ahead(each, target)
                for inner in ops:
                    if inner.name == "vector.transfer_read":
                        lines = _prefetch(inner, body.arguments[0], steps, target.line_bytes)
                        state.count(self.name, "lines", lines)


def _is_prefetch(op: ir.Operation) -> bool:
    """Whether an op prefetches into the first cache."""
    if op.name != "memref.prefetch":
        return False
    return bool(ir.IntegerAttr(op.attributes["localityHint"]).value == _FIRST_CACHE)


def _keeps_sums(loop: ir.Operation) -> bool:
    is_innermost = not any(len(op.regions) for op in operations(loop.regions[0].blocks[0]))
    vectors = [result for result in loop.results if isinstance(result.type, ir.VectorType)]
    return is_innermost and bool(vectors)


def _steps_ahead(loop: ir.Operation, target: CpuTarget) -> int:
    """The prefetch distance, in steps of the induction variable."""
    sums = sum(
        -(-math.prod(result.type.shape) // target.lanes(result.type.element_type.width))
        for result in loop.results
        if isinstance(result.type, ir.VectorType)
    )
    cycles = max(sums / target.fma_ports, target.fma_latency)
    steps: int = math.ceil(_CYCLES / cycles)
    return steps


def _prefetch(read: ir.Operation, index: ir.Value, steps: int, line_bytes: int) -> int:
    """Prefetch the lines of a read some steps ahead; returns the number of lines."""
    source = read.operands[0]
    if not isinstance(source.type, ir.MemRefType):
        return 0
    type = source.type
    indices = list(read.operands)[1 : 1 + type.rank]
    followed = [each for each in indices[:-1] if _is_offset_of(each, index)]
    if type.rank < 2 or len(followed) != 1 or _is_offset_of(indices[-1], index):
        return 0
    width = int(type.shape[type.rank - 1])
    element = type.element_type
    if not isinstance(element, ir.FloatType) or width < 0:
        return 0
    vector = ir.VectorType(read.results[0].type)
    bytes = math.prod(vector.shape) * int(element.width) // 8
    if (int(width) * int(element.width) // 8) % line_bytes or not _begins_line(
        indices[-1], int(element.width) // 8, line_bytes
    ):
        return 0
    lines = int(-(-bytes // line_bytes))
    with ir.InsertionPoint(read), read.location:
        row = [index_value(add(each, steps)) if each in followed else each for each in indices[:-1]]
        hint = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), _FIRST_CACHE)
        for line in range(lines):
            column = add(as_fold_result(indices[-1]), line * line_bytes * 8 // int(element.width))
            create_op(
                "memref.prefetch",
                [source, *row, index_value(column)],
                {
                    "isWrite": ir.BoolAttr.get(False),
                    "isDataCache": ir.BoolAttr.get(True),
                    "localityHint": hint,
                },
            )
    return lines


def _is_offset_of(value: ir.Value, index: ir.Value) -> bool:
    """Whether a value is the induction variable of a loop, or a constant offset from it."""
    producer = defining_op(value)
    if producer is not None and producer.name == "arith.addi":
        return producer.operands[0] == index and isinstance(
            as_fold_result(producer.operands[1]), int
        )
    return bool(value == index)


def _begins_line(column: ir.Value, bytes: int, line_bytes: int) -> bool:
    """Whether a vector begins at a cache line; otherwise a previous one prefetches it."""
    number = as_fold_result(column)
    return isinstance(number, int) and number * bytes % line_bytes == 0
