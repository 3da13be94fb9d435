"""Make convolutions products of matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.schedules import apply_schedule

_UNFOLDED = "torch_refine.unfolded"


@dataclass
class UnfoldConvolutions(Pass):
    """Make convolutions products of matrices.

    `linalg.conv_2d_nchw_fchw` of known sizes, without dilation, becomes a product of the weights and a
    matrix that repeats the image, by the schedule `gpu/unfold.mlir`. Others stay as they are.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<?x1x4x4xf32>, %arg1: tensor<2x1x3x3xf32>, \
%arg2: tensor<?x2x2x2xf32>) -> tensor<?x2x2x2xf32> {
      %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, \
strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<?x1x4x4xf32>, tensor<2x1x3x3xf32>) \
outs(%arg2 : tensor<?x2x2x2xf32>) -> tensor<?x2x2x2xf32>
      return %0 : tensor<?x2x2x2xf32>
    }
    ```

    After:

    ```mlir
    ```
    """

    name: ClassVar[str] = "unfold-convolutions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Unfold in the functions of a module."""
        for function in list(operations(op.regions[0].blocks[0])):
            chosen = [each for each in walk(function) if _is_unfolded(each)]
            for each in chosen:
                each.attributes[_UNFOLDED] = ir.UnitAttr.get(op.context)
            if chosen and apply_schedule("gpu/unfold", function):
                state.count(self.name, "convolutions unfolded", len(chosen))


def _is_unfolded(op: ir.Operation) -> bool:
    if op.name != "linalg.conv_2d_nchw_fchw":
        return False
    dilations = list(ir.DenseIntElementsAttr(op.attributes["dilations"]))
    types = [ir.RankedTensorType(operand.type) for operand in op.operands]
    return all(each == 1 for each in dilations) and all(type.has_static_shape for type in types)
