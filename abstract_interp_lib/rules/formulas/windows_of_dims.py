"""Elements of a dimension, read from windows or added to them.

A window is a row of `places` in the dimension, each with a weight: one row per element of the
other side.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def _aligned(window: torch.Tensor, rank: int, dim: int) -> torch.Tensor:
    """A matrix of windows, as two dimensions of a tensor."""
    shape: List[int] = []
    for place in range(rank):
        if place == dim:
            shape.append(window.size(0))
            shape.append(window.size(1))
        else:
            shape.append(1)
    return torch.reshape(window, shape)


def added_to_windows(
    self: torch.Tensor,
    dim: int,
    places: torch.Tensor,
    weights: Optional[torch.Tensor],
    is_inside: Optional[torch.Tensor],
    size: int,
) -> torch.Tensor:
    """Each element times the weights, added at the places, in a dimension of another size."""
    rank = self.dim()
    values = torch.unsqueeze(self, dim + 1)
    wide: List[int] = []
    flat: List[int] = []
    for place in range(rank):
        wide.append(self.size(place))
        if place == dim:
            wide.append(places.size(1))
            flat.append(places.size(0) * places.size(1))
        else:
            flat.append(self.size(place))
    if weights is not None:
        values = torch.mul(values, _aligned(weights, rank, dim))
    values = values.expand(wide)
    if is_inside is not None:
        zeros = torch.zeros([1], dtype=self.dtype)
        values = torch.where(_aligned(is_inside, rank, dim), values, zeros)
    # As rows, which are added whole.
    rows = torch.transpose(torch.reshape(values, flat), 0, dim)
    sizes: List[int] = []
    width = 1
    for place in range(rank):
        sizes.append(rows.size(place))
        if place > 0:
            width = width * rows.size(place)
    sizes[0] = size
    zeros = torch.zeros([size, width], dtype=self.dtype)
    index = torch.reshape(in_dtype(places, torch.int64), [flat[dim]])
    found = torch.index_add(zeros, 0, index, torch.reshape(rows, [flat[dim], width]))
    return torch.transpose(torch.reshape(found, sizes), 0, dim)


def sums_of_windows(
    self: torch.Tensor,
    dim: int,
    places: torch.Tensor,
    weights: torch.Tensor,
    is_inside: torch.Tensor,
) -> torch.Tensor:
    """The weighted sums of the elements at the places."""
    rank = self.dim()
    count = places.size(0) * places.size(1)
    read = torch.index_select(self, dim, torch.reshape(places, [count]))
    wide: List[int] = []
    for place in range(rank):
        if place == dim:
            wide.append(places.size(0))
            wide.append(places.size(1))
        else:
            wide.append(self.size(place))
    products = torch.mul(torch.reshape(read, wide), _aligned(weights, rank, dim))
    zeros = torch.zeros([1], dtype=self.dtype)
    products = torch.where(_aligned(is_inside, rank, dim), products, zeros)
    return torch.sum(products, [dim + 1])


def _ceiling(value: float) -> int:
    whole = int(value)
    return whole + 1 if value > float(whole) else whole


def most_windows(
    size: int, wanted: int, scale: Optional[float], align_corners: bool, reach: float
) -> int:
    """A bound of the windows that have a place, where each reaches so far from its center.

    0 if there is none: sizes are unknown, or a scale leaves many centers behind the last place.
    Windows there have the last place.
    """
    if not (is_known(size) and is_known(wanted)) or size == 0 or wanted == 0:
        return 0
    step = float(size) / float(wanted)
    width = 2.0 * reach
    if align_corners:
        step = float(size - 1) / float(max(wanted - 1, 1))
    elif scale is not None and scale > 0.0:
        step = 1.0 / scale
        behind = step * float(wanted) - float(size)
        if behind > 0.5:
            return 0
        width += max(behind, 0.0)
    if step * float(wanted) <= width:
        return wanted
    return min(wanted, _ceiling(width / step) + 2)


def _windows_behind(ends: torch.Tensor, size: int, most: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """For each place, so many windows from the first that ends behind it, and which of them exist.

    `ends` is in order.
    """
    count = ends.size(0)
    each = torch.unsqueeze(torch.arange(size, dtype=torch.int64), 1)
    is_before = torch.le(torch.unsqueeze(ends, 0), each)
    first = torch.sum(in_dtype(is_before, torch.int64), [1], True)
    windows = torch.add(first, torch.arange(most, dtype=torch.int64))
    return torch.clamp(windows, 0, count - 1), torch.lt(windows, count)


def added_by_places(
    self: torch.Tensor,
    dim: int,
    places: torch.Tensor,
    weights: Optional[torch.Tensor],
    size: int,
    most: int,
) -> torch.Tensor:
    """`added_to_windows`, as sums for each place of the windows that have it.

    No place is in more than `most` windows; their last places are in order. Scatters if that is 0.
    """
    if most == 0:
        return added_to_windows(self, dim, places, weights, None, size)
    windows, is_window = _windows_behind(torch.add(torch.amax(places, [1]), 1), size, most)
    # What is at each place of a window is added on its own, also what is infinite, with a weight of
    # 0; where the place is another one, it is not multiplied.
    width = places.size(1)
    shape: List[int] = [size, most, width]
    whole: List[int] = [size, most * width]
    flat = torch.reshape(windows, [size * most])
    read = torch.reshape(torch.index_select(places, 0, flat), shape)
    each = torch.reshape(torch.arange(size, dtype=torch.int64), [size, 1, 1])
    is_added = torch.logical_and(torch.unsqueeze(is_window, 2), torch.eq(read, each))
    read_from = torch.unsqueeze(windows, 2).expand(shape)
    given = torch.ones(whole, dtype=self.dtype)
    if weights is not None:
        given = torch.reshape(torch.index_select(weights, 0, flat), whole)
    return sums_of_windows(
        self, dim, torch.reshape(read_from, whole), given, torch.reshape(is_added, whole)
    )


def added_to_ranges(
    self: torch.Tensor, dim: int, starts: torch.Tensor, ends: torch.Tensor, size: int, most: int
) -> torch.Tensor:
    """Each element, added to a range of places of a dimension of another size.

    Ranges are in order; no place is in more than `most` of them.
    """
    ranges, is_range = _windows_behind(ends, size, most)
    flat = torch.reshape(ranges, [size * most])
    start = torch.reshape(torch.index_select(starts, 0, flat), [size, most])
    each = torch.unsqueeze(torch.arange(size, dtype=torch.int64), 1)
    is_added = torch.logical_and(is_range, torch.le(start, each))
    weights = torch.ones([size, most], dtype=self.dtype)
    return sums_of_windows(self, dim, ranges, weights, is_added)


def along_dim(values: torch.Tensor, rank: int, dim: int) -> torch.Tensor:
    """A vector, as a dimension of a tensor."""
    shape: List[int] = []
    for place in range(rank):
        shape.append(values.size(0) if place == dim else 1)
    return torch.reshape(values, shape)


def steps(count: int, dtype: int) -> torch.Tensor:
    """The numbers below `count`."""
    return in_dtype(torch.arange(count, dtype=torch.int64), dtype)


def source_step(
    size: int, wanted: int, scale: Optional[float], align_corners: bool, dtype: int
) -> torch.Tensor:
    """The distance in the input of neighbours in the output (`area_pixel_compute_scale`)."""
    if align_corners:
        return torch.div(torch.full([1], size - 1, dtype=dtype), max(wanted - 1, 1))
    if scale is not None and scale > 0.0:
        return torch.full([1], 1.0 / scale, dtype=dtype)
    return torch.div(torch.full([1], size, dtype=dtype), wanted)


def are_equal(size: int, wanted: int) -> torch.Tensor:
    """Whether two sizes are equal."""
    return torch.eq(torch.full([1], size, dtype=torch.int64), wanted)


def nearest_places(size: int, wanted: int, scale: Optional[float], is_exact: bool) -> torch.Tensor:
    """The place that each element of the output is nearest to, which is computed in float32."""
    dtype = torch.float32
    step = source_step(size, wanted, scale, False, dtype)
    if scale is not None and not is_exact:
        # The kernels do not look at the scale for equal and for doubled sizes.
        is_double = are_equal(2 * size, wanted)
        step = torch.where(is_double, torch.full_like(step, 0.5), step)
        step = torch.where(are_equal(size, wanted), torch.ones_like(step), step)
    each = steps(wanted, dtype)
    each = torch.add(each, 0.5) if is_exact else each
    found = in_dtype(torch.floor(torch.mul(each, step)), torch.int64)
    return torch.unsqueeze(torch.clamp_max(found, size - 1), 1)


def linear_places(
    size: int, wanted: int, scale: Optional[float], align_corners: bool, dtype: int
) -> Tuple[List[torch.Tensor], List[torch.Tensor]]:
    """The place before each element of the output, and that behind it, with their weights."""
    step = source_step(size, wanted, scale, align_corners, dtype)
    each = steps(wanted, dtype)
    if align_corners:
        place = torch.mul(each, step)
    else:
        place = torch.clamp_min(torch.sub(torch.mul(torch.add(each, 0.5), step), 0.5), 0)
    is_same = torch.zeros([], dtype=torch.bool)
    if is_known(size) and is_known(wanted):
        place = each if size == wanted else place
    else:
        is_same = are_equal(size, wanted)
        place = torch.where(is_same, each, place)
    # Bounds are stated on both sides, so that none is checked.
    low = torch.clamp(in_dtype(place, torch.int64), 0, size - 1)
    above = torch.clamp(torch.sub(place, in_dtype(low, dtype)), 0, 1)
    # Where sizes are equal, no other element is read.
    high = torch.clamp(torch.add(low, 1), 0, size - 1)
    if is_known(size) and is_known(wanted):
        high = low if size == wanted else high
    else:
        high = torch.where(is_same, low, high)
    return [low, high], [torch.rsub(above, 1), above]


def cubic_weights(t: torch.Tensor, a: float) -> List[torch.Tensor]:
    """The weights of the four places around a fraction, by a cubic convolution."""
    found: List[torch.Tensor] = []
    for place in range(4):
        x = torch.add(t, 1 - place) if place < 2 else torch.rsub(t, place - 1)
        if place == 1 or place == 2:
            inner = torch.sub(torch.mul(x, a + 2.0), a + 3.0)
            found.append(torch.add(torch.mul(torch.mul(inner, x), x), 1))
        else:
            outer = torch.add(torch.mul(torch.sub(torch.mul(x, a), 5.0 * a), x), 8.0 * a)
            found.append(torch.sub(torch.mul(outer, x), 4.0 * a))
    return found


def cubic_places(
    size: int, wanted: int, scale: Optional[float], align_corners: bool, dtype: int
) -> Tuple[List[torch.Tensor], List[torch.Tensor]]:
    """The four places around each element of the output, from the first on, and their weights."""
    step = source_step(size, wanted, scale, align_corners, dtype)
    each = steps(wanted, dtype)
    if align_corners:
        place = torch.mul(each, step)
    else:
        place = torch.sub(torch.mul(torch.add(each, 0.5), step), 0.5)
    low = torch.floor(place)
    weights = cubic_weights(torch.sub(place, low), -0.75)
    first = in_dtype(low, torch.int64)
    places: List[torch.Tensor] = []
    for index in range(4):
        places.append(torch.clamp(torch.add(first, index - 1), 0, size - 1))
    return places, weights


def averaged_places(
    size: int,
    wanted: int,
    scale: Optional[float],
    align_corners: bool,
    radius: int,
    dtype: int,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The places that are averaged for each element of the output, weights, and which are real.

    With a radius of 1, the weights are a triangle, else a cubic convolution; both are widened where
    the output is smaller (`_compute_indices_min_size_weights_aa`).
    """
    step = source_step(size, wanted, scale, align_corners, dtype)
    # A bound of the places of an element: twice the radius, widened.
    if align_corners:
        below = max(wanted - 1, 1)
        reach = (radius * max(size - 1, below) + below - 1) // below
    elif scale is not None and scale > 0.0:
        reach = _ceiling(float(radius) * max(1.0 / scale, 1.0))
    else:
        reach = (radius * max(size, wanted) + wanted - 1) // max(wanted, 1)
    wide = torch.clamp_min(step, 1)
    if align_corners:
        # A single element has no neighbour.
        one = torch.eq(torch.full([1], wanted, dtype=torch.int64), 1)
        step = torch.where(one, torch.zeros_like(step), step)
        wide = torch.clamp_min(step, 1)
    support = torch.mul(wide, radius)
    center = torch.mul(torch.add(steps(wanted, dtype), 0.5), step)
    first = torch.clamp_min(torch.add(torch.sub(center, support), 0.5), 0)
    first = torch.unsqueeze(in_dtype(first, torch.int64), 1)
    behind = in_dtype(torch.add(torch.add(center, support), 0.5), torch.int64)
    behind = torch.unsqueeze(torch.clamp_max(behind, size), 1)
    places = torch.add(first, torch.arange(2 * reach + 1, dtype=torch.int64))
    is_inside = torch.lt(places, behind)
    away = torch.sub(in_dtype(places, dtype), torch.unsqueeze(center, 1))
    away = torch.abs(torch.div(torch.add(away, 0.5), wide))
    if radius == 1:
        weights = torch.clamp_min(torch.rsub(away, 1), 0)
    else:
        near = torch.mul(torch.mul(torch.sub(torch.mul(away, 1.5), 2.5), away), away)
        far = torch.sub(torch.mul(torch.add(torch.mul(torch.sub(away, 5), away), 8), away), 4)
        weights = torch.where(torch.lt(away, 1), torch.add(near, 1), torch.mul(far, -0.5))
        weights = torch.where(torch.lt(away, 2), weights, torch.zeros_like(weights))
    weights = torch.where(is_inside, weights, torch.zeros_like(weights))
    weights = torch.div(weights, torch.sum(weights, [1], True))
    return torch.clamp_max(places, size - 1), weights, is_inside
