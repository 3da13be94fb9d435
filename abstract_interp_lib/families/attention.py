"""Scaled dot product attention and the kernels behind it."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_function,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.normalization import is_half


def grouped_batch(query: List[int], key: List[int], name: str) -> List[int]:
    """The batch dimensions of `key` after each head is repeated for a group of query heads."""
    assert len(query) >= 3 and len(key) >= 3, (
        f"grouped attention needs a dimension of heads, got query {query} and {name} {key}"
    )
    heads, groups = query[-3], key[-3]
    assert heads == groups or (groups > 0 and heads % groups == 0), (
        f"{groups} heads of {name} do not divide {heads} heads of query"
    )
    return key[:-3] + query[-3:-2]


def check_matrices(query: List[int], key: List[int], value: List[int]) -> None:
    """Raise unless query, key and value are matrices or batches of them."""
    assert len(query) >= 2 and len(key) >= 2 and len(value) >= 2, (
        f"query, key and value need at least 2 dimensions, got {query}, {key} and {value}"
    )


def attention_shapes(
    query: List[int],
    key: List[int],
    value: List[int],
    attn_mask: Optional[List[int]],
    enable_gqa: bool,
) -> Tuple[List[int], List[int]]:
    """The shapes of the result and of the attention weights; batch dimensions broadcast."""
    check_matrices(query, key, value)
    assert query[-1] == key[-1], (
        f"query and key must have the same features, got {query[-1]} and {key[-1]}"
    )
    assert key[-2] == value[-2], (
        f"key and value must have the same length, got {key[-2]} and {value[-2]}"
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
    """Query, key and value have one dtype, which the result keeps."""
    assert query == key and key == value, (
        f"query, key and value must have one dtype, got {query}, {key} and {value}"
    )
    return query


# The meta kernels let a mask broadcast the result up, which no device does.
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
    """The batch and the length of the query, with the features of the value."""
    check_matrices(query, key, value)
    if query[-2] == 0 or 0 in value:
        # There is nothing to attend: PyTorch returns zeros without looking any further.
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
    """The one dtype of query, key and value; a mask is bool, float32 or of that dtype."""
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
    """The result of the attention, and its weights."""
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
    """The dtype of the query; half keys and values may differ, they are summed in float32."""
    return query[1], query[1]


# The meta kernel takes any number of dimensions and does not compare the features.
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
    """The shape of the query, and a sum of exponentials for each of its rows."""
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
    """The dtype of the query; sums for halves are float32."""
    return query[1], torch.float32 if is_half(query[1]) else query[1]


# A kernel for CUDA, so only its meta kernel runs here.
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
    """The attention, sums of exponentials padded to 32 rows, and a random state's two parts."""
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
    """The dtype of the query, float32 for the sums, int64 for the random state."""
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
    """Query, key and value, side by side in the last dimension, are split into heads."""
    assert len(qkv) == 3, (
        f"aten::_transform_bias_rescale_qkv: qkv must have 3 dimensions, got shape {qkv}"
    )
    features = qkv[2] // 3
    assert features % num_heads == 0, (
        f"aten::_transform_bias_rescale_qkv: {num_heads} heads do not divide {features} features"
    )
    out = [qkv[0], num_heads, qkv[1], features // num_heads]
    return out, list(out), list(out)


@dtype_function("aten::_transform_bias_rescale_qkv")
def _transform_bias_rescale_qkv_dtype(
    qkv: Tuple[int, int], qkv_bias: Tuple[int, int], num_heads: int
) -> Tuple[int, int, int]:
    """The dtype of `qkv`."""
    return qkv[1], qkv[1], qkv[1]
