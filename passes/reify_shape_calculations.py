"""Wrap every operator that has a shape function with the calculation of its results' shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.reification import reify_calculations


@dataclass
class ReifyShapeCalculations(Pass):
    """Wrap every operator that has a shape function with the calculation of its results' shapes.

    Tensor operands become lists of sizes, absent ones `None`; lists of tensors become lists of such
    lists. Value-semantic variants (`torch.valsem.…`) and `torch.operator "…"` are reified like any
    other operator; one without a function is left unchanged. The functions that are used, and their
    callees, are added to the module.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
      %0 = torch.shape.calculate {
        %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
        torch.shape.calculate.yield %1 : !torch.vtensor
      } shapes {
        %1 = torch.aten.size %arg0 : !torch.vtensor<[2,3],f32> -> !torch.list<int>
        %2 = func.call @__torch_mlir_shape_fn.aten.tanh(%1) : (!torch.list<int>) -> !torch.list<int>
        torch.shape.calculate.yield.shapes %2 : !torch.list<int>
      } : !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-reify-shape-calculations"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)
    keeps_reified: ClassVar[bool] = True

    extra_library: str = option(
        "", "comma-separated files with functions that take precedence over the shipped ones"
    )
    only_incomplete: bool = option(False, "skip operators whose result types are complete")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Reify in all functions of a module."""
        reify_calculations("shape", self.name, op, state, self.extra_library, self.only_incomplete)
