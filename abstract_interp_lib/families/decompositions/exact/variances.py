"""Variances and standard deviations by means, in the dtype that PyTorch's CPU kernel computes in.

It adds squares in double precision, for which squares of f32 are neither too large nor too small,
and those of f16 in f32. Without degrees of freedom, the sum of squares is divided by 0, not by a
negative number.
"""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import as_row, computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    real_dtype,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex


def averaged(rank: int, dim: Optional[List[int]]) -> List[int]:
    """The dimensions of a reduction, which are not negative; none are all."""
    dims: List[int] = []
    for place in range(rank):
        is_listed = dim is None or len(dim) == 0
        if dim is not None:
            is_listed = is_listed or place in dim or place - rank in dim
        if is_listed:
            dims.append(place)
    return dims


def dtype_of_squares(dtype: int) -> int:
    """The dtype in which the squares of elements of a dtype are added."""
    if dtype == torch.float16:
        return torch.float32
    return torch.float64


def spread(wide: torch.Tensor, dims: List[int], correction: float) -> torch.Tensor:
    """The variance over dimensions, which remain with size 1."""
    rest = torch.sub(wide, torch.mean(wide, dims, True))
    squares = torch.sum(torch.mul(rest, rest), dims, True)
    count = 1
    for dim in dims:
        count *= wide.size(dim)
    whole = int(correction)
    if float(whole) == correction:
        # Without elements a variance is NaN, whatever the correction.
        return torch.div(squares, max(count - whole, 0) * min(count, 1))
    degrees = torch.sub(torch.full([], count, dtype=torch.float64), correction)
    return torch.div(squares, torch.mul(torch.clamp_min(degrees, 0.0), min(count, 1)))


def in_result_form(
    self: torch.Tensor, found: torch.Tensor, dims: List[int], keepdim: bool, dtype: int
) -> torch.Tensor:
    """A result without the dimensions of size 1, unless they are kept."""
    if self.dim() == 0:
        return in_dtype(torch.reshape(found, []), dtype)
    if not keepdim:
        for index in range(len(dims)):
            found = torch.squeeze(found, dims[len(dims) - 1 - index])
    return in_dtype(found, dtype)


def variance_of(
    self: torch.Tensor, dim: Optional[List[int]], correction: float, keepdim: bool, rooted: int
) -> torch.Tensor:
    """The variance, or its root; of complex numbers, by the sum of the variances of the parts."""
    row = as_row(self)
    dims = averaged(row.dim(), dim if self.dim() > 0 else None)
    if is_covered(self):
        found = torch.add(
            spread(in_dtype(real_of(row), torch.float64), dims, correction),
            spread(in_dtype(imag_of(row), torch.float64), dims, correction),
        )
        dtype = real_dtype(self.dtype)
    else:
        assert not is_complex(self.dtype), "half precision has no complex type in MLIR"
        found = spread(in_dtype(row, dtype_of_squares(self.dtype)), dims, correction)
        dtype = self.dtype
    if rooted == 1:
        found = torch.sqrt(found)
    return in_result_form(self, found, dims, keepdim, dtype)


def mean_of(self: torch.Tensor, dim: Optional[List[int]], keepdim: bool) -> torch.Tensor:
    """The mean, in the dtype of the elements."""
    row = as_row(self)
    dims = averaged(row.dim(), dim if self.dim() > 0 else None)
    if is_covered(self):
        real = in_result_form(
            self, torch.mean(real_of(row), dims, True), dims, keepdim, real_dtype(self.dtype)
        )
        imag = in_result_form(
            self, torch.mean(imag_of(row), dims, True), dims, keepdim, real_dtype(self.dtype)
        )
        return complex_of(real, imag)
    wide = in_dtype(row, computation_dtype(self.dtype))
    return in_result_form(self, torch.mean(wide, dims, True), dims, keepdim, self.dtype)


def by_unbiased(self: torch.Tensor, unbiased: bool, rooted: int) -> torch.Tensor:
    """Of all elements."""
    return variance_of(self, None, 1.0 if unbiased else 0.0, False, rooted)


def by_unbiased_dims(
    self: torch.Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool, rooted: int
) -> torch.Tensor:
    """Along dimensions."""
    return variance_of(self, dim, 1.0 if unbiased else 0.0, keepdim, rooted)


def by_correction(
    self: torch.Tensor,
    dim: Optional[List[int]],
    correction: Optional[Union[int, float, complex]],
    keepdim: bool,
    rooted: int,
) -> torch.Tensor:
    """Along dimensions, with a number that the degrees of freedom are fewer by."""
    less = 1.0 if correction is None else float(correction)
    return variance_of(self, dim, less, keepdim, rooted)


def both_by_unbiased(
    self: torch.Tensor, unbiased: bool, rooted: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Of all elements, with the mean."""
    return by_unbiased(self, unbiased, rooted), mean_of(self, None, False)


def both_by_unbiased_dims(
    self: torch.Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool, rooted: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Along dimensions, with the mean."""
    found = by_unbiased_dims(self, dim, unbiased, keepdim, rooted)
    return found, mean_of(self, dim, keepdim)


def both_by_correction(
    self: torch.Tensor,
    dim: Optional[List[int]],
    correction: Optional[Union[int, float, complex]],
    keepdim: bool,
    rooted: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Along dimensions, with the mean and a number that the degrees of freedom are fewer by."""
    found = by_correction(self, dim, correction, keepdim, rooted)
    return found, mean_of(self, dim, keepdim)


_NOTHING = [Invocation(T(0)), Invocation(T(dtype=torch.float16))]
_CORRECTED = [
    Invocation(T(2, 3, dtype=torch.complex64), [1], correction=0, keepdim=True),
    Invocation(T(0), correction=-1),
    Invocation(T(2, 0), [1], correction=0),
    Invocation(T(2, 3), [-1], correction=5),
    Invocation(T(2, 3, dtype=torch.bfloat16), correction=0.5),
    Invocation(T(3, values=[1e20, 2e20, 4e20])),
    Invocation(T(3, values=[1e-30, 2e-30, 4e-30])),
]

decomposition_family(by_unbiased, "aten::var", ok=_NOTHING, rooted=0)
decomposition_family(by_unbiased, "aten::std", ok=_NOTHING, rooted=1)
decomposition_family(by_unbiased_dims, "aten::var.dim", rooted=0)
decomposition_family(by_unbiased_dims, "aten::std.dim", rooted=1)
decomposition_family(by_correction, "aten::var.correction", ok=_CORRECTED, rooted=0)
decomposition_family(by_correction, "aten::std.correction", ok=_CORRECTED, rooted=1)
decomposition_family(both_by_unbiased, "aten::var_mean", ok=_NOTHING, rooted=0)
decomposition_family(both_by_unbiased, "aten::std_mean", ok=_NOTHING, rooted=1)
decomposition_family(both_by_unbiased_dims, "aten::var_mean.dim", rooted=0)
decomposition_family(both_by_unbiased_dims, "aten::std_mean.dim", rooted=1)
decomposition_family(both_by_correction, "aten::var_mean.correction", ok=_CORRECTED, rooted=0)
decomposition_family(both_by_correction, "aten::std_mean.correction", ok=_CORRECTED, rooted=1)
