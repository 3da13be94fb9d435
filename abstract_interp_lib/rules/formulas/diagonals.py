"""Diagonals of matrices, as slices of the flat matrices."""

from typing import List

import torch


def with_diagonal(matrices: torch.Tensor, diagonal: torch.Tensor, offset: int) -> torch.Tensor:
    """Matrices in the last two dimensions, with another diagonal."""
    rank = matrices.dim()
    rows, columns = matrices.size(rank - 2), matrices.size(rank - 1)
    flat: List[int] = []
    for dim in range(rank - 2):
        flat.append(matrices.size(dim))
    flat.append(rows * columns)
    count = diagonal.size(rank - 2)
    first = offset if offset >= 0 else -offset * columns
    end = first + max(count * (columns + 1) - columns, 0)
    found = torch.ops.aten.slice_scatter(
        torch.reshape(matrices, flat), diagonal, rank - 2, first, end, columns + 1
    )
    return torch.reshape(found, matrices.size())
