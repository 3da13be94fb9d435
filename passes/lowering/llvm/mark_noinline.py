"""Mark kernels `noinline`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import INTERFACE
from torch_refine.passes.program import symbol_name

_MANY_CALLS = 20


@dataclass
class MarkNoinline(Pass):
    """Mark kernels `noinline`.

    LLVM takes very long to optimize a function into which hundreds of kernels are inlined, so they
    are not. A function that only calls many of them is not optimized either: there is nothing to
    gain. A function with a C interface becomes internal, so `inline` can inline it into its
    interface, its only caller: its arguments, three or more per tensor, disappear.

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

    name: ClassVar[str] = "mark-noinline"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark the functions of a module."""
        unit = ir.UnitAttr.get(op.context)
        functions = {
            str(symbol_name(each)): each
            for each in operations(op.regions[0].blocks[0])
            if each.name == "llvm.func" and len(each.regions[0].blocks)
        }
        interfaces = {f"{INTERFACE}{name}" for name in functions} & set(functions)
        for name, function in functions.items():
            has_interface = f"{INTERFACE}{name}" in interfaces
            is_chain = len(function.regions[0].blocks) == 1 and _calls(function) > _MANY_CALLS
            if has_interface:
                function.attributes["linkage"] = ir.Attribute.parse(
                    "#llvm.linkage<internal>", op.context
                )
                function.attributes["sym_visibility"] = ir.StringAttr.get("private", op.context)
                function = functions[f"{INTERFACE}{name}"]
            else:
                function.attributes["no_inline"] = unit
            if is_chain:
                function.attributes["no_inline"] = unit
                function.attributes["optimize_none"] = unit
            state.count(self.name, "chains of calls" if is_chain else "functions marked noinline")


def _calls(function: ir.Operation) -> int:
    return sum(op.name == "llvm.call" for op in operations(function.regions[0].blocks[0]))
