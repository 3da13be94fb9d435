"""Elements filled with a number; of bools, it is true unless it is 0."""

from typing import Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition


@decomposition(
    "aten::masked_fill.Scalar",
    ok=[
        Invocation(T(2, 3, dtype=torch.bool), T(3, dtype=torch.bool), 10),
        Invocation(T(2, 3, dtype=torch.bool), T(3, dtype=torch.bool), 0.5),
        Invocation(T(2, 3, dtype=torch.bool), T(2, 1, dtype=torch.bool), 0),
        Invocation(T(3, dtype=torch.bool), T(2, 3, dtype=torch.bool), 1.0),
        Invocation(T(2, 3, dtype=torch.bool), T(2, 3, dtype=torch.bool), False),
        Invocation(T(dtype=torch.bool), T(dtype=torch.bool), -1),
    ],
)
def masked_fill(
    self: torch.Tensor, mask: torch.Tensor, value: Union[int, float, complex]
) -> torch.Tensor:
    """A number where the mask is."""
    if self.dtype != torch.bool:
        return torch.where(mask, torch.full([], value, dtype=self.dtype), self)
    if value == 0:
        return torch.logical_and(self, torch.logical_not(mask))
    return torch.logical_or(self, mask)
