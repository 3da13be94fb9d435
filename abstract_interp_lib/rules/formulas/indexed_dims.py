"""Indices of all dimensions, from those of some."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype


def from_front(index: torch.Tensor, size: int) -> torch.Tensor:
    """Indices that are not negative."""
    # Nothing multiplies it, and adding a size does not overflow.
    none = torch.full([], 1 << 62, dtype=torch.int64)
    wide = in_dtype(index, torch.int64)
    counted = torch.where(torch.lt(wide, -size), none, torch.add(wide, size))
    return torch.where(torch.lt(wide, 0), counted, wide)


def are_integers(indices: List[Optional[torch.Tensor]]) -> bool:
    """Whether some dimension has indices, and none has a mask."""
    found = False
    has_mask = False
    for each in indices:
        if each is not None:
            found = True
            has_mask = has_mask or each.dtype == torch.bool or each.dtype == torch.uint8
    return found and not has_mask


def places_of(indices: List[Optional[torch.Tensor]]) -> List[int]:
    """The dimensions that have indices."""
    places: List[int] = []
    for dim in range(len(indices)):
        if indices[dim] is not None:
            places.append(dim)
    return places


def given_of(indices: List[Optional[torch.Tensor]]) -> List[torch.Tensor]:
    """The indices that are given, which may be int32, as int64."""
    given: List[torch.Tensor] = []
    for each in indices:
        if each is not None:
            given.append(in_dtype(each, torch.int64))
    return given


def is_consecutive(places: List[int]) -> bool:
    """Whether no dimension is between others."""
    return places[len(places) - 1] - places[0] == len(places) - 1


def indexed_first(places: List[int], rank: int) -> List[int]:
    """The dimensions of a tensor, those with indices first if there are others between them.

    That is the order of the dimensions of a result.
    """
    if is_consecutive(places):
        return [dim for dim in range(rank)]
    order: List[int] = []
    for dim in places:
        order.append(dim)
    for dim in range(rank):
        if dim not in places:
            order.append(dim)
    return order


def with_ones(self: torch.Tensor, behind: int) -> torch.Tensor:
    """A tensor with dimensions of size 1 added at the end."""
    for _ in range(behind):
        self = torch.unsqueeze(self, -1)
    return self


def indices_of_all(self: torch.Tensor, given: List[torch.Tensor], first: int) -> List[torch.Tensor]:
    """Indices for every dimension of `self`: `given` for consecutive ones from `first` on.

    They broadcast to the shape of the result: that of the given ones in place of their dimensions.
    """
    rank = self.dim()
    shared = 0
    for each in given:
        shared = max(shared, each.dim())
    after = rank - first - len(given)
    found: List[torch.Tensor] = []
    for dim in range(rank):
        if dim < first:
            behind = first - 1 - dim + shared + after
            found.append(with_ones(torch.arange(self.size(dim), dtype=torch.int64), behind))
        elif dim < first + len(given):
            found.append(with_ones(given[dim - first], after))
        else:
            numbers = torch.arange(self.size(dim), dtype=torch.int64)
            found.append(with_ones(numbers, rank - 1 - dim))
    return found
