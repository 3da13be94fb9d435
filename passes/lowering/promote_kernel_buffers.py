"""Put the small buffers of kernels on the stack."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import attributes_of, ir, operations, walk
from torch_refine.passes.base import Pass, RunState

# Rows and tiles fit, and a thread's stack has room for a kernel's.
_MOST_BYTES = 65536
_ALLOCATION = "memref.alloc"


@dataclass
class PromoteKernelBuffers(Pass):
    """Put the small buffers of kernels on the stack.

    Upstream's `promote-buffers-to-stack` does so in every function; one that calls hundreds of
    kernels would need more stack than a thread has. Here it is done in private functions that
    return nothing, for at most 64 KiB of buffers in each.

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
                # In a loop it would take more stack each time.
                if size is None or size > room or each.block != entry:
                    continue
                room -= size
                with ir.InsertionPoint(each), each.location:
                    promoted = ir.Operation.create(
                        "memref.alloca",
                        results=[each.result.type],
                        attributes=attributes_of(each),
                    )
                each.result.replace_all_uses_with(promoted.result)
                each.erase()
                state.count(self.name, "buffers promoted")


def _static_bytes(op: ir.Operation) -> int | None:
    """The size of what an op allocates, None if it allocates nothing or its size is not known."""
    if op.name != _ALLOCATION or len(op.operands):
        return None
    type = ir.MemRefType(op.result.type)
    if not type.has_static_shape:
        return None
    element = type.element_type
    bits = element.width if hasattr(element, "width") else 64
    return int(math.prod(type.shape) * max(bits // 8, 1))
