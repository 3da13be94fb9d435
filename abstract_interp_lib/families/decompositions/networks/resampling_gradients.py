"""Gradients of resampling: each dimension on its own, as in the operators themselves."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.windows_of_dims import (
    added_by_places,
    added_to_windows,
    averaged_places,
    cubic_places,
    linear_places,
    most_windows,
    nearest_places,
    sums_of_windows,
)


def _nearest(
    grad_output: torch.Tensor,
    input_size: List[int],
    scales: List[Optional[float]],
    is_exact: bool,
) -> torch.Tensor:
    """Each gradient is added to the element that was read."""
    found = in_dtype(grad_output, computation_dtype(grad_output.dtype))
    for index in range(len(scales)):
        dim = len(input_size) - 1 - index
        scale = scales[dim - 2]
        size = input_size[dim]
        places = nearest_places(size, grad_output.size(dim), scale, is_exact)
        most = most_windows(size, grad_output.size(dim), scale, False, 0.5)
        found = added_by_places(found, dim, places, None, size, most)
    return in_dtype(found, grad_output.dtype)


def nearest1d(
    grad_output: torch.Tensor,
    output_size: List[int],
    input_size: List[int],
    scales: Optional[float],
    is_exact: int,
) -> torch.Tensor:
    """The gradient of `upsample_nearest1d`."""
    factors: List[Optional[float]] = [scales]
    return _nearest(grad_output, input_size, factors, is_exact == 1)


def nearest2d(
    grad_output: torch.Tensor,
    output_size: List[int],
    input_size: List[int],
    scales_h: Optional[float],
    scales_w: Optional[float],
    is_exact: int,
) -> torch.Tensor:
    """The gradient of `upsample_nearest2d`."""
    factors: List[Optional[float]] = [scales_h, scales_w]
    return _nearest(grad_output, input_size, factors, is_exact == 1)


def nearest3d(
    grad_output: torch.Tensor,
    output_size: List[int],
    input_size: List[int],
    scales_d: Optional[float],
    scales_h: Optional[float],
    scales_w: Optional[float],
    is_exact: int,
) -> torch.Tensor:
    """The gradient of `upsample_nearest3d`."""
    factors: List[Optional[float]] = [scales_d, scales_h, scales_w]
    return _nearest(grad_output, input_size, factors, is_exact == 1)


_LINE = [
    Invocation(T(2, 3, 7), [7], [2, 3, 4]),
    Invocation(T(2, 3, 3), [3], [2, 3, 10], 0.3),
    Invocation(T(2, 3, 4), [4], [2, 3, 4], 1.1),
    Invocation(T(2, 3, 8), [8], [2, 3, 4], 2.1),
]
_IMAGE = [
    Invocation(T(2, 3, 7, 3), [7, 3], [2, 3, 4, 5]),
    Invocation(T(2, 3, 9, 4), [9, 4], [2, 3, 4, 8], 2.3, 0.5),
]
_VOLUME = [Invocation(T(1, 2, 5, 7, 3), [5, 7, 3], [1, 2, 3, 4, 5])]
decomposition_family(nearest1d, "aten::upsample_nearest1d_backward", ok=_LINE, is_exact=0)
decomposition_family(nearest1d, "aten::_upsample_nearest_exact1d_backward", ok=_LINE, is_exact=1)
decomposition_family(nearest2d, "aten::upsample_nearest2d_backward", ok=_IMAGE, is_exact=0)
decomposition_family(nearest2d, "aten::_upsample_nearest_exact2d_backward", ok=_IMAGE, is_exact=1)
decomposition_family(nearest3d, "aten::upsample_nearest3d_backward", ok=_VOLUME, is_exact=0)
decomposition_family(nearest3d, "aten::_upsample_nearest_exact3d_backward", ok=_VOLUME, is_exact=1)


def _linear(
    grad_output: torch.Tensor,
    input_size: List[int],
    align_corners: bool,
    scales: List[Optional[float]],
) -> torch.Tensor:
    """Each gradient is added to both neighbours in each dimension."""
    dtype = computation_dtype(grad_output.dtype)
    found = in_dtype(grad_output, dtype)
    for index in range(len(scales)):
        dim = len(input_size) - 1 - index
        scale = scales[dim - 2]
        size, wanted = input_size[dim], grad_output.size(dim)
        places, weights = linear_places(size, wanted, scale, align_corners, dtype)
        stacked = torch.stack(weights, 1)
        # Centers up to half a place before the first one are moved to it, so the second is nearer.
        reach = 1.0 if align_corners else 1.25
        most = most_windows(size, wanted, scale, align_corners, reach)
        found = added_by_places(found, dim, torch.stack(places, 1), stacked, size, most)
    return in_dtype(found, grad_output.dtype)


@decomposition(
    "aten::upsample_linear1d_backward",
    ok=[
        Invocation(T(2, 3, 7), [7], [2, 3, 4], True),
        Invocation(T(2, 3, 1), [1], [2, 3, 4], True),
        Invocation(T(2, 3, 4), [4], [2, 3, 4], False, 1.1),
        Invocation(T(2, 3, 5), [5], [2, 3, 4], False, 1.4),
        Invocation(T(2, 3, 61), [61], [2, 3, 4], False),
    ],
)
def upsample_linear1d_backward(
    grad_output: torch.Tensor,
    output_size: List[int],
    input_size: List[int],
    align_corners: bool,
    scales: Optional[float] = None,
) -> torch.Tensor:
    """Each gradient is added to both neighbours."""
    factors: List[Optional[float]] = [scales]
    return _linear(grad_output, input_size, align_corners, factors)


_ALIGNED = [
    Invocation(T(2, 3, 7, 3), [7, 3], [2, 3, 4, 5], True),
    Invocation(T(2, 3, 7, 3), [7, 3], [2, 3, 4, 5], False),
    Invocation(T(2, 3, 4, 3), [4, 3], [2, 3, 4, 5], False, 1.1, 0.6),
    Invocation(T(2, 3, 1, 12), [1, 12], [2, 3, 4, 5], True),
]


@decomposition("aten::upsample_bilinear2d_backward", ok=_ALIGNED)
def upsample_bilinear2d_backward(
    grad_output: torch.Tensor,
    output_size: List[int],
    input_size: List[int],
    align_corners: bool,
    scales_h: Optional[float] = None,
    scales_w: Optional[float] = None,
) -> torch.Tensor:
    """Each gradient is added to its four neighbours."""
    factors: List[Optional[float]] = [scales_h, scales_w]
    return _linear(grad_output, input_size, align_corners, factors)


@decomposition(
    "aten::upsample_trilinear3d_backward",
    ok=[Invocation(T(1, 2, 5, 7, 3), [5, 7, 3], [1, 2, 3, 4, 5], False)],
)
def upsample_trilinear3d_backward(
    grad_output: torch.Tensor,
    output_size: List[int],
    input_size: List[int],
    align_corners: bool,
    scales_d: Optional[float] = None,
    scales_h: Optional[float] = None,
    scales_w: Optional[float] = None,
) -> torch.Tensor:
    """Each gradient is added to its eight neighbours."""
    factors: List[Optional[float]] = [scales_d, scales_h, scales_w]
    return _linear(grad_output, input_size, align_corners, factors)


@decomposition("aten::upsample_bicubic2d_backward", ok=_ALIGNED)
def upsample_bicubic2d_backward(
    grad_output: torch.Tensor,
    output_size: List[int],
    input_size: List[int],
    align_corners: bool,
    scales_h: Optional[float] = None,
    scales_w: Optional[float] = None,
) -> torch.Tensor:
    """Each gradient is added to its sixteen neighbours."""
    dtype = computation_dtype(grad_output.dtype)
    found = in_dtype(grad_output, dtype)
    for dim in [3, 2]:
        scale = scales_h if dim == 2 else scales_w
        size, wanted = input_size[dim], grad_output.size(dim)
        places, weights = cubic_places(size, wanted, scale, align_corners, dtype)
        stacked = torch.stack(weights, 1)
        most = most_windows(size, wanted, scale, align_corners, 2.0)
        found = added_by_places(found, dim, torch.stack(places, 1), stacked, size, most)
    return in_dtype(found, grad_output.dtype)


def antialiased(
    self: torch.Tensor,
    output_size: List[int],
    align_corners: bool,
    scales_h: Optional[float],
    scales_w: Optional[float],
    radius: int,
) -> torch.Tensor:
    """Weighted means of rows, then of columns."""
    dtype = computation_dtype(self.dtype)
    assert self.dtype != torch.uint8, "bytes are interpolated in fixed point"
    found = in_dtype(self, dtype)
    for dim in [3, 2]:
        scale = scales_h if dim == 2 else scales_w
        size, wanted = self.size(dim), output_size[dim - 2]
        places, weights, is_inside = averaged_places(
            size, wanted, scale, align_corners, radius, dtype
        )
        found = sums_of_windows(found, dim, places, weights, is_inside)
    return in_dtype(found, self.dtype)


def antialiased_gradient(
    grad_output: torch.Tensor,
    output_size: List[int],
    input_size: List[int],
    align_corners: bool,
    scales_h: Optional[float],
    scales_w: Optional[float],
    radius: int,
) -> torch.Tensor:
    """Each gradient is added to the elements of its mean."""
    dtype = computation_dtype(grad_output.dtype)
    found = in_dtype(grad_output, dtype)
    for dim in [3, 2]:
        scale = scales_h if dim == 2 else scales_w
        size, wanted = input_size[dim], grad_output.size(dim)
        places, weights, is_inside = averaged_places(
            size, wanted, scale, align_corners, radius, dtype
        )
        found = added_to_windows(found, dim, places, weights, is_inside, size)
    return in_dtype(found, grad_output.dtype)


_SMALLER = [
    Invocation(T(1, 2, 9, 8), [3, 5], False),
    Invocation(T(1, 2, 9, 8), [2, 12], True),
    Invocation(T(1, 2, 9, 8), [1, 1], True),
    Invocation(T(1, 2, 9, 8), [4, 18], False, 0.51, 2.3),
]
_SMALLER_GRADIENTS = [
    Invocation(T(1, 2, 3, 5), [3, 5], [1, 2, 9, 8], False),
    Invocation(T(1, 2, 2, 12), [2, 12], [1, 2, 9, 8], True),
    Invocation(T(1, 2, 4, 18), [4, 18], [1, 2, 9, 8], False, 0.51, 2.3),
]
decomposition_family(antialiased, "aten::_upsample_bilinear2d_aa", ok=_SMALLER, radius=1)
decomposition_family(antialiased, "aten::_upsample_bicubic2d_aa", ok=_SMALLER, radius=2)
decomposition_family(
    antialiased_gradient,
    "aten::_upsample_bilinear2d_aa_backward",
    ok=_SMALLER_GRADIENTS,
    radius=1,
)
decomposition_family(
    antialiased_gradient,
    "aten::_upsample_bicubic2d_aa_backward",
    ok=_SMALLER_GRADIENTS,
    radius=2,
)
