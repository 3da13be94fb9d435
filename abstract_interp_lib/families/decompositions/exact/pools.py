"""Pooling of batches, with lists of an element per dimension.

The conversions take no samples without a batch, no lists that are shorter, and no windows that
exceed the padded input, as `ceil_mode` allows for; of maxima, no unsigned integers.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype, repeated
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def exceeds(window: int, size: int, padding: int) -> bool:
    """Whether a window is known to be the whole padded input, or larger."""
    return is_known(size) and window >= size + 2 * padding


def is_clipped(
    self: torch.Tensor, kernel_size: List[int], padding: List[int], ceil_mode: bool
) -> bool:
    """Whether a window exceeds the padded input."""
    rank = len(kernel_size)
    found = False
    for dim in range(rank):
        if ceil_mode and exceeds(kernel_size[dim] - 1, self.size(dim - rank), padding[dim]):
            found = True
    return found


def are_long(self: torch.Tensor, stride: List[int], padding: List[int], ceil_mode: bool) -> bool:
    """Whether a second window starts behind the input, by more than it must for that.

    It is none then, but conversions pad by the stride in `ceil_mode`.
    """
    rank = len(stride)
    found = False
    for dim in range(rank):
        size = self.size(dim - rank)
        if ceil_mode and is_known(size) and size > 0 and stride[dim] > size + padding[dim]:
            found = True
    return found


def shortened(
    self: torch.Tensor, stride: List[int], padding: List[int], ceil_mode: bool
) -> List[int]:
    """Strides that are not long, with the same windows."""
    rank = len(stride)
    out: List[int] = []
    for dim in range(rank):
        size, step = self.size(dim - rank), stride[dim]
        if ceil_mode and is_known(size) and size > 0:
            step = min(step, size + padding[dim])
        out.append(step)
    return out


def clipped(
    self: torch.Tensor, kernel_size: List[int], padding: List[int], ceil_mode: bool
) -> List[int]:
    """Windows that do not exceed the padded input, with the same results."""
    rank = len(kernel_size)
    out: List[int] = []
    for dim in range(rank):
        window = kernel_size[dim]
        if ceil_mode and exceeds(window, self.size(dim - rank), padding[dim]):
            window = self.size(dim - rank) + 2 * padding[dim]
        out.append(window)
    return out


def steps(
    self: torch.Tensor,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The strides; 1 for a window that is the whole padded input."""
    rank = len(kernel_size)
    out: List[int] = []
    for dim in range(rank):
        is_whole = ceil_mode and exceeds(kernel_size[dim], self.size(dim - rank), padding[dim])
        out.append(1 if is_whole else stride[dim])
    return out


def is_written(lists: List[List[int]], rank: int) -> bool:
    """Whether lists have an element per dimension."""
    found = True
    for each in lists:
        if len(each) != rank:
            found = False
    return found


def dtype_of_pools(dtype: int) -> int:
    """The dtype of floats that holds all integers of a dtype, as conversions compare floats."""
    if dtype == torch.uint8 or dtype == torch.int8 or dtype == torch.int16:
        return torch.float32
    return torch.float64 if dtype == torch.int32 else dtype


def largest(
    self: torch.Tensor,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
    rank: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The maxima of windows, and their places, of a batch."""
    windows, around = repeated(kernel_size, rank), repeated(padding, rank)
    between = repeated(dilation, rank)
    step = repeated(stride if len(stride) > 0 else kernel_size, rank)
    single, exact = self.dim() == rank + 1, dtype_of_pools(self.dtype)
    # A dilated window is larger than its size tells.
    is_up = ceil_mode and max(between) == 1
    if (
        not single
        and exact == self.dtype
        and is_written([kernel_size, stride, padding, dilation], rank)
    ):
        is_long = are_long(self, step, around, ceil_mode)
        assert is_long or is_clipped(self, windows, around, is_up), (
            "concerns only single samples, integers, short lists, large windows and strides"
        )
    batch = in_dtype(torch.unsqueeze(self, 0) if single else self, exact)
    step = shortened(self, step, around, ceil_mode)
    step = steps(self, windows, step, around, is_up)
    windows = clipped(self, windows, around, is_up)
    if rank == 2:
        found, places = torch.ops.aten.max_pool2d_with_indices(
            batch, windows, step, around, between, ceil_mode
        )
    else:
        found, places = torch.ops.aten.max_pool3d_with_indices(
            batch, windows, step, around, between, ceil_mode
        )
    if single:
        found, places = torch.squeeze(found, 0), torch.squeeze(places, 0)
    return in_dtype(found, self.dtype), places


def average(
    self: torch.Tensor,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Optional[int],
    rank: int,
) -> torch.Tensor:
    """The means of windows, of a batch."""
    windows, around = repeated(kernel_size, rank), repeated(padding, rank)
    step = repeated(stride if len(stride) > 0 else kernel_size, rank)
    single = self.dim() == rank + 1
    if not single and is_written([kernel_size, stride, padding], rank):
        is_long = are_long(self, step, around, ceil_mode)
        assert is_long or is_clipped(self, windows, around, ceil_mode), (
            "concerns only single samples, short lists, large windows and strides"
        )
    batch = torch.unsqueeze(self, 0) if single else self
    step = shortened(self, step, around, ceil_mode)
    step = steps(self, windows, step, around, ceil_mode)
    windows = clipped(self, windows, around, ceil_mode)
    if rank == 2:
        found = torch.ops.aten.avg_pool2d(
            batch, windows, step, around, ceil_mode, count_include_pad, divisor_override
        )
    else:
        found = torch.ops.aten.avg_pool3d(
            batch, windows, step, around, ceil_mode, count_include_pad, divisor_override
        )
    return torch.squeeze(found, 0) if single else found


_PLANES = [
    Invocation(T(2, 5, 6), [2], ceil_mode=True),
    Invocation(T(1, 2, 5, 6), [3, 2], [2], [1, 0]),
    Invocation(T(1, 2, 3, 3), [5, 2], [4, 1], [0, 0], ceil_mode=True),
    Invocation(T(1, 2, 6, 7), [3, 2], [50, 2], [1, 1], ceil_mode=True),
]
_VOLUMES = [
    Invocation(T(2, 4, 5, 6), [2], ceil_mode=True),
    Invocation(T(1, 2, 3, 3, 4), [5, 2, 2], [4, 1, 1], [0, 0, 0], ceil_mode=True),
    Invocation(T(1, 2, 3, 6, 5), [3, 3, 3], [90, 90, 90], ceil_mode=True),
]
_INTEGERS = [
    Invocation(T(1, 2, 5, 6, dtype=torch.uint8), [3, 2]),
    Invocation(T(1, 2, 5, 6, dtype=torch.int32), [3, 2], [2], [1], [1, 2]),
]

decomposition_family(largest, "aten::max_pool2d_with_indices", ok=[*_PLANES, *_INTEGERS], rank=2)
decomposition_family(largest, "aten::max_pool3d_with_indices", ok=_VOLUMES, rank=3)
decomposition_family(average, "aten::avg_pool2d", ok=_PLANES, rank=2)
decomposition_family(average, "aten::avg_pool3d", ok=_VOLUMES, rank=3)


def maxima(
    self: torch.Tensor,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
    rank: int,
) -> torch.Tensor:
    """The maxima of windows of a batch, without their places."""
    found, _ = largest(self, kernel_size, stride, padding, dilation, ceil_mode, rank)
    return found


decomposition_family(maxima, "aten::max_pool2d", ok=[*_PLANES, *_INTEGERS], rank=2)
decomposition_family(maxima, "aten::max_pool3d", ok=_VOLUMES, rank=3)


def divides(count: int, size: int) -> bool:
    """Whether windows are known to be of equal size."""
    return is_known(size) and is_known(count) and size > 0 and count > 0 and size % count == 0


def spans(size: int, count: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The windows of a dimension: where each starts, the places of its elements, in as many columns
    as the longest has, and which of them it has."""
    index = torch.arange(count, dtype=torch.int64)
    first = torch.floor_divide(torch.mul(index, size), count)
    end = torch.floor_divide(torch.add(torch.mul(index, size), size + count - 1), count)
    length = (size + count - 1) // count
    if not divides(count, size):
        length += 1
    place = torch.add(torch.unsqueeze(first, 1), torch.arange(length, dtype=torch.int64))
    inside = torch.lt(place, torch.unsqueeze(end, 1))
    return first, torch.clamp_max(place, size - 1), inside


def largest_of_spans(
    self: torch.Tensor, output_size: List[int], rank: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The maxima of windows that cover the last dimensions, and their places: of equal elements the
    first, but of several NaNs the last."""
    lead = self.dim() - rank
    firsts: List[torch.Tensor] = []
    lengths: List[int] = []
    masks: List[torch.Tensor] = []
    for k in range(rank):
        first, place, inside = spans(self.size(lead + k), output_size[k])
        shape: List[int] = []
        for other in range(rank):
            shape.append(output_size[k] if other == k else 1)
        firsts.append(torch.reshape(first, shape))
        lengths.append(place.size(1))
        masks.append(inside)
    found = self
    for behind in range(rank):
        k = rank - 1 - behind
        dim = lead + k
        _, place, _ = spans(self.size(dim), output_size[k])
        apart: List[int] = []
        for other in range(found.dim()):
            if other == dim:
                apart.append(output_size[k])
                apart.append(lengths[k])
            else:
                apart.append(found.size(other))
        row = torch.reshape(place, [output_size[k] * lengths[k]])
        found = torch.reshape(torch.index_select(found, dim, row), apart)
    # Dimensions of windows and of their elements alternate.
    order: List[int] = []
    sizes: List[int] = []
    count = 1
    for dim in range(lead):
        order.append(dim)
        sizes.append(self.size(dim))
    for k in range(rank):
        shape: List[int] = []
        for other in range(rank):
            shape.append(output_size[k] if other == k else 1)
            shape.append(lengths[k] if other == k else 1)
        least = torch.full([], -float("inf"), dtype=self.dtype)
        found = torch.where(torch.reshape(masks[k], shape), found, least)
        order.append(lead + 2 * k)
        sizes.append(output_size[k])
        count *= lengths[k]
    for k in range(rank):
        order.append(lead + 2 * k + 1)
    sizes.append(count)
    rows = torch.reshape(torch.permute(found, order), sizes)
    values, index = torch.max(rows, -1)
    steps = torch.arange(count, dtype=torch.int64)
    none = torch.full([], -1, dtype=torch.int64)
    last = torch.amax(torch.where(torch.isnan(rows), steps, none), [-1])
    index = torch.where(torch.ge(last, 0), last, index)
    places = torch.zeros([], dtype=torch.int64)
    stride = 1
    for behind in range(rank):
        k = rank - 1 - behind
        step = torch.remainder(index, lengths[k])
        index = torch.floor_divide(index, lengths[k])
        places = torch.add(places, torch.mul(torch.add(step, firsts[k]), stride))
        stride *= self.size(lead + k)
    return values, places


@decomposition(
    "aten::adaptive_max_pool2d",
    ok=[
        Invocation(T(2, 6, 4), [3, 2]),
        Invocation(T(1, 2, 5, 7), [2, 3]),
        Invocation(T(2, 5, 7), [1, 4]),
        Invocation(T(2, 3, 4), [5, 6]),
    ],
)
def adaptive_max_pool2d(
    self: torch.Tensor, output_size: List[int]
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Windows of one size by those of pools, others by their elements."""
    rows, columns = output_size[0], output_size[1]
    assert rows > 0 and columns > 0, "there are no windows"
    if not divides(rows, self.size(-2)) or not divides(columns, self.size(-1)):
        return largest_of_spans(self, output_size, 2)
    batch = torch.unsqueeze(self, 0) if self.dim() == 3 else self
    windows = [self.size(-2) // rows, self.size(-1) // columns]
    found, places = torch.ops.aten.max_pool2d_with_indices(
        batch, windows, windows, [0, 0], [1, 1], False
    )
    if self.dim() == 3:
        found, places = torch.squeeze(found, 0), torch.squeeze(places, 0)
    return found, places


@decomposition(
    "aten::adaptive_max_pool3d",
    ok=[Invocation(T(2, 4, 5, 3), [2, 2, 3]), Invocation(T(1, 2, 2, 5, 7), [1, 2, 3])],
)
def adaptive_max_pool3d(
    self: torch.Tensor, output_size: List[int]
) -> Tuple[torch.Tensor, torch.Tensor]:
    """By the elements of each window."""
    for size in output_size:
        assert size > 0, "there are no windows"
    return largest_of_spans(self, output_size, 3)


@decomposition("aten::adaptive_max_pool1d", ok=[Invocation(T(2, 6), [4])])
def adaptive_max_pool1d(
    self: torch.Tensor, output_size: List[int]
) -> Tuple[torch.Tensor, torch.Tensor]:
    """By the elements of each window."""
    assert output_size[0] > 0, "there are no windows"
    return largest_of_spans(self, output_size, 1)
