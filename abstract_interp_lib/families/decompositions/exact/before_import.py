"""Operators that are expanded before the import.

The dialect's verifier rejects `kthvalue` for tensors of rank 0, and the wheel's conversion takes k
passes over a row. PyTorch's trace infers other shapes than `unique_consecutive` returns for some
dimensions, and other dtypes than `ldexp` for some operands.
"""

from typing import Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    in_dtype,
    of_row,
    ordered_row,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, is_integral


@decomposition(
    "aten::kthvalue",
    ok=[
        Invocation(T(2, 3, dtype=torch.uint8), 2, 0, True),
        Invocation(T(), 1, 0, True),
        Invocation(T(), 1),
        Invocation(T(2, 3), 3),
        Invocation(T(4, 2, dtype=torch.int64), 1, -2, True),
    ],
)
def kthvalue(
    self: torch.Tensor, k: int, dim: int = -1, keepdim: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """An element of the sorted rows."""
    found = torch.sort(ordered_row(self), dim)
    place = k - 1
    value, index = found.values.select(dim, place), found.indices.select(dim, place)
    if keepdim:
        value, index = value.unsqueeze(dim), index.unsqueeze(dim)
    return of_row(in_dtype(value, self.dtype), self), of_row(index, self)


@decomposition(
    "aten::unique_consecutive",
    ok=[
        Invocation(T(3, values=[1, 1, 2]), dim=-1, device="cpu"),
        Invocation(T(2, 3, values=[1, 1, 2, 1, 1, 2]), True, dim=-1, device="cpu"),
    ],
)
def unique_consecutive(
    self: torch.Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of a vector, and along a dimension that is not negative."""
    kept = "concerns only dimensions that are negative, or of a vector"
    assert dim is not None and self.dim() > 0, kept
    if self.dim() == 1:
        # A negative dimension is treated as slices, and all results are returned.
        every = dim == -1
        return torch.ops.aten.unique_consecutive(
            self, return_inverse or every, return_counts or every
        )
    assert dim < 0, kept
    return torch.ops.aten.unique_consecutive(self, return_inverse, return_counts, dim + self.dim())


@decomposition(
    "aten::ldexp.Tensor",
    ok=[
        Invocation(T(2, 3), T(3, dtype=torch.int32)),
        Invocation(T(dtype=torch.int64), T(2)),
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.uint8)),
        Invocation(T(2, values=[1e-30, 1e30]), T(2, dtype=torch.int32, values=[200, -200])),
    ],
)
def ldexp(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Times a power of 2; of an integer exponent in two steps, as the power may be no number where
    the product is one."""
    if not is_integral(other.dtype):
        return torch.mul(self, torch.pow(2.0, other))
    dtype = int_to_float(promoted_dtype(self, other))
    exponent = in_dtype(other, torch.float64)
    half = torch.floor(torch.mul(exponent, 0.5))
    found = torch.mul(in_dtype(self, torch.float64), torch.pow(2.0, half))
    return in_dtype(torch.mul(found, torch.pow(2.0, torch.sub(exponent, half))), dtype)
