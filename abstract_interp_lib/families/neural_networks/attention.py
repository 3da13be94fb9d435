"""Scaled dot product attention, the kernels that implement it, and their gradients."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.normalization import is_half
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size, unknown_sizes


def grouped_batch(query: List[int], key: List[int], name: str) -> List[int]:
    """The batch dimensions of `key` after repeating each head for its group of query heads."""
    assert len(query) >= 3 and len(key) >= 3, (
        f"grouped attention requires at least 3 dimensions, got query {query} and {name} {key}"
    )
    heads, groups = query[-3], key[-3]
    assert heads == groups or (groups > 0 and heads % groups == 0), (
        f"the heads of {name} must divide those of query, got {groups} and {heads}"
    )
    return key[:-3] + query[-3:-2]


def check_matrices(query: List[int], key: List[int], value: List[int]) -> None:
    """Raise unless query, key and value have at least 2 dimensions."""
    assert len(query) >= 2 and len(key) >= 2 and len(value) >= 2, (
        f"query, key and value must have at least 2 dimensions, got {query}, {key} and {value}"
    )


def attention_shapes(
    query: List[int],
    key: List[int],
    value: List[int],
    attn_mask: Optional[List[int]],
    enable_gqa: bool,
) -> Tuple[List[int], List[int]]:
    """The shapes of the output and of the attention weights; batch dimensions broadcast."""
    check_matrices(query, key, value)
    assert query[-1] == key[-1], (
        f"head dimensions of query and key must match, got {query[-1]} and {key[-1]}"
    )
    assert key[-2] == value[-2], (
        f"sequence lengths of key and value must match, got {key[-2]} and {value[-2]}"
    )
    key_batch, value_batch = key[:-2], value[:-2]
    if enable_gqa:
        key_batch = grouped_batch(query, key, "key")
        value_batch = grouped_batch(query, value, "value")
    scores_batch = broadcast_two(query[:-2], key_batch)
    weights = scores_batch + query[-2:-1] + key[-2:-1]
    if attn_mask is not None:
        check_expands(attn_mask, weights)
    out = broadcast_two(scores_batch, value_batch) + query[-2:-1] + value[-1:]
    return out, weights


def attention_dtype(query: int, key: int, value: int) -> int:
    """Query, key and value have the same dtype, which the result keeps."""
    assert query == key and key == value, (
        f"query, key and value must have the same dtype, got {query}, {key} and {value}"
    )
    return query


# The meta kernels let a mask broadcast the output, unlike every device.
@shape_function(
    "aten::scaled_dot_product_attention",
    ok=[
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 8)),
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6), T(4, 5)),
        Invocation(T(4, 8), T(5, 8), T(5, 6), is_causal=True),
        Invocation(T(1, 3, 4, 8), T(2, 1, 5, 8), T(7, 1, 1, 5, 6)),
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 8), T(2, 1, 4, 5, dtype=torch.bool)),
        Invocation(T(2, 6, 4, 8), T(2, 3, 5, 8), T(2, 2, 5, 6), enable_gqa=True),
        Invocation(T(2, 0, 4, 8), T(2, 0, 5, 8), T(2, 0, 5, 6), enable_gqa=True),
        Invocation(T(1, 3, 0, 8), T(2, 3, 5, 8), T(2, 3, 5, 6), scale=0.5),
        Invocation(T(1, 3, 4, 8), T(2, 3, 0, 8), T(2, 3, 0, 6)),
        Invocation(T(1, 3, 4, 0), T(2, 3, 5, 0), T(2, 3, 5, 6)),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.bfloat16)] * 3),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.float16)] * 3, attn_mask=T(4, 4)),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.float64)] * 3),
    ],
    error=[
        Invocation(T(8), T(5, 8), T(5, 6)),
        Invocation(T(4, 8), T(5, 7), T(5, 6)),
        Invocation(T(4, 8), T(5, 8), T(6, 6)),
        Invocation(T(2, 4, 8), T(3, 5, 8), T(3, 5, 6)),
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6), T(4, 6)),
        Invocation(T(3, 4, 8), T(3, 5, 8), T(3, 5, 6), T(2, 1, 4, 5), device="cpu"),
        Invocation(T(2, 6, 4, 8), T(2, 4, 5, 8), T(2, 4, 5, 6), enable_gqa=True),
        Invocation(T(4, 8), T(5, 8), T(5, 6), enable_gqa=True),
    ],
)
def scaled_dot_product_attention(
    query: List[int],
    key: List[int],
    value: List[int],
    attn_mask: Optional[List[int]] = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Optional[float] = None,
    enable_gqa: bool = False,
) -> List[int]:
    """The batch dimensions and length of the query, and the features of the value."""
    check_matrices(query, key, value)
    if query[-2] == 0 or 0 in value:
        # For empty inputs PyTorch returns zeros without further checks.
        out = query[:-1] + value[-1:]
    else:
        out = attention_shapes(query, key, value, attn_mask, enable_gqa)[0]
    return out


@dtype_function(
    "aten::scaled_dot_product_attention",
    error=[
        Invocation(T(4, 8), T(5, 8, dtype=torch.float64), T(5, 8)),
        Invocation(T(4, 8), T(5, 8), T(5, 8), T(4, 5, dtype=torch.float16)),
    ],
)
def scaled_dot_product_attention_dtype(
    query: Tuple[int, int],
    key: Tuple[int, int],
    value: Tuple[int, int],
    attn_mask: Optional[Tuple[int, int]] = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Optional[float] = None,
    enable_gqa: bool = False,
) -> int:
    """The common dtype of query, key and value; a mask is bool, float32 or of that dtype."""
    if attn_mask is not None:
        assert attn_mask[1] in [torch.bool, torch.float32, query[1]], (
            f"aten::scaled_dot_product_attention: the mask must be bool, float32 or of the "
            f"query's dtype {query[1]}, got dtype {attn_mask[1]}"
        )
    return attention_dtype(query[1], key[1], value[1])


@shape_function(
    "aten::_scaled_dot_product_attention_math",
    ok=[
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6)),
        Invocation(T(1, 3, 4, 8), T(2, 1, 5, 8), T(7, 1, 1, 5, 6), T(4, 1)),
        Invocation(T(2, 6, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6), enable_gqa=True),
        Invocation(T(4, 8), T(5, 8), T(5, 6), None, 0.5, False, T(4, 5)),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.bfloat16)] * 3),
    ],
    error=[Invocation(T(4, 8), T(5, 7), T(5, 6))],
)
def _scaled_dot_product_attention_math(
    query: List[int],
    key: List[int],
    value: List[int],
    attn_mask: Optional[List[int]] = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    dropout_mask: Optional[List[int]] = None,
    scale: Optional[float] = None,
    enable_gqa: bool = False,
) -> Tuple[List[int], List[int]]:
    """The attention output and the attention weights."""
    return attention_shapes(query, key, value, attn_mask, enable_gqa)


@dtype_function("aten::_scaled_dot_product_attention_math")
def _scaled_dot_product_attention_math_dtype(
    query: Tuple[int, int],
    key: Tuple[int, int],
    value: Tuple[int, int],
    attn_mask: Optional[Tuple[int, int]] = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    dropout_mask: Optional[Tuple[int, int]] = None,
    scale: Optional[float] = None,
    enable_gqa: bool = False,
) -> Tuple[int, int]:
    """The dtype of the query; half-precision key and value may differ, as math is in float32."""
    return query[1], query[1]


# The meta kernel accepts any rank and does not compare the head dimensions.
@shape_function(
    "aten::_scaled_dot_product_flash_attention_for_cpu",
    ok=[
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 8)),
        Invocation(T(2, 6, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 8), 0.0, True),
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 8), attn_mask=T(4, 5)),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.bfloat16)] * 3),
        Invocation(*[T(2, 3, 4, 8, dtype=torch.float64)] * 3),
    ],
    error=[
        Invocation(T(3, 4, 8), T(3, 5, 8), T(3, 5, 8), device="cpu"),
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6), device="cpu"),
    ],
)
def _scaled_dot_product_flash_attention_for_cpu(
    query: List[int],
    key: List[int],
    value: List[int],
    dropout_p: float = 0.0,
    is_causal: bool = False,
    attn_mask: Optional[List[int]] = None,
    scale: Optional[float] = None,
) -> Tuple[List[int], List[int]]:
    """The shape of the query, and a logsumexp per query row."""
    assert len(query) == 4 and len(key) == 4 and len(value) == 4, (
        f"aten::_scaled_dot_product_flash_attention_for_cpu: all must have 4 dimensions, "
        f"got {query}, {key} and {value}"
    )
    assert query[3] == key[3] and query[3] == value[3], (
        f"aten::_scaled_dot_product_flash_attention_for_cpu: features must match, "
        f"got {query[3]}, {key[3]} and {value[3]}"
    )
    return query, query[:3]


@dtype_function("aten::_scaled_dot_product_flash_attention_for_cpu")
def _scaled_dot_product_flash_attention_for_cpu_dtype(
    query: Tuple[int, int],
    key: Tuple[int, int],
    value: Tuple[int, int],
    dropout_p: float = 0.0,
    is_causal: bool = False,
    attn_mask: Optional[Tuple[int, int]] = None,
    scale: Optional[float] = None,
) -> Tuple[int, int]:
    """The dtype of the query; the logsumexp of half-precision inputs is float32."""
    return query[1], torch.float32 if is_half(query[1]) else query[1]


# A CUDA kernel, so only its meta kernel runs here.
@shape_function(
    "aten::_scaled_dot_product_efficient_attention",
    ok=[
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6), None, True),
        Invocation(T(2, 3, 40, 8), T(2, 3, 5, 8), T(2, 3, 5, 6), T(2, 3, 40, 5), False),
        Invocation(*[T(2, 3, 64, 8, dtype=torch.float16)] * 3, None, True),
    ],
    error=[Invocation(T(4, 8), T(5, 8), T(5, 6), None, True)],
)
def _scaled_dot_product_efficient_attention(
    query: List[int],
    key: List[int],
    value: List[int],
    attn_bias: Optional[List[int]],
    compute_log_sumexp: bool,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Optional[float] = None,
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The output, logsumexp padded to a multiple of 32 rows, and the philox seed and offset."""
    assert len(query) == 4 and len(value) == 4, (
        f"aten::_scaled_dot_product_efficient_attention: all must have 4 dimensions, "
        f"got {query} and {value}"
    )
    rows = 0
    if compute_log_sumexp:
        rows = (query[2] + 31) // 32 * 32
    state: List[int] = []
    return query[:3] + value[3:], [query[0], query[1], rows], state, state


@dtype_function("aten::_scaled_dot_product_efficient_attention")
def _scaled_dot_product_efficient_attention_dtype(
    query: Tuple[int, int],
    key: Tuple[int, int],
    value: Tuple[int, int],
    attn_bias: Optional[Tuple[int, int]],
    compute_log_sumexp: bool,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Optional[float] = None,
) -> Tuple[int, int, int, int]:
    """The dtype of the query, float32 for logsumexp, int64 for seed and offset."""
    return query[1], torch.float32, torch.int64, torch.int64


# There is no meta kernel.
@shape_function(
    "aten::_transform_bias_rescale_qkv",
    ok=[
        Invocation(T(2, 5, 24), T(24), 4, device="cpu"),
        Invocation(
            *[T(2, 5, 24, dtype=torch.bfloat16), T(24, dtype=torch.bfloat16), 2], device="cpu"
        ),
    ],
    error=[
        Invocation(T(5, 24), T(24), 4, device="cpu"),
        Invocation(T(2, 5, 24), T(24), 5, device="cpu"),
    ],
)
def _transform_bias_rescale_qkv(
    qkv: List[int], qkv_bias: List[int], num_heads: int
) -> Tuple[List[int], List[int], List[int]]:
    """Split `qkv`, which concatenates query, key and value in the last dimension, into heads."""
    assert len(qkv) == 3, (
        f"aten::_transform_bias_rescale_qkv: qkv must have 3 dimensions, got shape {qkv}"
    )
    features = qkv[2] // 3
    assert features % num_heads == 0, (
        f"aten::_transform_bias_rescale_qkv: num_heads must divide the features, got {num_heads} and {features}"
    )
    out = [qkv[0], num_heads, qkv[1], features // num_heads]
    return out, list(out), list(out)


@dtype_function("aten::_transform_bias_rescale_qkv")
def _transform_bias_rescale_qkv_dtype(
    qkv: Tuple[int, int], qkv_bias: Tuple[int, int], num_heads: int
) -> Tuple[int, int, int]:
    """The dtype of `qkv`."""
    return qkv[1], qkv[1], qkv[1]


# The attention kernels of devices, and the operators that select one.
#
# Most have CUDA kernels only; the results follow their meta kernels
# (`torch/_meta_registrations.py`). A query is `[batch, heads, length, features]` in operators named
# `_scaled_dot_product...`, and `[batch, length, heads, features]` elsewhere.


def debug_mask_shape(batch: int, heads: int, return_debug_mask: bool) -> List[int]:
    """The attention weights, if requested, with lengths rounded up as the kernel chooses.

    The meta kernels and the CUDA kernels round differently.
    """
    out = [0]
    if return_debug_mask:
        out = [batch, heads, unknown_size(), unknown_size()]
    return out


def sdpa_flash(
    query: List[int], key: List[int], value: List[int], return_debug_mask: bool
) -> Tuple[List[int], List[int], List[int], List[int], List[int], List[int], List[int]]:
    """The shape of the query, logsumexp per query row, and the random state.

    The sequence offsets are only used for nested tensors.
    """
    assert len(query) == 4 and len(key) == 4, (
        f"query and key must have 4 dimensions, got shapes {query} and {key}"
    )
    offsets = [query[0] + 1]
    state: List[int] = []
    mask = debug_mask_shape(query[0], query[1], return_debug_mask)
    return query, query[:3], offsets, list(offsets), [2], state, mask


def sdpa_flash_dtype(query: Tuple[int, int]) -> Tuple[int, int, int, int, int, int, int]:
    """The dtype of the query, float32 for logsumexp, uint64 for the random state."""
    dtype = query[1]
    state = torch.uint64
    return dtype, torch.float32, torch.int32, torch.int32, state, state, dtype


# A CUDA kernel, so only its meta kernel runs here.
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
    """Each query row has the features of the value; one batch dimension may be missing.

    The mask is not checked: backends that override the operator define its shape.
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
    """The dtype of the query, float32 for logsumexp, int64 for the random state."""
    dtype = query[1]
    return dtype, torch.float32, torch.int32, torch.int32, torch.int64, torch.int64, dtype


# The meta kernel fails for a 3-D query whose value has a different number of features.
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
    """The shape of the query, logsumexp per row and head, and the random state.

    With `cum_seq_q`, the sequence offsets, sequences are packed into a 3-D query.
    """
    if cum_seq_q is None:
        assert len(query) == 4, f"query must have 4 dimensions, got shape {query}"
        sums = [query[0], query[2], query[1]]
        mask = debug_mask_shape(query[0], query[2], return_debug_mask)
    else:
        assert len(query) >= 3 and len(cum_seq_q) == 1, (
            f"packed sequences must have 3 dimensions and offsets, got {query} and {cum_seq_q}"
        )
        sums = [query[-2], query[0]]
        mask = debug_mask_shape(cum_seq_q[0] - 1, query[-2], return_debug_mask)
    state: List[int] = []
    return query, sums, [2], state, mask


def flash_forward_dtype(query: Tuple[int, int]) -> Tuple[int, int, int, int, int]:
    """The dtype of the query, float32 for logsumexp, uint64 for the random state."""
    return query[1], torch.float32, torch.uint64, torch.uint64, query[1]


# A CUDA kernel, so only its meta kernel runs here.
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
    """Each query row has the features of the value; also the philox seed and offset.

    If requested, logsumexp has as many rows as the longest sequence, rounded up to a multiple of
    32.
    """
    assert len(query) == 4, f"query must have 4 dimensions, got shape {query}"
    batch, length = query[0], query[1]
    if cu_seqlens_q is not None:
        assert len(cu_seqlens_q) > 0 and max_seqlen_q is not None, (
            f"max_seqlen_q must be given with cu_seqlens_q, got {cu_seqlens_q}"
        )
        batch, length = cu_seqlens_q[0] - 1, max_seqlen_q
    rows = 0
    if compute_log_sumexp:
        rows = (length + 31) // 32 * 32
    state: List[int] = []
    return query[:3] + value[-1:], [batch, query[2], rows], state, list(state)


def efficient_forward_dtype(query: Tuple[int, int]) -> Tuple[int, int, int, int]:
    """The dtype of the query, float32 for logsumexp, int64 for seed and offset."""
    return query[1], torch.float32, torch.int64, torch.int64


# A CUDA kernel, so only its meta kernel runs here.
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
    """The projected attention output, and the attention weights per head or averaged over heads.

    Weights that are not requested are empty.
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
    """A call with 4 heads of 2 features."""
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
    """A call with 4 heads of 2 features and 16 hidden features."""

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


# Flash attention that writes into a given tensor and returns only what the backward pass needs.


def softmax_logsumexp(query: List[int], cum_seq_q: Optional[List[int]]) -> List[int]:
    """One logsumexp per head and position; packed sequences have no batch dimension."""
    if cum_seq_q is None:
        assert len(query) == 4, f"the query must have 4 dimensions, got shape {query}"
        return [query[0], query[2], query[1]]
    else:
        assert len(query) == 3, f"a packed query must have 3 dimensions, got shape {query}"
        return [query[1], query[0]]


def always_float32() -> int:
    """logsumexp is float32."""
    return torch.float32


def _attention(*sizes: int, dtype: torch.dtype, packed: bool) -> Invocation:
    query = T(*sizes, dtype=dtype)
    lengths = T(3, dtype=torch.int32) if packed else None
    return Invocation(*[query] * 4, lengths, lengths, 5, 5, 0.0, False, False)


# It runs on CUDA only.
shape_family(
    softmax_logsumexp,
    "aten::_flash_attention_forward_no_dropout_inplace",
    ok=[
        _attention(2, 5, 4, 8, dtype=torch.float16, packed=False),
        _attention(2, 5, 4, 8, dtype=torch.bfloat16, packed=False),
        _attention(10, 4, 8, dtype=torch.float16, packed=True),
    ],
    error=[
        _attention(4, dtype=torch.float16, packed=False),
        _attention(4, dtype=torch.float16, packed=True),
    ],
)
dtype_family(always_float32, "aten::_flash_attention_forward_no_dropout_inplace")


# Flash attention for float8 queries, with an optional scale per head.


def attended(query: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the output: bfloat16 for a float8 query."""
    dtype = query[1]
    if dtype == torch.float8_e4m3fn:
        dtype = torch.bfloat16
    return query[0], dtype


def quantized_sdpa_flash_dtype(
    query: Tuple[int, int],
) -> Tuple[int, int, int, int, int, int, int]:
    """As without scales."""
    return sdpa_flash_dtype(attended(query))


def quantized_flash_forward_dtype(query: Tuple[int, int]) -> Tuple[int, int, int, int, int]:
    """As without scales."""
    return flash_forward_dtype(attended(query))


_DTYPES = (torch.float8_e4m3fn, torch.bfloat16, torch.float16)
_NO_SCALES = (None, None, None)
# CUDA kernels, so only their meta kernels run here.
shape_family(
    sdpa_flash,
    "aten::_scaled_dot_product_flash_attention.quantized",
    ok=[
        *[Invocation(*[T(2, 3, 4, 8, dtype=dtype)] * 3, *_NO_SCALES) for dtype in _DTYPES],
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 8), *[T(2, 3)] * 3, 0.5, True, True),
    ],
    error=[Invocation(*[T(3, 4)] * 3, *_NO_SCALES)],
)
dtype_family(quantized_sdpa_flash_dtype, "aten::_scaled_dot_product_flash_attention.quantized")
shape_family(
    flash_forward,
    "aten::_flash_attention_forward.quantized",
    ok=[
        *[
            Invocation(
                *[T(2, 4, 3, 8, dtype=dtype)] * 3,
                *(None, None, 4, 4, 0.0, False, False, *_NO_SCALES),
            )
            for dtype in _DTYPES
        ],
        Invocation(
            *[T(9, 3, 8, dtype=torch.float8_e4m3fn)] * 3,
            *[T(3, dtype=torch.int32)] * 2,
            *(5, 5, 0.5, True, True, *[T(2, 3)] * 3),
        ),
    ],
    error=[
        Invocation(*[T(8)] * 3, None, None, 4, 4, 0.0, False, False, *_NO_SCALES),
        Invocation(
            *[T(8)] * 3, *[T(3, dtype=torch.int32)] * 2, *(4, 4, 0.0, False, False, *_NO_SCALES)
        ),
    ],
)
dtype_family(quantized_flash_forward_dtype, "aten::_flash_attention_forward.quantized")


# Metal kernels (Apple's GPU API). Only their meta kernels run here.

_NAME = "aten::_scaled_dot_product_attention_math_for_mps"


def metal_attention(
    query: List[int], key: List[int], value: List[int]
) -> Tuple[List[int], List[int]]:
    """The output and the attention weights, with the batch and heads of the query."""
    assert len(query) >= 3 and len(key) >= 3 and len(value) >= 3, (
        f"query, key and value must have at least 3 dimensions, got {query}, {key} and {value}"
    )
    rows = query[:-1]
    return rows + value[-1:], rows + value[-2:-1]


def metal_attention_dtype(query: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the query."""
    return query[1], query[1]


shape_family(
    metal_attention,
    _NAME,
    ok=[
        Invocation(T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6)),
        Invocation(T(3, 4, 8), T(3, 5, 8), T(3, 5, 6), T(4, 5)),
        Invocation(T(7, 2, 3, 4, 8), T(7, 2, 3, 5, 8), T(7, 2, 3, 5, 6), is_causal=True),
        Invocation(T(2, 6, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 6), enable_gqa=True),
        *[
            Invocation(*[T(2, 3, 4, 8, dtype=dtype)] * 3)
            for dtype in (torch.float16, torch.bfloat16)
        ],
    ],
    error=[Invocation(T(4, 8), T(5, 8), T(5, 6))],
)
dtype_family(metal_attention_dtype, _NAME)


# Gradients of the attention kernels: of query, key, value, and attention bias.


def flash_backward(
    query: List[int], key: List[int], value: List[int]
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of query, key and value."""
    return query, key, value


def flash_backward_dtype(
    query: Tuple[int, int], key: Tuple[int, int], value: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtypes of query, key and value."""
    return query[1], key[1], value[1]


def gradient_cases(*rest: object, lengths_first: bool = False) -> list[Invocation]:
    """Cases with gradient, query, key, value, output and logsumexp, followed by `rest`."""
    cases: list[Invocation] = []
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        sizes = [(2, 4, 3, 8), (2, 5, 3, 8)] if lengths_first else [(2, 3, 4, 8), (2, 3, 5, 8)]
        query, key = T(*sizes[0], dtype=dtype), T(*sizes[1], dtype=dtype)
        cases.append(Invocation(query, query, key, key, query, T(2, 3, 4), *rest))
    return cases


# CUDA kernels, so only their meta kernels run here; these check nothing.
OFFSETS = [T(3, dtype=torch.int32)] * 2
STATE = [T(2, dtype=torch.uint64), T(dtype=torch.uint64)]
shape_family(
    flash_backward,
    "aten::_scaled_dot_product_flash_attention_backward",
    ok=gradient_cases(*OFFSETS, 4, 5, 0.0, False, *STATE),
)
shape_family(
    flash_backward,
    "aten::_flash_attention_backward",
    ok=gradient_cases(*OFFSETS, 4, 5, 0.0, False, *STATE, lengths_first=True),
)
DOUBLE = T(2, 3, 4, 8, dtype=torch.float64)
shape_family(
    flash_backward,
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward",
    ok=[
        *gradient_cases(0.0, True),
        Invocation(*[DOUBLE] * 5, T(2, 3, 4, dtype=torch.float64), 0.0, False, device="cpu"),
        Invocation(*[T(2, 3, 4, 8)] * 5, T(2, 3, 4), 0.0, False, attn_mask=T(4, 4), device="cpu"),
    ],
)
dtype_family(
    flash_backward_dtype,
    "aten::_scaled_dot_product_flash_attention_backward",
    "aten::_flash_attention_backward",
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward",
)


def biased_backward(
    query: List[int], key: List[int], value: List[int], attn_bias: List[int]
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The shapes of query, key, value and bias."""
    return query, key, value, attn_bias


def biased_backward_dtype(
    query: Tuple[int, int], key: Tuple[int, int], value: Tuple[int, int], attn_bias: Tuple[int, int]
) -> Tuple[int, int, int, int]:
    """The dtypes of query, key, value and bias."""
    return query[1], key[1], value[1], attn_bias[1]


BIASED = [T(2, 3, 4, 8), T(2, 3, 4, 8), T(2, 3, 5, 8), T(2, 3, 5, 8), T(2, 3, 4, 5)]
HALF_BIASED = [
    *[T(2, 3, 4, 8, dtype=torch.float16)] * 4,
    T(2, 3, 4, 4, dtype=torch.float16),
]
COUNTS = [T(dtype=torch.int64)] * 2
shape_family(
    biased_backward,
    "aten::_scaled_dot_product_efficient_attention_backward",
    ok=[
        Invocation(*BIASED, T(2, 3, 4, 8), T(2, 3, 32), *COUNTS, 0.0, [True] * 4),
        Invocation(
            *BIASED, T(2, 3, 4, 8), T(2, 3, 32), *COUNTS, 0.5, [True, True, True, False], True
        ),
        Invocation(*HALF_BIASED, HALF_BIASED[0], T(2, 3, 32), *COUNTS, 0.0, [True] * 4),
    ],
)
shape_family(
    biased_backward,
    "aten::_scaled_dot_product_fused_attention_overrideable_backward",
    ok=[
        Invocation(
            *(*BIASED, [True] * 4, T(2, 3, 4, 8), T(2, 3, 4), *OFFSETS, 4, 5, 0.0, False, *COUNTS)
        ),
        Invocation(
            *(*HALF_BIASED, [True] * 4, HALF_BIASED[0], T(2, 3, 4), *OFFSETS),
            *(4, 4, 0.0, False, *COUNTS),
        ),
    ],
)
dtype_family(
    biased_backward_dtype,
    "aten::_scaled_dot_product_efficient_attention_backward",
    "aten::_scaled_dot_product_fused_attention_overrideable_backward",
)


def efficient_backward(
    query: List[int], key: List[int], value: List[int], bias: Optional[List[int]]
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The shapes of query, key, value and bias."""
    grad_bias: List[int] = []
    if bias is not None:
        grad_bias = bias
    return query, key, value, grad_bias


def efficient_backward_dtype(
    query: Tuple[int, int],
    key: Tuple[int, int],
    value: Tuple[int, int],
    bias: Optional[Tuple[int, int]],
) -> Tuple[int, int, int, int]:
    """The dtypes of query, key, value and bias."""
    grad_bias = torch.float32
    if bias is not None:
        grad_bias = bias[1]
    return query[1], key[1], value[1], grad_bias


# The meta kernel has no `scale` and lacks the parameter `out`, which shifts the others.
ROWS = [T(2, 3, 32), 0.0, *COUNTS, 0]
HALF = T(2, 4, 3, 8, dtype=torch.float16)
shape_family(
    efficient_backward,
    "aten::_efficient_attention_backward",
    ok=[
        Invocation(
            *(T(2, 4, 3, 8), T(2, 4, 3, 8), T(2, 5, 3, 8), T(2, 5, 3, 8), T(2, 3, 4, 5)),
            *(T(2, 4, 3, 8), None, None, 4, 5, *ROWS, True),
        ),
        Invocation(*[T(2, 4, 3, 8)] * 4, None, T(2, 4, 3, 8), None, None, 4, 4, *ROWS, False),
        Invocation(
            *(*[HALF] * 4, None, HALF, None, None, 4, 4, *ROWS, False), shared_storage_dqdkdv=True
        ),
    ],
)
dtype_family(efficient_backward_dtype, "aten::_efficient_attention_backward")
