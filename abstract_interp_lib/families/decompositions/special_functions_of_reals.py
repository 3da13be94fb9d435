"""Special functions, computed in double precision."""

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.float_bits import has_sign
from torch_refine.abstract_interp_lib.rules.formulas.special_functions import (
    double_digamma,
    double_erfc,
    double_erfcx,
    double_i0e,
    double_i1e,
    double_lgamma,
    inverse_of_erf,
    scaled_erfc_of_positive,
    single_erfc,
    single_inverse_of_erf,
)
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, is_complex


def _wide(self: torch.Tensor) -> torch.Tensor:
    assert not is_complex(self.dtype), "of real numbers"
    return in_dtype(self, torch.float64)


@decomposition("aten::lgamma")
def lgamma(self: torch.Tensor) -> torch.Tensor:
    """The logarithm of the absolute value of the gamma function."""
    return in_dtype(double_lgamma(_wide(self)), int_to_float(self.dtype))


@decomposition("aten::digamma")
def digamma(self: torch.Tensor) -> torch.Tensor:
    """The derivative of the logarithm of the gamma function."""
    return in_dtype(double_digamma(_wide(self)), int_to_float(self.dtype))


@decomposition("aten::mvlgamma")
def mvlgamma(self: torch.Tensor, p: int) -> torch.Tensor:
    """The logarithm of the gamma function of p dimensions."""
    wide = _wide(self)
    total = torch.full_like(wide, 0.25 * float(p * (p - 1)) * 1.1447298858494002)
    for index in range(p):
        total = torch.add(total, double_lgamma(torch.sub(wide, 0.5 * float(index))))
    return in_dtype(total, int_to_float(self.dtype))


def erfc(self: torch.Tensor) -> torch.Tensor:
    """What the error function lacks to 1."""
    wide = _wide(self)
    found = double_erfc(wide) if int_to_float(self.dtype) == torch.float64 else single_erfc(wide)
    return in_dtype(found, int_to_float(self.dtype))


def erfcx(self: torch.Tensor) -> torch.Tensor:
    """erfc(x) exp(x^2)."""
    return in_dtype(double_erfcx(_wide(self)), int_to_float(self.dtype))


def i0(self: torch.Tensor) -> torch.Tensor:
    """The modified Bessel function of order 0."""
    wide = _wide(self)
    found = torch.mul(double_i0e(wide), torch.exp(torch.abs(wide)))
    return in_dtype(found, int_to_float(self.dtype))


def i0e(self: torch.Tensor) -> torch.Tensor:
    """The modified Bessel function of order 0, times exp(-|x|)."""
    return in_dtype(double_i0e(_wide(self)), int_to_float(self.dtype))


def i1(self: torch.Tensor) -> torch.Tensor:
    """The modified Bessel function of order 1."""
    wide = _wide(self)
    found = torch.mul(double_i1e(wide), torch.exp(torch.abs(wide)))
    return in_dtype(found, int_to_float(self.dtype))


def i1e(self: torch.Tensor) -> torch.Tensor:
    """The modified Bessel function of order 1, times exp(-|x|)."""
    return in_dtype(double_i1e(_wide(self)), int_to_float(self.dtype))


def log_ndtr(self: torch.Tensor) -> torch.Tensor:
    """The logarithm of the normal distribution, without the underflow of its tail."""
    wide = _wide(self)
    at = torch.mul(torch.neg(wide), 0.7071067811865476)
    size = torch.abs(at)
    tail = torch.log(torch.mul(scaled_erfc_of_positive(size), 0.5))
    tail = torch.sub(tail, torch.mul(size, size))
    head = torch.log1p(torch.mul(double_erfc(torch.neg(at)), -0.5))
    return in_dtype(torch.where(torch.lt(wide, -1.0), tail, head), int_to_float(self.dtype))


@decomposition("aten::erfinv")
def erfinv(self: torch.Tensor) -> torch.Tensor:
    """The number whose error function this is."""
    wide = _wide(self)
    if int_to_float(self.dtype) != torch.float64:
        return in_dtype(single_inverse_of_erf(wide), int_to_float(self.dtype))
    size = torch.abs(wide)
    found = inverse_of_erf(size, torch.sub(1.0, size))
    return in_dtype(torch.where(has_sign(wide), torch.neg(found), found), int_to_float(self.dtype))


def ndtri(self: torch.Tensor) -> torch.Tensor:
    """The number below which this share of a normal distribution is."""
    wide = _wide(self)
    less = torch.mul(torch.minimum(wide, torch.sub(1.0, wide)), 2.0)
    found = torch.mul(inverse_of_erf(torch.sub(1.0, less), less), 1.4142135623730951)
    found = torch.where(torch.lt(wide, 0.5), torch.neg(found), found)
    return in_dtype(found, int_to_float(self.dtype))


decomposition_family(ndtri, "aten::special_ndtri", "prims::ndtri")
decomposition_family(erfc, "aten::erfc", "aten::special_erfc")
decomposition_family(erfcx, "aten::special_erfcx", "prims::erfcx")
decomposition_family(i0, "aten::i0", "aten::special_i0", "prims::bessel_i0")
decomposition_family(i0, "aten::special_modified_bessel_i0")
decomposition_family(i0e, "aten::special_i0e", "prims::bessel_i0e")
decomposition_family(i1, "aten::special_i1", "prims::bessel_i1")
decomposition_family(i1, "aten::special_modified_bessel_i1")
decomposition_family(i1e, "aten::special_i1e", "prims::bessel_i1e")
decomposition_family(log_ndtr, "aten::special_log_ndtr")
