"""Allocate memory of the GPU, not of the host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.base import Pass, RunState


@dataclass
class AllocateOnGpu(Pass):
    """Allocate memory of the GPU, not of the host.

    Only kernels compute, so all allocations of host functions are for them.

    Before:

    ```mlir
    func.func @f(%arg0: index) {
      %alloc = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?xf32>
      memref.dealloc %alloc : memref<?xf32>
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: index) {
      %memref = gpu.alloc  (%arg0) : memref<?xf32>
      gpu.dealloc  %memref : memref<?xf32>
      return
    }
    ```
    """

    name: ClassVar[str] = "allocate-on-gpu"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace the allocations of a module's functions."""
        for function in operations(op.regions[0].blocks[0]):
            if function.name != "func.func":
                continue
            for each in list(walk(function)):
                if each.name == "memref.alloc":
                    _allocate(each)
                    state.count(self.name, "allocations")
                elif each.name == "memref.dealloc":
                    with ir.InsertionPoint(each), each.location:
                        create_op("gpu.dealloc", list(each.operands))
                    each.erase()


def _allocate(op: ir.Operation) -> None:
    sizes = list(op.operands)
    segments = ir.DenseI32ArrayAttr.get([0, len(sizes), 0], op.context)
    with ir.InsertionPoint(op), op.location:
        made = create_op(
            "gpu.alloc", sizes, {"operandSegmentSizes": segments}, results=[op.result.type]
        )
    op.result.replace_all_uses_with(made.results[0])
    op.erase()
