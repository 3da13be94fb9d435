"""Images resampled to other sizes: each dimension on its own, from the last."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.windows_of_dims import (
    along_dim,
    are_equal,
    cubic_places,
    linear_places,
    source_step,
    steps,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def step_of_image(
    step: torch.Tensor, size: int, sizes: List[int], place: int, scale: float
) -> torch.Tensor:
    """The kernel for small images goes by 1 and 1/2 to equal and doubled sizes, else by the scale.

    Which kernel computes large images depends on their strides.
    """
    wanted = sizes[place]
    for times in [1, 2]:
        if float(times) != scale:
            is_other = torch.logical_not(are_equal(size * times, wanted))
            is_small = torch.le(torch.full([1], sizes[0] + sizes[1], dtype=torch.int64), 128)
            if is_known(size) and is_known(wanted):
                is_kept = size * times != wanted or sizes[0] + sizes[1] <= 128
                assert is_kept, "the kernel depends on strides"
            else:
                is_kept = torch.logical_or(is_other, is_small)
                step = asserted(step, is_kept, "the kernel depends on strides")
            step = torch.where(is_other, step, torch.full_like(step, 1.0 / times))
    return step


def places_in_rows(size: int, wanted: int, step: torch.Tensor, is_exact: bool) -> torch.Tensor:
    """The element that each one is nearest to, rounded down in float32."""
    each = steps(wanted, step.dtype)
    each = torch.add(each, 0.5) if is_exact else each
    found = in_dtype(torch.floor(in_dtype(torch.mul(each, step), torch.float32)), torch.int64)
    return torch.clamp_max(found, size - 1)


def resampled_nearest(
    self: torch.Tensor, output_size: List[int], scales: List[Optional[float]], is_exact: bool
) -> torch.Tensor:
    """The elements that are nearest in each dimension."""
    assert not is_complex(self.dtype), "the kernels take real numbers"
    assert not is_integral(self.dtype) or self.dtype == torch.uint8, "the kernels take bytes"
    dtype = torch.float64 if self.dtype == torch.float64 else torch.float32
    found = self
    for index in range(len(scales)):
        place = len(scales) - 1 - index
        size, scale = self.size(place + 2), scales[place]
        step = source_step(size, output_size[place], scale, False, dtype)
        if scale is not None and scale > 0.0 and len(scales) == 2 and not is_exact:
            step = step_of_image(step, size, output_size, place, scale)
        places = places_in_rows(size, output_size[place], step, is_exact)
        found = torch.index_select(found, place + 2, places)
    return found


def nearest_of_row(
    self: torch.Tensor, output_size: List[int], scales: Optional[float], is_exact: int
) -> torch.Tensor:
    """The nearest elements of rows."""
    factors: List[Optional[float]] = [scales]
    return resampled_nearest(self, output_size, factors, is_exact == 1)


def nearest_of_image(
    self: torch.Tensor,
    output_size: List[int],
    scales_h: Optional[float],
    scales_w: Optional[float],
    is_exact: int,
) -> torch.Tensor:
    """The nearest elements of images."""
    factors: List[Optional[float]] = [scales_h, scales_w]
    return resampled_nearest(self, output_size, factors, is_exact == 1)


def nearest_of_volume(
    self: torch.Tensor,
    output_size: List[int],
    scales_d: Optional[float],
    scales_h: Optional[float],
    scales_w: Optional[float],
    is_exact: int,
) -> torch.Tensor:
    """The nearest elements of volumes."""
    factors: List[Optional[float]] = [scales_d, scales_h, scales_w]
    return resampled_nearest(self, output_size, factors, is_exact == 1)


_ROWS = [
    Invocation(T(2, 3, 4), [7]),
    Invocation(T(2, 3, 10), [3], 0.3),
    Invocation(T(2, 3, 4), [8], 2.1),
    Invocation(T(2, 3, 4), [4], 1.1),
]
_IMAGES = [
    Invocation(T(2, 3, 4, 5), [7, 3]),
    Invocation(T(2, 3, 4, 8), [9, 4], 2.3, 0.5),
]
_VOLUMES = [Invocation(T(1, 2, 3, 4, 5), [5, 7, 3])]
decomposition_family(nearest_of_row, "aten::upsample_nearest1d", ok=_ROWS, is_exact=0)
decomposition_family(nearest_of_row, "aten::_upsample_nearest_exact1d", ok=_ROWS, is_exact=1)
decomposition_family(nearest_of_image, "aten::upsample_nearest2d", ok=_IMAGES, is_exact=0)
decomposition_family(nearest_of_image, "aten::_upsample_nearest_exact2d", ok=_IMAGES, is_exact=1)
decomposition_family(nearest_of_volume, "aten::upsample_nearest3d", ok=_VOLUMES, is_exact=0)
decomposition_family(nearest_of_volume, "aten::_upsample_nearest_exact3d", ok=_VOLUMES, is_exact=1)


def weighted(
    self: torch.Tensor, dim: int, places: List[torch.Tensor], weights: List[torch.Tensor]
) -> torch.Tensor:
    """The weighted sums of the elements at places, which replace a dimension."""
    rank = self.dim()
    found = torch.zeros([], dtype=self.dtype)
    for index in range(len(places)):
        read = torch.index_select(self, dim, places[index])
        part = torch.mul(read, along_dim(weights[index], rank, dim))
        found = part if index == 0 else torch.add(found, part)
    return found


def cheapest_order(
    self: torch.Tensor, output_size: List[int], scales: List[Optional[float]]
) -> List[int]:
    """The dimensions in the order in which few elements are computed: first those that shrink.

    The innermost one, whose elements are gathered one by one, is the last of these, and the first
    of those that grow.
    """
    shrinking: List[int] = []
    growing: List[int] = []
    for place in range(len(scales)):
        size, wanted, scale = self.size(place + 2), output_size[place], scales[place]
        is_smaller = scale is not None and scale > 0.0 and scale < 1.0
        if is_known(size) and is_known(wanted):
            is_smaller = is_smaller or wanted < size
        if is_smaller:
            shrinking.append(place)
        else:
            growing.insert(0, place)
    return shrinking + growing


def check_floats(dtype: int) -> None:
    """Raise for what the kernels of interpolations reject, and for bytes."""
    assert not is_integral(dtype), "bytes are interpolated in fixed point"
    assert not is_complex(dtype), "the kernels take real numbers"


def resampled_linear(
    self: torch.Tensor, output_size: List[int], align_corners: bool, scales: List[Optional[float]]
) -> torch.Tensor:
    """The weighted sums of both neighbours in each dimension."""
    check_floats(self.dtype)
    dtype = computation_dtype(self.dtype)
    found = in_dtype(self, dtype)
    for place in cheapest_order(self, output_size, scales):
        size, wanted, scale = self.size(place + 2), output_size[place], scales[place]
        places, weights = linear_places(size, wanted, scale, align_corners, dtype)
        found = weighted(found, place + 2, places, weights)
    return in_dtype(found, self.dtype)


@decomposition(
    "aten::upsample_linear1d",
    ok=[
        Invocation(T(2, 3, 4), [7], True),
        Invocation(T(2, 3, 4), [1], True),
        Invocation(T(2, 3, 4), [5], False, 1.4),
    ],
)
def upsample_linear1d(
    self: torch.Tensor,
    output_size: List[int],
    align_corners: bool,
    scales: Optional[float] = None,
) -> torch.Tensor:
    """Rows, by both neighbours."""
    factors: List[Optional[float]] = [scales]
    return resampled_linear(self, output_size, align_corners, factors)


_ALIGNED_IMAGES = [
    Invocation(T(2, 3, 4, 5), [7, 3], True),
    Invocation(T(2, 3, 4, 5), [7, 3], False),
    Invocation(T(2, 3, 4, 5), [4, 3], False, 1.1, 0.6),
    Invocation(T(2, 3, 4, 5), [1, 12], True),
]


@decomposition("aten::upsample_bilinear2d", ok=_ALIGNED_IMAGES)
def upsample_bilinear2d(
    self: torch.Tensor,
    output_size: List[int],
    align_corners: bool,
    scales_h: Optional[float] = None,
    scales_w: Optional[float] = None,
) -> torch.Tensor:
    """Images, by four neighbours."""
    factors: List[Optional[float]] = [scales_h, scales_w]
    return resampled_linear(self, output_size, align_corners, factors)


@decomposition(
    "aten::upsample_trilinear3d",
    ok=[
        Invocation(T(1, 2, 3, 4, 5), [5, 7, 3], False),
        Invocation(T(1, 2, 3, 4, 5), [5, 1, 5], True),
    ],
)
def upsample_trilinear3d(
    self: torch.Tensor,
    output_size: List[int],
    align_corners: bool,
    scales_d: Optional[float] = None,
    scales_h: Optional[float] = None,
    scales_w: Optional[float] = None,
) -> torch.Tensor:
    """Volumes, by eight neighbours."""
    factors: List[Optional[float]] = [scales_d, scales_h, scales_w]
    return resampled_linear(self, output_size, align_corners, factors)


@decomposition("aten::upsample_bicubic2d", ok=_ALIGNED_IMAGES)
def upsample_bicubic2d(
    self: torch.Tensor,
    output_size: List[int],
    align_corners: bool,
    scales_h: Optional[float] = None,
    scales_w: Optional[float] = None,
) -> torch.Tensor:
    """Images, by sixteen neighbours."""
    check_floats(self.dtype)
    dtype = computation_dtype(self.dtype)
    found = in_dtype(self, dtype)
    for dim in [3, 2]:
        scale = scales_h if dim == 2 else scales_w
        size, wanted = self.size(dim), output_size[dim - 2]
        places, weights = cubic_places(size, wanted, scale, align_corners, dtype)
        found = weighted(found, dim, places, weights)
    return in_dtype(found, self.dtype)
