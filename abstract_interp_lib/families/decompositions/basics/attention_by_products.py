"""Attention, as a softmax between two products: `scaled_dot_product_attention`."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def up_to_diagonal(scores: torch.Tensor) -> torch.Tensor:
    """Whether a key is not behind its query."""
    queries = torch.unsqueeze(torch.arange(scores.size(-2), dtype=torch.int64), 1)
    return torch.le(torch.arange(scores.size(-1), dtype=torch.int64), queries)


def masked(
    scores: torch.Tensor, attn_mask: Optional[torch.Tensor], is_causal: bool
) -> torch.Tensor:
    """Scores, or -inf where a query does not attend to a key."""
    least = torch.full([], -float("inf"), dtype=scores.dtype)
    if is_causal:
        scores = torch.where(up_to_diagonal(scores), scores, least)
    if attn_mask is None:
        return scores
    if attn_mask.dtype == torch.bool:
        # As a sum, so that what is masked is computed once for all heads.
        return torch.add(scores, torch.where(attn_mask, torch.zeros_like(least), least))
    return torch.add(scores, in_dtype(attn_mask, scores.dtype))


def is_nothing(self: torch.Tensor) -> bool:
    """Whether a tensor is known to have no vectors."""
    found = False
    for size in self.size()[:-1]:
        if is_known(size):
            found = found or size == 0
    return found


def scaled(scores: torch.Tensor, scale: Optional[float], depth: int) -> torch.Tensor:
    """Scores times a scale, or over the root of the depth."""
    if scale is not None:
        return torch.mul(scores, scale)
    if is_known(depth):
        return torch.mul(scores, 1.0 / max(depth, 1) ** 0.5)
    return torch.mul(scores, torch.rsqrt(torch.full([], depth, dtype=scores.dtype)))


def attended(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: Optional[torch.Tensor],
    is_causal: bool,
    scale: Optional[float],
) -> torch.Tensor:
    """The attention of as many heads of queries as of keys."""
    wide = computation_dtype(query.dtype)
    turned = torch.transpose(in_dtype(key, wide), -2, -1)
    scores = scaled(torch.matmul(in_dtype(query, wide), turned), scale, query.size(-1))
    weights = torch.ops.aten._safe_softmax(masked(scores, attn_mask, is_causal), -1)
    return in_dtype(torch.matmul(weights, in_dtype(value, wide)), query.dtype)


def result_sizes(query: torch.Tensor, value: torch.Tensor) -> List[int]:
    """The sizes of the result: those of the queries, and the last one of the values."""
    sizes: List[int] = []
    for size in query.size()[:-1]:
        sizes.append(size)
    sizes.append(value.size(-1))
    return sizes


def shares_rows(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: Optional[torch.Tensor],
    is_causal: bool,
) -> bool:
    """Whether there is one query, and as many heads of keys as of values, all known."""
    heads, shared = query.size(-3), key.size(-3)
    if is_causal or not is_known(query.size(-2)) or not is_known(heads) or not is_known(shared):
        return False
    if not is_known(value.size(-3)) or query.size(-2) != 1 or value.size(-3) != shared:
        return False
    if shared == 0 or heads % shared != 0:
        return False
    if attn_mask is None or attn_mask.dim() <= 2:
        return True
    masks = attn_mask.size(-3)
    return is_known(masks) and (masks == 1 or masks == heads)


def split_heads(self: torch.Tensor, shared: int) -> torch.Tensor:
    """Of one query of each head, rows of those that share keys."""
    sizes: List[int] = []
    for size in self.size()[:-3]:
        sizes.append(size)
    sizes.append(shared)
    sizes.append(self.size(-3) // shared)
    sizes.append(self.size(-1))
    return torch.reshape(self, sizes)


_QUERY = T(2, 4, 3, 8)


@decomposition(
    "aten::scaled_dot_product_attention",
    ok=[
        Invocation(_QUERY, T(2, 4, 5, 8), T(2, 4, 5, 6)),
        Invocation(_QUERY, T(2, 4, 5, 8), T(2, 4, 5, 6), is_causal=True, scale=0.5),
        Invocation(_QUERY, T(2, 2, 5, 8), T(2, 2, 5, 6), enable_gqa=True),
        Invocation(T(2, 6, 1, 8), T(2, 2, 5, 8), T(2, 2, 5, 7), enable_gqa=True),
        Invocation(T(2, 6, 1, 8), T(2, 2, 5, 8), T(2, 2, 5, 7), T(2, 6, 1, 5), enable_gqa=True),
        Invocation(T(2, 6, 1, 8), T(2, 2, 5, 8), T(2, 2, 5, 7), T(2, 1, 1, 5), enable_gqa=True),
        Invocation(T(6, 1, 8), T(3, 5, 8), T(3, 5, 8), T(1, 5), enable_gqa=True),
        Invocation(
            T(2, 2, 8),
            T(2, 3, 8),
            T(2, 3, 8),
            T(2, 3, dtype=torch.bool, values=[1, 0, 1, 0, 1, 1]),
        ),
        Invocation(_QUERY, T(2, 4, 5, 8), T(2, 4, 5, 6), T(3, 5)),
    ],
)
def scaled_dot_product_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: Optional[torch.Tensor] = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Optional[float] = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """A query that attends to no key has zeros."""
    assert dropout_p == 0.0, "without dropout"
    assert not is_integral(query.dtype) and not is_complex(query.dtype), "PyTorch takes floats"
    if is_nothing(query) or is_nothing(key):
        return torch.zeros(result_sizes(query, value), dtype=query.dtype)
    if not enable_gqa:
        return attended(query, key, value, attn_mask, is_causal, scale)
    heads, shared = query.size(-3), key.size(-3)
    if shares_rows(query, key, value, attn_mask, is_causal):
        # The queries of the heads that share keys are rows of one product.
        rows = split_heads(query, shared)
        if attn_mask is not None and attn_mask.dim() > 2 and attn_mask.size(-3) == heads:
            attn_mask = split_heads(attn_mask, shared)
        found = attended(rows, key, value, attn_mask, False, scale)
        return torch.reshape(found, result_sizes(query, value))
    key = torch.repeat_interleave(key, heads // shared, -3)
    value = torch.repeat_interleave(value, heads // value.size(-3), -3)
    return attended(query, key, value, attn_mask, is_causal, scale)
