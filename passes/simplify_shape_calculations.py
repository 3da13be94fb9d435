"""Simplify reified shape calculations, and refine types by their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.simplification import simplify_calculations


@dataclass
class SimplifyShapeCalculations(Pass):
    """Simplify reified shape calculations, and refine types by their results.

    Calculations are run on abstract values: calls are inlined, loops of known trip count unrolled,
    `If`s on known conditions folded, lists tracked through every mutation. Data-dependent parts
    remain as IR; constants are uniqued at the function's start. An inferred shape is met with the
    declared type; users that do not accept the more precise type get a
    `torch.tensor_static_info_cast`.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,?],f32>) -> !torch.vtensor {
      %0 = torch.shape.calculate {
        %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?],f32> -> !torch.vtensor
        torch.shape.calculate.yield %1 : !torch.vtensor
      } shapes {
        %1 = torch.aten.size %arg0 : !torch.vtensor<[2,?],f32> -> !torch.list<int>
        torch.shape.calculate.yield.shapes %1 : !torch.list<int>
      } : !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,?],f32>) -> !torch.vtensor {
      %int1 = torch.constant.int 1
      %int2 = torch.constant.int 2
      %0 = torch.shape.calculate {
        %2 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],unk>
        torch.shape.calculate.yield %2 : !torch.vtensor<[2,?],unk>
      } shapes {
        %2 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?],f32>, !torch.int -> !torch.int
        %3 = torch.prim.ListConstruct %int2, %2 : (!torch.int, !torch.int) -> !torch.list<int>
        torch.shape.calculate.yield.shapes %3 : !torch.list<int>
      } : !torch.vtensor<[2,?],unk>
      %1 = torch.tensor_static_info_cast %0 : !torch.vtensor<[2,?],unk> to !torch.vtensor
      return %1 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-simplify-shape-calculations"
    keeps_reified: ClassVar[bool] = True

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Simplify in all functions of a module, or in one function."""
        simplify_calculations("shape", self.name, op, state)
