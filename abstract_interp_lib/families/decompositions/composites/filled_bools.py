"""Bools filled with numbers, which are true unless they are 0."""

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
    """True where the mask is, or false there."""
    assert self.dtype == torch.bool, "concerns only bools"
    if value == 0:
        return torch.logical_and(self, torch.logical_not(mask))
    return torch.logical_or(self, mask)
