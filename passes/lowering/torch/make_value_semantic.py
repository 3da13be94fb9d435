"""Convert programs that write to tensors to value semantics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import PassManager, ir, walk
from torch_refine.passes.base import Pass, PassFailure, RunState

# Passes of the wheel, which reject operators that the dialect does not define.
_PASSES = "builtin.module(func.func(torch-reduce-op-variants,torch-maximize-value-semantics))"


@dataclass
class MakeValueSemantic(Pass):
    """Convert programs that write to tensors to value semantics.

    A program without `!torch.tensor` does not change.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
      %0 = torch.copy.to_tensor %arg0 : !torch.tensor<[2],f32>
      %1 = torch.aten.relu_ %0 : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
      %2 = torch.copy.to_vtensor %0 : !torch.vtensor<[2],f32>
      return %2 : !torch.vtensor<[2],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
      %0 = torch.aten.relu %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
      return %0 : !torch.vtensor<[2],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-make-value-semantic"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite a module, if it has mutable tensors."""
        if not any(_is_written(result) for each in walk(op) for result in each.results):
            return
        try:
            with op.context:
                PassManager.parse(_PASSES).run(op)
        except ir.MLIRError as error:
            state.diagnostics.report_exception(error)
            raise PassFailure(self.name) from None


def _is_written(value: ir.Value) -> bool:
    return str(value.type).startswith("!torch.tensor")
