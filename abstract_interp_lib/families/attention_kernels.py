"""Attention as the kernels of devices offer it, before and behind the choice between them.

Most of these have kernels for CUDA only; what they return is described by their meta kernels
(`torch/_meta_registrations.py`). The layout of a query is `[batch, heads, length, features]` where
the name begins with `_scaled_dot_product`, `[batch, length, heads, features]` elsewhere.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size, unknown_sizes


def debug_mask_shape(batch: int, heads: int, return_debug_mask: bool) -> List[int]:
    """The weights, if they are asked for, with lengths that are rounded up in a kernel's own way.

    How, the meta kernels and the kernels for CUDA do not agree on.
    """
    out = [0]
    if return_debug_mask:
        out = [batch, heads, unknown_size(), unknown_size()]
    return out


def sdpa_flash(
    query: List[int], key: List[int], value: List[int], return_debug_mask: bool
) -> Tuple[List[int], List[int], List[int], List[int], List[int], List[int], List[int]]:
    """The shape of the query, a sum of exponentials for each row, and a random state.

    The offsets of sequences are there for nested tensors only.
    """
    assert len(query) == 4 and len(key) == 4, (
        f"query and key must have 4 dimensions, got shapes {query} and {key}"
    )
    offsets = [query[0] + 1]
    state: List[int] = []
    mask = debug_mask_shape(query[0], query[1], return_debug_mask)
    return query, query[:3], offsets, list(offsets), [2], state, mask


def sdpa_flash_dtype(query: Tuple[int, int]) -> Tuple[int, int, int, int, int, int, int]:
    """The dtype of the query, float32 for the sums, uint64 for the random state."""
    dtype = query[1]
    state = torch.uint64
    return dtype, torch.float32, torch.int32, torch.int32, state, state, dtype


# A kernel for CUDA, so only its meta kernel runs here.
shape_family(
    sdpa_flash,
    "aten::_scaled_dot_product_flash_attention",
    ok=[
        Invocation(*[T(2, 3, 4, 8)] * 3),
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 8), 0.5, True, True),
        Invocation(T(2, 3, 400, 80), T(2, 3, 500, 80), T(2, 3, 500, 80), 0.5, False, True),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.float16)] * 3, scale=0.5),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.bfloat16)] * 3),
    ],
    error=[Invocation(*[T(3, 4)] * 3)],
)
dtype_family(sdpa_flash_dtype, "aten::_scaled_dot_product_flash_attention")


def sdpa_overrideable(
    query: List[int], key: List[int], value: List[int]
) -> Tuple[List[int], List[int], List[int], List[int], List[int], List[int], List[int]]:
    """The features of the value for each row of the query; one batch may be left out.

    The mask is for those who override the operator to shape.
    """
    assert len(query) == 3 or len(query) == 4, (
        f"query must have 3 or 4 dimensions, got shape {query}"
    )
    batch = 1
    if len(query) == 4:
        batch = query[0]
    offsets = [batch + 1]
    state: List[int] = []
    sums = [batch, query[-3], query[-2]]
    out = query[:-1] + value[-1:]
    return out, sums, offsets, list(offsets), state, list(state), unknown_sizes()


def sdpa_overrideable_dtype(query: Tuple[int, int]) -> Tuple[int, int, int, int, int, int, int]:
    """The dtype of the query, float32 for the sums, int64 for the random state."""
    dtype = query[1]
    return dtype, torch.float32, torch.int32, torch.int32, torch.int64, torch.int64, dtype


# The meta kernel fails for a query of 3 dimensions whose value has other features.
shape_family(
    sdpa_overrideable,
    "aten::_scaled_dot_product_fused_attention_overrideable",
    ok=[
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6)),
        Invocation(T(3, 4, 8), T(3, 5, 8), T(3, 5, 8), T(4, 5), 0.5, True),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.float16)] * 3, scale=0.5),
    ],
    error=[Invocation(T(4, 8), T(5, 8), T(5, 6))],
)
dtype_family(sdpa_overrideable_dtype, "aten::_scaled_dot_product_fused_attention_overrideable")


def flash_forward(
    query: List[int],
    cum_seq_q: Optional[List[int]],
    return_debug_mask: bool,
) -> Tuple[List[int], List[int], List[int], List[int], List[int]]:
    """The shape of the query, a sum of exponentials for each row and head, and a random state.

    With `cum_seq_q`, the offsets of sequences, these stand end to end in a query of 3 dimensions.
    """
    if cum_seq_q is None:
        assert len(query) == 4, f"query must have 4 dimensions, got shape {query}"
        sums = [query[0], query[2], query[1]]
        mask = debug_mask_shape(query[0], query[2], return_debug_mask)
    else:
        assert len(query) >= 3 and len(cum_seq_q) == 1, (
            f"packed sequences need 3 dimensions and offsets, got {query} and {cum_seq_q}"
        )
        sums = [query[-2], query[0]]
        mask = debug_mask_shape(cum_seq_q[0] - 1, query[-2], return_debug_mask)
    state: List[int] = []
    return query, sums, [2], state, mask


def flash_forward_dtype(query: Tuple[int, int]) -> Tuple[int, int, int, int, int]:
    """The dtype of the query, float32 for the sums, uint64 for the random state."""
    return query[1], torch.float32, torch.uint64, torch.uint64, query[1]


# A kernel for CUDA, so only its meta kernel runs here.
shape_family(
    flash_forward,
    "aten::_flash_attention_forward",
    ok=[
        Invocation(*[T(2, 4, 3, 8)] * 3, None, None, 4, 4, 0.0, False, False),
        Invocation(*[T(2, 4, 3, 8)] * 3, None, None, 4, 4, 0.5, True, True, scale=0.5),
        Invocation(
            *[T(9, 3, 8, dtype=torch.float16)] * 3,
            *[T(3, dtype=torch.int32)] * 2,
            *(5, 5, 0.5, True, True),
        ),
        Invocation(
            *[T(9, 3, 8, dtype=torch.bfloat16)] * 3,
            *[T(3, dtype=torch.int32)] * 2,
            *(5, 5, 0.0, True, False),
        ),
    ],
    error=[Invocation(*[T(8)] * 3, None, None, 4, 4, 0.0, False, False)],
)
dtype_family(flash_forward_dtype, "aten::_flash_attention_forward")


def efficient_forward(
    query: List[int],
    value: List[int],
    cu_seqlens_q: Optional[List[int]],
    max_seqlen_q: Optional[int],
    compute_log_sumexp: bool,
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The features of the value for each row of the query, and a random state's two parts.

    Where they are asked for, there are sums of exponentials for as many rows as the longest
    sequence has, rounded up to 32.
    """
    assert len(query) == 4, f"query must have 4 dimensions, got shape {query}"
    batch, length = query[0], query[1]
    if cu_seqlens_q is not None:
        assert len(cu_seqlens_q) > 0 and max_seqlen_q is not None, (
            f"offsets need the length of the longest sequence, got {cu_seqlens_q} without it"
        )
        batch, length = cu_seqlens_q[0] - 1, max_seqlen_q
    rows = 0
    if compute_log_sumexp:
        rows = (length + 31) // 32 * 32
    state: List[int] = []
    return query[:3] + value[-1:], [batch, query[2], rows], state, list(state)


def efficient_forward_dtype(query: Tuple[int, int]) -> Tuple[int, int, int, int]:
    """The dtype of the query, float32 for the sums, int64 for the random state."""
    return query[1], torch.float32, torch.int64, torch.int64


# A kernel for CUDA, so only its meta kernel runs here.
PACKED = [*[T(1, 9, 3, 8)] * 3, None, *[T(3, dtype=torch.int32)] * 2]
shape_family(
    efficient_forward,
    "aten::_efficient_attention_forward",
    ok=[
        Invocation(
            *(T(2, 4, 3, 8), T(2, 5, 3, 8), T(2, 5, 3, 6), None, None, None, None, None, 0.0, 0),
            True,
        ),
        Invocation(*[T(2, 40, 3, 8)] * 3, T(2, 3, 40, 40), None, None, None, None, 0.5, 1),
        Invocation(*PACKED, 5, 5, 0.0, 1, True),
        Invocation(
            *[T(2, 64, 3, 8, dtype=torch.float16)] * 3, None, None, None, None, None, 0.0, 0, True
        ),
    ],
    error=[
        Invocation(*[T(8)] * 3, None, None, None, None, None, 0.0, 0),
        Invocation(*PACKED, None, None, 0.0, 1, True),
    ],
)
dtype_family(efficient_forward_dtype, "aten::_efficient_attention_forward")


def multi_head(
    query: List[int],
    num_head: int,
    proj_weight: List[int],
    need_weights: bool,
    average_attn_weights: bool,
) -> Tuple[List[int], List[int]]:
    """The projected attention, and its weights for each head, or averaged over the heads.

    Weights that are not asked for have no values.
    """
    assert len(query) == 3, f"query must have 3 dimensions, got shape {query}"
    if not need_weights:
        weights = [0]
    elif average_attn_weights:
        weights = [query[0], query[1], query[1]]
    else:
        weights = [query[0], num_head, query[1], query[1]]
    return query[:2] + proj_weight[:1], weights


def multi_head_dtype(query: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the query."""
    return query[1], query[1]


def multi_head_case(
    *options: object, dtype: torch.dtype = torch.float32, batch: int = 2
) -> Invocation:
    """A call for 4 heads of 2 features."""
    sequence = [T(batch, 5, 8, dtype=dtype)] * 3
    projections = [T(24, 8, dtype=dtype), T(24, dtype=dtype)]
    projections = [*projections, T(8, 8, dtype=dtype), T(8, dtype=dtype)]
    return Invocation(*sequence, 8, 4, *projections, *options, device="cpu")


shape_family(
    multi_head,
    "aten::_native_multi_head_attention",
    ok=[
        multi_head_case(),
        multi_head_case(None, True, False),
        multi_head_case(None, False),
        multi_head_case(T(2, 5, dtype=torch.bool), True, True, 1),
        multi_head_case(dtype=torch.float64),
        multi_head_case(dtype=torch.bfloat16),
    ],
    error=[Invocation(*[T(5, 8)] * 3, 8, 4, T(24, 8), T(24), T(8, 8), T(8), device="cpu")],
)
dtype_family(multi_head_dtype, "aten::_native_multi_head_attention")


def encoder_layer(src: List[int]) -> List[int]:
    """The shape of `src`."""
    assert len(src) == 3, f"src must have 3 dimensions, got shape {src}"
    return src


def encoder_layer_dtype(src: Tuple[int, int]) -> int:
    """The dtype of `src`."""
    return src[1]


def encoder_layer_case(
    *options: object, sizes: Tuple[int, ...] = (2, 5, 8), dtype: torch.dtype = torch.float32
) -> Invocation:
    """A call for 4 heads of 2 features, with 16 features in between."""

    def vector(size: int) -> object:
        return T(size, dtype=dtype)

    return Invocation(
        *(T(*sizes, dtype=dtype), 8, 4, T(24, 8, dtype=dtype), vector(24)),
        *(T(8, 8, dtype=dtype), vector(8), False, False, 1e-5),
        *(vector(8), vector(8), vector(8), vector(8)),
        *(T(16, 8, dtype=dtype), vector(16), T(8, 16, dtype=dtype), vector(8)),
        *options,
        device="cpu",
    )


shape_family(
    encoder_layer,
    "aten::_transformer_encoder_layer_fwd",
    ok=[
        encoder_layer_case(),
        encoder_layer_case(sizes=(0, 5, 8)),
        encoder_layer_case(T(2, 5, dtype=torch.bool), 1),
        encoder_layer_case(dtype=torch.float64),
        encoder_layer_case(dtype=torch.bfloat16),
    ],
    error=[encoder_layer_case(sizes=(5, 8))],
)
dtype_family(encoder_layer_dtype, "aten::_transformer_encoder_layer_fwd")
