"""Verify that no operator of PyTorch is left after the conversions to linalg."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.passes.base import Pass, PassFailure, RunState

# Ops that the following type conversion handles.
_CONVERTED = ("torch.constant.", "torch.vtensor.literal", "torch_c.")
# List and scalar ops that a remaining operator needs; only that operator is reported.
_PARTS = ("torch.prim.", "torch.aten.Int", "torch.aten.Float", "torch.aten.size.int")


@dataclass
class VerifyLowered(Pass):
    """Verify that no operator of PyTorch is left after the conversions to linalg.

    A remaining operator has no lowering: that is an error at its op.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
      %0 = math.absf %arg0 : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
      %0 = math.absf %arg0 : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
    """

    name: ClassVar[str] = "torch-verify-lowered"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Verify a module, or one function."""
        left = [each for each in walk(op) if _is_left(each)]
        # Lists and scalars remain because of the operators that use them.
        operators = [each for each in left if not each.name.startswith(_PARTS)]
        for each in operators or left:
            state.diagnostics.error(each.location, f"{name_of(each)} has no lowering to linalg")
        if left:
            raise PassFailure(self.name)


def _is_left(op: ir.Operation) -> bool:
    return op.name.startswith("torch.") and not op.name.startswith(_CONVERTED)
