"""Sums over the places that indices name, and conditions on the elements of tensors."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype


def out_of_bounds() -> int:
    """An index that no tensor has; it is not multiplied, and adding a size does not overflow."""
    return 1 << 62


def checked(index: torch.Tensor, condition: torch.Tensor) -> torch.Tensor:
    """Indices, unchanged; an index out of bounds is read unless a condition holds everywhere."""
    holds = torch.reshape(torch.all(condition), [1])
    place = torch.where(
        holds,
        torch.zeros([1], dtype=torch.int64),
        torch.full([1], out_of_bounds(), dtype=torch.int64),
    )
    zero = torch.index_select(torch.zeros([1], dtype=torch.int64), 0, place)
    return torch.add(index, zero)


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


def number(condition: torch.Tensor, dtype: int) -> torch.Tensor:
    """1 where a condition holds, else 0."""
    return in_dtype(condition, dtype)
