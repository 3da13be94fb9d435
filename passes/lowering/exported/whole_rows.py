"""Scatters whose index is one number per row, as additions and reductions of whole rows.

`scatter_add` and `scatter_reduce` take an index for each element. Message passing in graphs, and
code that averages groups of rows, expand one index per row to that. Rows are combined by vectors,
elements are not.

This module loads PyTorch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import Graph, Node
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
_EXPANSIONS = (aten.expand.default, aten.expand_copy.default)
# Sums of halves are rounded once, and what else is reduced of them after each step.
_DTYPES = (torch.float32, torch.float64)
_SUMMED = (*_DTYPES, torch.float16, torch.bfloat16)


def add_whole_rows(graph: Graph) -> None:
    """Replace the nodes of a decomposed graph that add or reduce rows by their index."""
    for node in list(graph.nodes):
        if node.target not in (aten.scatter_add.default, aten.scatter_reduce.two):
            continue
        kind = _kind(node)
        index = None if kind is None else _row_index(node, _SUMMED if kind[0] == "sum" else _DTYPES)
        if kind is None or index is None:
            continue
        with graph.inserting_before(node):
            flat = graph.call_function(aten.view.default, (index, [-1]))
            value = index.meta["val"]
            flat.meta = dict(node.meta) | {"val": value.new_empty([value.shape[0]])}
            flat.meta.pop("tensor_meta", None)
        # The signature has the name of a node that is a result.
        reduce, include_self = kind
        node.target = aten.index_add.default if reduce == "sum" else aten.index_reduce.default
        node.args = (node.args[0], 0, flat, node.args[3], *([reduce] if reduce != "sum" else []))
        node.kwargs = {} if include_self else {"include_self": False}


def _kind(node: Node) -> tuple[str, bool] | None:
    """The reduction of a node, and whether it includes what is there; None for another node."""
    if node.target is aten.scatter_add.default:
        return "sum", True
    named = {"include_self": True, **node.kwargs}
    named.update(zip(("reduce", "include_self"), node.args[4:], strict=False))
    reduce, include_self = named.get("reduce"), named["include_self"]
    if not isinstance(reduce, str) or not isinstance(include_self, bool):
        return None
    return (reduce, include_self) if reduce != "sum" or include_self else None


def _row_index(node: Node, dtypes: Sequence[torch.dtype]) -> Node | None:
    """The index of each row, before it was expanded; None if elements have their own."""
    if len(node.args) < 4:
        return None
    memory, dim, index, source = node.args[:4]
    if not all(isinstance(each, Node) for each in (memory, index, source)):
        return None
    assert isinstance(memory, Node) and isinstance(index, Node) and isinstance(source, Node)
    own, wide, new = (each.meta["val"] for each in (memory, index, source))
    base = index.args[0] if index.target in _EXPANSIONS else None
    if own.dtype not in dtypes or own.dim() < 2 or not isinstance(base, Node):
        return None
    narrow = base.meta["val"]
    is_first = isinstance(dim, int) and dim % own.dim() == 0
    if not is_first or narrow.dim() != own.dim() or narrow.dtype != torch.int64:
        return None
    is_row = all(isinstance(size, int) and size == 1 for size in narrow.shape[1:])
    same = [(narrow.shape[0], new.shape[0]), (wide.shape[0], new.shape[0])]
    same += zip(wide.shape[1:], new.shape[1:], strict=True)
    same += zip(wide.shape[1:], own.shape[1:], strict=True)
    return base if is_row and all(map(_are_equal, same)) else None


def _are_equal(sizes: tuple[Any, Any]) -> bool:
    one, other = sizes
    return bool(statically_known_true(one == other))
