"""Flash attention over queries in float8, each of whose heads may have a scale."""

from typing import Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.attention_kernels import (
    flash_forward,
    flash_forward_dtype,
    sdpa_flash,
    sdpa_flash_dtype,
)


def attended(query: Tuple[int, int]) -> Tuple[int, int]:
    """The query as it comes out: one in float8 becomes bfloat16."""
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
# Kernels for CUDA, so only their meta kernels run here.
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
