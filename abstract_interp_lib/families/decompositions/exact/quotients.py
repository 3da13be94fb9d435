"""Quotients that are rounded, and remainders.

The floor of a quotient of floats is that of PyTorch's `div_floor_floating`.
"""

from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    computed_in,
    element,
    has_bytes,
    in_dtype,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import is_covered
from torch_refine.abstract_interp_lib.rules.formulas.float_bits import has_sign
from torch_refine.abstract_interp_lib.rules.normalization import is_half
from torch_refine.abstract_interp_lib.rules.promotion import (
    is_complex,
    is_integral,
    promote_with_number,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def of_number(self: torch.Tensor, other: Union[int, float, complex]) -> int:
    """The dtype that a tensor and a scalar promote to."""
    return promote_with_number((self.dim(), self.dtype), other)


def is_byte(dtype: int) -> bool:
    """Whether an integer has 8 bits."""
    return dtype == torch.uint8 or dtype == torch.int8


def truncated_remainder(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The remainder of floats, with the sign of the dividend, also where it is 0."""
    rest = torch.remainder(torch.abs(a), torch.abs(b))
    return torch.where(has_sign(a), torch.neg(rest), rest)


def is_single(self: torch.Tensor) -> bool:
    """Whether a tensor is known to have one element."""
    found = True
    for dim in range(self.dim()):
        size = self.size(dim)
        if not is_known(size) or size != 1:
            found = False
    return found


def as_divisor(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """A divisor in the dtype in which kernels compute; of 16-bit floats, one element as given."""
    found = self if is_half(dtype) and is_single(self) else in_dtype(self, dtype)
    return in_dtype(found, computation_dtype(dtype))


def floor_of_quotient(left: torch.Tensor, right: torch.Tensor, dtype: int) -> torch.Tensor:
    """The floor of a quotient of floats, by the remainder."""
    a = computed_in(left, dtype)
    b = as_divisor(right, dtype)
    rest = truncated_remainder(a, b)
    quotient = torch.div(torch.sub(a, rest), b)
    is_between = torch.logical_and(torch.ne(rest, 0), torch.ne(torch.lt(b, 0), torch.lt(rest, 0)))
    quotient = torch.where(is_between, torch.sub(quotient, 1), quotient)
    floor = torch.floor(quotient)
    is_above = torch.gt(torch.sub(quotient, floor), 0.5)
    floor = torch.where(is_above, torch.add(floor, 1), floor)
    plain = torch.div(a, b)
    # A zero has the sign of the quotient.
    floor = torch.where(torch.ne(quotient, 0), floor, torch.mul(plain, 0))
    return in_dtype(torch.where(torch.eq(b, 0), plain, floor), dtype)


def in_wide(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """Integers of a dtype; those of 8 bits, to which they are converted first, in 32 bits."""
    found = in_dtype(self, dtype)
    return in_dtype(found, torch.int32) if is_byte(dtype) else found


def floor_of_integers(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """The floor of a quotient of integers, which the wheel's conversion computes of floats."""
    quotient = torch.div(left, right, rounding_mode="trunc")
    rest = torch.sub(left, torch.mul(quotient, right))
    is_other = torch.ne(torch.lt(rest, 0), torch.lt(right, 0))
    is_below = torch.logical_and(torch.ne(rest, 0), is_other)
    return torch.where(is_below, torch.sub(quotient, 1), quotient)


@decomposition(
    "aten::div.Tensor_mode",
    ok=[
        Invocation(T(2, 3), T(3), rounding_mode="floor"),
        Invocation(T(2, 3, dtype=torch.float16), T(), rounding_mode="floor"),
        Invocation(T(2, 3, dtype=torch.float16), T(1, 1), rounding_mode="trunc"),
        Invocation(T(2, dtype=torch.uint8), T(dtype=torch.uint8), rounding_mode="trunc"),
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int32), rounding_mode="floor"),
    ],
)
def div(self: torch.Tensor, other: torch.Tensor, rounding_mode: Optional[str]) -> torch.Tensor:
    """The quotient, rounded down or, of 8-bit integers, in any way."""
    assert rounding_mode is not None, "concerns only rounded quotients"
    dtype = promoted_dtype(self, other)
    is_down = rounding_mode == "floor"
    is_of_half = is_half(dtype) and is_single(other)
    assert is_down or is_byte(dtype) or is_of_half, (
        "concerns only quotients that are rounded down, of bytes, and of halves by one number"
    )
    if not is_down and is_of_half:
        wide = in_dtype(in_dtype(self, dtype), torch.float32)
        found = torch.div(wide, as_divisor(other, dtype), rounding_mode=rounding_mode)
        return in_dtype(found, dtype)
    if not is_integral(dtype):
        return floor_of_quotient(self, other, dtype)
    left, right = in_wide(self, dtype), in_wide(other, dtype)
    if is_down:
        return in_dtype(floor_of_integers(left, right), dtype)
    return in_dtype(torch.div(left, right, rounding_mode=rounding_mode), dtype)


def as_operand(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """A scalar as the tensor that it is divided as."""
    return element(other, of_number(self, other))


def as_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """A scalar as the tensor that it is divided by: of 16-bit floats, it is not rounded to them."""
    dtype = of_number(self, other)
    return element(other, torch.float32 if is_half(dtype) else dtype)


@decomposition(
    "aten::div.Scalar_mode",
    ok=[
        Invocation(T(2, 3), 0.3, rounding_mode="floor"),
        Invocation(T(2, 3, dtype=torch.uint8), -3, rounding_mode="floor"),
        Invocation(T(2, 3, dtype=torch.int8), 300, rounding_mode="trunc"),
        Invocation(T(2, 3, dtype=torch.uint8), 2.5, rounding_mode="trunc"),
        Invocation(T(2, 3, dtype=torch.bfloat16), 1.2345, rounding_mode="trunc"),
    ],
)
def div_by_number(
    self: torch.Tensor,
    other: Union[int, float, complex],
    rounding_mode: Optional[str],
) -> torch.Tensor:
    """The quotient by a scalar, rounded down or, of 8-bit integers and halves, in any way."""
    assert rounding_mode is not None, "concerns only rounded quotients"
    dtype = of_number(self, other)
    is_other = rounding_mode == "floor" or has_bytes(self) or is_half(dtype)
    assert is_other, "concerns only quotients that are rounded down, of bytes and of halves"
    number = as_number(self, other)
    return torch.div(in_dtype(self, dtype), number, rounding_mode=rounding_mode)


@decomposition(
    "aten::floor_divide",
    ok=[
        Invocation(T(2, 3), T(3)),
        Invocation(T(2, dtype=torch.uint8), T(1, dtype=torch.int8)),
        Invocation(T(2, dtype=torch.int8), T(2, dtype=torch.int8)),
    ],
)
def floor_divide(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The quotient, rounded down."""
    return torch.div(self, other, rounding_mode="floor")


@decomposition(
    "aten::floor_divide.Scalar",
    ok=[Invocation(T(2, 3), -2), Invocation(T(2, 3, dtype=torch.uint8), 3)],
)
def floor_divide_by_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The quotient by a scalar, rounded down."""
    dtype = of_number(self, other)
    return torch.div(in_dtype(self, dtype), as_number(self, other), rounding_mode="floor")


def remainder_of_dividend(self: torch.Tensor, divisor: torch.Tensor, dtype: int) -> torch.Tensor:
    """The remainder with the sign of the dividend, from that with the sign of the divisor."""
    if not is_integral(dtype):
        a = computed_in(self, dtype)
        b = computed_in(divisor, dtype)
        return in_dtype(truncated_remainder(a, b), dtype)
    assert dtype != torch.bool, "concerns only numbers"
    a, b = in_wide(self, dtype), in_wide(divisor, dtype)
    rest = torch.remainder(a, b)
    is_other = torch.ne(torch.lt(a, 0), torch.lt(b, 0))
    is_changed = torch.logical_and(torch.ne(rest, 0), is_other)
    return in_dtype(torch.where(is_changed, torch.sub(rest, b), rest), dtype)


@decomposition(
    "aten::fmod.Tensor",
    ok=[
        Invocation(T(2, 3), T(3)),
        Invocation(T(2, 3, dtype=torch.bfloat16), T()),
        Invocation(T(2, dtype=torch.int8), T(2, dtype=torch.int8)),
    ],
)
def fmod(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The remainder of a division, with the sign of the dividend."""
    return remainder_of_dividend(self, other, promoted_dtype(self, other))


@decomposition(
    "aten::fmod.Scalar",
    ok=[
        Invocation(T(2, 3), -1.5),
        Invocation(T(2, 3, dtype=torch.int64), -2),
        Invocation(T(2, 3, dtype=torch.uint8), 2),
    ],
)
def fmod_by_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The remainder of a division by a scalar, with the sign of the dividend."""
    return remainder_of_dividend(self, as_operand(self, other), of_number(self, other))


@decomposition(
    "aten::remainder.Scalar",
    ok=[Invocation(T(2, 3), -1.5), Invocation(T(2, 3, dtype=torch.int64), -2)],
)
def remainder_by_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The remainder of a division by a tensor of rank 0.

    The wheel folds that by a scalar, for constants, with the sign of C.
    """
    dtype = of_number(self, other)
    assert dtype != torch.bool and not is_complex(dtype), "concerns only numbers"
    return torch.remainder(in_dtype(self, dtype), as_operand(self, other))


@decomposition(
    "aten::trunc",
    ok=[Invocation(T(2, 3)), Invocation(T(2, dtype=torch.float16))],
)
def trunc(self: torch.Tensor) -> torch.Tensor:
    """Rounded up where negative, else down; the wheel's decomposition folds constants wrongly."""
    assert not is_integral(self.dtype), "concerns only floats"
    return torch.where(torch.lt(self, 0), torch.ceil(self), torch.floor(self))


@decomposition(
    "aten::rsub.Scalar",
    ok=[
        Invocation(T(2, 3), 2.5, -2),
        Invocation(T(2, 3, dtype=torch.int64), 3, -2),
        Invocation(T(2, 3, dtype=torch.complex64), 2.5, 3),
        Invocation(T(2, dtype=torch.int8, values=[100, -100]), 2.5, 2),
    ],
)
def rsub_of_number(
    self: torch.Tensor,
    other: Union[int, float, complex],
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """In two steps, as the conversion reads a factor as unsigned; of complex numbers, from a tensor
    of the number."""
    if is_covered(self):
        return torch.sub(torch.full_like(self, other), self, alpha=alpha)
    assert alpha != 1, "concerns only other factors than 1"
    # Products of integers that are subtracted from a float are no integers, and do not wrap around.
    wide = in_dtype(self, promote_with_number((self.dim(), self.dtype), other))
    return torch.rsub(torch.mul(wide, alpha), other)
