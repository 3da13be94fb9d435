"""The largest elements of a dimension, or the smallest."""

from typing import Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype, of_row, ordered_row


@decomposition(
    "aten::topk",
    ok=[
        Invocation(T(2, 3, dtype=torch.uint8), 2, 0),
        Invocation(T(2, 3), 2, sorted=False),
        Invocation(T(), 1),
    ],
)
def topk(
    self: torch.Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The first elements of a sorted dimension; results that need not be sorted are."""
    # PyTorch accepts no element of a tensor of rank 0, too, and returns it.
    assert self.dim() > 0 or k == 1, "no element of rank 0"
    found = torch.sort(ordered_row(self), dim, largest)
    values = torch.ops.aten.slice(found.values, dim, 0, k, 1)
    places = torch.ops.aten.slice(found.indices, dim, 0, k, 1)
    return of_row(in_dtype(values, self.dtype), self), of_row(places, self)
