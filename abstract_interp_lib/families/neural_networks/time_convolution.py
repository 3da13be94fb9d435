"""Convolutions with layout time, batch, channels: `conv_tbc` and its gradient."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_function,
    shape_function,
)


@shape_function(
    "aten::conv_tbc",
    ok=[
        Invocation(T(7, 2, 3), T(3, 3, 5), T(5)),
        Invocation(T(7, 2, 3), T(3, 3, 5), T(5), 1),
        Invocation(T(2, 2, 3), T(3, 3, 5), T(5)),
    ],
    error=[
        Invocation(T(7, 3), T(3, 3, 5), T(5)),
        Invocation(T(7, 2, 3), T(3, 5), T(5)),
        Invocation(T(7, 2, 3), T(3, 4, 5), T(5)),
        Invocation(T(7, 2, 3), T(3, 3, 5), T(1)),
        Invocation(T(1, 2, 3), T(3, 3, 5), T(5)),
    ],
)
def conv_tbc(self: List[int], weight: List[int], bias: List[int], pad: int = 0) -> List[int]:
    """The output length, the batch size, and the output channels."""
    assert len(self) == 3, f"aten::conv_tbc: self must have 3 dimensions, got shape {self}"
    assert len(weight) == 3, f"aten::conv_tbc: weight must have 3 dimensions, got shape {weight}"
    assert self[2] == weight[1], (
        f"aten::conv_tbc: weight expects {weight[1]} input channels, got {self[2]}"
    )
    assert bias == weight[2:], f"aten::conv_tbc: bias must have shape {weight[2:]}, got {bias}"
    positions = self[0] + 2 * pad - weight[0] + 1
    assert positions >= 0, (
        f"aten::conv_tbc: kernel size {weight[0]} is too large for sequence length {self[0]} with padding {pad}"
    )
    return [positions, self[1], weight[2]]


@dtype_function(
    "aten::conv_tbc",
    ok=[
        Invocation(*[T(3, 3, 3, dtype=torch.float16)] * 2, T(3, dtype=torch.float16)),
        Invocation(*[T(3, 3, 3, dtype=torch.int64)] * 2, T(3, dtype=torch.int64)),
    ],
    error=[Invocation(T(7, 2, 3), T(3, 3, 5, dtype=torch.float64), T(5), device="cpu")],
)
def conv_tbc_dtype(
    self: Tuple[int, int], weight: Tuple[int, int], bias: Tuple[int, int], pad: int = 0
) -> int:
    """The common dtype of `self` and `weight`."""
    assert self[1] == weight[1], f"aten::conv_tbc: dtypes must match, got {self[1]} and {weight[1]}"
    return self[1]


# The gradients of `conv_tbc`, whose input has layout time, batch, channels.

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
    """The shapes of input, weight and bias; the bias gradient is a sum over time and batch."""
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
