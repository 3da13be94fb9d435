"""What the program around a calculation says of the values that the calculation reads.

Constants, lists of them, sizes of tensors whose type tells them, and arithmetic on these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.decoder import constant_value, is_constant
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.element_types import dtype_of_element
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.list_uses import only_read
from torch_refine.passes.partial_evaluation.values import (
    ListObject,
    TensorValue,
    Unknown,
    Value,
    is_known,
    plain,
)

# How far a value is followed through the operations that compute it.
_DEPTH_LIMIT = 100

_CASTS = {"torch.derefine", "torch.prim.unchecked_cast"}


class Facts:
    """Values of the program as calculations see them; each is looked at once."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self._known: dict[ir.Value, Value] = {}

    def of(self, ssa: ir.Value, depth: int = 0) -> Value:
        """What is known of a value of the program."""
        if ssa not in self._known:
            self._known[ssa] = self._look(ssa, depth)
        return self._known[ssa]

    def _look(self, ssa: ir.Value, depth: int) -> Value:
        owner = ssa.owner
        if not isinstance(owner, ir.Block) and depth < _DEPTH_LIMIT:
            found: Value = self._compute(owner.operation, ssa, depth + 1)
            if found is not NotImplemented:
                return found
        kind = self.types.text(ssa.type).removeprefix("!torch.")
        if kind.startswith("list<"):
            return ListObject(kind, None, ssa, uncertain=True, given=True)
        if kind.startswith(("vtensor", "tensor")):
            return TensorValue(ssa)
        return None if kind == "none" else Unknown(ssa, kind)

    def _compute(self, op: ir.Operation, ssa: ir.Value, depth: int) -> Any:
        """The value of an op's result, NotImplemented when it is not known."""
        name = name_of(op)
        if is_constant(name):
            return constant_value(op)
        if name == "torch.prim.ListConstruct":
            if not only_read(ssa, self.types):
                return NotImplemented
            kind = self.types.text(ssa.type).removeprefix("!torch.")
            items = [self.of(operand, depth) for operand in op.operands]
            return ListObject(kind, items, ssa, given=True)
        if name in _CASTS:
            return self.of(op.operands[0], depth)
        if name in _TENSOR_FACTS:
            type = self.types.tensor(op.operands[0].type)
            if type is None:
                return NotImplemented
            return _TENSOR_FACTS[name](type, *(self.of(o, depth) for o in list(op.operands)[1:]))
        fold = folding.FOLDS.get(name)
        if fold is None:
            return NotImplemented
        arguments = [self.of(operand, depth) for operand in op.operands]
        if not all(map(is_known, arguments)):
            return NotImplemented
        try:
            return fold(*map(plain, arguments))
        except (*folding.RAISING, folding.Overflow, TypeError):
            # What raises has no value; the program says so itself when it runs.
            return NotImplemented


def _size_of(tensor_type: TensorType, dim: Any) -> Any:
    sizes = tensor_type.sizes
    if sizes is None or isinstance(dim, bool) or not isinstance(dim, int):
        return NotImplemented
    if not -len(sizes) <= dim < len(sizes) or sizes[dim] is None:
        return NotImplemented
    return sizes[dim]


def _rank_of(tensor_type: TensorType) -> Any:
    return NotImplemented if tensor_type.sizes is None else len(tensor_type.sizes)


def _dtype_of(tensor_type: TensorType) -> Any:
    if tensor_type.element is None:
        return NotImplemented
    number = dtype_of_element(tensor_type.element)
    return NotImplemented if number is None else number


def _numel_of(tensor_type: TensorType) -> Any:
    if tensor_type.sizes is None:
        return NotImplemented
    count = 1
    for size in tensor_type.sizes:
        if size is None:
            return NotImplemented
        count *= size
    return count


_TENSOR_FACTS: dict[str, Callable[..., Any]] = {
    "torch.aten.size.int": _size_of,
    "torch.aten.dim": _rank_of,
    "torch.prim.dtype": _dtype_of,
    "torch.aten.numel": _numel_of,
}
