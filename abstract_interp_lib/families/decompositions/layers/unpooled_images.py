"""Images whose pooling has given elements at given places, and zeros elsewhere."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.rules.formulas.scattering import count_of, planes


def unpooled(
    self: torch.Tensor, indices: torch.Tensor, output_size: List[int], rank: int
) -> torch.Tensor:
    """Elements are written to the indices, which count within an image."""
    values = planes(self, rank)
    zeros = torch.zeros([values.size(0), count_of(output_size)], dtype=self.dtype)
    found = torch.scatter(zeros, 1, planes(indices, rank), values)
    shape: List[int] = []
    for dim in range(self.dim() - rank):
        shape.append(self.size(dim))
    for size in output_size:
        shape.append(size)
    return torch.reshape(found, shape)


decomposition_family(
    unpooled,
    "aten::max_unpool2d",
    ok=[
        Invocation(T(2, 1, 2), T(2, 1, 2, dtype=torch.int64, values=[5, 0, 1, 3]), [2, 3]),
        Invocation(T(1, 1, 1, 1), T(1, 1, 1, 1, dtype=torch.int64, values=[2]), [3, 1]),
    ],
    rank=2,
)
decomposition_family(
    unpooled,
    "aten::max_unpool3d",
    ok=[
        Invocation(
            *(T(1, 1, 1, 2), T(1, 1, 1, 2, dtype=torch.int64, values=[7, 2])),
            *([2, 2, 2], [1, 1, 1], [0, 0, 0]),
        )
    ],
    rank=3,
)
