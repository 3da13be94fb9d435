"""Inverse trigonometric and hyperbolic functions of complex numbers."""

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.formulas.complex_functions import (
    acos_parts,
    asin_parts,
    atanh_parts,
    of_wide,
    signed,
    wide_parts,
)
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import is_covered

_OF_ONE = [Invocation(T(2, 3, dtype=torch.complex64)), Invocation(T(dtype=torch.complex128))]


@decomposition("aten::acos", ok=_OF_ONE)
def acos(self: torch.Tensor) -> torch.Tensor:
    """The angle whose cosine it is, from 0 to pi."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = acos_parts(a, b)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::asin", ok=_OF_ONE)
def asin(self: torch.Tensor) -> torch.Tensor:
    """The angle whose sine it is, from -pi/2 to pi/2."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = asin_parts(a, b)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::atan", ok=_OF_ONE)
def atan(self: torch.Tensor) -> torch.Tensor:
    """atanh of i z over i."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = atanh_parts(torch.neg(b), a)
    return of_wide(imag, torch.neg(real), self.dtype)


@decomposition("aten::acosh", ok=_OF_ONE)
def acosh(self: torch.Tensor) -> torch.Tensor:
    """i or -i times acos, with a real part that is not negative."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = acos_parts(a, b)
    return of_wide(torch.abs(imag), signed(real, b), self.dtype)


@decomposition("aten::asinh", ok=_OF_ONE)
def asinh(self: torch.Tensor) -> torch.Tensor:
    """asin of i z over i."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = asin_parts(torch.neg(b), a)
    return of_wide(imag, torch.neg(real), self.dtype)


@decomposition("aten::atanh", ok=_OF_ONE)
def atanh(self: torch.Tensor) -> torch.Tensor:
    """Half the logarithm of (1 + z) / (1 - z)."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = atanh_parts(a, b)
    return of_wide(real, imag, self.dtype)
