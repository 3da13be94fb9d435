"""The gradients of attention, from the logarithms of its sums of exponentials."""

from typing import Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype

_HEADS = [*[T(2, 3, 4, 8, dtype=torch.float64)] * 5, T(2, 3, 4, dtype=torch.float64)]


@decomposition(
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward",
    ok=[
        Invocation(*_HEADS, 0.0, False),
        Invocation(*_HEADS, 0.0, True, scale=0.3),
        Invocation(*_HEADS, 0.0, False, attn_mask=T(2, 1, 4, 4, dtype=torch.float64)),
    ],
)
def attention_gradient(
    grad_out: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    out: torch.Tensor,
    logsumexp: torch.Tensor,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Optional[torch.Tensor] = None,
    scale: Optional[float] = None,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The gradients of queries, keys and values."""
    assert dropout_p == 0.0, "weights are not kept"
    dtype = query.dtype
    wide = computation_dtype(dtype)
    given = in_dtype(grad_out, wide)
    queries, keys, values = in_dtype(query, wide), in_dtype(key, wide), in_dtype(value, wide)
    # An error of a score is a factor of its exponential.
    double = torch.float64
    factor = torch.rsqrt(torch.full([1], query.size(3), dtype=double))
    if scale is not None:
        factor = torch.full([1], scale, dtype=double)
    scores = torch.matmul(in_dtype(query, double), torch.transpose(in_dtype(key, double), 2, 3))
    scores = torch.mul(scores, factor)
    if attn_mask is not None:
        assert attn_mask.dtype != torch.bool, "PyTorch rejects it"
        scores = torch.add(scores, in_dtype(attn_mask, double))
    weights = torch.exp(torch.sub(scores, torch.unsqueeze(in_dtype(logsumexp, double), 3)))
    weights = in_dtype(weights, wide)
    if is_causal:
        rows = torch.unsqueeze(torch.arange(query.size(2), dtype=torch.int64), 1)
        later = torch.gt(torch.arange(key.size(2), dtype=torch.int64), rows)
        weights = torch.where(later, torch.zeros_like(weights), weights)
    value_gradient = torch.matmul(torch.transpose(weights, 2, 3), given)
    own = torch.sum(torch.mul(given, in_dtype(out, wide)), [3], True)
    pulled = torch.sub(torch.matmul(given, torch.transpose(values, 2, 3)), own)
    pulled = torch.mul(torch.mul(weights, pulled), in_dtype(factor, wide))
    query_gradient = torch.matmul(pulled, keys)
    key_gradient = torch.matmul(torch.transpose(pulled, 2, 3), queries)
    return (
        in_dtype(query_gradient, dtype),
        in_dtype(key_gradient, dtype),
        in_dtype(value_gradient, dtype),
    )
