"""Assert once in front of a loop what each of its turns would assert."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import number_of
from torch_refine.passes.lowering.kernels.indexing import maker_of

_ASSERT, _LOAD, _STORE = "cf.assert", "memref.load", "memref.store"


@dataclass
class HoistAsserts(Pass):
    """Assert once in front of a loop what each of its turns would assert.

    An embedding checks its index for each number of a row that it copies, and a loop that may end
    at any turn cannot be vectorised. What the assertion is about moves in front of the loop, if
    it is the same for each turn and there is at least one; a number that is loaded is the same if
    the loop stores only numbers of other types.

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
    """Move assertions in front of a loop; how many."""
    first, end = map(number_of, list(loop.operands)[:2])
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
    if not all(_is_understood(each) for each in walk(loop)):
        return 0
    steady: list[ir.Operation] = []
    wanted: list[ir.Operation] = []
    for op in operations(body):
        if _is_steady(op, body, steady, stored):
            steady.append(op)
            if op.name == _ASSERT:
                # What comes before it may be what it is about, or what makes that safe.
                wanted = list(steady)
        elif any(each.name == _ASSERT for each in [op, *walk(op)]):
            # What follows may be wrong to do before this one was checked.
            break
    for op in wanted:
        op.move_before(loop)
    return sum(op.name == _ASSERT for op in wanted)


def _is_understood(op: ir.Operation) -> bool:
    """Whether it is known what an op of a loop writes to."""
    return op.name in (_ASSERT, _LOAD, _STORE) or op.name.startswith(("arith.", "math.", "scf."))


def _is_steady(
    op: ir.Operation, body: ir.Block, steady: list[ir.Operation], stored: set[ir.Type]
) -> bool:
    """Whether an op of a loop's body does the same at each turn."""
    if op.name == _LOAD:
        if ir.MemRefType(op.operands[0].type).element_type in stored:
            return False
    elif op.name != _ASSERT and not op.name.startswith(("arith.", "math.")):
        return False
    for operand in op.operands:
        maker = maker_of(operand)
        if maker is None:
            if operand.owner == body:
                return False
        elif maker.block == body and maker not in steady:
            return False
    return True
