"""Convert the operators of ONNX that can be converted now to those of PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.onnx_conversion import Conversion, onnx_operators
from torch_refine.passes.onnx_corrections import correct
from torch_refine.passes.onnx_ranks import declare_ranks


@dataclass
class ConvertOnnxOperators(Pass):
    """Convert the operators of ONNX that can be converted now to those of PyTorch.

    The conversion is the wheel's `convert-torch-onnx-to-torch`, which converts nothing where it
    cannot convert one operator, because of its kind or of a type that is not known yet. This pass
    leaves that operator as it is and converts the others, so that refinement can find the type.

    The ranks that the wheel asks for are declared where they follow from the operands, and what it
    declares otherwise than PyTorch computes it is corrected: a number selected from a list of sizes
    has rank 0, not the sizes [1]; a tensor of ones or zeros is filled in the dtype that is declared,
    not in f32; integers are divided by truncation; no dimension that is squeezed is negative.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor attributes {torch.onnx_meta.opset_version = 20 : si64} {
      %0 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
      %1 = torch.operator "onnx.NoSuchOperator"(%0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
      return %1 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor attributes {torch.onnx_meta.opset_version = 20 : si64} {
      %0 = torch.aten.relu %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
      %1 = torch.operator "onnx.NoSuchOperator"(%0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
      return %1 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-convert-onnx-operators"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Convert what can be converted; raises PassFailure where no operator is to blame."""
        before = len(onnx_operators(op))
        if before:
            state.count(self.name, "ranks declared", declare_ranks(op))
            conversion = Conversion(op)
            try:
                conversion.run()
                # Rewrites that come next may not end on an invalid program.
                op.verify()
            except ir.MLIRError as error:
                state.diagnostics.report_exception(error)
                raise PassFailure(self.name) from None
            for warning in conversion.warnings:
                state.diagnostics.report(warning)
            state.count(self.name, "operators corrected", correct(op))
        state.count(self.name, "operators converted", before - len(onnx_operators(op)))
