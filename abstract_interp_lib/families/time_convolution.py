"""Convolutions whose operands put time first."""

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
    """The positions of the kernel, the batch, and the output channels."""
    assert len(self) == 3, f"aten::conv_tbc: self must have 3 dimensions, got shape {self}"
    assert len(weight) == 3, f"aten::conv_tbc: weight must have 3 dimensions, got shape {weight}"
    assert self[2] == weight[1], (
        f"aten::conv_tbc: weight takes {weight[1]} channels, self has {self[2]}"
    )
    assert bias == weight[2:], f"aten::conv_tbc: bias must have shape {weight[2:]}, got {bias}"
    positions = self[0] + 2 * pad - weight[0] + 1
    assert positions >= 0, (
        f"aten::conv_tbc: a kernel of {weight[0]} does not fit {self[0]} steps with padding {pad}"
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
    """The dtype that `self` and `weight` share."""
    assert self[1] == weight[1], f"aten::conv_tbc: dtypes must match, got {self[1]} and {weight[1]}"
    return self[1]
