"""Hoist loads of indices out of loops that do not change them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import as_fold_result
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.base import Pass, RunState

_FOR, _LOAD, _STORE = "scf.for", "memref.load", "memref.store"
# Ops besides loads and stores that a loop may have.
_PURE = ("arith.", "math.", "scf.yield")


@dataclass
class HoistIndexLoads(Pass):
    """Hoist loads of indices out of loops that do not change them.

    Selecting rows by index loads the index of a row for each of its elements. LLVM cannot hoist it,
    because the element that is stored could be part of the index, and does not vectorize the loop,
    as each element could then be anywhere. Here, memrefs of different element types do not
    overlap.

    Before:

    ```mlir
    func.func @f(%arg0: memref<4xi64>, %arg1: memref<9x8xf32>, %arg2: memref<4x8xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      scf.for %arg3 = %c0 to %c4 step %c1 {
        scf.for %arg4 = %c0 to %c8 step %c1 {
          %0 = memref.load %arg0[%arg3] : memref<4xi64>
          %1 = arith.index_cast %0 : i64 to index
          %2 = memref.load %arg1[%1, %arg4] : memref<9x8xf32>
          memref.store %2, %arg2[%arg3, %arg4] : memref<4x8xf32>
        }
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<4xi64>, %arg1: memref<9x8xf32>, %arg2: memref<4x8xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      scf.for %arg3 = %c0 to %c4 step %c1 {
        %0 = memref.load %arg0[%arg3] : memref<4xi64>
        scf.for %arg4 = %c0 to %c8 step %c1 {
          %1 = arith.index_cast %0 : i64 to index
          %2 = memref.load %arg1[%1, %arg4] : memref<9x8xf32>
          memref.store %2, %arg2[%arg3, %arg4] : memref<4x8xf32>
        }
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "hoist-index-loads"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Hoist loads in a module, or in one function."""
        for loop in [each for each in walk(op) if each.name == _FOR]:
            for load in _invariant_loads(loop):
                load.move_before(loop)
                state.count(self.name, "loads")


def _invariant_loads(loop: ir.Operation) -> list[ir.Operation]:
    """The loads of integers in an innermost loop whose results are the same in each iteration."""
    body = list(operations(loop.regions[0].blocks[0]))
    if not all(each.name in (_LOAD, _STORE) or each.name.startswith(_PURE) for each in body):
        return []
    stored = {
        ir.MemRefType(each.operands[1].type).element_type for each in body if each.name == _STORE
    }
    return [each for each in body if each.name == _LOAD and _is_invariant(each, loop, stored)]


def _is_invariant(load: ir.Operation, loop: ir.Operation, stored: set[ir.Type]) -> bool:
    """Whether a load may be in front of a loop, even if the loop has no iterations."""
    memory, *indices = load.operands
    type = ir.MemRefType(memory.type)
    if not isinstance(type.element_type, ir.IntegerType) or type.element_type in stored:
        return False
    return all(
        _is_inside(index, size, loop) for index, size in zip(indices, type.shape, strict=True)
    )


def _is_inside(index: ir.Value, size: int, loop: ir.Operation) -> bool:
    """Whether an index is in bounds: a constant, or the index of an enclosing loop."""
    constant = as_fold_result(index)
    if isinstance(constant, int):
        return 0 <= constant < size
    owner = _loop_of(index)
    return owner is not None and owner.name == _FOR and owner != loop


def _loop_of(value: ir.Value) -> ir.Operation | None:
    """The op whose block has a value as its argument; None for a result."""
    return operation_of(value.owner.owner) if isinstance(value.owner, ir.Block) else None
