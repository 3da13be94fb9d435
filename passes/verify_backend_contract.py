"""Verify that a program satisfies the backend contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.calculate_ops import OP_NAMES
from torch_refine.dialect.library import Library
from torch_refine.dialect.names import is_onnx, name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.incomplete import reason_of
from torch_refine.passes.program import program_functions

_COPIES = ("torch.copy.to_tensor", "torch.copy.to_vtensor")
# More errors are not worth reading.
_MAX_ERRORS = 100


@dataclass
class VerifyBackendContract(Pass):
    """Verify that every tensor is ranked, has a known dtype and value semantics.

    Each violation is an error at its op, with the reason that refinement found. Sizes may be
    dynamic. No reified calculation may remain.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
      return %0 : !torch.vtensor<[2,?],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
      return %0 : !torch.vtensor<[2,?],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-verify-backend-contract"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Verify a module, or one function."""
        found = 0
        for function in program_functions(op):
            for where, message in _violations(function):
                found += 1
                if found <= _MAX_ERRORS:
                    state.diagnostics.error(where.location, message)
        if found > _MAX_ERRORS:
            state.diagnostics.error(None, f"and {found - _MAX_ERRORS} more such errors")
        state.count(self.name, "violations", found)
        if found:
            raise PassFailure(self.name)


def _violations(function: ir.Operation) -> Iterator[tuple[ir.Operation, str]]:
    types = Types(function.context)
    library = Library()
    for region in function.regions:
        for block in region:
            for argument in block.arguments:
                tensor = types.tensor(argument.type)
                missing = None if tensor is None else _missing(tensor)
                if missing:
                    message = f"argument {argument.arg_number} is {tensor}: {missing}"
                    yield function, message
    for op in walk(function):
        if op.name in OP_NAMES:
            yield op, "a reified calculation remains: run simplification and drop calculations"
            continue
        if op.name in _COPIES:
            yield op, "a mutable tensor remains: its uses are not value-semantic"
            continue
        if is_onnx(name_of(op)):
            yield op, f"{name_of(op)} is {reason_of(op, library, types)}"
            continue
        for number, result in enumerate(op.results):
            tensor = types.tensor(result.type)
            missing = None if tensor is None else _missing(tensor)
            if missing:
                what = f"result {number} of {name_of(op)} is {tensor}: {missing}"
                yield op, f"{what} ({reason_of(op, library, types)})"


def _missing(tensor: TensorType) -> str:
    """What a type lacks for a backend, in words; empty if nothing."""
    lacks = []
    if tensor.sizes is None:
        lacks.append("its rank is unknown")
    if tensor.element is None:
        lacks.append("its dtype is unknown")
    if not tensor.value_semantics:
        lacks.append("it is not value-semantic")
    return ", ".join(lacks)
