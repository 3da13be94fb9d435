"""Attach `noalias` to the pointers that `mark-noalias` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import NOALIAS

_ATTRIBUTES = "arg_attrs"
_NOALIAS = "llvm.noalias"


@dataclass
class AttachNoalias(Pass):
    """Attach `noalias` to the pointers that `mark-noalias` found.

    The conversion of functions to LLVM drops attributes of arguments that are memrefs.

    Before:

    ```mlir
    llvm.func @kernel(%arg0: !llvm.ptr, %arg1: i64) attributes {torch_refine.noalias = \
array<i64: 0>} {
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func @kernel(%arg0: !llvm.ptr {llvm.noalias}, %arg1: i64) {
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "attach-noalias"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the functions of a module."""
        for function in operations(op.regions[0].blocks[0]):
            if function.name != "llvm.func" or NOALIAS not in function.attributes:
                continue
            pointers = list(ir.DenseI64ArrayAttr(function.attributes[NOALIAS]))
            del function.attributes[NOALIAS]
            arguments = function.regions[0].blocks[0].arguments
            found = (
                list(ir.ArrayAttr(function.attributes[_ATTRIBUTES]))
                if _ATTRIBUTES in function.attributes
                else [ir.DictAttr.get({}, op.context) for _ in arguments]
            )
            for place in pointers:
                known = {each.name: each.attr for each in ir.DictAttr(found[place])}
                known[_NOALIAS] = ir.UnitAttr.get(op.context)
                found[place] = ir.DictAttr.get(known, op.context)
            function.attributes[_ATTRIBUTES] = ir.ArrayAttr.get(found, op.context)
            state.count(self.name, "pointers", len(pointers))
