"""Weights given as direction and length: `torch.nn.utils.weight_norm` and its gradients.

A length belongs to all of the weight but one dimension; the kernels are for the first or the last.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.normalization import is_half
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, is_integral, promote_two

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)


def norm_except_dim(v: List[int], dim: int) -> List[int]:
    """One norm for each entry along a dimension; for -1, which is no dimension here, for all."""
    if dim == -1:
        out = v[:0]
    else:
        assert len(v) > 0, f"a zero-dim tensor has no dimension {dim}"
        kept = wrap_dim(dim, len(v))
        out = [v[index] if index == kept else 1 for index in range(len(v))]
    return out


def norm_except_dim_dtype(v: Tuple[int, int]) -> int:
    """The dtype of the real part."""
    assert not is_integral(v[1]), f"a norm needs a floating or complex tensor, got dtype {v[1]}"
    return real_dtype(v[1])


shape_family(
    norm_except_dim,
    "aten::norm_except_dim",
    ok=[
        Invocation(T(2, 3, 4)),
        Invocation(T(2, 3, 4), 2, 1),
        Invocation(T(2, 3, 4), 1, 2),
        Invocation(T(2, 3, 4), 2, -2),
        Invocation(T(2, 3, 4), 2, -1),
        Invocation(T(), 2, -1),
        Invocation(T(0, 3), 2, 1),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in (*_FLOATS, torch.complex64)],
    ],
    error=[Invocation(T(2, 3), 2, 2), Invocation(T())],
)
dtype_family(
    norm_except_dim_dtype,
    "aten::norm_except_dim",
    error=[Invocation(T(2, 3, dtype=torch.int64))],
)


def weight_norm(v: List[int], g: List[int], dim: int) -> List[int]:
    """The shape of the direction; a length that is no vector along a dimension broadcasts."""
    fused = dim == 0 or dim == len(v) - 1
    return v if fused else broadcast_three(v, g, norm_except_dim(v, dim))


def weight_norm_dtype(v: Tuple[int, int], g: Tuple[int, int], dim: int) -> int:
    """Direction and length, over the norm, promote; the kernels want one dtype."""
    rank = 0 if dim == -1 else v[0]
    length = int_to_float(promote_two(g, (rank, real_dtype(v[1]))))
    return promote_two(v, (max(rank, g[0]), length))


# The meta kernel mixes dtypes along the first and the last dimension.
shape_family(
    weight_norm,
    "aten::_weight_norm",
    ok=[
        Invocation(T(4, 3), T(4, 1)),
        Invocation(T(4, 3), T(1, 3), 1),
        Invocation(T(4, 3, 2), T(1, 3, 1), 1),
        Invocation(T(4, 3, 2), T(1, 3, 1), -2),
        Invocation(T(4, 3), T(), -1),
        Invocation(T(4, 3), T(1, 3), dim=-1),
        Invocation(T(4), T(4)),
        Invocation(T(4, 3, 2), T(5, 1, 1, 1), 1),
        *[Invocation(T(4, 3, dtype=dtype), T(4, 1, dtype=dtype)) for dtype in _FLOATS],
        *[Invocation(T(4, 3, 2, dtype=dtype), T(1, 3, 1, dtype=dtype), 1) for dtype in _FLOATS],
        Invocation(T(4, 3, 2), T(1, 3, 1, dtype=torch.float64), 1),
        Invocation(T(4, 3, 2), T(1, 3, 1, dtype=torch.int64), 1),
        Invocation(T(4, 3, dtype=torch.float64), T(1, 1), -1),
        Invocation(T(4, 3, 2, dtype=torch.complex64), T(1, 3, 1), 1),
        Invocation(*[T(4, 3, 2, dtype=torch.complex64)] * 2, 1),
    ],
    error=[Invocation(T(4, 3, 2), T(1, 4, 1), 1), Invocation(T(4, 3, 2), T(1, 3, 1), 3)],
)
dtype_family(weight_norm_dtype, "aten::_weight_norm")


def check_outermost(v: List[int], dim: int) -> None:
    """Raise unless a dimension, counted from the front, is the first or the last one."""
    assert dim == 0 or dim == len(v) - 1, (
        f"dim must be the first or the last dimension of shape {v}, got {dim}"
    )


def weight_norm_in_kernel(v: List[int], g: List[int], dim: int) -> Tuple[List[int], List[int]]:
    """The weight, and the norms."""
    check_outermost(v, dim)
    return v, g


def weight_norm_in_kernel_dtype(v: Tuple[int, int], g: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the operands; norms in half precision are kept in float32."""
    return v[1], torch.float32 if is_half(g[1]) else g[1]


# The meta kernel keeps norms in float16, and takes any dimension.
shape_family(
    weight_norm_in_kernel,
    "aten::_weight_norm_interface",
    ok=[
        Invocation(T(4, 3), T(4, 1)),
        Invocation(T(4, 3), T(1, 3), 1),
        Invocation(T(4, 3, 2), T(1, 1, 2), dim=2),
        Invocation(T(4, 3, 2), T(4, 1, 1), 0),
        *[
            Invocation(T(4, 3, dtype=dtype), T(4, 1, dtype=dtype), 0, device="cpu")
            for dtype in _FLOATS
        ],
    ],
    error=[Invocation(T(4, 3, 2), T(1, 3, 1), 1, device="cpu")],
)
dtype_family(weight_norm_in_kernel_dtype, "aten::_weight_norm_interface")


def weight_norm_gradient(saved_v: List[int], saved_g: List[int]) -> Tuple[List[int], List[int]]:
    """The shapes of direction and length."""
    return saved_v, saved_g


def weight_norm_gradient_dtype(
    saved_v: Tuple[int, int], saved_g: Tuple[int, int]
) -> Tuple[int, int]:
    """The dtypes of direction and length."""
    return saved_v[1], saved_g[1]


shape_family(
    weight_norm_gradient,
    "aten::_weight_norm_interface_backward",
    ok=[
        Invocation(T(4, 3), T(4, 3), T(4, 1), T(4, 1), 0),
        Invocation(T(4, 3), T(4, 3), T(1, 3), T(1, 3), 1),
        *[
            Invocation(*[T(4, 3, dtype=dtype)] * 2, T(4, 1, dtype=dtype), T(4, 1), 0)
            for dtype in (torch.float16, torch.bfloat16)
        ],
        Invocation(*[T(4, 3, dtype=torch.float64)] * 2, *[T(4, 1, dtype=torch.float64)] * 2, 0),
    ],
)
dtype_family(weight_norm_gradient_dtype, "aten::_weight_norm_interface_backward")


def weight_norm_differentiable_gradient(
    grad_w: List[int],
    saved_v: List[int],
    saved_g: List[int],
    saved_norms: List[int],
    dim: int,
) -> Tuple[List[int], List[int]]:
    """What broadcasting makes of gradient, direction and length, and of norms and their sums."""
    check_outermost(saved_v, dim)
    sums = norm_except_dim(saved_v, 0 if dim == 0 else len(saved_v) - 1)
    scale = broadcast_two(saved_g, saved_norms)
    shift = broadcast_three(saved_v, sums, saved_norms)
    return broadcast_three(scale, grad_w, shift), broadcast_two(sums, saved_norms)


def weight_norm_differentiable_gradient_dtype(
    grad_w: Tuple[int, int],
    saved_v: Tuple[int, int],
    saved_g: Tuple[int, int],
    saved_norms: Tuple[int, int],
) -> Tuple[int, int]:
    """The dtypes of direction and length, with the dtypes of the gradient they promote.

    Norms are cast to the dtype of the length first.
    """
    rank = max(saved_v[0], grad_w[0])
    sums = promote_two(grad_w, saved_v)
    norms = (saved_norms[0], saved_g[1])
    length = promote_two((saved_v[0], sums), norms)
    shift = promote_two(saved_v, (max(saved_v[0], norms[0]), length))
    inner = promote_two(grad_w, (saved_v[0], shift))
    scale = (max(saved_g[0], norms[0]), saved_g[1])
    return promote_two(scale, (rank, inner)), length


shape_family(
    weight_norm_differentiable_gradient,
    "aten::_weight_norm_differentiable_backward",
    ok=[
        Invocation(T(4, 3), T(4, 3), T(4, 1), T(4, 1), 0),
        Invocation(T(4, 3, 2), T(4, 3, 2), T(1, 1, 2), T(1, 1, 2), 2),
        Invocation(T(4), T(4), T(4), T(4), 0),
        *[
            Invocation(*[T(4, 3, dtype=dtype)] * 2, T(4, 1, dtype=dtype), T(4, 1), 0)
            for dtype in (torch.float16, torch.bfloat16)
        ],
        Invocation(*[T(4, 3, dtype=torch.float64)] * 2, *[T(4, 1, dtype=torch.float64)] * 2, 0),
        Invocation(T(4, 3, dtype=torch.float64), T(4, 3), T(4, 1), T(4, 1), 0),
    ],
    error=[Invocation(*[T(4, 3, 2)] * 2, *[T(1, 3, 1)] * 2, 1)],
)
dtype_family(
    weight_norm_differentiable_gradient_dtype, "aten::_weight_norm_differentiable_backward"
)
