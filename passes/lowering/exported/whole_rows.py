"""Scatters whose index is one number per row, as additions of whole rows.

`scatter_add` takes an index for each element. Message passing in graphs, and code that averages
groups of rows, expand one index per row to that. Rows are added by vectors, elements are not.

This module loads PyTorch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
_EXPANSIONS = (aten.expand.default, aten.expand_copy.default)
# Halves are rounded after each addition; others have kernels of their own.
_DTYPES = (torch.float32, torch.float64)


def add_whole_rows(graph: Graph) -> None:
    """Replace the `scatter_add` nodes of a decomposed graph that add rows."""
    for node in list(graph.nodes):
        index = _row_index(node)
        if index is None:
            continue
        with graph.inserting_before(node):
            flat = graph.call_function(aten.view.default, (index, [-1]))
            value = index.meta["val"]
            flat.meta = dict(node.meta) | {"val": value.new_empty([value.shape[0]])}
            flat.meta.pop("tensor_meta", None)
        # The signature has the name of a node that is a result.
        node.target = aten.index_add.default
        node.args = (node.args[0], 0, flat, node.args[3])


def _row_index(node: Node) -> Node | None:
    """The index of each row that a node adds, before it was expanded; None for another node."""
    if node.target is aten.scatter_add.default:
        given = node.args
    elif node.target is aten.scatter_reduce.two and node.args[4:] in (("sum",), ("sum", True)):
        given = () if node.kwargs else node.args
    else:
        return None
    if len(given) < 4:
        return None
    memory, dim, index, source = given[:4]
    if not all(isinstance(each, Node) for each in (memory, index, source)):
        return None
    assert isinstance(memory, Node) and isinstance(index, Node) and isinstance(source, Node)
    own, wide, new = (each.meta["val"] for each in (memory, index, source))
    base = index.args[0] if index.target in _EXPANSIONS else None
    if own.dtype not in _DTYPES or own.dim() < 2 or not isinstance(base, Node):
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
