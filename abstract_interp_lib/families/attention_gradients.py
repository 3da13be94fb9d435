"""Gradients of the attention kernels: those of query, key, value, and of a bias on the weights."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)


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
    """Cases for a gradient and query, key, value, result and sums, with `rest` after them."""
    cases: list[Invocation] = []
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        sizes = [(2, 4, 3, 8), (2, 5, 3, 8)] if lengths_first else [(2, 3, 4, 8), (2, 3, 5, 8)]
        query, key = T(*sizes[0], dtype=dtype), T(*sizes[1], dtype=dtype)
        cases.append(Invocation(query, query, key, key, query, T(2, 3, 4), *rest))
    return cases


# Kernels for CUDA, so only their meta kernels run here; these check nothing.
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


# The meta kernel takes no `scale`, and lacks the parameter `out`, whose place others take.
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
