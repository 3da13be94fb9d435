"""Attention of one query whose keys and values are repeated, as attention with shared heads.

Models with fewer heads of keys than of queries expand the keys before they call an attention. With
one query, as in each step of a decoder, that is a copy of a whole cache, several times over. The
operator takes the heads as they are (`enable_gqa`), and the library's function makes the queries of
a head the rows of one product.

This module loads PyTorch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx import GraphModule, Node
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch_refine.passes.lowering.exported.inlining import rewritten

aten = torch.ops.aten
_ATTENTION = aten.scaled_dot_product_attention.default
_RESHAPES = (aten.reshape.default, aten.view.default, aten._unsafe_view.default)
_HEADS = 1


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
        query, _, _, *rest = node.args
        node.args = (query, key, value, *rest)
        node.kwargs = {**node.kwargs, "enable_gqa": True}

    changed = rewritten(module, lambda node: node.name in found, share)
    changed.graph.eliminate_dead_code()
    changed.recompile()
    return changed


def _sources(attention: Node) -> list[Node] | None:
    """The keys and the values before they were repeated; None if that is not known."""
    if len(attention.args) < 3 or len(attention.args) > 7 or "enable_gqa" in attention.kwargs:
        return None
    query, key, value = attention.args[:3]
    sources = [_repeated(each) for each in (key, value)]
    if None in sources or not isinstance(query, Node):
        return None
    one, wide = query.meta["val"], key.meta["val"]  # type: ignore[union-attr]
    fits = one.dim() == 4 and statically_known_true(one.shape[2] == 1)
    if not fits or not statically_known_true(one.shape[_HEADS] == wide.shape[_HEADS]):
        return None
    heads = [each.meta["val"].shape[_HEADS] for each in sources if each is not None]
    if not statically_known_true(heads[0] == heads[1]) or _is_written_between(key, attention):
        return None
    return None if _is_written_between(value, attention) else [each for each in sources if each]


def _repeated(value: Any) -> Node | None:
    """The tensor of which a copy has each head several times, one after the other."""
    if not isinstance(value, Node) or value.target not in _RESHAPES:
        return None
    expanded = value.args[0]
    if isinstance(expanded, Node) and expanded.target is aten.clone.default:
        expanded = expanded.args[0]
    if not isinstance(expanded, Node) or expanded.target is not aten.expand.default:
        return None
    inserted = _before_whole_slices(expanded.args[0])
    if inserted is None or inserted.target is not aten.unsqueeze.default or inserted.args[1] != 2:
        return None
    source = _before_whole_slices(inserted.args[0])
    if source is None or source.meta["val"].dim() != 4:
        return None
    batch, heads, keys, width = source.meta["val"].shape
    many = expanded.meta["val"].shape
    repeated = [batch, heads, many[2], keys, width]
    result = [batch, heads * many[2], keys, width]
    pairs = [*zip(many, repeated, strict=True)]
    if value.meta["val"].dim() != 4:
        return None
    pairs += zip(value.meta["val"].shape, result, strict=True)
    return source if all(statically_known_true(a == b) for a, b in pairs) else None


def _before_whole_slices(node: Any) -> Node | None:
    """The tensor of which a node is a slice that leaves out nothing."""
    while isinstance(node, Node) and node.target is aten.slice.Tensor:
        source = node.args[0]
        own, whole = node.meta["val"], source.meta["val"]  # type: ignore[union-attr]
        if not all(
            statically_known_true(a == b) for a, b in zip(own.shape, whole.shape, strict=True)
        ):
            return None
        node = source
    return node if isinstance(node, Node) else None


def _is_written_between(first: Any, last: Node) -> bool:
    """Whether something may write to a tensor after a copy of it was made."""
    node = first.next
    while node is not last:
        if not isinstance(node.target, OpOverload) or node.target._schema.is_mutable:
            return True
        node = node.next
    return False
