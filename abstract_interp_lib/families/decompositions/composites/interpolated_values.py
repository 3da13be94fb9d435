"""Values between others, and sums with products: `lerp`, `addcmul`."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    is_complex,
    is_integral,
    promote_dtypes,
)


def between_ends(self: torch.Tensor, end: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """A fraction of the way, from the nearer end."""
    way = torch.sub(end, self)
    near_start = torch.add(self, torch.mul(weight, way))
    near_end = torch.sub(end, torch.mul(way, torch.rsub(weight, 1)))
    return torch.where(torch.lt(torch.abs(weight), 0.5), near_start, near_end)


@decomposition("aten::lerp.Tensor")
def lerp(self: torch.Tensor, end: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """From one tensor to another by a weight; rounded once."""
    assert not is_complex(self.dtype), "complex numbers have no nearer end"
    dtype = computation_dtype(self.dtype)
    wide = in_dtype(weight, dtype)
    return in_dtype(between_ends(in_dtype(self, dtype), in_dtype(end, dtype), wide), self.dtype)


@decomposition("aten::lerp.Scalar")
def lerp_scalar(
    self: torch.Tensor, end: torch.Tensor, weight: Union[int, float, complex]
) -> torch.Tensor:
    """From one tensor to another by a weight; rounded once."""
    assert not is_complex(self.dtype), "complex numbers have no nearer end"
    dtype = computation_dtype(self.dtype)
    wide = torch.full([], weight, dtype=dtype)
    return in_dtype(between_ends(in_dtype(self, dtype), in_dtype(end, dtype), wide), self.dtype)


def dtype_of_three(self: torch.Tensor, tensor1: torch.Tensor, tensor2: torch.Tensor) -> int:
    """The dtype that three operands promote to."""
    ranks: List[Optional[int]] = [self.dim(), tensor1.dim(), tensor2.dim()]
    return promote_dtypes(ranks, [self.dtype, tensor1.dtype, tensor2.dtype])


@decomposition(
    "aten::addcmul", ok=[Invocation(*[T(3, dtype=torch.int32, values=[2, -3, 5])] * 3, value=-2.75)]
)
def addcmul(
    self: torch.Tensor,
    tensor1: torch.Tensor,
    tensor2: torch.Tensor,
    value: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """A multiple of a product, added; rounded once."""
    dtype = dtype_of_three(self, tensor1, tensor2)
    wide = dtype if is_integral(dtype) else computation_dtype(dtype)
    if is_integral(dtype):
        value = int(value)
    scaled = in_dtype(tensor1, wide)
    if value != 1:
        scaled = in_dtype(torch.mul(scaled, value), wide)
    return in_dtype(
        torch.add(in_dtype(self, wide), torch.mul(scaled, in_dtype(tensor2, wide))), dtype
    )


@decomposition("aten::addcdiv")
def addcdiv(
    self: torch.Tensor,
    tensor1: torch.Tensor,
    tensor2: torch.Tensor,
    value: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """A multiple of a quotient, added; rounded once."""
    dtype = dtype_of_three(self, tensor1, tensor2)
    wide = computation_dtype(dtype)
    scaled = in_dtype(tensor1, wide)
    if value != 1:
        scaled = torch.mul(scaled, value)
    return in_dtype(
        torch.add(in_dtype(self, wide), torch.div(scaled, in_dtype(tensor2, wide))), dtype
    )
