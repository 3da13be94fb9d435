"""Convert those ONNX operators that can be converted now to PyTorch's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.onnx.conversion import Conversion, onnx_operators
from torch_refine.passes.onnx.corrections import correct
from torch_refine.passes.onnx.ranks import declare_ranks


@dataclass
class ConvertOnnxOperators(Pass):
    """Convert those ONNX operators that can be converted now to PyTorch's.

    The conversion is the wheel's `convert-torch-onnx-to-torch`, which converts nothing if one
    operator is unsupported or has an unknown type. This pass keeps that operator and converts the
    others, so that refinement can infer the type.

    Result ranks that the wheel requires are declared where they follow from the operands, and
    result types that differ from PyTorch's are corrected: an element of a list of sizes has rank 0,
    not the sizes [1]; ones and zeros have the declared dtype, not f32; integers are divided by
    truncation; no squeezed dimension is negative.

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
        """Convert what can be converted; raises PassFailure for errors without an operator."""
        before = len(onnx_operators(op))
        if before:
            state.count(self.name, "ranks declared", declare_ranks(op))
            conversion = Conversion(op)
            try:
                conversion.run()
                # Later rewrites may not terminate on an invalid program.
                op.verify()
            except ir.MLIRError as error:
                state.diagnostics.report_exception(error)
                raise PassFailure(self.name) from None
            for warning in conversion.warnings:
                state.diagnostics.report(warning)
            state.count(self.name, "operators corrected", correct(op))
        state.count(self.name, "operators converted", before - len(onnx_operators(op)))
