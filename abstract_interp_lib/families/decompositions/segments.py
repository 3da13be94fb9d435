"""Reductions of segments of a dimension, and their gradients."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.scattering import checked, sums_at


def _starts(
    lengths: Optional[torch.Tensor], offsets: Optional[torch.Tensor], rows: int
) -> torch.Tensor:
    """Where segments start in each row, and at last where they end."""
    if lengths is not None and offsets is None:
        segments = lengths.size(lengths.dim() - 1)
        ends = torch.cumsum(in_dtype(torch.reshape(lengths, [rows, segments]), torch.int64), 1)
        return torch.cat([torch.zeros([rows, 1], dtype=torch.int64), ends], 1)
    assert offsets is not None, "segments have lengths or offsets"
    count = offsets.size(offsets.dim() - 1)
    return in_dtype(torch.reshape(offsets, [rows, count]), torch.int64)


def _lengths(starts: torch.Tensor) -> torch.Tensor:
    count = starts.size(1)
    ends = torch.ops.aten.slice(starts, 1, 1, count, 1)
    return torch.sub(ends, torch.ops.aten.slice(starts, 1, 0, count - 1, 1))


def _segments_of(starts: torch.Tensor, size: int, is_whole: bool) -> torch.Tensor:
    """The segment that each of `size` elements is in, from 1; 0 before all, the last behind them.

    Segments that overlap, or that exceed the elements, raise.
    """
    ones = torch.ones_like(starts)
    started = torch.cumsum(sums_at(ones, starts, size + 1), 1)
    segment = torch.ops.aten.slice(started, 1, 0, size, 1)
    end = torch.ops.aten.slice(starts, 1, starts.size(1) - 1, starts.size(1), 1)
    fits = torch.eq(end, size) if is_whole else torch.le(end, size)
    ordered = torch.all(torch.ge(_lengths(starts), 0), 1, True)
    return checked(segment, torch.logical_and(fits, ordered))


def _rows(data: torch.Tensor, axis: int) -> Tuple[int, int]:
    """The number of elements before a dimension, and behind it."""
    before, behind = 1, 1
    for dim in range(data.dim()):
        if dim < axis:
            before *= data.size(dim)
        if dim > axis:
            behind *= data.size(dim)
    return before, behind


def _with_columns(segment: torch.Tensor, columns: int) -> torch.Tensor:
    return torch.unsqueeze(segment, 2).expand([segment.size(0), segment.size(1), columns])


def _start_of(reduce: str) -> float:
    if reduce == "max":
        return -float("inf")
    if reduce == "min":
        return float("inf")
    return 1.0 if reduce == "prod" else 0.0


@decomposition(
    "aten::segment_reduce",
    ok=[
        Invocation(T(5, 2), "mean", lengths=T(3, dtype=torch.int64, values=[2, 0, 3])),
        Invocation(T(5), "max", offsets=T(3, dtype=torch.int64, values=[0, 3, 5]), initial=0.5),
        Invocation(T(1, 5), "prod", lengths=T(1, 2, dtype=torch.int64, values=[1, 4]), axis=1),
        Invocation(T(5), "min", lengths=T(2, dtype=torch.int64, values=[1, 4])),
    ],
)
def segment_reduce(
    data: torch.Tensor,
    reduce: str,
    lengths: Optional[torch.Tensor] = None,
    indices: Optional[torch.Tensor] = None,
    offsets: Optional[torch.Tensor] = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Optional[Union[int, float, complex]] = None,
) -> torch.Tensor:
    """The reduction of each segment; of none, the initial value."""
    axis = axis + data.dim() if axis < 0 else axis
    before, behind = _rows(data, axis)
    size = data.size(axis)
    starts = _starts(lengths, offsets, before)
    segment = _segments_of(starts, size, offsets is None and not unsafe)
    segments = starts.size(1) - 1
    shape = [before, segments + 2, behind]
    found = torch.full(shape, _start_of(reduce), dtype=data.dtype)
    if initial is not None:
        found = torch.full(shape, initial, dtype=data.dtype)
    kind = "sum"
    if reduce == "max":
        kind = "amax"
    if reduce == "min":
        kind = "amin"
    if reduce == "prod":
        kind = "prod"
    values = torch.reshape(data, [before, size, behind])
    found = torch.ops.aten.scatter_reduce(found, 1, _with_columns(segment, behind), values, kind)
    found = torch.ops.aten.slice(found, 1, 1, segments + 1, 1)
    if reduce == "mean":
        counts = torch.unsqueeze(_lengths(starts), 2)
        mean = in_dtype(torch.div(found, counts), data.dtype)
        # That of no elements is NaN, or the initial value.
        found = mean if initial is None else torch.where(torch.gt(counts, 0), mean, found)
    out: List[int] = []
    for dim in range(data.dim()):
        out.append(segments if dim == axis else data.size(dim))
    return torch.reshape(found, out)


@decomposition(
    "aten::_segment_reduce_backward",
    ok=[
        Invocation(
            *(T(3, 2), T(3, 2), T(5, 2), "mean"),
            lengths=T(3, dtype=torch.int64, values=[2, 0, 3]),
        ),
        Invocation(
            *(T(2), T(2, values=[2, 3]), T(5, values=[1, 2, 2, 3, 0]), "max"),
            offsets=T(3, dtype=torch.int64, values=[0, 3, 5]),
        ),
        Invocation(
            *(T(1, 2), T(1, 2, values=[1, 0]), T(1, 5, values=[1, 2, 0, 3, 1]), "prod"),
            lengths=T(1, 2, dtype=torch.int64, values=[1, 4]),
            axis=1,
            initial=2.0,
        ),
    ],
)
def segment_reduce_backward(
    grad: torch.Tensor,
    output: torch.Tensor,
    data: torch.Tensor,
    reduce: str,
    lengths: Optional[torch.Tensor] = None,
    offsets: Optional[torch.Tensor] = None,
    axis: int = 0,
    initial: Optional[Union[int, float, complex]] = None,
) -> torch.Tensor:
    """The gradient of each segment, for its elements."""
    axis = axis + data.dim() if axis < 0 else axis
    before, behind = _rows(data, axis)
    size = data.size(axis)
    starts = _starts(lengths, offsets, before)
    segments = starts.size(1) - 1
    segment = _with_columns(_segments_of(starts, size, False), behind)
    given = torch.reshape(grad, [before, segments, behind])
    values = torch.reshape(data, [before, size, behind])
    shape = [before, segments + 2, behind]
    if reduce == "mean":
        given = in_dtype(torch.div(given, torch.unsqueeze(_lengths(starts), 2)), data.dtype)
    pulled = torch.gather(_with_ends(given), 1, segment)
    if reduce == "max" or reduce == "min":
        # Those that are equal share a positive gradient, and each has a negative one.
        reduced = _with_ends(torch.reshape(output, [before, segments, behind]))
        is_extreme = torch.eq(values, torch.gather(reduced, 1, segment))
        is_extreme = torch.logical_or(is_extreme, torch.isnan(values))
        extreme = in_dtype(is_extreme, data.dtype)
        counts = torch.scatter_add(torch.zeros(shape, dtype=data.dtype), 1, segment, extreme)
        shared = torch.div(pulled, torch.gather(counts, 1, segment))
        pulled = torch.where(torch.gt(pulled, 0), shared, pulled)
        pulled = torch.where(is_extreme, pulled, torch.zeros_like(pulled))
    if reduce == "prod":
        reduced = _with_ends(torch.reshape(output, [before, segments, behind]))
        others = torch.div(torch.mul(pulled, torch.gather(reduced, 1, segment)), values)
        # A product without a factor that is 0 or NaN is no quotient.
        is_zero, is_nan = torch.eq(values, 0), torch.isnan(values)
        is_left_out = torch.logical_or(is_zero, is_nan)
        factors = torch.where(is_left_out, torch.ones_like(values), values)
        start = torch.ones(shape, dtype=data.dtype)
        if initial is not None:
            start = torch.full(shape, initial, dtype=data.dtype)
        product = torch.ops.aten.scatter_reduce(start, 1, segment, factors, "prod")
        product = torch.gather(product, 1, segment)
        zeros = torch.zeros(shape, dtype=torch.int64)
        empty = torch.scatter_add(zeros, 1, segment, in_dtype(is_zero, torch.int64))
        unknown = torch.scatter_add(zeros, 1, segment, in_dtype(is_nan, torch.int64))
        empty = torch.sub(torch.gather(empty, 1, segment), in_dtype(is_zero, torch.int64))
        unknown = torch.sub(torch.gather(unknown, 1, segment), in_dtype(is_nan, torch.int64))
        product = torch.where(torch.gt(empty, 0), torch.mul(product, 0), product)
        nans = torch.full_like(product, float("nan"))
        product = torch.where(torch.gt(unknown, 0), nans, product)
        pulled = torch.where(is_left_out, torch.mul(pulled, product), others)
    return torch.reshape(pulled, data.size())


def _with_ends(self: torch.Tensor) -> torch.Tensor:
    """Values of segments, with zeros for the elements before all and behind."""
    zeros = torch.zeros([self.size(0), 1, self.size(2)], dtype=self.dtype)
    return torch.cat([zeros, self, zeros], 1)
