"""Randomized and gated activations: `rrelu_with_noise`, and the derivatives of `glu`."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.activation import glu
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.matching import check_expands, check_same
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    promote_dtypes,
    promote_two,
)
from torch_refine.abstract_interp_lib.rules.sizes import replace_size, wrap_existing

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_SLOPES = (0.1, 0.3)


def noisy(self: List[int], noise: List[int], training: bool) -> List[int]:
    """The shape of `self`, which the noise has, too."""
    if training:
        check_same(noise, self, "noise")
    return self


def noisy_and_noise(
    self: List[int], noise: List[int], training: bool
) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and the noise that was made."""
    return noisy(self, noise, training), noise


def noisy_and_noise_dtype(self: Tuple[int, int], noise: Tuple[int, int]) -> Tuple[int, int]:
    """The dtypes of `self` and of the noise."""
    return self[1], noise[1]


# The meta kernels take noise of any shape.
_NOISY_OK = [
    Invocation(T(2, 3), T(2, 3)),
    Invocation(T(2, 3), T(2, 3), *_SLOPES, True),
    Invocation(T(), T(), 0, 1, False),
    Invocation(T(0, 3), T(0, 3), training=True),
    *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype)) for dtype in _FLOATS],
    Invocation(T(2, dtype=torch.float16), T(2)),
]
_NOISY_ERROR = [
    Invocation(T(2, 3), T(3), *_SLOPES, True, device="cpu"),
    Invocation(T(2, 3), T(2, 4), *_SLOPES, True, device="cpu"),
]

shape_family(noisy, "aten::rrelu_with_noise", ok=_NOISY_OK, error=_NOISY_ERROR)
dtype_family(dtype_of_self, "aten::rrelu_with_noise")
shape_family(noisy_and_noise, "aten::rrelu_with_noise_functional", ok=_NOISY_OK, error=_NOISY_ERROR)
dtype_family(noisy_and_noise_dtype, "aten::rrelu_with_noise_functional")


@shape_function(
    "aten::rrelu_with_noise_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(2, 3), *_SLOPES, True, False),
        Invocation(T(2, 3), T(2, 3), T(2, 3), *_SLOPES, False, False),
        Invocation(T(2, 1), T(7), T(4, 1, 5), *_SLOPES, True, False),
        Invocation(T(2, 1), T(3), T(4), *_SLOPES, False, True),
        Invocation(T(2, 1), T(3), T(4), 1, 1, True, False),
        Invocation(T(), T(), T(), 0, 1, True, False),
    ],
    error=[
        Invocation(T(2), T(2), T(3), *_SLOPES, True, False),
        Invocation(T(2), T(3), T(2), *_SLOPES, False, False),
    ],
)
def rrelu_with_noise_backward(
    grad_output: List[int],
    self: List[int],
    noise: List[int],
    lower: Union[int, float, complex],
    upper: Union[int, float, complex],
    training: bool,
    self_is_result: bool,
) -> List[int]:
    """The gradient and, in training, the noise broadcast; else the gradient and the input."""
    return broadcast_two(grad_output, noise if training else self)


# The meta kernel promotes to float32 at least.
@dtype_function(
    "aten::rrelu_with_noise_backward",
    ok=[
        *[
            Invocation(*[T(2, dtype=dtype)] * 3, *_SLOPES, training, False, device="cpu")
            for dtype in _FLOATS
            for training in (False, True)
        ],
        Invocation(T(2), T(2, dtype=torch.float64), T(2), *_SLOPES, True, False, device="cpu"),
        Invocation(T(2), T(2, dtype=torch.float64), T(2), *_SLOPES, False, False, device="cpu"),
        Invocation(T(), T(2), T(2, dtype=torch.float16), *_SLOPES, True, False, device="cpu"),
    ],
)
def rrelu_with_noise_backward_dtype(
    grad_output: Tuple[int, int],
    self: Tuple[int, int],
    noise: Tuple[int, int],
    lower: Union[int, float, complex],
    upper: Union[int, float, complex],
    training: bool,
    self_is_result: bool,
) -> int:
    """The gradient and, in training, the noise promote; else the gradient and the input."""
    return promote_two(grad_output, noise if training else self)


# The meta kernels promote, which no device does.
@shape_function(
    "aten::glu_backward",
    ok=[
        Invocation(T(2, 3), T(2, 6), -1),
        Invocation(T(2, 3), T(4, 3), 0),
        Invocation(T(3), T(2, 6), 1),
        Invocation(T(0, 3), T(0, 6), 1),
        *[Invocation(T(3, dtype=dtype), T(6, dtype=dtype), 0) for dtype in _FLOATS],
    ],
    error=[
        Invocation(T(2, 2), T(2, 5), -1),
        Invocation(T(2, 2), T(2, 6), -1),
        Invocation(T(2, 2, 3), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 3), T(2, 6), 2),
        Invocation(T(), T(), 0),
    ],
)
def glu_backward(grad_output: List[int], self: List[int], dim: int) -> List[int]:
    """The shape of `self`; the gradient expands to half of it."""
    check_expands(grad_output, glu(self, dim))
    return self


@dtype_function(
    "aten::glu_backward",
    error=[Invocation(T(3, dtype=torch.float64), T(6), 0, device="cpu")],
)
def glu_backward_dtype(grad_output: Tuple[int, int], self: Tuple[int, int], dim: int) -> int:
    """Gradient and input have one dtype."""
    assert grad_output[1] == self[1], (
        f"aten::glu_backward: dtypes must match, got {grad_output[1]} and {self[1]}"
    )
    return self[1]


def half_of(x: List[int], at: int, size: int) -> List[int]:
    """`x`, of whose dimension `at` a half of `size` is taken."""
    assert at < len(x) and 2 * size <= x[at], (
        f"dimension {at} of shape {x} must have two halves of size {size}"
    )
    return replace_size(x, at, size)


# There is no meta kernel.
@shape_function(
    "aten::glu_jvp",
    ok=[
        Invocation(T(2, 3), T(2, 6), T(2, 6), -1, device="cpu"),
        Invocation(T(1, 3), T(2, 6), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 3), T(4, 3), T(4, 3), 0, device="cpu"),
        Invocation(T(3, dtype=torch.float64), *[T(6, dtype=torch.float64)] * 2, 0, device="cpu"),
    ],
    error=[
        Invocation(T(2, 4), T(2, 6), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 3), T(4, 6), T(4, 6), -1, device="cpu"),
        Invocation(T(2, 3), T(2, 6), T(2, 6), 2, device="cpu"),
        Invocation(T(), T(), T(), 0, device="cpu"),
    ],
)
def glu_jvp(glu: List[int], x: List[int], dx: List[int], dim: int) -> List[int]:
    """The result of `glu`, and the halves that it was made of, broadcast."""
    at = wrap_existing(dim, len(x))
    size = glu[wrap_existing(at, len(glu))]
    return broadcast_three(glu, half_of(x, at, size), half_of(dx, at, size))


@dtype_function(
    "aten::glu_jvp",
    error=[
        Invocation(T(3), T(6, dtype=torch.float64), T(6), 0, device="cpu"),
        Invocation(T(3), T(6), T(6, dtype=torch.float64), 0, device="cpu"),
    ],
)
def glu_jvp_dtype(glu: Tuple[int, int], x: Tuple[int, int], dx: Tuple[int, int], dim: int) -> int:
    """All operands have one dtype."""
    assert glu[1] == x[1] and x[1] == dx[1], (
        f"aten::glu_jvp: dtypes must match, got {glu[1]}, {x[1]} and {dx[1]}"
    )
    return glu[1]


@shape_function(
    "aten::glu_backward_jvp",
    ok=[
        Invocation(T(2, 6), T(2, 3), T(2, 6), T(2, 3), T(2, 6), -1, device="cpu"),
        Invocation(T(4, 3), T(2, 3), T(4, 3), T(2, 3), T(4, 3), 0, device="cpu"),
        Invocation(T(0, 4), T(0, 2), T(0, 4), T(0, 2), T(0, 4), 1, device="cpu"),
        Invocation(T(2, 6), T(2, 3), T(2, 6), T(4, 2, 3), T(2, 6), 1, device="cpu"),
    ],
    error=[
        Invocation(T(2, 6), T(2, 4), T(2, 6), T(2, 4), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 6), T(2, 3), T(4, 6), T(2, 3), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 6), T(2, 3), T(2, 6), T(2, 3), T(2, 6), 2, device="cpu"),
    ],
)
def glu_backward_jvp(
    grad_x: List[int],
    grad_glu: List[int],
    x: List[int],
    dgrad_glu: List[int],
    dx: List[int],
    dim: int,
) -> List[int]:
    """All halves broadcast to the halves of the result."""
    at = wrap_dim(dim, len(x))
    size = grad_glu[wrap_existing(at, len(grad_glu))]
    halves = broadcast_three(half_of(grad_x, at, size), half_of(x, at, size), half_of(dx, at, size))
    out = broadcast_three(halves, grad_glu, dgrad_glu)
    return replace_size(out, at, 2 * out[at])


@dtype_function(
    "aten::glu_backward_jvp",
    ok=[
        *[
            Invocation(
                *[T(4, dtype=dtype), T(2, dtype=dtype), T(4, dtype=dtype)],
                *[T(2, dtype=dtype), T(4, dtype=dtype), 0],
                device="cpu",
            )
            for dtype in (*_FLOATS, torch.int64)
        ],
        Invocation(
            *[T(4, dtype=torch.float16), T(2), T(4, dtype=torch.float16)],
            *[T(2, dtype=torch.float16), T(4, dtype=torch.float16), 0],
            device="cpu",
        ),
        Invocation(
            *[T(4, dtype=torch.float16), T(2), T(4, dtype=torch.int64)],
            *[T(2, dtype=torch.float16), T(4, dtype=torch.float16), 0],
            device="cpu",
        ),
    ],
)
def glu_backward_jvp_dtype(
    grad_x: Tuple[int, int],
    grad_glu: Tuple[int, int],
    x: Tuple[int, int],
    dgrad_glu: Tuple[int, int],
    dx: Tuple[int, int],
    dim: int,
) -> int:
    """All promote but `grad_glu`, of which only the size counts; integers become float32."""
    ranks: List[Optional[int]] = [1, 1, 1, 1]
    return promote_dtypes(ranks, [grad_x[1], int_to_float(x[1]), dgrad_glu[1], dx[1]])
