"""What the nodes of an exported graph define: tensors, sizes, state."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx import Node
from torch_refine.passes.lowering.exported.inlining import is_control_flow

_NUMBERS = (torch.SymInt, torch.SymFloat, torch.SymBool)
# What reads an element of a tensor, rather than its sizes.
_READS = (torch.ops.aten._local_scalar_dense.default, torch.ops.aten.item.default)
# Functional collectives, those of earlier versions, and those of DTensor.
_COMMUNICATION = ("_c10d_functional", "_c10d_functional_autograd", "c10d_functional", "_dtensor")
_BROADCASTS = (torch.ops.aten.expand.default, torch.ops.aten.broadcast_to.default)
_SAME_ELEMENTS = (
    torch.ops.aten.unsqueeze.default,
    torch.ops.aten.permute.default,
    torch.ops.aten.transpose.int,
)
_CHECKS = (
    torch.ops.aten._assert_scalar.default,
    torch.ops.aten._assert_async.msg,
    torch.ops.aten._assert_tensor_metadata.default,
    torch.ops.aten.sym_constrain_range.default,
    torch.ops.aten.sym_constrain_range_for_size.default,
)


def is_size(node: Node) -> bool:
    """Whether a node computes a number from sizes; Python does that."""
    value = node.meta.get("val")
    is_number = isinstance(value, (*_NUMBERS, int, float, bool))
    is_read = node.target in _READS or (
        is_element(node) and is_control_flow(node.all_input_nodes[0])
    )
    return node.op == "call_function" and is_number and not is_read


def is_broadcast(node: Node) -> bool:
    """Whether a node is a view of a tensor with elements several times, or a view of such a one.

    A part that takes it would read memory for each of them.
    """
    while node.target in _SAME_ELEMENTS and isinstance(node.args[0], Node):
        node = node.args[0]
    return node.target in _BROADCASTS


def reads_number(node: Node) -> bool:
    """Whether a node reads a number from a tensor."""
    return node.target in _READS


def is_check(node: Node) -> bool:
    """Whether a node only checks something."""
    return node.target in _CHECKS


def is_communication(node: Node) -> bool:
    """Whether a node exchanges tensors with other processes, or waits for that.

    Every process must make the same calls in the same order, and none twice.
    """
    return isinstance(node.target, OpOverload) and node.target.namespace in _COMMUNICATION


def is_element(node: Node) -> bool:
    """Whether a node is one of several results of its operand."""
    return node.target is operator.getitem


def has_effects(node: Node) -> bool:
    """Whether the order of a node among such nodes matters."""
    target = node.target
    if not isinstance(target, OpOverload):
        return not is_element(node) and not is_size(node)
    is_random = torch.Tag.nondeterministic_seeded in target.tags
    is_ordered = is_check(node) or is_communication(node)
    return is_random or target._schema.is_mutable or is_ordered


def elements_of(value: Any) -> Iterator[Any]:
    """The values that a node defines."""
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from elements_of(each)
    else:
        yield value


def why_not_passed(node: Node) -> str | None:
    """Why compiled code can neither take nor return a value; None if it can."""
    for value in elements_of(node.meta.get("val")):
        if isinstance(value, torch.Tensor):
            if value.layout != torch.strided:
                return f"a tensor of layout {value.layout} is not compiled"
            if value.is_quantized:
                return "a quantized tensor is not compiled"
            if value.device.type not in ("cpu", "meta"):
                return f"a tensor on {value.device} is not compiled"
        elif not isinstance(value, (torch.SymInt, int)) and value is not None:
            return f"a value of type {type(value).__name__} is not compiled"
    return None
