"""Gradients of upsampling, and resampling with Lanczos' window."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.resampling import (
    upsample,
    upsample_vec,
    upsample_vec_dtype,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.matching import check_same


def upsample_backward(
    grad_output: List[int], output_size: List[int], input_size: List[int]
) -> List[int]:
    """The shape of the input, which is an argument; the gradient has that of the result."""
    check_same(grad_output, upsample(input_size, output_size), "grad_output")
    return input_size


def upsample_backward_dtype(grad_output: Tuple[int, int]) -> int:
    """The dtype of `grad_output`."""
    return grad_output[1]


def gradients_1d(*rest: bool) -> list[Invocation]:
    """Cases for one spatial dimension; `rest` comes before the scales."""
    return [
        Invocation(T(2, 3, 5), [5], [2, 3, 8], *rest),
        Invocation(T(2, 3, 5), [5], [2, 3, 8], *rest, scales=0.6),
        Invocation(T(2, 3, 5, dtype=torch.bfloat16), [5], [2, 3, 8], *rest),
        Invocation(T(2, 3, 5, dtype=torch.float64), [5], [2, 3, 8], *rest),
    ]


def wrong_gradients_1d(*rest: bool) -> list[Invocation]:
    """What such an operator rejects."""
    return [
        Invocation(T(2, 3, 6), [5], [2, 3, 8], *rest),
        Invocation(T(3, 5), [5], [2, 3, 8], *rest),
        Invocation(T(2, 3, 5), [5, 5], [2, 3, 8], *rest),
        Invocation(T(2, 3, 5), [5], [2, 3, 0], *rest),
    ]


def gradients_2d(*rest: bool) -> list[Invocation]:
    """Cases for two spatial dimensions."""
    return [
        Invocation(T(2, 3, 5, 7), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7), [5, 7], [2, 3, 8, 6], *rest, scales_h=0.6, scales_w=None),
        Invocation(T(2, 3, 5, 7, dtype=torch.float16), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7, dtype=torch.float64), [5, 7], [2, 3, 8, 6], *rest),
    ]


def wrong_gradients_2d(*rest: bool) -> list[Invocation]:
    """What such an operator rejects."""
    return [
        Invocation(T(2, 3, 5, 6), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(1, 3, 5, 7), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(3, 5, 7), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7), [5], [2, 3, 8, 6], *rest),
    ]


def gradients_3d(*rest: bool) -> list[Invocation]:
    """Cases for three spatial dimensions."""
    return [
        Invocation(T(2, 3, 5, 7, 9), [5, 7, 9], [2, 3, 4, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7, 9), [5, 7, 9], [2, 3, 4, 8, 6], *rest, scales_d=1.2),
        Invocation(T(2, 3, 5, 7, 9, dtype=torch.bfloat16), [5, 7, 9], [2, 3, 4, 8, 6], *rest),
    ]


def wrong_gradients_3d(*rest: bool) -> list[Invocation]:
    """What such an operator rejects."""
    return [
        Invocation(T(2, 3, 5, 7, 8), [5, 7, 9], [2, 3, 4, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7, 9), [5, 7, 9], [2, 3, 4, 0, 6], *rest),
    ]


shape_family(
    upsample_backward,
    "aten::upsample_nearest1d_backward",
    "aten::_upsample_nearest_exact1d_backward",
    ok=gradients_1d(),
    error=wrong_gradients_1d(),
)
shape_family(
    upsample_backward,
    "aten::upsample_linear1d_backward",
    ok=gradients_1d(True),
    error=wrong_gradients_1d(True),
)
shape_family(
    upsample_backward,
    "aten::upsample_nearest2d_backward",
    "aten::_upsample_nearest_exact2d_backward",
    ok=gradients_2d(),
    error=wrong_gradients_2d(),
)
shape_family(
    upsample_backward,
    "aten::upsample_bilinear2d_backward",
    "aten::upsample_bicubic2d_backward",
    "aten::_upsample_bilinear2d_aa_backward",
    "aten::_upsample_bicubic2d_aa_backward",
    "aten::_upsample_lanczos2d_aa_backward",
    ok=gradients_2d(False),
    error=wrong_gradients_2d(False),
)
shape_family(
    upsample_backward,
    "aten::upsample_nearest3d_backward",
    "aten::_upsample_nearest_exact3d_backward",
    ok=gradients_3d(),
    error=wrong_gradients_3d(),
)
shape_family(
    upsample_backward,
    "aten::upsample_trilinear3d_backward",
    ok=gradients_3d(True),
    error=wrong_gradients_3d(True),
)
dtype_family(
    upsample_backward_dtype,
    "aten::upsample_nearest1d_backward",
    "aten::_upsample_nearest_exact1d_backward",
    "aten::upsample_linear1d_backward",
    "aten::upsample_nearest2d_backward",
    "aten::_upsample_nearest_exact2d_backward",
    "aten::upsample_bilinear2d_backward",
    "aten::upsample_bicubic2d_backward",
    "aten::_upsample_bilinear2d_aa_backward",
    "aten::_upsample_bicubic2d_aa_backward",
    "aten::_upsample_lanczos2d_aa_backward",
    "aten::upsample_nearest3d_backward",
    "aten::_upsample_nearest_exact3d_backward",
    "aten::upsample_trilinear3d_backward",
)

shape_family(
    upsample,
    "aten::_upsample_lanczos2d_aa",
    ok=[
        Invocation(T(2, 3, 8, 6), [5, 7], True),
        Invocation(T(0, 3, 8, 6), [5, 7], False, 0.5, 2.0),
        Invocation(T(2, 3, 8, 6, dtype=torch.float64), [5, 7], False),
        Invocation(T(2, 3, 8, 6, dtype=torch.uint8), [5, 7], False),
    ],
    error=[
        Invocation(T(3, 8, 6), [5, 7], True),
        Invocation(T(2, 3, 8, 6), [5], True),
        Invocation(T(2, 3, 8, 6), [0, 7], True),
    ],
)
dtype_family(dtype_of_self, "aten::_upsample_lanczos2d_aa")
shape_family(
    upsample_vec,
    "aten::_upsample_lanczos2d_aa.vec",
    ok=[
        Invocation(T(2, 3, 8, 6), [5, 7], True, None),
        Invocation(T(2, 3, 8, 6), None, False, [1.5, 0.4]),
        Invocation(T(2, 3, 8, 6, dtype=torch.uint8), [5, 7], False, None),
    ],
    error=[
        Invocation(T(2, 3, 8, 6), [5, 7], True, [2.0, 2.0]),
        Invocation(T(2, 3, 8, 6), None, True, None),
    ],
)
dtype_family(upsample_vec_dtype, "aten::_upsample_lanczos2d_aa.vec")
