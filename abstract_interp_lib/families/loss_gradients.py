"""Gradients of losses of predictions against targets, element by element."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.matching import check_expands

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)


def pointwise_gradient(grad_output: List[int], self: List[int], target: List[int]) -> List[int]:
    """Gradient, input and target broadcast."""
    return broadcast_three(grad_output, self, target)


_SHAPES = [
    (T(), T(2, 3), T(2, 3)),
    (T(2, 3), T(2, 3), T(3)),
    (T(), T(3), T(2, 3)),
    (T(), T(), T()),
]
# The meta kernels divide by the number of elements.
_EMPTY = (T(), T(0, 3), T(0, 3))
_BROADCAST_UP = [(T(4, 2, 3), T(2, 1), T(3))]
_DTYPES = [
    *[(T(dtype=dtype), T(2, dtype=dtype), T(2, dtype=dtype)) for dtype in _FLOATS],
]
_MIXED = [
    (T(dtype=torch.float64), T(2), T(2)),
    (T(), T(2, dtype=torch.float16), T(2)),
    (T(), T(2), T(2, dtype=torch.int64)),
]
_MISMATCHED = [(T(), T(2), T(3)), (T(3), T(2), T(2))]

# The meta kernels promote, the CPU gives the dtype of the input.
_NUMBERS = {
    "aten::mse_loss_backward": [1],
    "aten::smooth_l1_loss_backward": [1, 1.0],
}
for _operator, _rest in _NUMBERS.items():
    shape_family(
        pointwise_gradient,
        _operator,
        ok=[
            *[Invocation(*operands, *_rest) for operands in [*_SHAPES, *_BROADCAST_UP]],
            Invocation(*_EMPTY, *_rest, device="cpu"),
        ],
        error=[Invocation(*operands, *_rest) for operands in _MISMATCHED],
    )
    dtype_family(
        dtype_of_self,
        _operator,
        ok=[
            *[Invocation(*operands, *_rest) for operands in _DTYPES],
            *[Invocation(*operands, *_rest, device="cpu") for operands in _MIXED],
            Invocation(*[T(2, dtype=torch.int64)] * 3, *_rest, device="cpu"),
        ],
    )


def one_dtype(grad_output: Tuple[int, int], self: Tuple[int, int], target: Tuple[int, int]) -> int:
    """Gradient, input and target have one dtype."""
    assert self[1] == target[1] and self[1] == grad_output[1], (
        f"dtypes must match, got {grad_output[1]}, {self[1]} and {target[1]}"
    )
    return self[1]


shape_family(
    pointwise_gradient,
    "aten::huber_loss_backward",
    ok=[
        *[Invocation(*operands, 1, 1.0) for operands in [*_SHAPES, *_BROADCAST_UP]],
        Invocation(*_EMPTY, 1, 1.0, device="cpu"),
    ],
    error=[Invocation(*operands, 1, 1.0) for operands in _MISMATCHED],
)
dtype_family(
    one_dtype,
    "aten::huber_loss_backward",
    ok=[Invocation(*operands, 1, 1.0) for operands in _DTYPES],
    error=[Invocation(*operands, 1, 1.0, device="cpu") for operands in _MIXED],
)


def soft_margin_gradient(grad_output: List[int], self: List[int], target: List[int]) -> List[int]:
    """Input and target broadcast, and the gradient expands to that."""
    out = broadcast_two(self, target)
    check_expands(grad_output, out)
    return out


# The meta kernel broadcasts the gradient, too.
shape_family(
    soft_margin_gradient,
    "aten::soft_margin_loss_backward",
    ok=[
        *[Invocation(*operands, 1) for operands in _SHAPES],
        Invocation(*_EMPTY, 1, device="cpu"),
    ],
    error=[
        *[Invocation(*operands, 1) for operands in _MISMATCHED],
        *[Invocation(*operands, 0, device="cpu") for operands in _BROADCAST_UP],
    ],
)
dtype_family(
    dtype_of_self,
    "aten::soft_margin_loss_backward",
    ok=[
        *[Invocation(*operands, 1) for operands in _DTYPES],
        *[Invocation(*operands, 1, device="cpu") for operands in _MIXED],
    ],
)
