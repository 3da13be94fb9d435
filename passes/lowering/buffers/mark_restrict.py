"""Mark unaliased `to_tensor` ops `restrict`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState

_TO_TENSOR = "bufferization.to_tensor"


@dataclass
class MarkRestrict(Pass):
    """Mark unaliased `to_tensor` ops `restrict`.

    `tm-tensor-bufferize` writes results of scans, sorts and scatters to new buffers, and converts
    these to tensors. Upstream's analysis accepts the conversion only if it is `restrict`, that is,
    if no other tensor aliases the buffer; this holds where the buffer was allocated for it.

    Before:

    ```mlir
    func.func @f() -> tensor<2xf32> {
      %alloc = memref.alloc() : memref<2xf32>
      %0 = bufferization.to_tensor %alloc : memref<2xf32> to tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```

    After:

    ```mlir
    func.func @f() -> tensor<2xf32> {
      %alloc = memref.alloc() : memref<2xf32>
      %0 = bufferization.to_tensor %alloc restrict : memref<2xf32> to tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
    """

    name: ClassVar[str] = "mark-restrict"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark them in a module, or in one function."""
        for each in walk(op):
            if (
                each.name == _TO_TENSOR
                and "restrict" not in each.attributes
                and _is_unaliased(each)
            ):
                each.attributes["restrict"] = ir.UnitAttr.get(op.context)
                state.count(self.name, "tensors")


def _is_unaliased(op: ir.Operation) -> bool:
    """Whether the buffer of a tensor is allocated here, and has no other tensor or view."""
    memory = op.operands[0]
    producer = defining_op(memory)
    if producer is None or producer.name != "memref.alloc":
        return False
    producers = [use.owner for use in memory.uses if len(use.owner.results)]
    return len(producers) == 1
