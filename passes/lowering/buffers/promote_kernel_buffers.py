"""Promote small buffers of kernels to the stack."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import attributes_of, ir, operations, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.base import Pass, RunState

# Enough for rows and tiles, and a thread's stack has room for those of a kernel.
_MOST_BYTES = 65536
_ALLOCATION = "memref.alloc"


@dataclass
class PromoteKernelBuffers(Pass):
    """Promote small buffers of kernels to the stack.

    Upstream's `promote-buffers-to-stack` applies to every function; one that calls hundreds of
    kernels would overflow a thread's stack. This pass applies to private functions without results,
    for at most 64 KiB of buffers in each.

    Before:

    ```mlir
    func.func private @kernel(%arg0: memref<4xf32>) {
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
      memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
      return
    }
    ```

    After:

    ```mlir
    func.func private @kernel(%arg0: memref<4xf32>) {
      %alloca = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
      memref.copy %arg0, %alloca : memref<4xf32> to memref<4xf32>
      return
    }
    ```
    """

    name: ClassVar[str] = "promote-kernel-buffers"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Promote in the kernels of a module."""
        for function in operations(op.regions[0].blocks[0]):
            is_kernel = function.name == "func.func" and "sym_visibility" in function.attributes
            if not is_kernel or not len(function.regions[0].blocks):
                continue
            type = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
            if list(type.results):
                continue
            entry = function.regions[0].blocks[0]
            room = _MOST_BYTES
            for each in list(walk(function)):
                size = _static_bytes(each)
                # An alloca in a loop would grow the stack in each iteration.
                if size is None or size > room or each.block != entry:
                    continue
                room -= size
                with ir.InsertionPoint(each), each.location:
                    promoted = create_op(
                        "memref.alloca", attributes=attributes_of(each), results=[each.result.type]
                    )
                each.result.replace_all_uses_with(promoted.result)
                each.erase()
                state.count(self.name, "buffers promoted")


def _static_bytes(op: ir.Operation) -> int | None:
    """The size of an allocation in bytes; None if dynamic, or if the op does not allocate."""
    if op.name != _ALLOCATION or len(op.operands):
        return None
    type = ir.MemRefType(op.result.type)
    if not type.has_static_shape:
        return None
    element = type.element_type
    bits = element.width if hasattr(element, "width") else 64
    return int(math.prod(type.shape) * max(bits // 8, 1))
