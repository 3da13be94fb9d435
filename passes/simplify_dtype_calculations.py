"""Simplify reified dtype calculations, and refine types by their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.simplification import simplify_calculations


@dataclass
class SimplifyDtypeCalculations(Pass):
    """Simplify reified dtype calculations, and refine types by their results.

    Works as for shapes; `torch.promote_dtypes` follows PyTorch's type promotion with its three
    priorities.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[],f32>) -> !torch.vtensor {
      %0 = torch.dtype.calculate {
        %int1 = torch.constant.int 1
        %1 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2],si64>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor
        torch.dtype.calculate.yield %1 : !torch.vtensor
      } dtypes {
        %int0 = torch.constant.int 0
        %int1 = torch.constant.int 1
        %1 = torch.prim.dtype %arg0 : !torch.vtensor<[2],si64> -> !torch.int
        %2 = torch.prim.dtype %arg1 : !torch.vtensor<[],f32> -> !torch.int
        %3 = torch.prim.ListConstruct %int1, %int0 : (!torch.int, !torch.int) -> !torch.list<optional<int>>
        %4 = torch.prim.ListConstruct %1, %2 : (!torch.int, !torch.int) -> !torch.list<int>
        %5 = torch.promote_dtypes %3, %4 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
        torch.dtype.calculate.yield.dtypes %5 : !torch.int
      } : !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[],f32>) -> !torch.vtensor {
      %int6 = torch.constant.int 6
      %0 = torch.dtype.calculate {
        %int1 = torch.constant.int 1
        %2 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2],si64>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<*,f32>
        torch.dtype.calculate.yield %2 : !torch.vtensor<*,f32>
      } dtypes {
        torch.dtype.calculate.yield.dtypes %int6 : !torch.int
      } : !torch.vtensor<*,f32>
      %1 = torch.tensor_static_info_cast %0 : !torch.vtensor<*,f32> to !torch.vtensor
      return %1 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-simplify-dtype-calculations"
    keeps_reified: ClassVar[bool] = True

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Simplify in all functions of a module, or in one function."""
        simplify_calculations("dtype", self.name, op, state)
