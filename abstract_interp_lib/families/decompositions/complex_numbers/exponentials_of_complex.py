"""Exponential functions of complex numbers: exponentials, logarithms, roots, sines."""

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_functions import (
    cosh_parts,
    exp_parts,
    expm1_parts,
    log1p_parts,
    log_parts,
    of_wide,
    sinh_parts,
    sqrt_parts,
    tanh_parts,
    wide_parts,
)
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float

_OF_ONE = [Invocation(T(2, 3, dtype=torch.complex64)), Invocation(T(dtype=torch.complex128))]


@decomposition("aten::exp", ok=_OF_ONE)
def exp(self: torch.Tensor) -> torch.Tensor:
    """exp of the real part, turned by the imaginary part."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = exp_parts(a, b)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::exp2", ok=_OF_ONE)
def exp2(self: torch.Tensor) -> torch.Tensor:
    """2 to the power of a number; of complex ones, exp of the product with log 2, which is rounded,
    as in PyTorch's kernels."""
    if not is_covered(self):
        assert self.dtype != torch.complex32, "half precision has no complex type in MLIR"
        return torch.pow(2, in_dtype(self, int_to_float(self.dtype)))
    # A scalar of float32 is rounded first, too.
    factor = torch.full_like(real_of(self), 0.6931471805599453)
    a, b = torch.mul(real_of(self), factor), torch.mul(imag_of(self), factor)
    return torch.exp(complex_of(a, b))


@decomposition("aten::expm1", ok=_OF_ONE)
def expm1(self: torch.Tensor) -> torch.Tensor:
    """exp less 1, which is NaN or infinite where a product of parts is."""
    assert is_covered(self), "concerns only complex numbers"
    real, imag = expm1_parts(real_of(self), imag_of(self))
    return complex_of(real, imag)


@decomposition("aten::log", ok=_OF_ONE)
def log(self: torch.Tensor) -> torch.Tensor:
    """The logarithm of the distance from 0, and the angle."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = log_parts(a, b)
    return of_wide(real, imag, self.dtype)


def log_of_base(self: torch.Tensor, log_of_base: float) -> torch.Tensor:
    """A logarithm over that of another base, which PyTorch's kernels round before."""
    assert is_covered(self), "concerns only complex numbers"
    found = torch.log(self)
    over = torch.full_like(real_of(self), log_of_base)
    return complex_of(torch.div(real_of(found), over), torch.div(imag_of(found), over))


@decomposition("aten::log2", ok=_OF_ONE)
def log2(self: torch.Tensor) -> torch.Tensor:
    """The logarithm over that of 2."""
    return log_of_base(self, 0.6931471805599453)


@decomposition("aten::log10", ok=_OF_ONE)
def log10(self: torch.Tensor) -> torch.Tensor:
    """The logarithm over that of 10."""
    return log_of_base(self, 2.302585092994046)


@decomposition("aten::log1p", ok=_OF_ONE)
def log1p(self: torch.Tensor) -> torch.Tensor:
    """The logarithm of 1 + z."""
    assert is_covered(self), "concerns only complex numbers"
    real, imag = log1p_parts(self)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::sqrt", ok=_OF_ONE)
def sqrt(self: torch.Tensor) -> torch.Tensor:
    """The root whose real part is not negative."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = sqrt_parts(a, b)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::rsqrt", ok=_OF_ONE)
def rsqrt(self: torch.Tensor) -> torch.Tensor:
    """1 over the root."""
    assert is_covered(self), "concerns only complex numbers"
    return torch.reciprocal(torch.sqrt(self))


@decomposition("aten::sinh", ok=_OF_ONE)
def sinh(self: torch.Tensor) -> torch.Tensor:
    """sinh a cos b + i cosh a sin b."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = sinh_parts(a, b)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::cosh", ok=_OF_ONE)
def cosh(self: torch.Tensor) -> torch.Tensor:
    """cosh a cos b + i sinh a sin b."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = cosh_parts(a, b)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::sin", ok=_OF_ONE)
def sin(self: torch.Tensor) -> torch.Tensor:
    """sinh of i z over i."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = sinh_parts(torch.neg(b), a)
    return of_wide(imag, torch.neg(real), self.dtype)


@decomposition("aten::cos", ok=_OF_ONE)
def cos(self: torch.Tensor) -> torch.Tensor:
    """cosh of i z."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = cosh_parts(torch.neg(b), a)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::tanh", ok=_OF_ONE)
def tanh(self: torch.Tensor) -> torch.Tensor:
    """sinh over cosh."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = tanh_parts(a, b)
    return of_wide(real, imag, self.dtype)


@decomposition("aten::tan", ok=_OF_ONE)
def tan(self: torch.Tensor) -> torch.Tensor:
    """tanh of i z over i."""
    assert is_covered(self), "concerns only complex numbers"
    a, b = wide_parts(self)
    real, imag = tanh_parts(torch.neg(b), a)
    return of_wide(imag, torch.neg(real), self.dtype)


@decomposition("aten::sigmoid", ok=_OF_ONE)
def sigmoid(self: torch.Tensor) -> torch.Tensor:
    """1 over 1 + exp(-z), as in PyTorch's kernels, also where exp(-z) is infinite."""
    assert is_covered(self), "concerns only complex numbers"
    turned = torch.exp(complex_of(torch.neg(real_of(self)), torch.neg(imag_of(self))))
    return torch.reciprocal(complex_of(torch.add(real_of(turned), 1.0), imag_of(turned)))
