"""Verify that no operator would be lowered wrongly."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.kernels.layouts import why_unsupported_layout
from torch_refine.passes.lowering.torch.refusals import refusal_of
from torch_refine.passes.program import program_functions

# The largest element, complex<f64>, has 16 bytes.
_MOST_ELEMENTS = (2**63 - 1) // 16


@dataclass
class VerifyLowerable(Pass):
    """Verify that no operator would be lowered wrongly.

    Some of the wheel's conversions compute other results than PyTorch, or abort, for some dtypes
    and shapes. `passes/lowering/torch/refusals.py` lists them; such an op is an error. So is an
    argument whose layout cannot be met by a copy, and a tensor that exceeds the address space.

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
            if not each.name.startswith("torch."):
                continue
            reason = refusal_of(each, types) or _why_too_large(each.results, types)
            if reason is not None:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
        for function in program_functions(op):
            failed |= _has_unsupported_layouts(function, types, state)
        if failed:
            raise PassFailure(self.name)


def _why_too_large(values: Iterable[ir.Value], types: Types) -> str | None:
    """Why a value cannot be allocated: offsets have 64 bits; None if it can."""
    for value in values:
        tensor = types.tensor(value.type)
        if tensor is None or tensor.sizes is None:
            continue
        # Sizes of 0 do not help: strides and collapsed dimensions of the others must fit, too.
        elements = math.prod(max(size or 1, 1) for size in tensor.sizes)
        if elements > _MOST_ELEMENTS:
            return f"{tensor} has more elements than 64 bits can address"
    return None


def _has_unsupported_layouts(function: ir.Operation, types: Types, state: RunState) -> bool:
    """Whether a function has arguments with unsupported layouts; reports them."""
    if function.name != "func.func" or not len(function.regions[0].blocks):
        return False
    failed = False
    for index, argument in enumerate(function.regions[0].blocks[0].arguments):
        tensor = types.tensor(argument.type)
        too_large = _why_too_large([argument], types)
        if too_large is not None:
            state.diagnostics.error(function.location, f"argument {index}: {too_large}")
            failed = True
        rank = None if tensor is None or tensor.sizes is None else len(tensor.sizes)
        reason = why_unsupported_layout(function, index, rank)
        if reason is not None:
            state.diagnostics.error(function.location, f"argument {index}: {reason}")
            failed = True
    return failed
