"""Attention with its linear layers, as PyTorch's fast path of transformer layers calls it."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype


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
    weight, bias = in_dtype(qkv_weight, wide), in_dtype(qkv_bias, wide)
    scale = float(embed_dim // num_head) ** -0.5
    q = torch.mul(projected(in_dtype(query, wide), weight, bias, 0, embed_dim), scale)
    k = projected(in_dtype(key, wide), weight, bias, 1, embed_dim)
    v = projected(in_dtype(value, wide), weight, bias, 2, embed_dim)
    scores = torch.matmul(heads_of(q, num_head), torch.transpose(heads_of(k, num_head), 2, 3))
    if mask is None:
        weights = torch.softmax(scores, 3)
    else:
        weights = torch.ops.aten._masked_softmax(scores, mask, 3, mask_type)
    joined = torch.permute(torch.matmul(weights, heads_of(v, num_head)), [0, 2, 1, 3])
    rows = torch.reshape(joined, [query.size(0), query.size(1), embed_dim])
    last = torch.matmul(rows, torch.ops.aten.t(in_dtype(proj_weight, wide)))
    found = in_dtype(torch.add(last, in_dtype(proj_bias, wide)), query.dtype)
    shown = torch.mean(weights, [1]) if average_attn_weights else weights
    return found, in_dtype(shown, query.dtype)


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
    size: List[int] = [embed_dim]
    given = src
    if norm_first:
        given = torch.layer_norm(src, size, norm_weight_1, norm_bias_1, eps)
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
        kept = torch.layer_norm(kept, size, norm_weight_1, norm_bias_1, eps)
    inner = kept
    if norm_first:
        inner = torch.layer_norm(kept, size, norm_weight_2, norm_bias_2, eps)
    inner = torch.add(torch.matmul(inner, torch.ops.aten.t(ffn_weight_1)), ffn_bias_1)
    inner = torch.ops.aten.gelu(inner) if use_gelu else torch.relu(inner)
    found = torch.add(torch.matmul(inner, torch.ops.aten.t(ffn_weight_2)), ffn_bias_2)
    found = torch.add(found, kept)
    return found if norm_first else torch.layer_norm(found, size, norm_weight_2, norm_bias_2, eps)
