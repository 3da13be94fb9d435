"""Pooling to a given size, computed by means, and by that of a batch of one."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)


def adaptive_average(self: torch.Tensor, output_size: List[int]) -> torch.Tensor:
    """Windows of equal size are dimensions of their own, over which the mean is taken."""
    count = len(output_size)
    shape: List[int] = []
    windows: List[int] = []
    for dim in range(self.dim() - count):
        shape.append(self.size(dim))
    for index in range(count):
        size = self.size(index - count)
        assert output_size[index] > 0 and size % output_size[index] == 0, "windows differ in size"
        shape.append(output_size[index])
        windows.append(len(shape))
        shape.append(size // output_size[index])
    return torch.mean(torch.reshape(self, shape), windows)


decomposition_family(adaptive_average, "aten::adaptive_avg_pool1d", ok=[Invocation(T(2, 6), [3])])
decomposition_family(
    adaptive_average, "aten::adaptive_avg_pool2d", ok=[Invocation(T(2, 6, 4), [3, 1])]
)
decomposition_family(
    adaptive_average, "aten::adaptive_avg_pool3d", ok=[Invocation(T(2, 3, 6, 4, 2), [3, 1, 2])]
)


@decomposition("aten::adaptive_max_pool1d")
def adaptive_max_pool1d(
    self: torch.Tensor, output_size: List[int]
) -> Tuple[torch.Tensor, torch.Tensor]:
    """That of a batch of one."""
    assert self.dim() == 2, "a batch is pooled as it is"
    largest, places = torch.adaptive_max_pool1d(torch.unsqueeze(self, 0), output_size)
    return torch.squeeze(largest, 0), torch.squeeze(places, 0)
