"""Dropout that drops nothing is its operand.

Its kernel returns the operand itself (`aten/src/ATen/native/Dropout.cpp`), which the schema does
not say, so PyTorch's functionalization makes a copy of it: a later write to one of both would not
be seen in the other. This module loads PyTorch.
"""

from __future__ import annotations

import torch
from torch.fx import GraphModule, Node

_DROPOUTS = (
    "dropout",
    "dropout_",
    "feature_dropout",
    "feature_dropout_",
    "alpha_dropout",
    "alpha_dropout_",
    "feature_alpha_dropout",
    "feature_alpha_dropout_",
)


def without_idle_dropout(module: GraphModule) -> GraphModule:
    """The module without dropouts that are off; itself if it has none."""
    if not any(map(_is_idle, module.graph.nodes)):
        return module
    graph = torch.fx.Graph()
    graph.set_codegen(module.graph._codegen)
    copies: dict[Node, Node] = {}
    for node in module.graph.nodes:
        if _is_idle(node):
            copies[node] = copies[node.args[0]]
            continue
        copies[node] = graph.node_copy(node, copies.__getitem__)
        copies[node].name = node.name
    changed = GraphModule(module, graph)
    changed.meta.update(module.meta)
    return changed


def _is_idle(node: Node) -> bool:
    """Whether a call is a dropout that returns its operand.

    One that is a result of the program is kept: the signature has its name.
    """
    if not isinstance(node.target, torch._ops.OpOverload) or node.target.namespace != "aten":
        return False
    if node.target.overloadpacket.__name__ not in _DROPOUTS or len(node.args) != 3:
        return False
    _, probability, train = node.args
    is_off = train is False or (isinstance(probability, (int, float)) and probability == 0)
    return is_off and all(user.op != "output" for user in node.users)
