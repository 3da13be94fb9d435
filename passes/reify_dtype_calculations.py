"""Wrap every operator that has a dtype function with the calculation of its results' dtypes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.reification import reify_calculations


@dataclass
class ReifyDtypeCalculations(Pass):
    """Wrap every operator that has a dtype function with the calculation of its results' dtypes.

    A tensor operand becomes its rank and dtype, because promotion asks for both: a tensor with
    dimensions, a 0-dim tensor and a scalar have different priorities.

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
      %0 = torch.dtype.calculate {
        %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
        torch.dtype.calculate.yield %1 : !torch.vtensor
      } dtypes {
        %1 = torch.aten.size %arg0 : !torch.vtensor<[2,3],f32> -> !torch.list<int>
        %2 = torch.aten.len.t %1 : !torch.list<int> -> !torch.int
        %3 = torch.prim.dtype %arg0 : !torch.vtensor<[2,3],f32> -> !torch.int
        %4 = torch.prim.TupleConstruct %2, %3 : !torch.int, !torch.int -> !torch.tuple<int, int>
        %5 = func.call @__torch_mlir_dtype_fn.aten.tanh(%4) : (!torch.tuple<int, int>) -> !torch.int
        torch.dtype.calculate.yield.dtypes %5 : !torch.int
      } : !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-reify-dtype-calculations"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)
    keeps_reified: ClassVar[bool] = True

    extra_library: str = option(
        "", "comma-separated files with functions that take precedence over the shipped ones"
    )
    only_incomplete: bool = option(False, "skip operators whose result types are complete")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Reify in all functions of a module."""
        reify_calculations("dtype", self.name, op, state, self.extra_library, self.only_incomplete)
