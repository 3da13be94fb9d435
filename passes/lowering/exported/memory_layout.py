"""Operators that read the storage of a tensor, regardless of its sizes and strides.

`as_strided` counts from the start of the storage. A program only has the elements, so it is correct
only where these are the whole storage, contiguous and row-major. Where the tensor is an input, or a
view of one, this is checked at the call (`runtime/torch_models/models.py`).

This module loads PyTorch.
"""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch._ops import OpOverload
from torch.export import ExportedProgram
from torch.fx import Node

_READERS = frozenset(
    {
        "_reshape_alias",
        "_reshape_alias_copy",
        "as_strided",
        "as_strided_",
        "as_strided_copy",
        "as_strided_scatter",
        "as_strided_scatter_",
    }
)
# They return their operand where they are no-ops, which their schemas do not say.
_PASSING = frozenset({"dropout", "feature_dropout", "alpha_dropout", "type_as"})


def why_layout_matters(node: Node, is_inside: bool = False) -> str | None:
    """Why an operator reads memory that the program does not have; None if it does not.

    `is_inside` means that its graph is one of control flow, which may be given any tensor.
    """
    if not reads_memory(node):
        return None
    value = _value(node.args[0])
    if value is None or not _is_whole(value, _offset(node) is not None):
        return "its operand is not contiguous from the start of its storage"
    root = root_of(node.args[0])
    if root.op == "placeholder":
        if is_inside:
            return "it reads the memory of an operand of control flow"
        source = _value(root)
        if source is None or not _is_whole(source, _offset(node) is not None):
            return "it reads an input that is not contiguous from the start of its storage"
    return None


def inputs_read_as_memory(program: ExportedProgram) -> dict[str, bool]:
    """The inputs that must be contiguous at each call, and whether their offset must be 0.

    By the names of the placeholders, including those of weights.
    """
    found: dict[str, bool] = {}
    for node in program.graph.nodes:
        root = root_of(node.args[0]) if reads_memory(node) else None
        if root is not None and root.op == "placeholder":
            found[root.name] = found.get(root.name, False) or _offset(node) is not None
    return found


def reads_memory(node: Node) -> bool:
    """Whether an operator reads the storage of its operand."""
    target = node.target
    return (
        isinstance(target, OpOverload)
        and target.namespace == "aten"
        and target._schema.name.removeprefix("aten::") in _READERS
    )


def _offset(node: Node) -> Any:
    """The storage offset; None for that of its operand."""
    place = 4 if "scatter" in str(node.target) else 3
    return node.args[place] if len(node.args) > place else node.kwargs.get("storage_offset")


def _value(node: Any) -> torch.Tensor | None:
    found = node.meta.get("val") if isinstance(node, Node) else None
    return found if isinstance(found, torch.Tensor) else None


def _is_whole(value: torch.Tensor, from_start: bool) -> bool:
    if not value.is_contiguous():
        return False
    offset = value.storage_offset()
    return not from_start or (isinstance(offset, int) and offset == 0)


def root_of(node: Any) -> Node:
    """The node that a node is a view of, or may be."""
    return views_of(node)[-1]


def views_of(node: Any) -> list[Node]:
    """A node, those that it is a view of, and the root of all."""
    found = [node]
    while node.op == "call_function" and _may_be_a_view(node):
        node = node.args[0]
        found.append(node)
    return found


def _may_be_a_view(node: Node) -> bool:
    if node.target is operator.getitem:
        return True
    if not isinstance(node.target, OpOverload):
        return False
    if not node.args or not isinstance(node.args[0], Node):
        return False
    schema = node.target._schema
    return schema.name.removeprefix("aten::") in _PASSING or any(
        each.alias_info is not None for each in schema.returns
    )
