"""Functions of tensors by element functions, in the precision that those need."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.special_functions import double_digamma
from torch_refine.abstract_interp_lib.rules.promotion import (
    dtype_of_number,
    int_to_float,
    is_complex,
    promote_dtypes,
)


def in_double(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """A tensor in float64, after it is rounded to a dtype."""
    return in_dtype(in_dtype(self, dtype), torch.float64)


def dtype_with_number(self: torch.Tensor, number: Union[int, float, complex]) -> int:
    """The dtype of floats that a tensor and a number promote to."""
    ranks: List[Optional[int]] = [self.dim(), None]
    return int_to_float(promote_dtypes(ranks, [self.dtype, dtype_of_number(number)]))


def zeta(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Hurwitz' zeta function, computed in double precision."""
    dtype = int_to_float(promoted_dtype(self, other))
    found = torch.special.zeta(in_double(self, dtype), in_double(other, dtype))
    return in_dtype(found, dtype)


decomposition_family(zeta, "aten::special_zeta", "prims::zeta")


@decomposition("aten::special_zeta.other_scalar")
def zeta_other_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """That of a number q."""
    dtype = dtype_with_number(self, other)
    number = torch.full([], other, dtype=dtype)
    found = torch.special.zeta(in_double(self, dtype), in_double(number, dtype))
    return in_dtype(found, dtype)


@decomposition("aten::special_zeta.self_scalar")
def zeta_self_scalar(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """That of a number s."""
    dtype = dtype_with_number(other, self)
    number = torch.full([], self, dtype=dtype)
    found = torch.special.zeta(in_double(number, dtype), in_double(other, dtype))
    return in_dtype(found, dtype)


def lower_gamma(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The regularised lower incomplete gamma function, computed in double precision."""
    dtype = int_to_float(promoted_dtype(self, other))
    return in_dtype(torch.igamma(in_double(self, dtype), in_double(other, dtype)), dtype)


decomposition_family(lower_gamma, "aten::igamma", "prims::igamma")


def upper_gamma(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The regularised upper incomplete gamma function, computed in double precision."""
    dtype = int_to_float(promoted_dtype(self, other))
    return in_dtype(torch.igammac(in_double(self, dtype), in_double(other, dtype)), dtype)


decomposition_family(upper_gamma, "aten::igammac", "prims::igammac")


def factorial(n: int, dtype: int) -> float:
    """n!, infinite where a dtype has no such number."""
    if n > 170 or (n > 34 and dtype != torch.float64):
        return float("inf")
    product = 1.0
    for index in range(n):
        product = product * float(index + 1)
    return product


def trigamma(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """The derivative of digamma: zeta(2, x), reflected below 1/2.

    The sine of the reflection is computed in the dtype, as its poles depend on that.
    """
    size = torch.sin(torch.mul(self, 3.141592653589793))
    reflected = torch.div(9.869604401089358, torch.mul(size, size))
    is_below = torch.lt(self, 0.5)
    wide = in_dtype(self, torch.float64)
    at = torch.where(is_below, torch.sub(1.0, wide), wide)
    two = torch.full([], 2.0, dtype=torch.float64)
    # The summands of zeta at infinity are 0 times infinity.
    near = torch.where(torch.isinf(at), torch.zeros_like(at), torch.special.zeta(two, at))
    near = in_dtype(near, dtype)
    return torch.where(is_below, torch.sub(reflected, near), near)


def polygamma(n: int, self: torch.Tensor) -> torch.Tensor:
    """The derivative of order n of digamma: (-1)^(n+1) n! zeta(n + 1, x)."""
    assert not is_complex(self.dtype), "of real numbers"
    assert n >= 0, "aten::polygamma: the order must not be negative"
    dtype = int_to_float(self.dtype)
    computed = computation_dtype(dtype)
    given = in_dtype(self, computed)
    if n == 0:
        return in_dtype(double_digamma(in_dtype(given, torch.float64)), dtype)
    if n == 1:
        return in_dtype(trigamma(given, computed), dtype)
    order = torch.full([], float(n + 1), dtype=torch.float64)
    found = torch.special.zeta(order, in_dtype(given, torch.float64))
    factor = factorial(n, computed)
    if n % 2 == 0:
        factor = -factor
    return in_dtype(torch.mul(in_dtype(found, computed), factor), dtype)


_POLYGAMMA = [Invocation(n, T(2, 3)) for n in (0, 1, 2, 3, 5)]
decomposition_family(polygamma, "aten::polygamma", "aten::special_polygamma", ok=_POLYGAMMA)


@decomposition("aten::lcm")
def lcm(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The least common multiple: the product, divided by the greatest common divisor."""
    dtype = promoted_dtype(self, other)
    left, right = in_dtype(self, dtype), in_dtype(other, dtype)
    divisor = torch.gcd(left, right)
    is_zero = torch.eq(divisor, 0)
    nonzero = torch.where(is_zero, torch.ones_like(divisor), divisor)
    # PyTorch computes narrower integers in int32, and rounds the absolute value.
    wide = torch.int64 if dtype == torch.int64 else torch.int32
    quotient = torch.div(in_dtype(left, wide), in_dtype(nonzero, wide), rounding_mode="trunc")
    product = torch.abs(torch.mul(quotient, in_dtype(right, wide)))
    return in_dtype(torch.where(is_zero, torch.zeros_like(product), product), dtype)
