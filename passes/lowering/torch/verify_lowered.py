"""Verify that no operator of PyTorch is left that the conversions to linalg are not right for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.lowering.torch.converted_operators import CONVERTED_OPERATORS
from torch_refine.passes.lowering.torch.seen_ops import seen_of

# Ops that the following type conversion handles.
_CONVERTED = ("torch.constant.", "torch.vtensor.literal", "torch_c.")
# List and scalar ops that a remaining operator needs; only that operator is reported.
_PARTS = ("torch.prim.", "torch.aten.Int", "torch.aten.Float", "torch.aten.size.int")
# Ops on tensors that compute no elements.
_OF_TYPES = ("torch.aten.__getitem__.t", "torch.tensor_static_info_cast")


@dataclass
class VerifyLowered(Pass):
    """Verify that no operator of PyTorch is left after the conversions to linalg.

    A remaining operator has no lowering: that is an error at its op. Before the conversions, those
    operators remain that they compute as PyTorch does; `converted_operators.py` lists them.

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

    before_conversions: bool = option(
        False, "allow operators that the conversions to linalg compute as PyTorch does"
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Verify a module, or one function."""
        types = Types(op.context)
        left = [each for each in walk(op) if _is_left(each) or _is_literal_of_any_size(each, types)]
        if self.before_conversions:
            left = [each for each in left if not _is_converted(each, types)]
        # Lists and scalars remain because of the operators that use them.
        operators = [each for each in left if not each.name.startswith(_PARTS)]
        for each in operators or left:
            state.diagnostics.error(each.location, f"{name_of(each)} has no lowering to linalg")
        if left:
            raise PassFailure(self.name)


def _is_left(op: ir.Operation) -> bool:
    return op.name.startswith("torch.") and not op.name.startswith(_CONVERTED)


def _is_literal_of_any_size(op: ir.Operation, types: Types) -> bool:
    """Whether an op is a literal of dynamic sizes, to which the wheel folds some operators."""
    if op.name != "torch.vtensor.literal":
        return False
    type = types.tensor(op.results[0].type)
    return type is None or type.sizes is None or None in type.sizes


def _is_converted(op: ir.Operation, types: Types) -> bool:
    """Whether an op has a right conversion, or numbers only, which arith has."""
    if op.name.startswith((*_PARTS, *_OF_TYPES)):
        return True
    seen = seen_of(op, types)
    if seen is not None:
        return not (seen.operands or seen.results) or seen.base in CONVERTED_OPERATORS
    return all(types.tensor(value.type) is None for value in (*op.operands, *op.results))
