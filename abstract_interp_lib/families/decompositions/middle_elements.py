"""Medians and modes, computed by sorting."""

from typing import Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


def _sortable(self: torch.Tensor) -> torch.Tensor:
    """The elements in a dtype that is sorted by its sign."""
    if self.dtype == torch.bool or self.dtype == torch.uint8:
        return in_dtype(self, torch.int32)
    return self


def _taken(
    self: torch.Tensor, place: torch.Tensor, dim: int, keepdim: bool, dtype: int
) -> torch.Tensor:
    """The elements at a place of a dimension."""
    found = in_dtype(torch.gather(self, dim, place), dtype)
    return found if keepdim else torch.squeeze(found, dim)


def median_along(
    self: torch.Tensor, dim: int, keepdim: bool, ignores_nans: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The lower of the middle elements, and where it is."""
    if self.dim() == 0:
        return self, torch.zeros_like(self, dtype=torch.int64)
    dim = dim + self.dim() if dim < 0 else dim
    ordered, places = torch.sort(_sortable(self), dim)
    count = self.size(dim)
    first = torch.ops.aten.slice(places, dim, 0, 1, 1)
    place = torch.full_like(first, (count - 1) // 2)
    if not is_integral(self.dtype):
        # NaNs are sorted to the end.
        known = in_dtype(torch.logical_not(torch.isnan(ordered)), torch.int64)
        present = torch.sum(known, [dim], True)
        if ignores_nans == 1:
            place = torch.floor_divide(torch.clamp_min(torch.sub(present, 1), 0), 2)
        else:
            place = torch.where(torch.lt(present, count), present, place)
    dtype = self.dtype
    values = _taken(ordered, place, dim, keepdim, dtype)
    return values, _taken(places, place, dim, keepdim, torch.int64)


decomposition_family(
    median_along, "aten::median.dim", ok=[Invocation(T(3, 7), 1, True)], ignores_nans=0
)
decomposition_family(
    median_along, "aten::nanmedian.dim", ok=[Invocation(T(3, 7), 0)], ignores_nans=1
)


@decomposition("aten::mode", ok=[Invocation(T(3, 9, dtype=torch.int64), 1)])
def mode(
    self: torch.Tensor, dim: int = -1, keepdim: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The least of the most frequent elements, and the last place of it; each NaN is another."""
    if self.dim() == 0:
        return self, torch.zeros_like(self, dtype=torch.int64)
    dim = dim + self.dim() if dim < 0 else dim
    ordered, places = torch.sort(_sortable(self), dim)
    count = self.size(dim)
    later = torch.ops.aten.slice(ordered, dim, 1, count, 1)
    earlier = torch.ops.aten.slice(ordered, dim, 0, count - 1, 1)
    first = torch.zeros_like(torch.ops.aten.slice(places, dim, 0, 1, 1))
    # Equal elements are a run; runs are counted.
    run = torch.cumsum(
        torch.cat([first, in_dtype(torch.ne(later, earlier), torch.int64)], dim), dim
    )
    zeros = torch.zeros_like(places)
    lengths = torch.scatter_add(zeros, dim, run, torch.ones_like(places))
    longest = torch.max(lengths, dim, True).indices
    place = torch.sub(torch.gather(torch.cumsum(lengths, dim), dim, longest), 1)
    values = _taken(ordered, place, dim, keepdim, self.dtype)
    return values, _taken(places, place, dim, keepdim, torch.int64)


def median_of_all(self: torch.Tensor, ignores_nans: int) -> torch.Tensor:
    """The lower of the middle elements."""
    count = self.numel()
    flat = torch.reshape(self, [count])
    if is_integral(self.dtype):
        assert count > 0, "PyTorch returns a NaN, as an integer"
        ordered = torch.sort(_sortable(flat), 0).values
        return in_dtype(torch.select(ordered, 0, (count - 1) // 2), self.dtype)
    # The median of no elements is the NaN that is added behind all.
    nan = torch.full([1], float("nan"), dtype=self.dtype)
    ordered = torch.sort(torch.cat([flat, nan]), 0).values
    present = torch.sum(in_dtype(torch.logical_not(torch.isnan(ordered)), torch.int64), [0], True)
    place = torch.floor_divide(torch.clamp_min(torch.sub(present, 1), 0), 2)
    if ignores_nans == 0:
        place = torch.where(torch.lt(present, count), present, place)
    return torch.reshape(torch.index_select(ordered, 0, place), [])


decomposition_family(median_of_all, "aten::median", ignores_nans=0)
decomposition_family(median_of_all, "aten::nanmedian", ignores_nans=1)
