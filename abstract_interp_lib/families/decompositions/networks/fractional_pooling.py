"""Maxima of windows whose places are drawn."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype


def _starts(sample: torch.Tensor, size: int, wanted: int, length: int) -> torch.Tensor:
    """Where the windows of each image start; the last one ends with the image."""
    last = torch.full([sample.size(0), 1], size - length, dtype=torch.int64)
    if wanted == 1:
        return last
    step = torch.div(torch.full([1], size - length, dtype=sample.dtype), wanted - 1)
    first = torch.unsqueeze(sample, 1)
    each = in_dtype(torch.arange(wanted - 1, dtype=torch.int64), sample.dtype)
    places = in_dtype(torch.mul(torch.add(first, each), step), torch.int64)
    return torch.cat([torch.sub(places, in_dtype(torch.mul(first, step), torch.int64)), last], 1)


def fractional_max_pool(
    self: torch.Tensor,
    kernel_size: List[int],
    output_size: List[int],
    random_samples: torch.Tensor,
    rank: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The maximum of each window, and its place in the image; the last NaN if there is one."""
    assert self.dtype == torch.float32 or self.dtype == torch.float64, "windows are rounded in it"
    images = 1
    lead = self.dim() - rank
    shape: List[int] = []
    for dim in range(lead):
        images *= self.size(dim)
        shape.append(self.size(dim))
    samples = torch.reshape(random_samples, [images, rank])
    # Each image has a dimension of windows, then one of their elements.
    place = torch.zeros([images, 1, 1], dtype=torch.int64)
    outputs, elements, count = 1, 1, 1
    for index in range(rank):
        size = self.size(lead + index)
        wanted, length = output_size[index], kernel_size[index]
        # Of images, the columns are drawn first.
        drawn = rank - 1 - index if rank == 2 else index
        starts = _starts(torch.select(samples, 1, drawn), size, wanted, length)
        within = torch.arange(length, dtype=torch.int64)
        here = torch.add(torch.unsqueeze(starts, 2), within)
        here = torch.reshape(here, [images, 1, wanted, 1, length])
        before = torch.reshape(torch.mul(place, size), [images, outputs, 1, elements, 1])
        outputs *= wanted
        elements *= length
        count *= size
        shape.append(wanted)
        place = torch.reshape(torch.add(before, here), [images, outputs, elements])
    flat = torch.reshape(place, [images, outputs * elements])
    read = torch.gather(torch.reshape(self, [images, count]), 1, flat)
    read = torch.reshape(read, [images, outputs, elements])
    largest, at = torch.max(read, 2, True)
    steps = torch.arange(elements, dtype=torch.int64)
    nan = torch.where(torch.isnan(read), steps, torch.full([1], -1, dtype=torch.int64))
    nan = torch.amax(nan, [2], True)
    at = torch.where(torch.ge(nan, 0), nan, at)
    places = torch.gather(place, 2, at)
    return torch.reshape(largest, shape), torch.reshape(places, shape)


_SAMPLES = T(2, 3, 2, values=[0.1 * (1 + 3 * x % 8) for x in range(12)])
decomposition_family(
    fractional_max_pool,
    "aten::fractional_max_pool2d",
    ok=[
        Invocation(T(2, 3, 8, 7), [2, 3], [4, 3], _SAMPLES),
        Invocation(T(2, 3, 8, 7), [2, 3], [1, 5], _SAMPLES),
    ],
    rank=2,
)
decomposition_family(
    fractional_max_pool,
    "aten::fractional_max_pool3d",
    ok=[
        Invocation(
            T(1, 2, 5, 8, 7), [2, 3, 2], [3, 4, 3], T(1, 2, 3, values=[0.3, 0.5, 0.9, 0.1, 0.2, 0])
        )
    ],
    rank=3,
)
