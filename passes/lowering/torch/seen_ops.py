"""A view of torch dialect ops for the rules of the lowering."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from torch_refine.abstract_interpreter.running.decoder import constant_value, is_constant
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types


@dataclass(frozen=True)
class Seen:
    """An op as a rule reads it. Tensors in lists count as operands."""

    base: str
    """The operator without namespace and overload: `add` for `torch.aten.add.Tensor`."""
    operands: tuple[TensorType, ...]
    results: tuple[TensorType, ...]
    op: ir.Operation

    def constant(self, place: int, default: Any = None) -> Any:
        """The value of a constant operand, or a default, also where there are fewer operands."""
        if place >= len(self.op.operands):
            return default
        return constant_of(self.op.operands[place], default)

    def list_of(self, place: int) -> list[ir.Value] | None:
        """The elements of an operand that is a constructed list."""
        if place >= len(self.op.operands):
            return None
        owner = self.op.operands[place].owner
        if isinstance(owner, ir.Block) or owner.name != "torch.prim.ListConstruct":
            return None
        return list(owner.operands)

    def integers(self, place: int) -> list[int] | None:
        """The same for constant integers."""
        values = self.list_of(place)
        found = None if values is None else [constant_of(value) for value in values]
        return found if found is None or all(type(each) is int for each in found) else None

    def element_of_operands(self, *elements: str) -> bool:
        """Whether an operand has one of some element types."""
        return any(each.element in elements for each in self.operands)

    def element_of_results(self, *elements: str) -> bool:
        """Whether a result has one of some element types."""
        return any(each.element in elements for each in self.results)


def seen_of(op: ir.Operation, types: Types) -> Seen | None:
    """The view of a PyTorch operator; None for any other op."""
    namespace, _, rest = name_of(op).removeprefix("torch.").partition(".")
    if namespace not in ("aten", "prims", "quantized_decomposed"):
        return None
    return Seen(
        rest.partition(".")[0].removesuffix("_"),
        tuple(_tensors(op.operands, types)),
        tuple(_tensors(op.results, types)),
        op,
    )


def constant_of(value: ir.Value, default: Any = None) -> Any:
    """The value of a constant, or a default."""
    owner = value.owner
    if isinstance(owner, ir.Block) or not is_constant(owner.name):
        return default
    return constant_value(owner)


def _tensors(values: Iterable[ir.Value], types: Types) -> list[TensorType]:
    found = []
    for value in values:
        tensor = types.tensor(value.type)
        if tensor is not None:
            found.append(tensor)
        elif (
            not isinstance(value.owner, ir.Block) and value.owner.name == "torch.prim.ListConstruct"
        ):
            found += _tensors(value.owner.operands, types)
    return found
