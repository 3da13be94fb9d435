"""Places in an image that the coordinates of a grid name, from -1 to 1."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype


def in_pixels(place: torch.Tensor, size: int, align_corners: bool) -> torch.Tensor:
    """Coordinates in elements."""
    if align_corners:
        return torch.mul(torch.div(torch.add(place, 1), 2), size - 1)
    return torch.div(torch.sub(torch.mul(torch.add(place, 1), size), 1), 2)


def pixels_per_unit(size: int, align_corners: bool, dtype: int) -> torch.Tensor:
    """The derivative of `in_pixels`."""
    return torch.div(torch.full([1], size - 1 if align_corners else size, dtype=dtype), 2)


def _clipped(
    place: torch.Tensor, slope: torch.Tensor, size: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    inside = torch.logical_and(torch.gt(place, 0), torch.lt(place, size - 1))
    slope = torch.where(inside, slope, torch.zeros_like(slope))
    last = torch.full([1], size - 1, dtype=place.dtype)
    # The kernels take the last element for NaN.
    found = torch.where(torch.isnan(place), last, torch.clamp(place, 0, size - 1))
    return found, slope


def _reflected(
    place: torch.Tensor, slope: torch.Tensor, low: int, span: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Coordinates reflected at half of `low` and a span behind it."""
    start = 0.5 * float(low)
    away = torch.sub(place, start)
    is_before = torch.lt(away, 0)
    away = torch.abs(away)
    times = torch.floor(torch.div(away, span))
    rest = torch.sub(away, torch.mul(times, span))
    is_even = torch.eq(torch.sub(times, torch.mul(torch.floor(torch.div(times, 2)), 2)), 0)
    place = torch.add(torch.where(is_even, rest, torch.sub(span, rest)), start)
    is_turned = torch.ne(is_before, torch.logical_not(is_even))
    return place, torch.where(is_turned, torch.neg(slope), slope)


def padded(
    place: torch.Tensor, size: int, padding_mode: int, align_corners: bool
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Coordinates moved into an image, unless it is padded with zeros, and their derivatives."""
    assert padding_mode >= 0 and padding_mode <= 2, "the mode of padding is 0, 1 or 2"
    slope = torch.ones_like(place)
    if padding_mode == 0:
        return place, slope
    if padding_mode == 1:
        return _clipped(place, slope, size)
    if align_corners:
        # An image of one element is all borders.
        length = torch.full([1], size - 1, dtype=place.dtype)
        span = torch.clamp_min(length, 1)
        reflected, slope = _reflected(place, slope, 0, span)
        is_one = torch.eq(length, 0)
        reflected = torch.where(is_one, torch.zeros_like(reflected), reflected)
        return _clipped(reflected, torch.where(is_one, torch.zeros_like(slope), slope), size)
    span = torch.full([1], size, dtype=place.dtype)
    reflected, slope = _reflected(place, slope, -1, span)
    return _clipped(reflected, slope, size)


def image_of(input: torch.Tensor) -> torch.Tensor:
    """Images with their elements in one dimension."""
    count = 1
    for dim in range(input.dim() - 2):
        count *= input.size(dim + 2)
    return torch.reshape(input, [input.size(0), input.size(1), count])


def place_in_image(
    places: List[torch.Tensor], sizes: List[int]
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Whether whole coordinates are in an image, and the place there; the first one if not.

    Coordinates are compared as floats, since others than small ones have no integer.
    """
    inside = torch.ones_like(places[0], dtype=torch.bool)
    for dim in range(len(sizes)):
        within = torch.logical_and(torch.ge(places[dim], 0), torch.lt(places[dim], sizes[dim]))
        inside = torch.logical_and(inside, within)
    found = torch.zeros_like(places[0], dtype=torch.int64)
    for dim in range(len(sizes)):
        known = torch.where(inside, places[dim], torch.zeros_like(places[dim]))
        found = torch.add(torch.mul(found, sizes[dim]), in_dtype(known, torch.int64))
    return inside, found


def over_channels(values: torch.Tensor, channels: int) -> torch.Tensor:
    """Values of places, for each channel."""
    shape = [values.size(0), channels, values.size(1)]
    return torch.unsqueeze(values, 1).expand(shape)


def read_at(image: torch.Tensor, inside: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
    """The elements at places, and zeros outside."""
    channels = image.size(1)
    found = torch.gather(image, 2, over_channels(place, channels))
    return torch.where(torch.unsqueeze(inside, 1), found, torch.zeros_like(found))


def added_at(
    image: torch.Tensor, values: torch.Tensor, inside: torch.Tensor, place: torch.Tensor
) -> torch.Tensor:
    """An image with values added at places inside of it."""
    added = torch.where(torch.unsqueeze(inside, 1), values, torch.zeros_like(values))
    return torch.scatter_add(image, 2, over_channels(place, image.size(1)), added)
