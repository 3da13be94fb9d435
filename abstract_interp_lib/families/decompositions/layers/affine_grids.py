"""Grids of coordinates from -1 to 1, transformed by matrices, and the gradient."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype


def coordinates(size: int, align_corners: bool, dtype: int) -> torch.Tensor:
    """The first and the last of them are at the borders, or half an element before."""
    each = in_dtype(torch.arange(size, dtype=torch.int64), dtype)
    last = max(size - 1, 1)
    found = torch.div(torch.sub(torch.mul(each, 2), size - 1), last)
    if align_corners:
        return found
    return torch.div(torch.mul(found, size - 1), size)


def base_grid(size: List[int], align_corners: bool, dtype: int) -> torch.Tensor:
    """A row of homogeneous coordinates for each place of an image, from the last dimension."""
    rank = len(size) - 2
    shape: List[int] = []
    count = 1
    for index in range(rank):
        shape.append(size[index + 2])
        count *= size[index + 2]
    columns: List[torch.Tensor] = []
    for index in range(rank):
        dim = rank - 1 - index
        aligned: List[int] = []
        for place in range(rank):
            aligned.append(shape[dim] if place == dim else 1)
        line = torch.reshape(coordinates(shape[dim], align_corners, dtype), aligned)
        columns.append(torch.reshape(line.expand(shape), [count]))
    columns.append(torch.ones([count], dtype=dtype))
    return torch.stack(columns, 1)


_MATRICES = [
    Invocation(T(2, 2, 3), [2, 3, 1, 4], True),
    Invocation(T(2, 2, 3), [2, 3, 1, 4], False),
    Invocation(T(1, 3, 4), [1, 1, 2, 3, 4], False),
]


@decomposition("aten::affine_grid_generator", ok=_MATRICES)
def affine_grid_generator(
    theta: torch.Tensor, size: List[int], align_corners: bool
) -> torch.Tensor:
    """The product of the coordinates and each matrix."""
    dtype = computation_dtype(theta.dtype)
    base = base_grid(size, align_corners, dtype)
    rows = torch.matmul(base, torch.transpose(in_dtype(theta, dtype), 1, 2))
    shape: List[int] = [size[0]]
    for index in range(len(size) - 2):
        shape.append(size[index + 2])
    shape.append(len(size) - 2)
    return in_dtype(torch.reshape(rows, shape), theta.dtype)


@decomposition("aten::affine_grid_generator_backward")
def affine_grid_generator_backward(
    grad: torch.Tensor, size: List[int], align_corners: bool
) -> torch.Tensor:
    """The product of the gradients of each place and its coordinates."""
    dtype = computation_dtype(grad.dtype)
    base = base_grid(size, align_corners, dtype)
    rows = torch.reshape(in_dtype(grad, dtype), [size[0], base.size(0), len(size) - 2])
    return in_dtype(torch.matmul(torch.transpose(rows, 1, 2), base), grad.dtype)
