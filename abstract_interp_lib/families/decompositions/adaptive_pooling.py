"""Pooling to a given size, computed by means."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def adaptive_average(self: torch.Tensor, output_size: List[int]) -> torch.Tensor:
    """Windows of equal size are dimensions of their own, over which the mean is taken."""
    count = len(output_size)
    assert not is_integral(self.dtype), "means are of floats"
    shape: List[int] = []
    windows: List[int] = []
    if max(output_size) == 1 and min(output_size) == 1:
        for index in range(count):
            windows.append(index - count)
        return torch.mean(self, windows, keepdim=True)
    for dim in range(self.dim() - count):
        shape.append(self.size(dim))
    for index in range(count):
        size = self.size(index - count)
        is_even = is_known(size) and output_size[index] > 0 and size % output_size[index] == 0
        assert is_even, "windows differ in size"
        shape.append(output_size[index])
        windows.append(len(shape))
        shape.append(size // output_size[index])
    return torch.mean(torch.reshape(self, shape), windows)


decomposition_family(adaptive_average, "aten::adaptive_avg_pool1d", ok=[Invocation(T(2, 6), [3])])
decomposition_family(
    adaptive_average,
    "aten::adaptive_avg_pool2d",
    ok=[Invocation(T(2, 6, 4), [3, 1]), Invocation(T(2, 5, 4), [1, 1])],
)
decomposition_family(
    adaptive_average, "aten::adaptive_avg_pool3d", ok=[Invocation(T(2, 3, 6, 4, 2), [3, 1, 2])]
)
