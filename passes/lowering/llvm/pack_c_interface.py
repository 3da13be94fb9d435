"""Wrap C interfaces in functions of one packed argument."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import INTERFACE, PACKED
from torch_refine.passes.program import symbol_name


@dataclass
class PackCInterface(Pass):
    """Wrap C interfaces in functions of one packed argument.

    The packed form takes an array of pointers to the arguments, with the result last. The JIT
    creates one for each function with external linkage, for the host's processor, and inlines the
    function into it; this pass creates one that is compiled for the same target as the function,
    which becomes internal.

    Before:

    ```mlir
    llvm.func @_mlir_ciface_f(%arg0: f32) {
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func internal @_mlir_ciface_f(%arg0: f32) {
      llvm.return
    }
    llvm.func @_mlir__mlir_ciface_f(%arg0: !llvm.ptr) attributes {no_inline} {
      %0 = llvm.getelementptr %arg0[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
      %1 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
      %2 = llvm.load %1 : !llvm.ptr -> f32
      llvm.call @_mlir_ciface_f(%2) : (f32) -> ()
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "pack-c-interface"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Pack the interfaces of a module."""
        internal = ir.Attribute.parse("#llvm.linkage<internal>", op.context)
        external = ir.Attribute.parse("#llvm.linkage<external>", op.context)
        for function in list(operations(op.regions[0].blocks[0])):
            name = symbol_name(function) or ""
            if not name.startswith(INTERFACE) or not len(function.regions[0].blocks):
                continue
            if function.attributes["linkage"] != external:
                continue
            module = ir.Module.parse("\n".join(_packed(name, function)), op.context)
            *_, packed = operations(module.operation.regions[0].blocks[0])
            packed.clone(ir.InsertionPoint.after(function))
            function.attributes["linkage"] = internal
            state.count(self.name, "interfaces packed")


def _packed(name: str, function: ir.Operation) -> Iterator[str]:
    """The lines of a module with the packed form of a function, last."""
    types = [str(each.type) for each in function.regions[0].blocks[0].arguments]
    returned = next((each for each in walk(function) if each.name == "llvm.return"), None)
    results = [] if returned is None else [str(each.type) for each in returned.operands]
    result = results[0] if results else "()"
    yield f"llvm.func @{name}({', '.join(types)}){f' -> {result}' if results else ''}"
    yield f"llvm.func @{PACKED}{name}(%all: !llvm.ptr) attributes {{no_inline}} {{"
    for index in range(len(types) + len(results)):
        cell = f"llvm.getelementptr %all[{index}] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr"
        yield f"%cell{index} = {cell}"
        yield f"%place{index} = llvm.load %cell{index} : !llvm.ptr -> !llvm.ptr"
        if index < len(types):
            yield f"%value{index} = llvm.load %place{index} : !llvm.ptr -> {types[index]}"
    values = ", ".join(f"%value{index}" for index in range(len(types)))
    made = "%result = " if results else ""
    yield f"{made}llvm.call @{name}({values}) : ({', '.join(types)}) -> {result}"
    if results:
        yield f"llvm.store %result, %place{len(types)} : {result}, !llvm.ptr"
    yield "llvm.return"
    yield "}"
