"""Erase what the program says about its tensors, except at its inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.program import program_functions, redeclare, returns_of

# Ops whose result type follows from an attribute; the dialect verifies that.
_FIXED = {"torch.vtensor.literal", "torch.tensor.literal", "torch.global_slot.get"}
# Ops that tie the type of a result to that of an operand.
_TIED = {"torch.copy.to_tensor", "torch.copy.to_vtensor"}


@dataclass
class EraseTensorTypes(Pass):
    """Erase what the program says about its tensors, except at its inputs.

    Every tensor that an operator gives becomes `!torch.vtensor`, so that refinement has to find
    all of it again: what it recovers of a program can be measured this way.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
      return %0 : !torch.vtensor<[2,3],f32>
    }
    ```

    After:

    ```mlir
    ```
    """

    name: ClassVar[str] = "torch-erase-tensor-types"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Erase in all functions of a module."""
        types = Types(op.context)
        for function in program_functions(op):
            for inner in walk(function):
                if inner.name in _FIXED or inner.name in _TIED:
                    continue
                for result in inner.results:
                    _erase(result, types)
            if function.name == "func.func":
                for returned in returns_of(function):
                    redeclare(function, returned)


def _erased(type: ir.Type, types: Types) -> ir.Type | None:
    """The type without sizes and dtype, None when it has none."""
    tensor = types.tensor(type)
    if tensor is not None:
        return types.parse(replace(tensor, sizes=None, element=None, encoding=None))
    return None


def _erase(value: ir.Value, types: Types) -> None:
    erased = _erased(value.type, types)
    if erased is not None:
        value.set_type(erased)
