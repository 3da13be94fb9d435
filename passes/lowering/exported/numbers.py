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
_NUMBERS = (Number, torch.SymInt, torch.SymFloat)


def select_scalar_overloads(graph: Graph) -> None:
    """Replace operators with numbers for tensors by their scalar overloads, in place.

    `subtract.Tensor(x, 1.0)` becomes `subtract.Scalar(x, 1.0)`, with sizes as well as constants.
    An operator without such an overload is kept, with a size as a tensor of the dtype to which it
    promotes. The dialect has no bools among scalars, and an integer would promote: for bools,
    `add.Scalar(x, True)` becomes `add.Tensor` of x and a tensor of rank 0.
    """
    for node in graph.nodes:
        if node.op == "call_function" and isinstance(node.target, OpOverload):
            if _takes_bools_only(node):
                _pass_bools_as_tensors(node, node.target)
            _pass_numbers(node, node.target)


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
        _tensor_before(node, value, torch.bool) if name in given else value
        for name, value in zip(names, node.args, strict=False)
    )
    node.target = found[0]


def _tensor_before(node: Node, value: Any, dtype: torch.dtype) -> Node:
    """A tensor of rank 0 with a constant or a size."""
    tensors = [each.meta["val"] for each in node.all_input_nodes]
    (mode, *_) = [each.fake_mode for each in tensors if isinstance(each, FakeTensor)]
    with node.graph.inserting_before(node):
        made = node.graph.call_function(torch.ops.aten.full.default, ([], value), {"dtype": dtype})
    with mode:
        made.meta = {"val": torch.full([], _value(value), dtype=dtype)}
    made.meta |= {key: node.meta[key] for key in _PLACE if key in node.meta}
    return made


def _overloads(operator: OpOverload) -> list[OpOverload]:
    packet = operator.overloadpacket
    return [getattr(packet, name) for name in packet.overloads()]


def _parameters(operator: OpOverload) -> dict[str, str]:
    return {each.name: str(each.type) for each in operator._schema.arguments}


def _pass_numbers(node: Node, operator: OpOverload) -> None:
    """Select the overload for the numbers that a node passes for tensors, if there are any."""
    given = {
        argument.name: value
        for argument, value in zip(operator._schema.arguments, node.args, strict=False)
        if str(argument.type) == "Tensor" and isinstance(_value(value), _NUMBERS)
    }
    if not given:
        return
    wanted = {
        each.name: "number" if each.name in given else str(each.type)
        for each in operator._schema.arguments
    }
    found = [each for each in _overloads(operator) if _parameters(each) == wanted]
    if found:
        node.target = found[0]
    elif any(isinstance(each, Node) for each in given.values()) and given.keys() <= set(_PROMOTED):
        _pass_sizes_as_tensors(node)


def _pass_sizes_as_tensors(node: Node) -> None:
    """Replace the sizes among a node's first two operands by tensors of rank 0."""
    operands = [_value(each) for each in node.args[:2]]
    dtype = torch.result_type(*operands)
    for place, (argument, value) in enumerate(zip(node.args, operands, strict=False)):
        if isinstance(argument, Node) and isinstance(value, _NUMBERS):
            node.update_arg(place, _tensor_before(node, argument, dtype))


def _value(argument: Any) -> Any:
    return argument.meta.get("val") if isinstance(argument, Node) else argument
