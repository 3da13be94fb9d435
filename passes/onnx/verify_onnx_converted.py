"""Verify that no ONNX operator is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.onnx.conversion import onnx_operators


@dataclass
class VerifyOnnxConverted(Pass):
    """Verify that no ONNX operator is left.

    An operator with unknown types may be convertible once they are known; others have no conversion
    in the wheel for their types.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
      %0 = torch.aten.relu %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
      return %0 : !torch.vtensor<[2,3],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
      %0 = torch.aten.relu %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
      return %0 : !torch.vtensor<[2,3],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-verify-onnx-converted"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Verify a module; raises PassFailure after reporting each remaining operator."""
        types = Types(op.context)
        left = onnx_operators(op)
        for inner in left:
            state.diagnostics.error(inner.location, f"{name_of(inner)} {_why(inner, types)}")
        if left:
            raise PassFailure(self.name)


def _why(op: ir.Operation, types: Types) -> str:
    unknown = []
    for kind, values in (("operand", op.operands), ("result", op.results)):
        for number, value in enumerate(values):
            tensor = types.tensor(value.type)
            if tensor is not None and not tensor.has_rank_and_element:
                unknown.append(f"{kind} {number} is {tensor}")
    if unknown:
        return f"is not converted: its types are unknown ({', '.join(unknown)})"
    given = ", ".join(str(value.type) for value in op.operands)
    return f"is not converted: the wheel has no conversion for ({given})"
