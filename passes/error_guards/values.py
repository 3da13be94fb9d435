"""Operators with preconditions on the elements of tensors, by their schemas.

Indices must be within the indexed tensor, and classes below the number of classes. No function of
the library knows elements; lowered code checks these.
"""

from __future__ import annotations

from collections.abc import Iterator

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.dialect.schemas import schema
from torch_refine.dialect.tensor_type import Types

# Names of arguments that hold indices or classes, if their dtype is integral.
_INDICES = frozenset(("index", "indices", "target", "self_indices", "repeats", "offsets"))
_INTEGRAL = ("si", "ui")


def value_preconditions(function: ir.Operation, types: Types) -> Iterator[tuple[ir.Operation, str]]:
    """The operators of a function that constrain the elements of an argument, with its name."""
    known: dict[str, list[tuple[int, str]]] = {}
    for op in walk(function):
        name = name_of(op)
        if not name.startswith("torch.aten."):
            continue
        if name not in known:
            known[name] = _indices(operator_name(name))
        for place, argument in known[name]:
            tensor = types.tensor(op.operands[place].type) if place < len(op.operands) else None
            if tensor is None or tensor.element is None:
                continue
            if str(tensor.element).startswith(_INTEGRAL):
                yield op, argument


def _indices(operator: str) -> list[tuple[int, str]]:
    """The positions and names of the tensor arguments of an operator that hold indices."""
    try:
        arguments = schema(operator).arguments
    except KeyError:
        return []
    return [
        (place, each.name)
        for place, each in enumerate(arguments)
        if each.name in _INDICES and each.type == "Tensor"
    ]
