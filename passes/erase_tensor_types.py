"""Erase the tensor types of a program, except those of its inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.calculate_ops import OP_NAMES
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.branching import BRANCHES, LOOPS, destinations
from torch_refine.passes.casts import CAST
from torch_refine.passes.program import (
    program_functions,
    redeclare,
    returns_of,
    symbol_name,
)

# Ops whose result type follows from an attribute, and casts, which state a type.
_FIXED = {"torch.vtensor.literal", "torch.tensor.literal", "torch.global_slot.get", CAST}
# Ops that tie the type of a result to that of an operand.
_TIED = {"torch.copy.to_tensor", "torch.copy.to_vtensor"}
_LOOPS = {*LOOPS, "scf.while"}
# Ops whose results correspond to the operands of their regions' terminators.
_FOLLOWED = {*BRANCHES, *_LOOPS, *OP_NAMES}


@dataclass
class EraseTensorTypes(Pass):
    """Erase the tensor types of a program, except those of its inputs.

    The result type of every operator becomes `!torch.vtensor`, so that refinement has to infer it
    again: this measures how much of a program it recovers.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
      return %0 : !torch.vtensor<[2,3],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-erase-tensor-types"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Erase in all functions of a module."""
        types = Types(op.context)
        functions = [f for f in program_functions(op) if f.name == "func.func"]
        defined = {symbol_name(function) for function in functions if _has_body(function)}
        for function in functions:
            for inner in walk(function):
                if inner.name in _FIXED or inner.name in _TIED:
                    continue
                if len(inner.regions) and inner.name not in _FOLLOWED:
                    continue
                if inner.name == "func.call" and _callee(inner) not in defined:
                    continue
                for result in inner.results:
                    _erase(result, types)
            for block in _inner_blocks(function):
                for argument in block.arguments:
                    _erase(argument, types)
            for inner in list(walk(function)):
                _fit_operands(inner, types)
            for returned in returns_of(function):
                results = [operand.type for operand in returned.operands]
                _cast(returned, 0, [_erased(type, types) or type for type in results])
                redeclare(function, returned)
        for function in functions:
            for inner in list(walk(function)):
                if inner.name == "func.call":
                    _fit_call(inner, functions)


def _has_body(function: ir.Operation) -> bool:
    return len(function.regions[0].blocks) > 0


def _callee(call: ir.Operation) -> str:
    return str(ir.FlatSymbolRefAttr(call.attributes["callee"]).value)


def _inner_blocks(function: ir.Operation) -> Iterator[ir.Block]:
    """The blocks whose arguments are those of loops and branches."""
    for op in (function, *walk(function)):
        for region in op.regions:
            blocks = list(region)
            yield from blocks if op.name in _LOOPS else blocks[1:]


def _fit_operands(op: ir.Operation, types: Types) -> None:
    """Cast operands to the erased type of the result or block argument they become."""
    for index, operand in enumerate(op.operands):
        if types.tensor(operand.type) is not None:
            values = destinations(op, index)
            if values:
                _cast(op, index, [values[0].type])


def _fit_call(call: ir.Operation, functions: list[ir.Operation]) -> None:
    """Cast the operands of a call to the callee's argument types: inputs keep their types."""
    for function in functions:
        if symbol_name(function) == _callee(call) and _has_body(function):
            arguments = function.regions[0].blocks[0].arguments
            _cast(call, 0, [argument.type for argument in arguments])


def _cast(user: ir.Operation, first: int, expected: list[ir.Type]) -> None:
    """Cast the operands of `user` from index `first` on to the expected types."""
    for index, type in enumerate(expected, first):
        operand = user.operands[index]
        if operand.type != type:
            user.operands[index] = ir.Operation.create(
                CAST,
                results=[type],
                operands=[operand],
                loc=user.location,
                ip=ir.InsertionPoint(user),
            ).result


def _erased(type: ir.Type, types: Types) -> ir.Type | None:
    """The type without sizes and dtype, None if it is already erased."""
    tensor = types.tensor(type)
    if tensor is not None:
        return types.parse(replace(tensor, sizes=None, element=None, encoding=None))
    return None


def _erase(value: ir.Value, types: Types) -> None:
    erased = _erased(value.type, types)
    if erased is not None:
        value.set_type(erased)
