"""Keep kernels out of the functions that call them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.program import symbol_name

_INTERFACE = "_mlir_ciface_"
_MANY_CALLS = 20


@dataclass
class KeepFunctionsApart(Pass):
    """Keep kernels out of the functions that call them.

    LLVM takes very long over a function into which hundreds of kernels were inlined, so they are
    not. One that only calls many of them is not optimised either: there is nothing to gain. A
    function with a C interface becomes internal, so that `inline` can put it into its interface:
    nobody else calls it, and its arguments, three and more numbers for each tensor, are gone.

    Before:

    ```mlir
    llvm.func internal @kernel() {
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func internal @kernel() attributes {no_inline} {
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "keep-functions-apart"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark the functions of a module."""
        unit = ir.UnitAttr.get(op.context)
        functions = {
            str(symbol_name(each)): each
            for each in operations(op.regions[0].blocks[0])
            if each.name == "llvm.func" and len(each.regions[0].blocks)
        }
        interfaces = {f"{_INTERFACE}{name}" for name in functions} & set(functions)
        for name, function in functions.items():
            has_interface = f"{_INTERFACE}{name}" in interfaces
            is_chain = len(function.regions[0].blocks) == 1 and _calls(function) > _MANY_CALLS
            if has_interface:
                function.attributes["linkage"] = ir.Attribute.parse(
                    "#llvm.linkage<internal>", op.context
                )
                function.attributes["sym_visibility"] = ir.StringAttr.get("private", op.context)
                function = functions[f"{_INTERFACE}{name}"]
            else:
                function.attributes["no_inline"] = unit
            if is_chain:
                function.attributes["no_inline"] = unit
                function.attributes["optimize_none"] = unit
            state.count(self.name, "chains of calls" if is_chain else "functions kept apart")


def _calls(function: ir.Operation) -> int:
    return sum(op.name == "llvm.call" for op in operations(function.regions[0].blocks[0]))
