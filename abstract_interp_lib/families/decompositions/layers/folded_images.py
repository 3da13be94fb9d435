"""Sums of overlapping windows, one dimension at a time: slices are added, nothing is scattered."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.overlapping import (
    may_overlap,
    overlapped,
    summation_dtype,
)


@decomposition(
    "aten::col2im",
    ok=[
        Invocation(T(2, 18, 20), [8, 7], [3, 2], [1, 2], [1, 0], [2, 1]),
        Invocation(T(12, 42), [8, 7], [2, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(1, 12, 12), [8, 9], [3, 4], [1, 1], [1, 2], [2, 4]),
        Invocation(T(0, 12, 42), [8, 7], [2, 2], [1, 1], [0, 0], [1, 1]),
    ],
)
def col2im(
    self: torch.Tensor,
    output_size: List[int],
    kernel_size: List[int],
    dilation: List[int],
    padding: List[int],
    stride: List[int],
) -> torch.Tensor:
    """The sums of windows along rows of images, and then along columns."""
    counts: List[int] = []
    for dim in range(2):
        assert may_overlap(kernel_size[dim], dilation[dim], stride[dim]), "too many slices"
        extent = dilation[dim] * (kernel_size[dim] - 1) + 1
        counts.append((output_size[dim] + 2 * padding[dim] - extent) // stride[dim] + 1)
    rank = self.dim()
    down, across = kernel_size[0], kernel_size[1]
    channels = self.size(rank - 2) // (down * across)
    images = channels if rank == 2 else self.size(0) * channels
    given = in_dtype(self, summation_dtype(self.dtype))
    windows = torch.reshape(given, [images * down, across, counts[0], counts[1], 1])
    rows = overlapped(windows, output_size[1], dilation[1], padding[1], stride[1])
    windows = torch.reshape(rows, [images, down, 1, counts[0], output_size[1]])
    found = overlapped(windows, output_size[0], dilation[0], padding[0], stride[0])
    shape = [channels] if rank == 2 else [self.size(0), channels]
    return in_dtype(torch.reshape(found, shape + output_size), self.dtype)
