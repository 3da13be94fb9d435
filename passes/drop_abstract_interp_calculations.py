"""Drop reified calculations, and the functions that reification spliced in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.calculate_ops import OP_NAMES, drop
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.program import library_functions


@dataclass
class DropAbstractInterpCalculations(Pass):
    """Drop reified calculations, and the functions that reification spliced in.

    Each calculate op is replaced by its body; refined types are kept. Constants that simplification
    created for calculations in the same run are erased, too.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],unk> {
      %0 = torch.shape.calculate {
        %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],unk>
        torch.shape.calculate.yield %1 : !torch.vtensor<[2,3],unk>
      } shapes {
        %1 = torch.aten.size %arg0 : !torch.vtensor<[2,3],f32> -> !torch.list<int>
        torch.shape.calculate.yield.shapes %1 : !torch.list<int>
      } : !torch.vtensor<[2,3],unk>
      return %0 : !torch.vtensor<[2,3],unk>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],unk> {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],unk>
      return %0 : !torch.vtensor<[2,3],unk>
    }
    ```
    """

    name: ClassVar[str] = "torch-drop-abstract-interp-calculations"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Drop all calculations in a module, or in one function."""
        # Inner ones first, so that an outer body is final when it is moved.
        for calculate in reversed([inner for inner in walk(op) if inner.name in OP_NAMES]):
            drop(calculate)
            state.count(self.name, "calculations dropped")
        written, state.reified.constants = state.reified.constants, []
        for constant in written:
            if next(iter(constant.result.uses), None) is None:
                constant.erase()
            else:
                state.reified.constants.append(constant)
        if op.name == "builtin.module":
            for function in library_functions(op):
                function.erase()
