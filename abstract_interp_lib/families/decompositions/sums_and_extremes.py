"""Reductions, computed by other operators."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    extreme_place,
    in_dtype,
    without_dims,
)
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, is_complex, is_integral


@decomposition("aten::argmax")
def argmax(self: torch.Tensor, dim: Optional[int] = None, keepdim: bool = False) -> torch.Tensor:
    """The index that the maximum of a dimension comes with."""
    return extreme_place(self, dim, keepdim, True)


@decomposition("aten::argmin")
def argmin(self: torch.Tensor, dim: Optional[int] = None, keepdim: bool = False) -> torch.Tensor:
    """The index that the minimum of a dimension comes with."""
    return extreme_place(self, dim, keepdim, False)


@decomposition("aten::msort")
def msort(self: torch.Tensor) -> torch.Tensor:
    """Sorted along the first dimension."""
    return torch.sort(self, 0).values


@decomposition("aten::nansum")
def nansum(
    self: torch.Tensor,
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> torch.Tensor:
    """The sum, in which a NaN counts as 0."""
    if is_integral(self.dtype):
        return torch.sum(self, dim, keepdim, dtype=dtype)
    if dtype is not None:
        assert not is_integral(dtype), "a NaN has no integer"
    known = torch.where(torch.ne(self, self), torch.zeros_like(self), self)
    return torch.sum(known, dim, keepdim, dtype=dtype)


@decomposition("aten::nanmean")
def nanmean(
    self: torch.Tensor,
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> torch.Tensor:
    """The sum of what is no NaN, over its count."""
    assert not is_integral(self.dtype), "PyTorch counts what is no NaN among floats"
    result = self.dtype
    if dtype is not None:
        result = dtype
    wide = in_dtype(self, computation_dtype(result))
    present = torch.logical_not(torch.isnan(wide))
    total = torch.sum(torch.where(present, wide, torch.zeros_like(wide)), dim, keepdim)
    count = torch.sum(in_dtype(present, torch.int64), dim, keepdim)
    return in_dtype(torch.div(total, count), result)


@decomposition("aten::logsumexp")
def logsumexp(self: torch.Tensor, dim: List[int], keepdim: bool = False) -> torch.Tensor:
    """The logarithm of the sum of exponentials, less the largest one."""
    assert not is_complex(self.dtype), "complex numbers have no maximum"
    dtype = int_to_float(self.dtype)
    wide = in_dtype(self, computation_dtype(dtype))
    large = torch.amax(wide, dim, True)
    # The difference of two infinities is NaN.
    large = torch.where(torch.isinf(large), torch.zeros_like(large), large)
    total = torch.log(torch.sum(torch.exp(torch.sub(wide, large)), dim, True))
    found = in_dtype(torch.add(total, large), dtype)
    return found if keepdim else without_dims(found, dim)


@decomposition("aten::dist")
def dist(
    self: torch.Tensor, other: torch.Tensor, p: Union[int, float, complex] = 2
) -> torch.Tensor:
    """The norm of the difference."""
    return torch.ops.aten.linalg_vector_norm(torch.sub(self, other), p)


@decomposition("aten::count_nonzero.dim_IntList")
def count_nonzero(self: torch.Tensor, dim: List[int]) -> torch.Tensor:
    """The number of elements that are not 0."""
    return torch.sum(in_dtype(torch.ne(self, 0), torch.int64), dim)


@decomposition("aten::count_nonzero")
def count_nonzero_dim(self: torch.Tensor, dim: Optional[int] = None) -> torch.Tensor:
    """The number of elements that are not 0."""
    present = in_dtype(torch.ne(self, 0), torch.int64)
    return torch.sum(present) if dim is None else torch.sum(present, [dim])


@decomposition("aten::trapezoid.dx")
def trapezoid(y: torch.Tensor, dx: Union[int, float, complex] = 1, dim: int = -1) -> torch.Tensor:
    """The sum of the means of neighbours."""
    size = y.size(dim)
    assert size > 0, "PyTorch returns zeros"
    ends = torch.add(torch.select(y, dim, 0), torch.select(y, dim, size - 1))
    return torch.mul(torch.sub(torch.sum(y, [dim]), torch.mul(ends, 0.5)), dx)


@decomposition("aten::sum_to_size")
def sum_to_size(self: torch.Tensor, size: List[int]) -> torch.Tensor:
    """The sum over the dimensions that were broadcast."""
    assert not is_integral(self.dtype), "small integers become int64, even without a sum"
    lead = self.dim() - len(size)
    dims: List[int] = []
    for dim in range(self.dim()):
        if dim < lead or (size[dim - lead] == 1 and self.size(dim) != 1):
            dims.append(dim)
    if len(dims) == 0:
        return self
    return torch.reshape(torch.sum(self, dims, True), size)


@decomposition("aten::trapezoid.x")
def trapezoid_x(y: torch.Tensor, x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """The sum of the means of neighbours, times their distances."""
    size = y.size(dim)
    assert size > 0, "PyTorch returns zeros"
    assert x.dim() == 1 or x.dim() == y.dim(), "PyTorch aligns the dimensions in its own way"
    if x.dim() == 1:
        shape: List[int] = []
        for _ in range(y.dim()):
            shape.append(1)
        shape[dim] = x.numel()
        x = torch.reshape(x, shape)
    count = x.size(dim)
    distance = torch.sub(
        torch.ops.aten.slice(x, dim, 1, count, 1), torch.ops.aten.slice(x, dim, 0, count - 1, 1)
    )
    pairs = torch.add(
        torch.ops.aten.slice(y, dim, 0, size - 1, 1), torch.ops.aten.slice(y, dim, 1, size, 1)
    )
    return torch.div(torch.sum(torch.mul(pairs, distance), [dim]), 2.0)
