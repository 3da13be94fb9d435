"""Attention with its linear layers, as PyTorch's fast path of transformer layers calls it."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    of_sizes,
)


def heads_of(self: torch.Tensor, num_heads: int) -> torch.Tensor:
    """[batch, time, features] as [batch, heads, time, features of a head]."""
    size = self.size(2) // num_heads
    split = torch.reshape(self, [self.size(0), self.size(1), num_heads, size])
    return torch.permute(split, [0, 2, 1, 3])


@decomposition("aten::_transform_bias_rescale_qkv")
def transform_bias_rescale_qkv(
    qkv: torch.Tensor, qkv_bias: torch.Tensor, num_heads: int
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Query, key and value by heads; the query is divided by the root of a head's features."""
    size = qkv.size(2) // 3
    found = torch.add(qkv, qkv_bias)
    scale = float(size // num_heads) ** -0.5
    query = heads_of(torch.mul(torch.narrow(found, 2, 0, size), scale), num_heads)
    key = heads_of(torch.narrow(found, 2, size, size), num_heads)
    return query, key, heads_of(torch.narrow(found, 2, 2 * size, size), num_heads)


def projected(
    self: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, place: int, size: int
) -> torch.Tensor:
    """A linear layer by the rows of weights that belong to the query, the key or the value."""
    rows = torch.narrow(weight, 0, place * size, size)
    return torch.add(
        torch.matmul(self, torch.ops.aten.t(rows)), torch.narrow(bias, 0, place * size, size)
    )


@decomposition("aten::_native_multi_head_attention")
def native_multi_head_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    embed_dim: int,
    num_head: int,
    qkv_weight: torch.Tensor,
    qkv_bias: torch.Tensor,
    proj_weight: torch.Tensor,
    proj_bias: torch.Tensor,
    mask: Optional[torch.Tensor] = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: Optional[int] = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Attention by heads and a linear layer; and its weights, averaged over the heads or not.

    16-bit floats are computed in float32; PyTorch rounds between the steps.
    """
    assert need_weights, "the second result is no tensor"
    wide = computation_dtype(query.dtype)
    weight = of_sizes(in_dtype(qkv_weight, wide), [3 * embed_dim, embed_dim])
    bias = of_sizes(in_dtype(qkv_bias, wide), [3 * embed_dim])
    scale = float(embed_dim // num_head) ** -0.5
    q = torch.mul(projected(in_dtype(query, wide), weight, bias, 0, embed_dim), scale)
    k = projected(of_sizes(in_dtype(key, wide), query.size()), weight, bias, 1, embed_dim)
    v = projected(of_sizes(in_dtype(value, wide), query.size()), weight, bias, 2, embed_dim)
    scores = torch.matmul(heads_of(q, num_head), torch.transpose(heads_of(k, num_head), 2, 3))
    if mask is None:
        weights = torch.softmax(scores, 3)
    else:
        weights = torch.ops.aten._masked_softmax(scores, mask, 3, mask_type)
    joined = torch.permute(torch.matmul(weights, heads_of(v, num_head)), [0, 2, 1, 3])
    rows = torch.reshape(joined, [query.size(0), query.size(1), embed_dim])
    last = torch.matmul(rows, torch.ops.aten.t(in_dtype(proj_weight, wide)))
    added = of_sizes(in_dtype(proj_bias, wide), [proj_weight.size(0)])
    found = in_dtype(torch.add(last, added), query.dtype)
    shown = torch.mean(weights, [1]) if average_attn_weights else weights
    return found, in_dtype(shown, query.dtype)


def normalized(
    self: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float
) -> torch.Tensor:
    """A layer norm of the last dimension."""
    size: List[int] = [self.size(2)]
    return torch.layer_norm(self, size, of_sizes(weight, size), of_sizes(bias, size), eps)


def linear(self: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """A linear layer."""
    rows = torch.matmul(self, torch.ops.aten.t(weight))
    return torch.add(rows, of_sizes(bias, [weight.size(0)]))


@decomposition("aten::_transformer_encoder_layer_fwd")
def transformer_encoder_layer(
    src: torch.Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: torch.Tensor,
    qkv_bias: torch.Tensor,
    proj_weight: torch.Tensor,
    proj_bias: torch.Tensor,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: torch.Tensor,
    norm_bias_1: torch.Tensor,
    norm_weight_2: torch.Tensor,
    norm_bias_2: torch.Tensor,
    ffn_weight_1: torch.Tensor,
    ffn_bias_1: torch.Tensor,
    ffn_weight_2: torch.Tensor,
    ffn_bias_2: torch.Tensor,
    mask: Optional[torch.Tensor] = None,
    mask_type: Optional[int] = None,
) -> torch.Tensor:
    """Attention and two linear layers, each added to its input, normalized before or after."""
    given = src
    if norm_first:
        given = normalized(src, norm_weight_1, norm_bias_1, eps)
    attended, _ = torch.ops.aten._native_multi_head_attention(
        given,
        given,
        given,
        embed_dim,
        num_heads,
        qkv_weight,
        qkv_bias,
        proj_weight,
        proj_bias,
        mask,
        True,
        True,
        mask_type,
    )
    kept = torch.add(attended, src)
    if not norm_first:
        kept = normalized(kept, norm_weight_1, norm_bias_1, eps)
    inner = kept
    if norm_first:
        inner = normalized(kept, norm_weight_2, norm_bias_2, eps)
    inner = linear(inner, ffn_weight_1, ffn_bias_1)
    inner = torch.ops.aten.gelu(inner) if use_gelu else torch.relu(inner)
    found = torch.add(linear(inner, ffn_weight_2, ffn_bias_2), kept)
    return found if norm_first else normalized(found, norm_weight_2, norm_bias_2, eps)
