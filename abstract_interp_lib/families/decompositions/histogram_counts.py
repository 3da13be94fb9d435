"""Histograms: the bin of each element, and sums over the bins."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
)
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.scattering import checked, count_of
from torch_refine.abstract_interp_lib.rules.formulas.windows_of_dims import along_dim


def _is_covered(dtype: int) -> bool:
    return dtype == torch.float32 or dtype == torch.float64


def _bounds(
    self: torch.Tensor, low: float, high: float, is_given: bool, margin: float
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The bounds of all bins: those given, or the extremes of a vector, moved if they are equal."""
    if is_given:
        first = torch.full([1], low, dtype=self.dtype)
        last = torch.full([1], high, dtype=self.dtype)
    else:
        infinite = torch.full([1], float("inf"), dtype=self.dtype)
        first = torch.amin(torch.cat([self, infinite]), [0], True)
        last = torch.amax(torch.cat([self, torch.neg(infinite)]), [0], True)
        # Of no elements, they are 0 and 1.
        is_empty = torch.gt(first, last)
        first = torch.where(is_empty, torch.zeros_like(first), first)
        last = torch.where(is_empty, torch.ones_like(last), last)
    is_equal = torch.eq(first, last)
    first = torch.where(is_equal, torch.sub(first, margin), first)
    return first, torch.where(is_equal, torch.add(last, margin), last)


def _edges(first: torch.Tensor, last: torch.Tensor, bins: int) -> torch.Tensor:
    """Bins of equal size, in finite bounds; of the upper half, edges count from the last one."""
    if bins == 0:
        return first
    step = torch.div(torch.sub(last, first), bins)
    each = torch.arange(bins + 1, dtype=torch.int64)
    below = torch.add(torch.mul(step, in_dtype(each, first.dtype)), first)
    above = torch.sub(last, torch.mul(step, in_dtype(torch.rsub(each, bins), first.dtype)))
    found = torch.where(torch.lt(each, (bins + 1) // 2), below, above)
    return torch.index_select(found, 0, checked(each, _are_finite(first, last)))


def _are_finite(first: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    return torch.logical_and(
        torch.lt(torch.abs(first), float("inf")), torch.lt(torch.abs(last), float("inf"))
    )


def _ascending(edges: torch.Tensor) -> torch.Tensor:
    """A vector of edges; others than ascending ones raise, unless there is one bin."""
    flat = torch.reshape(edges, [count_of(edges.size())])
    is_one = torch.le(torch.full([1], flat.size(0), dtype=torch.int64), 2)
    is_ascending = torch.logical_or(torch.ge(_widths(flat), 0), is_one)
    return asserted(flat, is_ascending, "the edges of bins must not descend")


def _bin_of(self: torch.Tensor, edges: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """The bin of each element of a vector, the last one with its end, and whether it has one."""
    bins = edges.size(0) - 1
    passed = in_dtype(torch.ge(torch.unsqueeze(self, 1), edges), torch.int64)
    place = torch.sub(torch.sum(passed, [1]), 1)
    end = torch.ops.aten.slice(edges, 0, bins, bins + 1, 1)
    begin = torch.ops.aten.slice(edges, 0, 0, 1, 1)
    inside = torch.logical_and(torch.ge(self, begin), torch.le(self, end))
    return torch.clamp(place, 0, bins - 1), inside


def _filled(
    place: torch.Tensor,
    inside: torch.Tensor,
    weight: Optional[torch.Tensor],
    bins: int,
    dtype: int,
) -> torch.Tensor:
    """The sum of the weights in each bin, or the number of elements."""
    part = in_dtype(inside, dtype)
    if weight is not None:
        flat = torch.reshape(in_dtype(weight, dtype), [count_of(weight.size())])
        part = torch.where(inside, flat, torch.zeros_like(flat))
    return torch.scatter_add(torch.zeros([bins], dtype=dtype), 0, place, part)


def _widths(edges: torch.Tensor) -> torch.Tensor:
    count = edges.size(0)
    later = torch.ops.aten.slice(edges, 0, 1, count, 1)
    return torch.sub(later, torch.ops.aten.slice(edges, 0, 0, count - 1, 1))


def _counts_between(flat: torch.Tensor, bins: int, low: float, high: float) -> torch.Tensor:
    """The number of elements of a vector in each bin, the last one with its upper bound."""
    inside = torch.logical_and(torch.ge(flat, low), torch.le(flat, high))
    # NaN and elements outside have no defined integer.
    known = torch.where(inside, flat, torch.full_like(flat, low))
    part = torch.div(torch.mul(torch.sub(known, low), bins), high - low)
    place = torch.clamp_max(in_dtype(part, torch.int64), bins - 1)
    # More comparisons take longer than adding to each bin.
    if bins > 256:
        return _filled(place, inside, None, bins, flat.dtype)
    hits = torch.eq(torch.unsqueeze(place, 1), torch.arange(bins, dtype=torch.int64))
    hits = torch.logical_and(hits, torch.unsqueeze(inside, 1))
    return in_dtype(torch.sum(hits, [0]), flat.dtype)


@decomposition(
    "aten::histc",
    ok=[
        Invocation(T(20), 5),
        Invocation(T(20), 4, -1, 1),
        Invocation(T(20), 300, -0.5, 1.5),
        Invocation(T(0), 5),
        Invocation(T(20), 4, 2, 2),
    ],
)
def histc(
    self: torch.Tensor,
    bins: int = 100,
    min: Union[int, float, complex] = 0,
    max: Union[int, float, complex] = 0,
) -> torch.Tensor:
    """The number of elements in bins of equal size between the extremes."""
    assert _is_covered(self.dtype), "of single or double precision"
    flat = torch.reshape(self, [count_of(self.size())])
    low, high = float(min), float(max)
    if low < high:
        return _counts_between(flat, bins, low, high)
    assert low == high, "the bounds are exchanged"
    first, last = _bounds(flat, 0.0, 0.0, False, 1.0)
    part = torch.mul(torch.sub(flat, first), bins)
    place = torch.div(part, torch.sub(last, first))
    place = torch.clamp_max(in_dtype(place, torch.int64), bins - 1)
    inside = torch.ones_like(place, dtype=torch.bool)
    return _filled(checked(place, _are_finite(first, last)), inside, None, bins, self.dtype)


@decomposition(
    "aten::histogram.bins_tensor",
    ok=[
        Invocation(T(20), T(4, values=[-1, 0, 0.5, 2])),
        Invocation(T(20), T(4, values=[-1, 0, 0.5, 2]), weight=T(20), density=True),
    ],
)
def histogram_bins_tensor(
    self: torch.Tensor,
    bins: torch.Tensor,
    weight: Optional[torch.Tensor] = None,
    density: bool = False,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The sums in bins between edges."""
    assert _is_covered(self.dtype), "of single or double precision"
    flat = torch.reshape(self, [count_of(self.size())])
    edges = _ascending(bins)
    place, inside = _bin_of(flat, edges)
    found = _filled(place, inside, weight, edges.size(0) - 1, self.dtype)
    if density:
        found = torch.div(torch.div(found, torch.sum(found)), _widths(edges))
    return found, bins


@decomposition(
    "aten::histogram.bin_ct",
    ok=[
        Invocation(T(20), 5),
        Invocation(T(20), 7, range=[-1.0, 0.5], weight=T(20), density=True),
        Invocation(T(0), 3),
    ],
)
def histogram_bin_ct(
    self: torch.Tensor,
    bins: int = 100,
    range: Optional[List[float]] = None,
    weight: Optional[torch.Tensor] = None,
    density: bool = False,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The sums in bins of equal size."""
    assert _is_covered(self.dtype), "of single or double precision"
    flat = torch.reshape(self, [count_of(self.size())])
    if range is None:
        first, last = _bounds(flat, 0.0, 0.0, False, 0.5)
    else:
        first, last = _bounds(flat, range[0], range[1], True, 0.5)
    edges = _edges(first, last, bins)
    place, inside = _bin_of(flat, edges)
    found = _filled(place, inside, weight, bins, self.dtype)
    if density:
        found = torch.div(torch.div(found, torch.sum(found)), _widths(edges))
    return found, edges


def _points(self: torch.Tensor) -> torch.Tensor:
    """A matrix with a point in each row."""
    count = 1
    for dim in range(self.dim() - 1):
        count *= self.size(dim)
    return torch.reshape(self, [count, self.size(self.dim() - 1)])


def _edges_of(
    self: torch.Tensor, bins: List[int], bounds: Optional[List[float]]
) -> List[torch.Tensor]:
    """The edges of the bins in each dimension of space."""
    points = _points(self)
    found: List[torch.Tensor] = []
    for dim in range(len(bins)):
        column = torch.select(points, 1, dim)
        if bounds is None:
            first, last = _bounds(column, 0.0, 0.0, False, 0.5)
        else:
            first, last = _bounds(column, bounds[2 * dim], bounds[2 * dim + 1], True, 0.5)
        found.append(_edges(first, last, bins[dim]))
    return found


def _counted(
    self: torch.Tensor, edges: List[torch.Tensor], weight: Optional[torch.Tensor], density: bool
) -> torch.Tensor:
    """The sums in the bins of a space."""
    assert len(edges) > 0, "PyTorch counts nothing"
    points = _points(self)
    place = torch.zeros([points.size(0)], dtype=torch.int64)
    inside = torch.ones([points.size(0)], dtype=torch.bool)
    shape: List[int] = []
    for dim in range(len(edges)):
        flat = edges[dim]
        here, within = _bin_of(torch.select(points, 1, dim), flat)
        last = flat.size(0) - 1
        place = torch.add(torch.mul(place, last), here)
        inside = torch.logical_and(inside, within)
        shape.append(last)
    found = _filled(place, inside, weight, count_of(shape), self.dtype)
    found = torch.reshape(found, shape)
    if density:
        found = torch.div(found, torch.sum(found))
        for dim in range(len(edges)):
            found = torch.div(found, along_dim(_widths(edges[dim]), len(shape), dim))
    return found


@decomposition(
    "aten::_histogramdd_bin_edges",
    ok=[Invocation(T(9, 2), [3, 4]), Invocation(T(9, 2), [3, 4], range=[0.0, 1.0, -1.0, 2.0])],
)
def histogramdd_bin_edges(
    self: torch.Tensor,
    bins: List[int],
    range: Optional[List[float]] = None,
    weight: Optional[torch.Tensor] = None,
    density: bool = False,
) -> List[torch.Tensor]:
    """The edges of bins of equal size in each dimension of space."""
    assert _is_covered(self.dtype), "of single or double precision"
    return _edges_of(self, bins, range)


@decomposition(
    "aten::_histogramdd_from_bin_cts",
    ok=[
        Invocation(T(9, 2), [3, 4]),
        Invocation(T(3, 3, 2), [3, 4], range=[0.0, 1.0, -1.0, 2.0], weight=T(3, 3), density=True),
    ],
)
def histogramdd_from_bin_cts(
    self: torch.Tensor,
    bins: List[int],
    range: Optional[List[float]] = None,
    weight: Optional[torch.Tensor] = None,
    density: bool = False,
) -> torch.Tensor:
    """The sums in bins of equal size."""
    assert _is_covered(self.dtype), "of single or double precision"
    return _counted(self, _edges_of(self, bins, range), weight, density)


@decomposition(
    "aten::_histogramdd_from_bin_tensors",
    ok=[Invocation(T(9, 2), [T(3, values=[-1, 0, 1]), T(4, values=[-1, 0, 0.5, 2])], weight=T(9))],
)
def histogramdd_from_bin_tensors(
    self: torch.Tensor,
    bins: List[torch.Tensor],
    weight: Optional[torch.Tensor] = None,
    density: bool = False,
) -> torch.Tensor:
    """The sums in bins between edges."""
    assert _is_covered(self.dtype), "of single or double precision"
    edges: List[torch.Tensor] = []
    for each in bins:
        edges.append(_ascending(each))
    return _counted(self, edges, weight, density)
