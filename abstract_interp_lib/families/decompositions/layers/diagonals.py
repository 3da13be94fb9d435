"""Matrices with a given diagonal, which is every so many elements of the flat matrix."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.formulas.diagonals import with_diagonal


@decomposition(
    "aten::diag_embed",
    ok=[
        Invocation(T(2, 3), 0, -2, -1),
        Invocation(T(2, 3), 2, 0, 1),
        Invocation(T(2, 3), -1, 2, 0),
        Invocation(T(0)),
    ],
)
def diag_embed(self: torch.Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> torch.Tensor:
    """Zeros, but for the diagonals of the matrices in two dimensions."""
    rank = self.dim() + 1
    dim1 = dim1 + rank if dim1 < 0 else dim1
    dim2 = dim2 + rank if dim2 < 0 else dim2
    size = self.size(self.dim() - 1) + abs(offset)
    sizes: List[int] = []
    for dim in range(self.dim() - 1):
        sizes.append(self.size(dim))
    sizes.append(size)
    sizes.append(size)
    # Where each dimension is among those of the matrices, which are the last ones.
    order: List[int] = []
    batch = 0
    for dim in range(rank):
        if dim == dim1:
            order.append(rank - 2)
        elif dim == dim2:
            order.append(rank - 1)
        else:
            order.append(batch)
            batch += 1
    zeros = torch.zeros(sizes, dtype=self.dtype)
    return torch.permute(with_diagonal(zeros, self, offset), order)
