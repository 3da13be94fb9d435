"""Dropout that drops nothing is an alias of its operand.

Its kernel returns the operand itself (`aten/src/ATen/native/Dropout.cpp`), which the schema does
not say, so PyTorch's functionalization makes a copy of it: a later write to one of both would not
be seen in the other. This module loads PyTorch.
"""

from __future__ import annotations

import torch
from torch.fx import GraphModule, Node
from torch_refine.passes.lowering.exported.inlining import rewritten

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
    """The module with dropouts that are off as aliases of their operands; itself if it has none."""
    return rewritten(module, _is_idle, _become_alias)


def _become_alias(node: Node) -> None:
    node.target, node.args = torch.ops.aten.alias.default, node.args[:1]


def _is_idle(node: Node) -> bool:
    """Whether a call is a dropout that returns its operand."""
    if not isinstance(node.target, torch._ops.OpOverload) or node.target.namespace != "aten":
        return False
    if node.target.overloadpacket.__name__ not in _DROPOUTS or len(node.args) != 3:
        return False
    _, probability, train = node.args
    return train is False or (isinstance(probability, (int, float)) and probability == 0)
