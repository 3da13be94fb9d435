"""Powers of integers, which wrap around, and of complex numbers."""

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype, promoted_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_functions import power_of_parts
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    imag_of,
    is_of_two,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


def _bits_of(dtype: int) -> int:
    """The bits of a number that is not negative."""
    if dtype == torch.uint8:
        return 8
    if dtype == torch.int8:
        return 7
    if dtype == torch.int16:
        return 15
    return 31 if dtype == torch.int32 else 63


@decomposition(
    "aten::pow.Tensor_Tensor",
    ok=[
        Invocation(
            T(2, 4, dtype=torch.int64, values=[0, 1, -1, 2, 3, -5, 7, 10]),
            T(4, dtype=torch.int64, values=[0, 3, 64, 63]),
        ),
        Invocation(
            T(6, dtype=torch.int8, values=[0, 1, -1, 2, -1, 3]),
            T(6, dtype=torch.int8, values=[-1, -1, -1, -2, -2, 99]),
        ),
        Invocation(T(3, dtype=torch.uint8, values=[2, 3, 7]), T(dtype=torch.uint8, values=[5])),
        Invocation(T(2, 3, dtype=torch.complex64), T(3, dtype=torch.complex64)),
        Invocation(T(3, dtype=torch.float64), T(2, 1, dtype=torch.complex64)),
    ],
)
def power(self: torch.Tensor, exponent: torch.Tensor) -> torch.Tensor:
    """The product of the squares that the bits of the exponent choose.

    Negative powers are those of 1 and -1; others are rounded to 0. Powers of complex numbers are
    those of exp.
    """
    dtype = promoted_dtype(self, exponent)
    if is_of_two(self, exponent):
        base = in_dtype(self, dtype)
        return power_of_parts(base, real_of(exponent), imag_of(exponent), dtype)
    assert is_integral(dtype), "floats have a conversion"
    base, rest = in_dtype(self, dtype), in_dtype(exponent, dtype)
    square, one = base, torch.ones_like(rest)
    nothing = torch.zeros_like(rest)
    found = torch.add(torch.mul(base, nothing), 1)
    for _ in range(_bits_of(dtype)):
        is_chosen = torch.ne(torch.bitwise_and(rest, one), nothing)
        found = torch.where(is_chosen, torch.mul(found, square), found)
        rest = torch.bitwise_right_shift(rest, one)
        # Squares of squares of one base for all exponents would not depend on the element, and LLVM
        # expands the product of as many factors as the last one has.
        square = torch.where(torch.ne(rest, nothing), torch.mul(square, square), square)
    if dtype == torch.uint8:
        return found
    whole = in_dtype(exponent, dtype)
    is_odd = torch.ne(torch.bitwise_and(whole, one), nothing)
    of_minus_one = torch.where(is_odd, torch.sub(nothing, one), one)
    inverse = torch.where(torch.eq(base, -1), of_minus_one, nothing)
    inverse = torch.where(torch.eq(base, 1), one, inverse)
    return torch.where(torch.lt(whole, 0), inverse, found)
