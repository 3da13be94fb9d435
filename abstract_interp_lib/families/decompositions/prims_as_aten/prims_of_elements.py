"""Primitive operators on elements: `prims::sin`, `prims::add`.

PyTorch's kernels of these are those of the ATen operators.
"""

from typing import Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


@decomposition("prims::abs")
def abs_prim(self: torch.Tensor) -> torch.Tensor:
    """`abs` of each element."""
    return torch.abs(self)


@decomposition("prims::acos")
def acos_prim(self: torch.Tensor) -> torch.Tensor:
    """`acos` of each element."""
    return torch.acos(self)


@decomposition("prims::acosh")
def acosh_prim(self: torch.Tensor) -> torch.Tensor:
    """`acosh` of each element."""
    return torch.acosh(self)


@decomposition("prims::asin")
def asin_prim(self: torch.Tensor) -> torch.Tensor:
    """`asin` of each element."""
    return torch.asin(self)


@decomposition("prims::asinh")
def asinh_prim(self: torch.Tensor) -> torch.Tensor:
    """`asinh` of each element."""
    return torch.asinh(self)


@decomposition("prims::atan")
def atan_prim(self: torch.Tensor) -> torch.Tensor:
    """`atan` of each element."""
    return torch.atan(self)


@decomposition("prims::atanh")
def atanh_prim(self: torch.Tensor) -> torch.Tensor:
    """`atanh` of each element."""
    return torch.atanh(self)


@decomposition("prims::bitwise_not")
def bitwise_not_prim(self: torch.Tensor) -> torch.Tensor:
    """`bitwise_not` of each element."""
    return torch.bitwise_not(self)


@decomposition("prims::ceil")
def ceil_prim(self: torch.Tensor) -> torch.Tensor:
    """`ceil` of each element."""
    return torch.ceil(self)


@decomposition("prims::cos")
def cos_prim(self: torch.Tensor) -> torch.Tensor:
    """`cos` of each element."""
    return torch.cos(self)


@decomposition("prims::cosh")
def cosh_prim(self: torch.Tensor) -> torch.Tensor:
    """`cosh` of each element."""
    return torch.cosh(self)


@decomposition("prims::digamma")
def digamma_prim(self: torch.Tensor) -> torch.Tensor:
    """`digamma` of each element."""
    return torch.digamma(self)


@decomposition("prims::erf")
def erf_prim(self: torch.Tensor) -> torch.Tensor:
    """`erf` of each element."""
    return torch.erf(self)


@decomposition("prims::erfc")
def erfc_prim(self: torch.Tensor) -> torch.Tensor:
    """`erfc` of each element."""
    return torch.erfc(self)


@decomposition("prims::exp")
def exp_prim(self: torch.Tensor) -> torch.Tensor:
    """`exp` of each element."""
    return torch.exp(self)


@decomposition("prims::exp2")
def exp2_prim(self: torch.Tensor) -> torch.Tensor:
    """`exp2` of each element."""
    return torch.exp2(self)


@decomposition("prims::expm1")
def expm1_prim(self: torch.Tensor) -> torch.Tensor:
    """`expm1` of each element."""
    return torch.expm1(self)


@decomposition("prims::floor")
def floor_prim(self: torch.Tensor) -> torch.Tensor:
    """`floor` of each element."""
    return torch.floor(self)


@decomposition("prims::isfinite")
def isfinite_prim(self: torch.Tensor) -> torch.Tensor:
    """`isfinite` of each element."""
    return torch.isfinite(self)


@decomposition("prims::lgamma")
def lgamma_prim(self: torch.Tensor) -> torch.Tensor:
    """`lgamma` of each element."""
    return torch.lgamma(self)


@decomposition("prims::log")
def log_prim(self: torch.Tensor) -> torch.Tensor:
    """`log` of each element."""
    return torch.log(self)


@decomposition("prims::log10")
def log10_prim(self: torch.Tensor) -> torch.Tensor:
    """`log10` of each element."""
    return torch.log10(self)


@decomposition("prims::log1p")
def log1p_prim(self: torch.Tensor) -> torch.Tensor:
    """`log1p` of each element."""
    return torch.log1p(self)


@decomposition("prims::log2")
def log2_prim(self: torch.Tensor) -> torch.Tensor:
    """`log2` of each element."""
    return torch.log2(self)


@decomposition("prims::neg")
def neg_prim(self: torch.Tensor) -> torch.Tensor:
    """`neg` of each element."""
    return torch.neg(self)


@decomposition("prims::reciprocal")
def reciprocal_prim(self: torch.Tensor) -> torch.Tensor:
    """`reciprocal` of each element."""
    return torch.reciprocal(self)


@decomposition("prims::round")
def round_prim(self: torch.Tensor) -> torch.Tensor:
    """`round` of each element."""
    return torch.round(self)


@decomposition("prims::rsqrt")
def rsqrt_prim(self: torch.Tensor) -> torch.Tensor:
    """`rsqrt` of each element."""
    return torch.rsqrt(self)


@decomposition("prims::sign")
def sign_prim(self: torch.Tensor) -> torch.Tensor:
    """`sign` of each element."""
    return torch.sign(self)


@decomposition("prims::signbit")
def signbit_prim(self: torch.Tensor) -> torch.Tensor:
    """`signbit` of each element."""
    return torch.signbit(self)


@decomposition("prims::sin")
def sin_prim(self: torch.Tensor) -> torch.Tensor:
    """`sin` of each element."""
    return torch.sin(self)


@decomposition("prims::sinh")
def sinh_prim(self: torch.Tensor) -> torch.Tensor:
    """`sinh` of each element."""
    return torch.sinh(self)


@decomposition("prims::sqrt")
def sqrt_prim(self: torch.Tensor) -> torch.Tensor:
    """`sqrt` of each element."""
    return torch.sqrt(self)


@decomposition("prims::tan")
def tan_prim(self: torch.Tensor) -> torch.Tensor:
    """`tan` of each element."""
    return torch.tan(self)


@decomposition("prims::tanh")
def tanh_prim(self: torch.Tensor) -> torch.Tensor:
    """`tanh` of each element."""
    return torch.tanh(self)


@decomposition("prims::trunc")
def trunc_prim(self: torch.Tensor) -> torch.Tensor:
    """`trunc` of each element."""
    return torch.trunc(self)


@decomposition("prims::erf_inv")
def erf_inv_prim(self: torch.Tensor) -> torch.Tensor:
    """`erfinv` of each element."""
    return torch.erfinv(self)


@decomposition("prims::cbrt")
def cbrt_prim(self: torch.Tensor) -> torch.Tensor:
    """The cubic root of the magnitude, with the sign of the element."""
    return torch.copysign(torch.pow(torch.abs(self), 1.0 / 3.0), self)


@decomposition("prims::frexp")
def frexp_prim(self: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Mantissa and exponent."""
    mantissa, exponent = torch.frexp(self)
    return mantissa, exponent


@decomposition("prims::add")
def add_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`add` of each pair of elements."""
    return torch.add(self, other)


@decomposition("prims::atan2")
def atan2_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`atan2` of each pair of elements."""
    return torch.atan2(self, other)


@decomposition("prims::bitwise_and")
def bitwise_and_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`bitwise_and` of each pair of elements."""
    return torch.bitwise_and(self, other)


@decomposition("prims::bitwise_or")
def bitwise_or_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`bitwise_or` of each pair of elements."""
    return torch.bitwise_or(self, other)


@decomposition("prims::bitwise_xor")
def bitwise_xor_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`bitwise_xor` of each pair of elements."""
    return torch.bitwise_xor(self, other)


@decomposition("prims::eq")
def eq_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`eq` of each pair of elements."""
    return torch.eq(self, other)


@decomposition("prims::fmax")
def fmax_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`fmax` of each pair of elements."""
    return torch.fmax(self, other)


@decomposition("prims::fmin")
def fmin_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`fmin` of each pair of elements."""
    return torch.fmin(self, other)


@decomposition("prims::fmod")
def fmod_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`fmod` of each pair of elements."""
    return torch.fmod(self, other)


@decomposition("prims::ge")
def ge_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`ge` of each pair of elements."""
    return torch.ge(self, other)


@decomposition("prims::gt")
def gt_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`gt` of each pair of elements."""
    return torch.gt(self, other)


@decomposition("prims::hypot")
def hypot_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`hypot` of each pair of elements."""
    return torch.hypot(self, other)


@decomposition("prims::le")
def le_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`le` of each pair of elements."""
    return torch.le(self, other)


@decomposition("prims::lt")
def lt_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`lt` of each pair of elements."""
    return torch.lt(self, other)


@decomposition("prims::maximum")
def maximum_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`maximum` of each pair of elements."""
    return torch.maximum(self, other)


@decomposition("prims::minimum")
def minimum_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`minimum` of each pair of elements."""
    return torch.minimum(self, other)


@decomposition("prims::mul")
def mul_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`mul` of each pair of elements."""
    return torch.mul(self, other)


@decomposition("prims::ne")
def ne_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`ne` of each pair of elements."""
    return torch.ne(self, other)


@decomposition("prims::pow")
def pow_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`pow` of each pair of elements."""
    return torch.pow(self, other)


@decomposition("prims::remainder")
def remainder_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`remainder` of each pair of elements."""
    return torch.remainder(self, other)


@decomposition("prims::sub")
def sub_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`sub` of each pair of elements."""
    return torch.sub(self, other)


@decomposition("prims::shift_left")
def shift_left_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`bitwise_left_shift` of each pair of elements."""
    return torch.bitwise_left_shift(self, other)


@decomposition("prims::shift_right_arithmetic")
def shift_right_arithmetic_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`bitwise_right_shift` of each pair of elements."""
    return torch.bitwise_right_shift(self, other)


@decomposition("prims::div")
def div_prim(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The quotient; that of integers is truncated."""
    if is_integral(self.dtype) and self.dtype != torch.bool:
        return torch.div(self, other, rounding_mode="trunc")
    return torch.div(self, other)


@decomposition("prims::where")
def where_prim(pred: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """One of two elements by a condition."""
    return torch.where(pred, a, b)
