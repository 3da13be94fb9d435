"""Images read at the coordinates of a grid, and their gradients."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.families.decompositions.networks.sampled_images import (
    WAYS,
    sampled_images,
    shape_of_samples,
)
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.grid_places import (
    added_at,
    image_of,
    in_pixels,
    padded,
    pixels_per_unit,
    place_in_image,
    read_at,
)
from torch_refine.abstract_interp_lib.rules.formulas.windows_of_dims import cubic_weights


def _coordinates(grid: torch.Tensor, sizes: List[int], align_corners: bool) -> List[torch.Tensor]:
    """The coordinates in each dimension, in elements; the last dimension is the first of a grid."""
    rank = len(sizes)
    count = 1
    for dim in range(rank):
        count *= grid.size(dim + 1)
    found: List[torch.Tensor] = []
    for dim in range(rank):
        place = torch.reshape(torch.select(grid, rank + 1, rank - 1 - dim), [grid.size(0), count])
        found.append(in_pixels(place, sizes[dim], align_corners))
    return found


def _sizes_of(input: torch.Tensor) -> List[int]:
    sizes: List[int] = []
    for dim in range(input.dim() - 2):
        sizes.append(input.size(dim + 2))
    return sizes


def _moved(
    places: List[torch.Tensor], sizes: List[int], padding_mode: int, align_corners: bool
) -> Tuple[List[torch.Tensor], List[torch.Tensor]]:
    moved: List[torch.Tensor] = []
    slopes: List[torch.Tensor] = []
    for dim in range(len(sizes)):
        place, slope = padded(places[dim], sizes[dim], padding_mode, align_corners)
        moved.append(place)
        slopes.append(slope)
    return moved, slopes


def _rounded(places: List[torch.Tensor]) -> List[torch.Tensor]:
    found: List[torch.Tensor] = []
    for place in places:
        found.append(torch.round(place))
    return found


def _corner(number: int, dim: int, rank: int) -> int:
    """Whether a corner is behind its coordinate in a dimension: 1, or 0 before it."""
    for _ in range(rank - 1 - dim):
        number = number // 2
    return number % 2


def _near(places: List[torch.Tensor], number: int) -> Tuple[List[torch.Tensor], List[torch.Tensor]]:
    """A corner around coordinates, and how near they are to it in each dimension."""
    corner: List[torch.Tensor] = []
    weights: List[torch.Tensor] = []
    for dim in range(len(places)):
        low = torch.floor(places[dim])
        high = torch.add(low, 1)
        if _corner(number, dim, len(places)) == 1:
            corner.append(high)
            weights.append(torch.sub(places[dim], low))
        else:
            corner.append(low)
            weights.append(torch.sub(high, places[dim]))
    return corner, weights


def _product(weights: List[torch.Tensor], without: int) -> torch.Tensor:
    """The product of weights, except that of a dimension."""
    found = torch.ones_like(weights[0])
    for dim in range(len(weights)):
        if dim != without:
            found = torch.mul(found, weights[dim])
    return found


def sampled_volumes(
    input: torch.Tensor,
    grid: torch.Tensor,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> torch.Tensor:
    """The nearest element of a volume, or the weighted mean of the eight around."""
    wide = computation_dtype(input.dtype)
    sizes = _sizes_of(input)
    image = in_dtype(image_of(input), wide)
    places = _coordinates(in_dtype(grid, wide), sizes, align_corners)
    places = _moved(places, sizes, padding_mode, align_corners)[0]
    if interpolation_mode == 1:
        inside, place = place_in_image(_rounded(places), sizes)
        found = read_at(image, inside, place)
    else:
        assert interpolation_mode == 0, "PyTorch rejects others"
        found = torch.zeros([1], dtype=wide)
        for number in range(8):
            corner, weights = _near(places, number)
            inside, place = place_in_image(corner, sizes)
            weight = torch.unsqueeze(_product(weights, -1), 1)
            part = torch.mul(read_at(image, inside, place), weight)
            # An element outside has no part, whatever its weight is.
            part = torch.where(torch.unsqueeze(inside, 1), part, torch.zeros_like(part))
            found = torch.add(found, part)
    return torch.reshape(in_dtype(found, input.dtype), shape_of_samples(input, grid))


def sampled(
    input: torch.Tensor,
    grid: torch.Tensor,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> torch.Tensor:
    """Images or volumes, read at the coordinates of a grid."""
    if input.dim() == 4:
        return sampled_images(input, grid, interpolation_mode, padding_mode, align_corners)
    return sampled_volumes(input, grid, interpolation_mode, padding_mode, align_corners)


decomposition_family(
    sampled_volumes,
    "aten::grid_sampler_3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), T(2, 2, 3, 4, 3), mode, padding, align)
        for mode, padding, align in WAYS
        if mode < 2
    ],
)
decomposition_family(
    sampled,
    "aten::grid_sampler",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), T(2, 2, 3, 4, 3), 0, 1, False),
        Invocation(T(2, 3, 5, 6), T(2, 3, 4, 2), 2, 2, True),
    ],
)


def grid_sampler_gradient(
    grad_output: torch.Tensor,
    input: torch.Tensor,
    grid: torch.Tensor,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The gradients of the image, and of the grid."""
    rank = input.dim() - 2
    sizes = _sizes_of(input)
    dtype = input.dtype
    assert dtype == torch.float32 or dtype == torch.float64, "of single or double precision"
    # PyTorch's kernels leave the gradients as they are in memory.
    assert interpolation_mode >= 0 and interpolation_mode <= 2, "a known interpolation_mode"
    assert padding_mode >= 0 and padding_mode <= 2, "a known padding_mode"
    image = image_of(input)
    given = image_of(grad_output)
    count = given.size(2)
    added = torch.zeros_like(image)
    pulls: List[torch.Tensor] = []
    for _ in range(rank):
        pulls.append(torch.zeros([input.size(0), count], dtype=dtype))
    places = _coordinates(grid, sizes, align_corners)
    if interpolation_mode == 2:
        assert rank == 2, "PyTorch rejects others"
        lows: List[torch.Tensor] = [torch.floor(places[0]), torch.floor(places[1])]
        rows = cubic_weights(torch.sub(places[0], lows[0]), -0.75)
        columns = cubic_weights(torch.sub(places[1], lows[1]), -0.75)
        row_slopes = _cubic_slopes(torch.sub(places[0], lows[0]))
        column_slopes = _cubic_slopes(torch.sub(places[1], lows[1]))
        for row in range(4):
            for column in range(4):
                corner: List[torch.Tensor] = [
                    torch.add(lows[0], row - 1),
                    torch.add(lows[1], column - 1),
                ]
                corner = _moved(corner, sizes, padding_mode, align_corners)[0]
                inside, place = place_in_image(corner, sizes)
                weight = torch.unsqueeze(torch.mul(rows[row], columns[column]), 1)
                added = added_at(added, torch.mul(given, weight), inside, place)
                read = torch.sum(torch.mul(read_at(image, inside, place), given), [1])
                pull = torch.mul(read, torch.mul(row_slopes[row], columns[column]))
                pulls[0] = torch.add(pulls[0], pull)
                pull = torch.mul(read, torch.mul(rows[row], column_slopes[column]))
                pulls[1] = torch.add(pulls[1], pull)
    else:
        moved, slopes = _moved(places, sizes, padding_mode, align_corners)
        if interpolation_mode == 1:
            inside, place = place_in_image(_rounded(moved), sizes)
            added = added_at(added, given, inside, place)
        else:
            for number in range(4 if rank == 2 else 8):
                corner, weights = _near(moved, number)
                inside, place = place_in_image(corner, sizes)
                weight = torch.unsqueeze(_product(weights, -1), 1)
                added = added_at(added, torch.mul(given, weight), inside, place)
                read = torch.sum(torch.mul(read_at(image, inside, place), given), [1])
                for dim in range(rank):
                    pull = torch.mul(read, _product(weights, dim))
                    pull = torch.where(inside, pull, torch.zeros_like(pull))
                    if _corner(number, dim, rank) == 1:
                        pulls[dim] = torch.add(pulls[dim], pull)
                    else:
                        pulls[dim] = torch.sub(pulls[dim], pull)
            for dim in range(rank):
                pulls[dim] = torch.mul(pulls[dim], slopes[dim])
    backwards: List[torch.Tensor] = []
    for index in range(rank):
        dim = rank - 1 - index
        scale = pixels_per_unit(sizes[dim], align_corners, dtype)
        backwards.append(torch.mul(pulls[dim], scale))
    shape: List[int] = []
    for dim in range(grid.dim()):
        shape.append(grid.size(dim))
    pulled = torch.reshape(torch.stack(backwards, 2), shape)
    return torch.reshape(added, input.size()), pulled


def _cubic_slopes(t: torch.Tensor) -> List[torch.Tensor]:
    """The derivatives of `cubic_weights`."""
    a = -0.75
    found: List[torch.Tensor] = []
    for place in range(4):
        x = torch.add(t, 1 - place) if place < 2 else torch.rsub(t, place - 1)
        if place == 1 or place == 2:
            slope = torch.sub(torch.mul(x, 3.0 * (a + 2.0)), 2.0 * (a + 3.0))
            slope = torch.mul(slope, x)
        else:
            slope = torch.sub(torch.mul(x, 3.0 * a), 10.0 * a)
            slope = torch.add(torch.mul(slope, x), 8.0 * a)
        found.append(slope if place < 2 else torch.neg(slope))
    return found


decomposition_family(
    grid_sampler_gradient,
    "aten::grid_sampler_2d_backward",
    ok=[
        Invocation(
            T(2, 3, 3, 4, dtype=torch.float64),
            T(2, 3, 5, 6, dtype=torch.float64),
            T(2, 3, 4, 2, dtype=torch.float64),
            *(mode, padding, align, [True, True]),
        )
        for mode, padding, align in WAYS
    ],
)
decomposition_family(
    grid_sampler_gradient,
    "aten::grid_sampler_3d_backward",
    ok=[
        Invocation(
            *(T(2, 3, 2, 3, 4), T(2, 3, 4, 5, 6), T(2, 2, 3, 4, 3)),
            *(mode, padding, align, [True, True]),
        )
        for mode, padding, align in WAYS
        if mode < 2
    ],
)
