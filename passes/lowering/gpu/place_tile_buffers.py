"""Place buffers of blocks in shared memory, those of threads in private memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.loops import PARALLEL


@dataclass
class PlaceTileBuffers(Pass):
    """Place buffers of blocks in shared memory, those of threads in private memory.

    An allocation of static size inside a parallel loop needs no heap, which a GPU does not have. It
    becomes an alloca here; `map-loops-to-gpu` turns it into shared memory where threads share the
    enclosing iteration.

    Before:

    ```mlir
    func.func @f(%arg0: memref<4xf32>) {
      scf.forall (%arg1) in (4) {
        %alloc = memref.alloc() : memref<8xf32>
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<4xf32>) {
      scf.forall (%arg1) in (4) {
        %alloca = memref.alloca() : memref<8xf32>
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "place-tile-buffers"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Place the buffers of a module's, or a function's, parallel loops."""
        loops = [each for each in walk(op) if each.name in PARALLEL]
        found = {each: None for loop in loops for each in walk(loop) if _is_placed(each)}
        for each in found:
            with ir.InsertionPoint(each), each.location:
                placed = create_op(
                    "memref.alloca",
                    attributes={
                        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0], op.context)
                    },
                    results=[each.result.type],
                )
            each.result.replace_all_uses_with(placed.result)
            each.erase()
            state.count(self.name, "buffers placed")


def _is_placed(op: ir.Operation) -> bool:
    return op.name == "memref.alloc" and not len(op.operands)
