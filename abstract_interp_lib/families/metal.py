"""Kernels of Metal, Apple's GPU library. Only their meta kernels run here."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)

_NAME = "aten::_scaled_dot_product_attention_math_for_mps"


def metal_attention(
    query: List[int], key: List[int], value: List[int]
) -> Tuple[List[int], List[int]]:
    """The attention and its weights; the batch and the heads are those of the query."""
    assert len(query) >= 3 and len(key) >= 3 and len(value) >= 3, (
        f"query, key and value need at least 3 dimensions, got {query}, {key} and {value}"
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
