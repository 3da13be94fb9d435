"""Quantiles: the elements at a fraction of a sorted dimension, or between them."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype


def sorted_rows(self: torch.Tensor, dim: Optional[int]) -> torch.Tensor:
    """The elements of a dimension, or all, sorted along the last dimension."""
    values = torch.reshape(self, [self.numel()])
    if dim is not None and self.dim() > 0:
        values = torch.transpose(self, dim, -1)
    return torch.sort(values, stable=True, dim=-1, descending=False).values


def interpolated(values: torch.Tensor, ranks: torch.Tensor, interpolation: str) -> torch.Tensor:
    """The elements at fractional indices of the last dimension."""
    if interpolation == "lower":
        ranks = torch.floor(ranks)
    elif interpolation == "higher":
        ranks = torch.ceil(ranks)
    elif interpolation == "nearest":
        ranks = torch.round(ranks)
    below = in_dtype(torch.trunc(ranks), torch.int64)
    found = torch.gather(values, -1, below)
    if interpolation == "linear" or interpolation == "midpoint":
        weights = torch.sub(ranks, in_dtype(below, ranks.dtype))
        if interpolation == "midpoint":
            weights = torch.full_like(ranks, 0.5)
        above = in_dtype(torch.ceil(ranks), torch.int64)
        found = torch.lerp(found, torch.gather(values, -1, above), weights)
    return found


def as_results(
    found: torch.Tensor, self: torch.Tensor, q: torch.Tensor, dim: Optional[int], keepdim: bool
) -> torch.Tensor:
    """The results of rows where the rows were, behind a dimension of the fractions if it exists."""
    rank = self.dim()
    if dim is None or rank == 0:
        shape: List[int] = []
        if q.dim() == 1:
            shape.append(q.numel())
        if keepdim:
            for _ in range(rank):
                shape.append(1)
        return torch.reshape(found, shape)
    place = dim + rank if dim < 0 else dim
    found = torch.transpose(found, place, -1)
    if q.dim() == 0:
        return found if keepdim else torch.squeeze(found, place)
    found = torch.movedim(found, place, 0)
    return torch.unsqueeze(found, place + 1) if keepdim else found


def fractions_of(q: torch.Tensor) -> torch.Tensor:
    """A row of fractions from 0 to 1."""
    is_fraction = torch.logical_and(torch.ge(q, 0), torch.le(q, 1))
    fractions = asserted(q, is_fraction, "quantile() q values must be in the range [0, 1]")
    return torch.reshape(fractions, [q.numel()])


@decomposition("aten::quantile")
def quantile(
    self: torch.Tensor,
    q: torch.Tensor,
    dim: Optional[int] = None,
    keepdim: bool = False,
    interpolation: str = "linear",
) -> torch.Tensor:
    """NaN, the last element, in rows that have one."""
    rows = sorted_rows(self, dim)
    ranks = torch.mul(fractions_of(q), rows.size(-1) - 1)
    has_nan = torch.any(torch.isnan(rows), -1, True)
    last = torch.full([], rows.size(-1) - 1, dtype=self.dtype)
    ranks = torch.where(has_nan, last, ranks)
    return as_results(interpolated(rows, ranks, interpolation), self, q, dim, keepdim)


@decomposition("aten::nanquantile")
def nanquantile(
    self: torch.Tensor,
    q: torch.Tensor,
    dim: Optional[int] = None,
    keepdim: bool = False,
    interpolation: str = "linear",
) -> torch.Tensor:
    """Of the elements that are not NaN, and NaN in rows without one."""
    rows = sorted_rows(self, dim)
    is_number = in_dtype(torch.logical_not(torch.isnan(rows)), torch.int64)
    last = torch.sub(torch.sum(is_number, [-1], True), 1)
    ranks = torch.mul(fractions_of(q), in_dtype(last, self.dtype))
    ranks = torch.where(torch.lt(ranks, 0), torch.zeros_like(ranks), ranks)
    return as_results(interpolated(rows, ranks, interpolation), self, q, dim, keepdim)


@decomposition("aten::quantile.scalar")
def quantile_of_number(
    self: torch.Tensor,
    q: float,
    dim: Optional[int] = None,
    keepdim: bool = False,
    interpolation: str = "linear",
) -> torch.Tensor:
    """`quantile` of a single fraction."""
    fraction = torch.full([], q, dtype=self.dtype)
    return quantile(self, fraction, dim, keepdim, interpolation)


@decomposition("aten::nanquantile.scalar")
def nanquantile_of_number(
    self: torch.Tensor,
    q: float,
    dim: Optional[int] = None,
    keepdim: bool = False,
    interpolation: str = "linear",
) -> torch.Tensor:
    """`nanquantile` of a single fraction."""
    fraction = torch.full([], q, dtype=self.dtype)
    return nanquantile(self, fraction, dim, keepdim, interpolation)
