"""Images read at the coordinates of a grid, rounded as PyTorch's kernel rounds.

Its vectorized kernel computes coordinates and weights in the input's dtype, step by step, also in
half precision, where one other rounding names another element. The order of steps here is its
order (`GridSamplerKernel.cpp`).
"""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.rules.formulas.grid_places import (
    image_of,
    place_in_image,
    read_at,
)
from torch_refine.abstract_interp_lib.rules.formulas.windows_of_dims import cubic_weights

# Interpolations and paddings, with each way to align corners, and the other for reflections.
WAYS = [
    *[(mode, padding, (mode + padding) % 2 == 0) for mode in (0, 1, 2) for padding in (0, 1, 2)],
    (0, 2, False),
    (2, 2, False),
]


def shape_of_samples(input: torch.Tensor, grid: torch.Tensor) -> List[int]:
    """The sizes of what is read: those of the grid, for each image and channel."""
    shape: List[int] = [input.size(0), input.size(1)]
    for dim in range(input.dim() - 2):
        shape.append(grid.size(dim + 1))
    return shape


def _place(grid: torch.Tensor, last: int, size: int, align_corners: bool) -> torch.Tensor:
    """One of a grid's coordinates, in elements."""
    places = torch.reshape(torch.select(grid, 3, last), [grid.size(0), grid.size(1) * grid.size(2)])
    length = torch.full([1], size - 1 if align_corners else size, dtype=grid.dtype)
    place = torch.mul(torch.add(places, 1), torch.div(length, 2))
    return place if align_corners else torch.sub(place, 0.5)


def _reflected(place: torch.Tensor, size: int, align_corners: bool) -> torch.Tensor:
    """Coordinates reflected at the first and the last element, or at their outer borders."""
    low = 0.0 if align_corners else -0.5
    length = size - 1 if align_corners else size
    there_and_back = torch.full([1], 2 * length, dtype=place.dtype)
    away = torch.abs(torch.sub(place, low))
    times = torch.trunc(torch.div(away, there_and_back))
    rest = torch.sub(away, torch.mul(times, there_and_back))
    found = torch.add(torch.minimum(rest, torch.sub(there_and_back, rest)), low)
    # An image of one element is all border.
    return torch.where(torch.le(there_and_back, 0), torch.zeros_like(found), found)


def _padded(place: torch.Tensor, size: int, padding_mode: int, align_corners: bool) -> torch.Tensor:
    """Coordinates moved into an image, unless it is padded with zeros; 0 for NaN."""
    assert padding_mode >= 0 and padding_mode <= 2, "the mode of padding is 0, 1 or 2"
    if padding_mode == 0:
        return place
    if padding_mode == 2:
        place = _reflected(place, size, align_corners)
    first = torch.zeros_like(place)
    last = torch.full([1], size - 1, dtype=place.dtype)
    inside = torch.minimum(torch.maximum(place, first), last)
    return torch.where(torch.isnan(place), first, inside)


def _read(
    image: torch.Tensor, row: torch.Tensor, column: torch.Tensor, sizes: List[int]
) -> torch.Tensor:
    """The elements at whole coordinates; those outside the image are 0."""
    inside, place = place_in_image([row, column], sizes)
    return read_at(image, inside, place)


def _weighted(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The elements of all channels, with the weights of their places."""
    return torch.mul(values, torch.unsqueeze(weights, 1))


def _linear(
    image: torch.Tensor, row: torch.Tensor, column: torch.Tensor, sizes: List[int]
) -> torch.Tensor:
    """The weighted sum of the four elements around coordinates."""
    above, before = torch.floor(row), torch.floor(column)
    down, right = torch.sub(row, above), torch.sub(column, before)
    up, left = torch.rsub(down, 1), torch.rsub(right, 1)
    below, after = torch.add(above, 1), torch.add(before, 1)
    found = _weighted(_read(image, above, before, sizes), torch.mul(left, up))
    part = _weighted(_read(image, above, after, sizes), torch.mul(right, up))
    found = torch.add(found, part)
    part = _weighted(_read(image, below, before, sizes), torch.mul(left, down))
    found = torch.add(found, part)
    part = _weighted(_read(image, below, after, sizes), torch.mul(right, down))
    return torch.add(found, part)


def _cubic(
    image: torch.Tensor,
    row: torch.Tensor,
    column: torch.Tensor,
    sizes: List[int],
    padding_mode: int,
    align_corners: bool,
) -> torch.Tensor:
    """The weighted sum of the sixteen elements around coordinates."""
    above, before = torch.floor(row), torch.floor(column)
    of_rows = cubic_weights(torch.sub(row, above), -0.75)
    of_columns = cubic_weights(torch.sub(column, before), -0.75)
    found = torch.zeros([1], dtype=image.dtype)
    for down in range(4):
        y = _padded(torch.add(above, down - 1), sizes[0], padding_mode, align_corners)
        line = torch.zeros([1], dtype=image.dtype)
        for right in range(4):
            x = _padded(torch.add(before, right - 1), sizes[1], padding_mode, align_corners)
            part = _weighted(_read(image, y, x, sizes), of_columns[right])
            line = torch.add(line, part)
        found = torch.add(found, _weighted(line, of_rows[down]))
    return found


def sampled_images(
    input: torch.Tensor,
    grid: torch.Tensor,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> torch.Tensor:
    """The nearest element of an image, or the weighted mean of the four or sixteen around."""
    sizes: List[int] = [input.size(2), input.size(3)]
    image = image_of(input)
    row = _place(grid, 1, sizes[0], align_corners)
    column = _place(grid, 0, sizes[1], align_corners)
    if interpolation_mode == 2:
        found = _cubic(image, row, column, sizes, padding_mode, align_corners)
    else:
        row = _padded(row, sizes[0], padding_mode, align_corners)
        column = _padded(column, sizes[1], padding_mode, align_corners)
        if interpolation_mode == 1:
            found = _read(image, torch.round(row), torch.round(column), sizes)
        else:
            assert interpolation_mode == 0, "PyTorch rejects others"
            found = _linear(image, row, column, sizes)
    return torch.reshape(found, shape_of_samples(input, grid))


decomposition_family(
    sampled_images,
    "aten::grid_sampler_2d",
    ok=[
        Invocation(T(2, 3, 5, 6), T(2, 3, 4, 2), mode, padding, align)
        for mode, padding, align in WAYS
    ],
)
