"""Ask for what innermost loops of products will read next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.building import add, number_of, value_of
from torch_refine.passes.lowering.kernels.indexing import maker_of
from torch_refine.passes.lowering.targets.record import CpuTarget, TargetError, target_of

# The cycles that a line of the second cache takes to the first one, while others are on their way.
_CYCLES = 100


@dataclass
class PrefetchOperands(Pass):
    """Ask for what innermost loops of products will read next.

    A loop that keeps sums in registers, and reads whole lines of memory in each iteration, asks for
    the lines of some iterations later: of as many as take the time in which a line comes from the
    second cache, by the multiply-adds that the processor can start. The processor would fetch each
    line when it is missed: it looks ahead within a page only. Asking for memory that does not exist
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
                if any(inner.name == "memref.prefetch" for inner in ops):
                    continue
                steps = _steps_ahead(each, target)
                for inner in ops:
                    if inner.name == "vector.transfer_read":
                        lines = _prefetch(inner, body.arguments[0], steps, target.line_bytes)
                        state.count(self.name, "lines", lines)


def _keeps_sums(loop: ir.Operation) -> bool:
    is_innermost = not any(len(op.regions) for op in operations(loop.regions[0].blocks[0]))
    vectors = [result for result in loop.results if isinstance(result.type, ir.VectorType)]
    return is_innermost and bool(vectors)


def _steps_ahead(loop: ir.Operation, target: CpuTarget) -> int:
    """How many indices later what is asked for should be read."""
    sums = sum(
        -(-math.prod(result.type.shape) // target.lanes(result.type.element_type.width))
        for result in loop.results
        if isinstance(result.type, ir.VectorType)
    )
    cycles = max(sums / target.fma_ports, target.fma_latency)
    steps: int = math.ceil(_CYCLES / cycles)
    return steps


def _prefetch(read: ir.Operation, index: ir.Value, steps: int, line_bytes: int) -> int:
    """Ask for what a read of lines reads some steps later; how many lines that is."""
    source = read.operands[0]
    if not isinstance(source.type, ir.MemRefType):
        return 0
    type = source.type
    indices = list(read.operands)[1 : 1 + type.rank]
    followed = [each for each in indices[:-1] if _follows(each, index)]
    if type.rank < 2 or len(followed) != 1 or _follows(indices[-1], index):
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
        row = [value_of(add(each, steps)) if each in followed else each for each in indices[:-1]]
        hint = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 3)
        for line in range(lines):
            column = add(number_of(indices[-1]), line * line_bytes * 8 // int(element.width))
            ir.Operation.create(
                "memref.prefetch",
                operands=[source, *row, value_of(column)],
                attributes={
                    "isWrite": ir.BoolAttr.get(False),
                    "isDataCache": ir.BoolAttr.get(True),
                    "localityHint": hint,
                },
            )
    return lines


def _follows(value: ir.Value, index: ir.Value) -> bool:
    """Whether a value is the index of a loop, or some steps later."""
    maker = maker_of(value)
    if maker is not None and maker.name == "arith.addi":
        return maker.operands[0] == index and isinstance(number_of(maker.operands[1]), int)
    return bool(value == index)


def _begins_line(column: ir.Value, bytes: int, line_bytes: int) -> bool:
    """Whether a vector begins where a line does; another one asks for the rest of its line."""
    number = number_of(column)
    return isinstance(number, int) and number * bytes % line_bytes == 0
