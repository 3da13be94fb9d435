"""Attention as two matmuls, one softmax, and a mask of the visible keys.

PyTorch's decomposition is made for gradients: both operands are scaled, and a causal mask is added
as infinities. Here the scores are scaled and masked by a select, which is what the CPU kernels
compute (`FlashAttentionKernel.cpp`), and what `passes/lowering/kernels/attention` computes by
blocks.

This module loads PyTorch; what needs it loads it on first use.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch._ops import OpOverload

aten = torch.ops.aten
_TYPES = (torch.float32, torch.float64)


def attention_decompositions() -> dict[OpOverload, Callable[..., Any]]:
    """The decompositions by operator; each returns `NotImplemented` where PyTorch's is used."""
    return {aten.scaled_dot_product_attention.default: _attention}


def _attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Of queries `[..., queries, width]`, keys and values `[..., keys, width]`, without dropout."""
    width = query.shape[-1]
    operands = [query, key, value, *([] if attn_mask is None else [attn_mask])]
    if (
        dropout_p != 0.0
        or (is_causal and attn_mask is not None)
        or any(each.dtype != query.dtype for each in operands[:3])
        or query.dtype not in _TYPES
        or any(each.dim() < 2 or each.is_nested for each in operands)
        or any(each.device != query.device for each in operands)
        or not isinstance(width, int)
        or not width
        or any(each.dim() != query.dim() for each in (key, value))
        or (attn_mask is not None and attn_mask.dtype not in (torch.bool, query.dtype))
    ):
        return NotImplemented
    if enable_gqa:
        if any(not isinstance(each.shape[-3], int) for each in (query, key, value)):
            return NotImplemented
        key, value = (
            each.repeat_interleave(query.shape[-3] // each.shape[-3], -3) for each in (key, value)
        )
    scores = torch.matmul(query, key.transpose(-2, -1))
    scores = scores * (1 / math.sqrt(width) if scale is None else scale)
    if is_causal:
        queries, keys = (
            torch.arange(size, device=query.device) for size in (query.shape[-2], key.shape[-2])
        )
        unseen = torch.full((), -math.inf, dtype=query.dtype, device=query.device)
        scores = torch.where(keys <= queries.unsqueeze(-1), scores, unseen)
    elif attn_mask is not None and attn_mask.dtype == torch.bool:
        seen, unseen = (
            torch.full((), number, dtype=query.dtype, device=query.device)
            for number in (0.0, -math.inf)
        )
        scores = scores + torch.where(attn_mask, seen, unseen)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return torch.matmul(aten._safe_softmax.default(scores, -1), value)
