"""Say of tensors made of memory that nothing else is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import maker_of

_TO_TENSOR = "bufferization.to_tensor"


@dataclass
class RestrictTensors(Pass):
    """Say of tensors made of memory that nothing else is made of it.

    `tm-tensor-bufferize` writes results of scans, sorts and scatters to memory of their own, and
    makes tensors of it. Upstream's analysis takes these only if they say that no other tensor
    shows the same memory, which holds where the memory was allocated for it alone.

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

    name: ClassVar[str] = "restrict-tensors"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark them in a module, or in one function."""
        for each in walk(op):
            if each.name == _TO_TENSOR and "restrict" not in each.attributes and _is_alone(each):
                each.attributes["restrict"] = ir.UnitAttr.get(op.context)
                state.count(self.name, "tensors")


def _is_alone(op: ir.Operation) -> bool:
    """Whether the memory of a tensor was allocated here, and no other tensor or view is of it."""
    memory = op.operands[0]
    maker = maker_of(memory)
    if maker is None or maker.name != "memref.alloc":
        return False
    makers = [use.owner for use in memory.uses if len(use.owner.results)]
    return len(makers) == 1
