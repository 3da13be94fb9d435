"""Operators that cast a number, or an element, to the dtype of a tensor."""

from typing import Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype

_BYTES = T(2, 2, dtype=torch.uint8, values=[0, 1, 254, 255])
_NUMBERS = T(2, 3, dtype=torch.int64)


@decomposition(
    "aten::fill.Scalar",
    ok=[
        Invocation(T(2, 3), 1),
        Invocation(_NUMBERS, 2.75),
        Invocation(_BYTES, -1),
        Invocation(T(2, dtype=torch.bool), 0.5),
    ],
)
def fill(self: torch.Tensor, value: Union[int, float, complex]) -> torch.Tensor:
    """A number in the shape of a tensor."""
    return torch.full_like(self, value)


@decomposition(
    "aten::fill.Tensor",
    ok=[Invocation(_NUMBERS, T(values=[2.75])), Invocation(T(), T(dtype=torch.int32))],
)
def fill_with_element(self: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """An element in the shape of a tensor."""
    return torch.clone(in_dtype(value, self.dtype).expand(self.size()))
