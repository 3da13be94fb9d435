"""Make inferred dtypes of new tensors explicit in the graph, where the dialect loses them.

A bool that is filled into a new tensor is an int in the dialect, and the default dtype of the
exporting session is not recorded. Both decide the dtype of a new tensor.

This module loads PyTorch; `import_model` loads it on first use.
"""

from __future__ import annotations

import torch
from torch._ops import OpOverload
from torch.fx import Graph, Node
from torch.utils._pytree import tree_leaves


def make_dtypes_explicit(graph: Graph) -> None:
    """Add the dtype, in place, to each operator whose new tensor would be inferred otherwise.

    That is `full` with a bool, and every operator without tensor operands that was traced while the
    default dtype was not `float32`. Explicit dtypes are kept.
    """
    for node in graph.nodes:
        if node.op == "call_function" and isinstance(node.target, OpOverload):
            value = node.meta.get("val")
            if (
                isinstance(value, torch.Tensor)
                and _dtype_is_open(node, node.target)
                and _is_unusual(node)
            ):
                node.kwargs = {**node.kwargs, "dtype": value.dtype}


def _dtype_is_open(node: Node, operator: OpOverload) -> bool:
    names = [argument.name for argument in operator._schema.arguments]
    if "dtype" not in names or names.index("dtype") < len(node.args):
        return False
    return node.kwargs.get("dtype") is None


def _is_unusual(node: Node) -> bool:
    if node.target is torch.ops.aten.full.default:
        fill = node.args[1]
        fill = fill.meta.get("val") if isinstance(fill, Node) else fill
        if isinstance(fill, (bool, torch.SymBool)):
            return True
    inputs = [leaf for leaf in tree_leaves((node.args, node.kwargs)) if isinstance(leaf, Node)]
    takes_tensor = any(isinstance(leaf.meta.get("val"), torch.Tensor) for leaf in inputs)
    return not takes_tensor and torch.get_default_dtype() != torch.float32
