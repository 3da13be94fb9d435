"""Ask for what innermost loops of products will read next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import add, value_of

# So many turns ahead: of 4, 8, 12, 16 and 32 the best for products of 1024 x 1024.
_AHEAD = 16
_LINE = 64


@dataclass
class PrefetchOperands(Pass):
    """Ask for what innermost loops of products will read next.

    A loop that keeps sums in registers, and reads whole lines of memory at each turn, asks for the
    lines of some turns later. They come from the second-level cache then, of which the processor
    would fetch each when it is missed: it looks ahead within a page only. Asking for memory that
    does not exist is harmless.

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
        %c16 = arith.constant 16 : index
        %1 = arith.addi %arg2, %c16 : index
        %c0_0 = arith.constant 0 : index
        memref.prefetch %arg0[%1, %c0_0], read, locality<3>, data : memref<8x32xf32>
        %c16_1 = arith.constant 16 : index
        memref.prefetch %arg0[%1, %c16_1], read, locality<3>, data : memref<8x32xf32>
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
        for each in list(walk(op)):
            if each.name == "scf.for" and _keeps_sums(each):
                body = each.regions[0].blocks[0]
                ops = list(operations(body))
                if any(inner.name == "memref.prefetch" for inner in ops):
                    continue
                for inner in ops:
                    if inner.name == "vector.transfer_read":
                        state.count(self.name, "lines", _prefetch(inner, body.arguments[0]))


def _keeps_sums(loop: ir.Operation) -> bool:
    is_innermost = not any(len(op.regions) for op in operations(loop.regions[0].blocks[0]))
    vectors = [result for result in loop.results if isinstance(result.type, ir.VectorType)]
    return is_innermost and bool(vectors)


def _prefetch(read: ir.Operation, turn: ir.Value) -> int:
    """Ask for what a read of lines reads some turns later; how many lines that is."""
    source = read.operands[0]
    if not isinstance(source.type, ir.MemRefType):
        return 0
    type = source.type
    indices = list(read.operands)[1 : 1 + type.rank]
    if type.rank < 2 or turn not in indices[:-1] or turn == indices[-1]:
        return 0
    width = type.shape[type.rank - 1]
    element = type.element_type
    if not isinstance(element, ir.FloatType) or width < 0:
        return 0
    bytes = int(width) * int(element.width) // 8
    if bytes % _LINE:
        return 0
    lines = bytes // _LINE
    with ir.InsertionPoint(read), read.location:
        later = value_of(add(turn, _AHEAD))
        row = [later if each == turn else each for each in indices[:-1]]
        hint = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 3)
        for line in range(lines):
            ir.Operation.create(
                "memref.prefetch",
                operands=[source, *row, value_of(line * int(width) // lines)],
                attributes={
                    "isWrite": ir.BoolAttr.get(False),
                    "isDataCache": ir.BoolAttr.get(True),
                    "localityHint": hint,
                },
            )
    return lines
