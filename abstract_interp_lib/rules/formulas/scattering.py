"""Sums over the places that indices name, and conditions on the elements of tensors."""

from typing import List

import torch


def checked(index: torch.Tensor, condition: torch.Tensor) -> torch.Tensor:
    """Indices; where a condition does not hold everywhere, they are out of bounds of any tensor."""
    # Nothing multiplies it, and adding a size does not overflow.
    none = torch.full([1], 1 << 62, dtype=torch.int64)
    return torch.where(torch.all(condition), index, none)


def count_of(sizes: List[int]) -> int:
    """The product of sizes."""
    count = 1
    for size in sizes:
        count *= size
    return count


def planes(self: torch.Tensor, rank: int) -> torch.Tensor:
    """A matrix whose rows are the last `rank` dimensions."""
    rows = 1
    columns = 1
    for dim in range(self.dim()):
        if dim < self.dim() - rank:
            rows *= self.size(dim)
        else:
            columns *= self.size(dim)
    return torch.reshape(self, [rows, columns])


def sums_at(values: torch.Tensor, places: torch.Tensor, count: int) -> torch.Tensor:
    """Rows of `count` elements, each the sum of the values in its row whose place it is."""
    zeros = torch.zeros([values.size(0), count], dtype=values.dtype)
    return torch.scatter_add(zeros, 1, places, values)
