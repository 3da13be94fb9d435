"""The gradients of `conv_tbc`, whose input has time, batch and channels in this order."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_function,
    shape_function,
)

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)


@shape_function(
    "aten::conv_tbc_backward",
    ok=[
        Invocation(T(5, 2, 4), T(7, 2, 3), T(3, 3, 4), T(4), 0),
        Invocation(T(9, 2, 4), T(7, 2, 3), T(3, 3, 4), T(4), 2),
        *[
            Invocation(
                T(5, 2, 4, dtype=dtype),
                T(7, 2, 3, dtype=dtype),
                T(3, 3, 4, dtype=dtype),
                T(4, dtype=dtype),
                0,
            )
            for dtype in _FLOATS
        ],
    ],
)
def conv_tbc_backward(
    self: List[int], input: List[int], weight: List[int], bias: List[int], pad: int
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of input, weight and bias; the last is a sum over time and batch."""
    return input, weight, self[2:]


@dtype_function("aten::conv_tbc_backward")
def conv_tbc_backward_dtype(
    self: Tuple[int, int],
    input: Tuple[int, int],
    weight: Tuple[int, int],
    bias: Tuple[int, int],
    pad: int,
) -> Tuple[int, int, int]:
    """The dtypes of input, weight and bias."""
    return input[1], weight[1], bias[1]
