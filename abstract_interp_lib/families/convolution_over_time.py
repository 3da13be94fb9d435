"""The convolution whose input has time, batch and channels in this order: `conv_tbc`."""

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
    "aten::conv_tbc",
    ok=[
        Invocation(T(7, 2, 3), T(3, 3, 4), T(4)),
        Invocation(T(7, 2, 3), T(3, 3, 4), T(4), 2),
        Invocation(T(7, 2, 3), T(8, 3, 4), T(4)),
        Invocation(T(0, 2, 3), T(1, 3, 4), T(4), pad=0),
        Invocation(T(7, 0, 3), T(3, 3, 4), T(4)),
        *[
            Invocation(T(7, 2, 3, dtype=dtype), T(3, 3, 4, dtype=dtype), T(4, dtype=dtype))
            for dtype in _FLOATS
        ],
        Invocation(T(7, 2, 3), T(3, 3, 4), T(4, dtype=torch.float64)),
    ],
    error=[
        Invocation(T(2, 3), T(3, 3, 4), T(4)),
        Invocation(T(7, 2, 3), T(3, 3), T(3)),
        Invocation(T(7, 2, 3), T(3, 3, 4), T(4, 1)),
        Invocation(T(7, 2, 3), T(3, 2, 4), T(4)),
        Invocation(T(7, 2, 3), T(3, 3, 4), T(3)),
        Invocation(T(7, 2, 3), T(9, 3, 4), T(4)),
    ],
)
def conv_tbc(self: List[int], weight: List[int], bias: List[int], pad: int = 0) -> List[int]:
    """The positions of the kernel, the batch, the output channels."""
    assert len(self) == 3 and len(weight) == 3 and len(bias) == 1, (
        f"aten::conv_tbc: self and weight need 3 dimensions, bias 1, "
        f"got shapes {self}, {weight} and {bias}"
    )
    assert self[2] == weight[1], (
        f"aten::conv_tbc: weight is for {weight[1]} channels, got {self[2]}"
    )
    assert bias[0] == weight[2], (
        f"aten::conv_tbc: bias needs an entry for each of {weight[2]} channels, got {bias[0]}"
    )
    length = self[0] + 2 * pad - weight[0] + 1
    assert length >= 0, (
        f"aten::conv_tbc: a kernel of {weight[0]} is too long for {self[0]} positions and pad {pad}"
    )
    return [length, self[1], weight[2]]


@dtype_function("aten::conv_tbc")
def conv_tbc_dtype(
    self: Tuple[int, int], weight: Tuple[int, int], bias: Tuple[int, int], pad: int = 0
) -> int:
    """The dtype of the input."""
    return self[1]


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
