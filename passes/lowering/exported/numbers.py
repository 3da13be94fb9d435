"""Select scalar overloads for operators whose tensor argument is a number.

PyTorch promotes a number otherwise than a tensor of rank 0, and the dialect has no tensors that are
numbers. This module loads PyTorch; `import_model` loads it on first use.
"""

from __future__ import annotations

from numbers import Number
from typing import Any

import torch
from torch._ops import OpOverload
from torch._subclasses import FakeTensor
from torch.fx import Graph, Node

# What says where a node comes from.
_PLACE = ("stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn")
# The parameters of scalars that take part in the promotion of an operator's operands.
_PROMOTED = ("self", "other")


def select_scalar_overloads(graph: Graph) -> None:
    """Replace operators with numbers for tensors by their scalar overloads, in place.

    `subtract.Tensor(x, 1.0)` becomes `subtract.Scalar(x, 1.0)`; an operator without such an
    overload is kept. The dialect has no bools among scalars, and an integer would promote: for
    bools, `add.Scalar(x, True)` becomes `add.Tensor` of x and a tensor of rank 0.
    """
    for node in graph.nodes:
        if node.op == "call_function" and isinstance(node.target, OpOverload):
            if _takes_bools_only(node):
                _pass_bools_as_tensors(node, node.target)
            overload = _for_numbers(node, node.target)
            if overload is not None:
                node.target = overload


def _takes_bools_only(node: Node) -> bool:
    """Whether all operands are bools, some of which are no tensors."""
    values = [each.meta.get("val") for each in node.all_input_nodes]
    return bool(values) and (
        any(isinstance(each, bool) for each in node.args)
        and all(isinstance(each, FakeTensor) and each.dtype == torch.bool for each in values)
    )


def _pass_bools_as_tensors(node: Node, operator: OpOverload) -> None:
    """Replace the bools of an operator that takes tensors for them, or has such an overload."""
    given = {
        argument.name
        for argument, value in zip(operator._schema.arguments, node.args, strict=False)
        if isinstance(value, bool) and argument.name in _PROMOTED
    }
    wanted = {
        each.name: "Tensor" if each.name in given else str(each.type)
        for each in operator._schema.arguments
    }
    found = [each for each in _overloads(operator) if _parameters(each) == wanted]
    if not given or not found:
        return
    names = [each.name for each in operator._schema.arguments]
    node.args = tuple(
        _tensor_before(node, value) if name in given else value
        for name, value in zip(names, node.args, strict=False)
    )
    node.target = found[0]


def _tensor_before(node: Node, value: Any) -> Node:
    """A tensor of rank 0 of bools."""
    (mode, *_) = [each.meta["val"].fake_mode for each in node.all_input_nodes]
    with node.graph.inserting_before(node):
        made = node.graph.call_function(
            torch.ops.aten.full.default, ([], value), {"dtype": torch.bool}
        )
    with mode:
        made.meta = {"val": torch.full([], value, dtype=torch.bool)}
    made.meta |= {key: node.meta[key] for key in _PLACE if key in node.meta}
    return made


def _overloads(operator: OpOverload) -> list[OpOverload]:
    packet = operator.overloadpacket
    return [getattr(packet, name) for name in packet.overloads()]


def _parameters(operator: OpOverload) -> dict[str, str]:
    return {each.name: str(each.type) for each in operator._schema.arguments}


def _for_numbers(node: Node, operator: OpOverload) -> OpOverload | None:
    """The overload for the numbers that a node passes for tensors."""
    given = [
        argument.name
        for argument, value in zip(operator._schema.arguments, node.args, strict=False)
        if str(argument.type) == "Tensor" and isinstance(value, Number)
    ]
    if not given:
        return None
    wanted = {
        each.name: "number" if each.name in given else str(each.type)
        for each in operator._schema.arguments
    }
    return next((each for each in _overloads(operator) if _parameters(each) == wanted), None)
