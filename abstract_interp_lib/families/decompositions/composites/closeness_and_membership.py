"""Comparisons of elements: `isclose`, `isin` with a number."""

from typing import Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import element, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_complex,
    is_integral,
    promote_with_number,
)


@decomposition("aten::isclose")
def isclose(
    self: torch.Tensor,
    other: torch.Tensor,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> torch.Tensor:
    """Equal, or of a finite difference below the tolerances."""
    assert self.dtype == other.dtype, "PyTorch does not promote them"
    assert not is_complex(self.dtype), "a difference of complex numbers has a length"
    assert rtol >= 0.0 and atol >= 0.0, "a tolerance is not negative"
    close = torch.eq(self, other)
    if equal_nan and not is_integral(self.dtype):
        close = torch.logical_or(close, torch.logical_and(torch.isnan(self), torch.isnan(other)))
    if rtol == 0.0 and atol == 0.0:
        return close
    left = in_dtype(self, int_to_float(self.dtype))
    right = in_dtype(other, int_to_float(other.dtype))
    allowed = torch.add(torch.abs(torch.mul(right, rtol)), atol)
    away = torch.abs(torch.sub(left, right))
    is_near = torch.logical_and(torch.isfinite(away), torch.le(away, allowed))
    return torch.logical_or(close, is_near)


@decomposition("aten::isin.Tensor_Scalar")
def isin_number(
    elements: torch.Tensor,
    test_element: Union[int, float, complex],
    assume_unique: bool = False,
    invert: bool = False,
) -> torch.Tensor:
    """Whether elements are a number."""
    dtype = promote_with_number((elements.dim(), elements.dtype), test_element)
    number = element(test_element, dtype)
    found = torch.eq(in_dtype(elements, dtype), number)
    return torch.logical_not(found) if invert else found


@decomposition("aten::isin.Scalar_Tensor")
def number_isin(
    element: Union[int, float, complex],
    test_elements: torch.Tensor,
    assume_unique: bool = False,
    invert: bool = False,
) -> torch.Tensor:
    """Whether a number is one of the elements."""
    found = torch.any(isin_number(test_elements, element))
    return torch.logical_not(found) if invert else found
