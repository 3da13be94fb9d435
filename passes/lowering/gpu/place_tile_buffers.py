"""Let what a block or a thread of a GPU computes for itself lie in its own memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.loops import PARALLEL


@dataclass
class PlaceTileBuffers(Pass):
    """Let what a block or a thread of a GPU computes for itself lie in its own memory.

    An allocation of known size inside a parallel loop needs no heap, which a GPU does not have. It
    is marked as one of the stack here; `map-loops-to-gpu` makes it shared memory where threads
    share the turn that it is in.

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
                placed = ir.Operation.create(
                    "memref.alloca",
                    results=[each.result.type],
                    attributes={
                        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0], op.context)
                    },
                )
            each.result.replace_all_uses_with(placed.result)
            each.erase()
            state.count(self.name, "buffers placed")


def _is_placed(op: ir.Operation) -> bool:
    return op.name == "memref.alloc" and not len(op.operands)
