"""Make the kernels of a GPU module assembly of its chip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.lowering.gpu.assembly import AssemblyError, assembly_of
from torch_refine.passes.lowering.gpu.chips import AMD, NVIDIA, target_of
from torch_refine.passes.program import symbol_name


@dataclass
class GenerateGpuCode(Pass):
    """Make the kernels of a GPU module assembly of its chip.

    A `gpu.module` whose functions are of the llvm dialect becomes a `gpu.binary` of the same name,
    which holds PTX or amdgcn assembly as text. llvmlite's LLVM generates it, as that of the wheel
    knows the host only; it is an older one, so the text of the program is rewritten where it differs.

    Before:

    ```mlir
    module attributes {gpu.container_module} {
      func.func @main() {
        return
      }
    }
    ```

    After:

    ```mlir
    func.func @main() {
      return
    }
    ```
    """

    name: ClassVar[str] = "generate-gpu-code"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    chip: str = option("sm_90", "the chip to generate code for", choices=(*NVIDIA, *AMD))

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Generate code for the GPU modules of a module."""
        for module in list(operations(op.regions[0].blocks[0])):
            if module.name != "gpu.module":
                continue
            try:
                text = assembly_of(module, self.chip)
            except AssemblyError as error:
                state.diagnostics.error(_place(module, error.symbol), str(error))
                raise PassFailure from None
            name = str(symbol_name(module))
            content = ir.StringAttr.get(text, op.context)
            object = ir.Attribute.parse(
                f"#gpu.object<{target_of(self.chip)}, assembly = {content}>", op.context
            )
            with ir.InsertionPoint(module), module.location:
                ir.Operation.create(
                    "gpu.binary",
                    attributes={
                        "sym_name": ir.StringAttr.get(name, op.context),
                        "objects": ir.ArrayAttr.get([object], op.context),
                        # Without it printing crashes the process.
                        "offloadingHandler": ir.Attribute.parse(
                            "#gpu.select_object", op.context
                        ),
                    },
                )
            module.erase()
            state.count(self.name, "modules")


def _place(module: ir.Operation, symbol: str | None) -> ir.Location:
    """Where a function is called that nobody has."""
    for op in walk(module):
        if op.name == "llvm.call" and "callee" in op.attributes:
            callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
            if callee == symbol:
                return op.location
    return module.location
