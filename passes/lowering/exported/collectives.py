"""Replace collectives that write to their operands by those that return new tensors.

PyTorch cannot functionalize them, because their results alias their operands:

    %0 = _c10d_functional.all_reduce_(%x, "sum", "0")

becomes

    %0 = _c10d_functional.all_reduce(%x, "sum", "0")
    %1 = _c10d_functional.wait_tensor(%0)
    %2 = aten.copy_(%x, %1)

The copy reads the new tensor, so it follows a wait; a later wait for the operand returns at once.
Every process still makes the same calls in the same order.

This module loads PyTorch.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Sequence
from typing import Any

import torch
from torch._ops import OpOverload, OpOverloadPacket
from torch.fx import GraphModule, Node

_NAMESPACE = "_c10d_functional"
# In-place operators of one tensor, and of a list, with the operators that return new tensors.
_OF_ONE = {"all_reduce_": "all_reduce", "broadcast_": "broadcast"}
_OF_LIST = {"all_reduce_coalesced_": "all_reduce_coalesced"}
_OUT = {
    "all_gather_into_tensor_out": "all_gather_into_tensor",
    "reduce_scatter_tensor_out": "reduce_scatter_tensor",
}


def without_written_operands(module: GraphModule) -> GraphModule:
    """The module with functional collectives only; the argument is not modified.

    A list of results that is used as a whole, rather than by its elements, is left as it is.
    """
    if not any(_name(node) in {*_OF_ONE, *_OF_LIST, *_OUT} for node in module.graph.nodes):
        return module
    graph = copy.deepcopy(module.graph)
    for node in list(graph.nodes):
        name = _name(node)
        if name in _OF_ONE:
            _replace(node, _OF_ONE[name], node.args[0], node.args)
        elif name in _OUT:
            _replace(node, _OUT[name], node.kwargs["out"], node.args)
        elif name in _OF_LIST and all(user.target is operator.getitem for user in node.users):
            _replace_list(node, _OF_LIST[name])
    made = GraphModule(module, graph)
    made.meta = dict(module.meta)
    return made


def _name(node: Node) -> str | None:
    """The name of a collective; None for any other node."""
    target = node.target
    if isinstance(target, OpOverload) and target.namespace == _NAMESPACE:
        return target._schema.name.partition("::")[2]
    if isinstance(target, OpOverloadPacket):
        namespace, _, name = target._qualified_op_name.partition("::")
        return name if namespace == _NAMESPACE else None
    return None


def _replace(node: Node, name: str, written: Any, arguments: Sequence[Any]) -> None:
    graph = node.graph
    with graph.inserting_before(node):
        called = _call(node, getattr(torch.ops._c10d_functional, name).default, arguments)
        copied = _write(node, written, called)
    node.replace_all_uses_with(copied)
    graph.erase_node(node)


def _replace_list(node: Node, name: str) -> None:
    graph = node.graph
    with graph.inserting_before(node):
        called = _call(node, getattr(torch.ops._c10d_functional, name).default, node.args)
        written: Any = node.args[0]
        copies = [
            _write(node, each, graph.call_function(operator.getitem, (called, place)))
            for place, each in enumerate(written)
        ]
    for user in list(node.users):
        place: Any = user.args[1]
        user.replace_all_uses_with(copies[place])
        graph.erase_node(user)
    graph.erase_node(node)


def _write(node: Node, written: Any, result: Node) -> Node:
    """Wait for a result, and copy it to the operand."""
    waited = _call(node, torch.ops._c10d_functional.wait_tensor.default, (result,))
    return _call(node, torch.ops.aten.copy_.default, (written, waited))


def _call(node: Node, target: Any, arguments: Sequence[Any]) -> Node:
    made = node.graph.call_function(target, tuple(arguments))
    made.meta = {
        key: each for key, each in node.meta.items() if key in ("stack_trace", "nn_module_stack")
    }
    return made
