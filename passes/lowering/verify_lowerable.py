"""Verify that a program holds nothing that would be lowered wrongly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.kernels.layouts import why_not_passable
from torch_refine.passes.lowering.refusals import refusal_of
from torch_refine.passes.program import program_functions


@dataclass
class VerifyLowerable(Pass):
    """Verify that a program holds nothing that would be lowered wrongly.

    Some of the wheel's conversions compute something else than PyTorch, or abort, for some dtypes
    and shapes. `passes/lowering/refusals.py` lists them; such an op is an error. So is an argument
    with a layout in memory that not every tensor can be given.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
      %0 = torch.aten.exp %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
      return %0 : !torch.vtensor<[2],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
      %0 = torch.aten.exp %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
      return %0 : !torch.vtensor<[2],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-verify-lowerable"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Verify a module, or one function."""
        types = Types(op.context)
        failed = False
        for each in walk(op):
            reason = refusal_of(each, types) if each.name.startswith("torch.") else None
            if reason is not None:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
        for function in program_functions(op):
            failed |= _has_unpassable(function, types, state)
        if failed:
            raise PassFailure(self.name)


def _has_unpassable(function: ir.Operation, types: Types, state: RunState) -> bool:
    """Whether a function wants arguments to lie as not every tensor does; reports which."""
    if function.name != "func.func" or not len(function.regions[0].blocks):
        return False
    failed = False
    for index, argument in enumerate(function.regions[0].blocks[0].arguments):
        tensor = types.tensor(argument.type)
        rank = None if tensor is None or tensor.sizes is None else len(tensor.sizes)
        reason = why_not_passable(function, index, rank)
        if reason is not None:
            state.diagnostics.error(function.location, f"argument {index}: {reason}")
            failed = True
    return failed
