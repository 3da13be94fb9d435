"""Keep kernels out of the functions that call them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState

INTERFACE = "llvm.emit_c_interface"
_MANY_CALLS = 20


@dataclass
class KeepFunctionsApart(Pass):
    """Keep kernels out of the functions that call them.

    LLVM takes very long over a function into which hundreds of kernels were inlined, so they are
    not. One that only calls many of them is not optimised either, nor is the C interface of a
    function with thousands of arguments: there is nothing to gain.

    Before:

    ```mlir
    llvm.func internal @kernel() {
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func internal @kernel() attributes {passthrough = ["noinline"]} {
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "keep-functions-apart"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark the functions of a module."""
        apart = ir.Attribute.parse('["noinline"]', op.context)
        plain = ir.Attribute.parse('["noinline", "optnone"]', op.context)
        for function in operations(op.regions[0].blocks[0]):
            if function.name != "llvm.func" or not len(function.regions[0].blocks):
                continue
            is_chain = len(function.regions[0].blocks) == 1 and (
                _calls(function) > _MANY_CALLS or INTERFACE in function.attributes
            )
            function.attributes["passthrough"] = plain if is_chain else apart
            state.count(self.name, "chains of calls" if is_chain else "functions kept apart")


def _calls(function: ir.Operation) -> int:
    return sum(op.name == "llvm.call" for op in operations(function.regions[0].blocks[0]))
