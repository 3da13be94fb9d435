"""Let LLVM use the widest vectors of the processor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState

_ATTRIBUTE = "passthrough"


@dataclass
class UseFullVectors(Pass):
    """Let LLVM use the widest vectors of the processor.

    For many processors with vectors of 512 bits, LLVM prefers those of 256, because programs that
    use the others now and then run at a lower frequency. Kernels are nothing but such loops.

    Before:

    ```mlir
    llvm.func @f() {
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func @f() attributes {passthrough = [["prefer-vector-width", "512"]]} {
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "use-full-vectors"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark the functions of a module that have a body."""
        width = ir.Attribute.parse('[["prefer-vector-width", "512"]]', op.context)
        for function in operations(op.regions[0].blocks[0]):
            is_defined = function.name == "llvm.func" and len(function.regions[0].blocks)
            if is_defined and _ATTRIBUTE not in function.attributes:
                function.attributes[_ATTRIBUTE] = width
                state.count(self.name, "functions marked")
