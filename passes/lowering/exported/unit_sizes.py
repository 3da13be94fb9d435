"""Sizes that the export's guards require to be 1.

Whether a tensor is broadcast is decided when a model is traced: a symbolic size, such as that of
the last chunk of a tensor, is compared with 1, and the result is a guard. The fake tensors keep the
expression. A static size of 1 is correct at each call that passes the guards, and the lowering
broadcasts the element.

This module loads PyTorch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph
from torch.utils import _pytree as pytree


def set_unit_sizes(graph: Graph) -> None:
    """Replace sizes that a guard of the export requires to be 1, in a graph's fake tensors."""
    ones: dict[int, set[Any]] = {}

    def known(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        sizes: list[Any] = list(value.shape)
        symbolic = [size for size in sizes if isinstance(size, torch.SymInt)]
        if not symbolic:
            return value
        env = symbolic[0].node.shape_env
        if env is None:
            return value
        if id(env) not in ones:
            ones[id(env)] = {one for guard in env.guards for one in _is_one(guard.expr)}
        is_one = [
            isinstance(size, torch.SymInt) and size.node.expr in ones[id(env)] for size in sizes
        ]
        if not any(is_one):
            return value
        said = [1 if one else size for one, size in zip(is_one, sizes, strict=True)]
        return value.new_empty_strided(said, value.stride())

    for node in graph.nodes:
        if node.op != "call_function" or "val" not in node.meta:
            continue
        leaves, spec = pytree.tree_flatten(node.meta["val"])
        said = [known(leaf) for leaf in leaves]
        if any(one is not other for one, other in zip(leaves, said, strict=True)):
            node.meta["val"] = pytree.tree_unflatten(said, spec)
            # The other record of it is not used by the importer.
            node.meta.pop("tensor_meta", None)


def _is_one(guard: Any) -> list[Any]:
    """The expression that a guard requires to be 1, if it is of this form."""
    if getattr(guard, "rel_op", None) != "==":
        return []
    one, other = guard.args
    return [a for a, b in ((one, other), (other, one)) if b == 1 and not a.is_number]
