"""Attention of one query whose keys and values are repeated, as attention with shared heads.

Models with fewer heads of keys than of queries expand the keys before they call an attention. With
one query, as in each step of a decoder, that is a copy of a whole cache, several times over. The
operator takes the heads as they are (`enable_gqa`), and the library's function makes the queries of
a head the rows of one product.

This module loads PyTorch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch._ops import OpOverload
from torch.fx import GraphModule, Node
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch_refine.passes.lowering.exported.inlining import rewritten

aten = torch.ops.aten
_ATTENTION = aten.scaled_dot_product_attention.default
_RESHAPES = (aten.reshape.default, aten.view.default, aten._unsafe_view.default)
_REPEATING = (*_RESHAPES, aten.clone.default, aten.expand.default)
# Arithmetic on sizes.
_SIZES = ("_operator", "math")
_HEADS = 1


class _Repeated(NamedTuple):
    """Keys or values, and the node that copies them several times."""

    source: Node
    copy: Node


def with_shared_heads(module: GraphModule) -> GraphModule:
    """The module with such attention; itself if it has none."""
    found: dict[str, list[str]] = {}
    for node in module.graph.nodes:
        sources = _sources(node) if node.target is _ATTENTION else None
        if sources is not None:
            found[node.name] = [each.name for each in sources]
    if not found:
        return module

    def share(node: Node) -> None:
        names = {each.name: each for each in node.graph.nodes}
        key, value = (names[each] for each in found[node.name])
        node.args = (node.args[0], key, value, *node.args[3:])
        node.kwargs = {**node.kwargs, "enable_gqa": True}

    changed = rewritten(module, lambda node: node.name in found, share)
    for node in reversed(list(changed.graph.nodes)):
        if node.target in _REPEATING and not node.users:
            changed.graph.erase_node(node)
    changed.recompile()
    return changed


def _sources(attention: Node) -> list[Node] | None:
    """The keys and the values before they were repeated; None if that is not known."""
    if len(attention.args) < 3 or len(attention.args) > 7 or "enable_gqa" in attention.kwargs:
        return None
    query, key, value = attention.args[:3]
    one, other = _repeated(key), _repeated(value)
    if one is None or other is None or not isinstance(query, Node) or not isinstance(key, Node):
        return None
    queries, keys = query.meta["val"], key.meta["val"]
    shared = [each.source.meta["val"].shape[_HEADS] for each in (one, other)]
    if queries.dim() != 4 or not _are_equal(
        [queries.shape[2], queries.shape[_HEADS], shared[0]], [1, keys.shape[_HEADS], shared[1]]
    ):
        return None
    if any(_is_written_between(each.copy, attention) for each in (one, other)):
        return None
    return [one.source, other.source]


def _repeated(value: Any) -> _Repeated | None:
    """The tensor of which a copy has each head several times, one after the other."""
    if not isinstance(value, Node) or value.target not in _RESHAPES:
        return None
    copy, expanded = value, value.args[0]
    if isinstance(expanded, Node) and expanded.target is aten.clone.default:
        copy, expanded = expanded, expanded.args[0]
    if not isinstance(expanded, Node) or expanded.target is not aten.expand.default:
        return None
    inserted = _before_whole_slices(expanded.args[0])
    if inserted is None or inserted.target is not aten.unsqueeze.default or inserted.args[1] != 2:
        return None
    source = _before_whole_slices(inserted.args[0])
    if source is None or source.meta["val"].dim() != 4:
        return None
    batch, heads, keys, width = source.meta["val"].shape
    many, result = expanded.meta["val"].shape, value.meta["val"].shape
    count = many[2]
    if not _are_equal(many, [batch, heads, count, keys, width]):
        return None
    if not _are_equal(result, [batch, heads * count, keys, width]):
        return None
    return _Repeated(source, copy)


def _are_equal(sizes: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether shapes are known to be the same."""
    return len(sizes) == len(others) and all(
        statically_known_true(a == b) for a, b in zip(sizes, others, strict=True)
    )


def _before_whole_slices(node: Any) -> Node | None:
    """The tensor of which a node is a slice that leaves out nothing."""
    while isinstance(node, Node) and node.target is aten.slice.Tensor:
        source = node.args[0]
        assert isinstance(source, Node), "the operand of a slice must be a node"
        if not _are_equal(node.meta["val"].shape, source.meta["val"].shape):
            return None
        node = source
    return node if isinstance(node, Node) else None


def _is_written_between(first: Node, last: Node) -> bool:
    """Whether something may write to a tensor after a copy of it was made."""
    node = first.next
    while node is not last:
        if isinstance(node.target, OpOverload):
            if node.target._schema.is_mutable:
                return True
        elif getattr(node.target, "__module__", None) not in _SIZES:
            return True
        node = node.next
    return False
