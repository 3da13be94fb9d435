"""Assert once in front of a loop what every iteration would assert."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import as_fold_result
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState

_ASSERT, _LOAD, _STORE = "cf.assert", "memref.load", "memref.store"


@dataclass
class HoistAsserts(Pass):
    """Assert once in front of a loop what every iteration would assert.

    An embedding checks its index for each element of a row that it copies, and a loop with an early
    exit cannot be vectorized. An assertion moves in front of the loop, if its condition is
    loop-invariant and the trip count is at least one; a load is invariant if the loop only stores
    elements of other types.

    Before:

    ```mlir
    func.func @f(%arg0: memref<4xi64>, %arg1: memref<50x64xf32>, %arg2: memref<4x64xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c50 = arith.constant 50 : index
      %c64 = arith.constant 64 : index
      scf.for %arg3 = %c0 to %c4 step %c1 {
        scf.for %arg4 = %c0 to %c64 step %c1 {
          %0 = memref.load %arg0[%arg3] : memref<4xi64>
          %1 = arith.index_cast %0 : i64 to index
          %2 = arith.cmpi ult, %1, %c50 : index
          cf.assert %2, "index out of range"
          %3 = memref.load %arg1[%1, %arg4] : memref<50x64xf32>
          memref.store %3, %arg2[%arg3, %arg4] : memref<4x64xf32>
        }
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<4xi64>, %arg1: memref<50x64xf32>, %arg2: memref<4x64xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c50 = arith.constant 50 : index
      %c64 = arith.constant 64 : index
      scf.for %arg3 = %c0 to %c4 step %c1 {
        %0 = memref.load %arg0[%arg3] : memref<4xi64>
        %1 = arith.index_cast %0 : i64 to index
        %2 = arith.cmpi ult, %1, %c50 : index
        cf.assert %2, "index out of range"
        scf.for %arg4 = %c0 to %c64 step %c1 {
          %3 = memref.load %arg1[%1, %arg4] : memref<50x64xf32>
          memref.store %3, %arg2[%arg3, %arg4] : memref<4x64xf32>
        }
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "hoist-asserts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Hoist in a module, or in one function; inner loops come first."""
        for loop in reversed([each for each in walk(op) if each.name == "scf.for"]):
            state.count(self.name, "assertions hoisted", _hoist(loop))


def _hoist(loop: ir.Operation) -> int:
    """Move assertions in front of a loop; returns how many."""
    first, end = map(as_fold_result, list(loop.operands)[:2])
    if not (isinstance(first, int) and isinstance(end, int) and first < end):
        return 0
    body = loop.regions[0].blocks[0]
    if not any(op.name == _ASSERT for op in operations(body)):
        return 0
    stored = {
        ir.MemRefType(each.operands[1].type).element_type
        for each in walk(loop)
        if each.name == _STORE
    }
    if not all(_has_known_effects(each) for each in walk(loop)):
        return 0
    steady: list[ir.Operation] = []
    wanted: list[ir.Operation] = []
    for op in operations(body):
        if _is_loop_invariant(op, body, steady, stored):
            steady.append(op)
            if op.name == _ASSERT:
                # Preceding ops may compute the condition, or guard its computation.
                wanted = list(steady)
        elif any(each.name == _ASSERT for each in [op, *walk(op)]):
            # Following ops may be unsafe before this assertion.
            break
    for op in wanted:
        op.move_before(loop)
    return sum(op.name == _ASSERT for op in wanted)


def _has_known_effects(op: ir.Operation) -> bool:
    """Whether the memory effects of an op in a loop are known."""
    return op.name in (_ASSERT, _LOAD, _STORE) or op.name.startswith(("arith.", "math.", "scf."))


def _is_loop_invariant(
    op: ir.Operation, body: ir.Block, steady: list[ir.Operation], stored: set[ir.Type]
) -> bool:
    """Whether an op of a loop's body is loop-invariant."""
    if op.name == _LOAD:
        if ir.MemRefType(op.operands[0].type).element_type in stored:
            return False
    elif op.name != _ASSERT and not op.name.startswith(("arith.", "math.")):
        return False
    for operand in op.operands:
        producer = defining_op(operand)
        if producer is None:
            if operand.owner == body:
                return False
        elif producer.block == body and producer not in steady:
            return False
    return True
