"""Mark public functions, so that `convert-func-to-llvm` emits a C interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.program import has_interface

_ATTRIBUTE = "llvm.emit_c_interface"


@dataclass
class EmitCInterface(Pass):
    """Mark public functions, so that `convert-func-to-llvm` emits a C interface.

    `@main` is then callable as `_mlir_ciface_main`, which takes pointers to memref descriptors.

    Before:

    ```mlir
    func.func @main(%arg0: memref<2xf32>) {
      return
    }
    ```

    After:

    ```mlir
    func.func @main(%arg0: memref<2xf32>) attributes {llvm.emit_c_interface} {
      return
    }
    ```
    """

    name: ClassVar[str] = "emit-c-interface"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark the functions of a module."""
        for function in operations(op.regions[0].blocks[0]):
            is_defined = function.name == "func.func" and len(function.regions[0].blocks)
            if is_defined and has_interface(function):
                function.attributes[_ATTRIBUTE] = ir.UnitAttr.get(op.context)
                state.count(self.name, "functions marked")
