"""Functions of complex numbers, by their parts.

Branch cuts, signs of zeros, and infinite results are those of C99, Annex G, which PyTorch's CPU
kernels take from the C library. Parts are float64, also those of complex64, unless a function
rounds as PyTorch's kernels do, in the dtype of the parts.
"""

from typing import Tuple

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    real_dtype,
    real_of,
)


def wide_parts(self: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """The parts in float64."""
    return in_dtype(real_of(self), torch.float64), in_dtype(imag_of(self), torch.float64)


def of_wide(real: torch.Tensor, imag: torch.Tensor, dtype: int) -> torch.Tensor:
    """Numbers of a complex dtype, rounded once."""
    part = real_dtype(dtype)
    return complex_of(in_dtype(real, part), in_dtype(imag, part))


def signed(size: torch.Tensor, sign: torch.Tensor) -> torch.Tensor:
    """Numbers with the signs of others, of which that of a zero counts."""
    return torch.copysign(size, sign)


def is_without_end(self: torch.Tensor) -> torch.Tensor:
    """Whether a part is infinite or NaN."""
    return torch.logical_not(torch.lt(torch.abs(self), float("inf")))


def exp_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """exp(a + i b), by the half of a twice, so that a large exp(a) times a small cos(b) is
    finite."""
    half = torch.exp(torch.mul(a, 0.5))
    real = torch.mul(torch.mul(torch.cos(b), half), half)
    imag = torch.mul(torch.mul(torch.sin(b), half), half)
    # Real numbers have real powers, also infinite ones.
    straight = torch.eq(b, 0.0)
    real = torch.where(straight, torch.exp(a), real)
    imag = torch.where(straight, b, imag)
    endless = is_without_end(b)
    none = torch.zeros_like(a)
    nothing = torch.logical_and(endless, torch.eq(a, float("-inf")))
    real = torch.where(nothing, none, real)
    imag = torch.where(nothing, none, imag)
    everything = torch.logical_and(endless, torch.eq(a, float("inf")))
    return torch.where(everything, a, real), imag


def log_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """The logarithm of the distance from 0, and the angle."""
    return torch.log(torch.hypot(a, b)), torch.atan2(b, a)


def sqrt_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """The root whose real part is not negative."""
    # A quarter of the distance, as the sum of two large sizes overflows.
    size = torch.mul(torch.abs(a), 0.25)
    quarter = torch.hypot(torch.mul(a, 0.25), torch.mul(b, 0.25))
    large = torch.sqrt(torch.mul(torch.add(quarter, size), 2.0))
    small = torch.div(torch.mul(torch.abs(b), 0.5), large)
    small = torch.where(torch.eq(large, 0.0), torch.zeros_like(small), small)
    right = torch.ge(a, 0.0)
    real = torch.where(right, large, small)
    imag = torch.where(right, small, large)
    # Infinite imaginary parts outweigh all others.
    endless = torch.isinf(b)
    real = torch.where(endless, torch.abs(b), real)
    return real, signed(torch.where(endless, torch.abs(b), imag), b)


def far_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Half of exp(|a| + i b), in the order in which nothing overflows that is finite in the end."""
    half = torch.exp(torch.mul(torch.abs(a), 0.5))
    real = torch.mul(torch.mul(torch.mul(torch.cos(b), 0.5), half), half)
    return real, torch.mul(torch.mul(torch.mul(torch.sin(b), 0.5), half), half)


def sinh_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """sinh a cos b + i cosh a sin b, real for real numbers, also for infinite ones."""
    real = torch.mul(torch.sinh(a), torch.cos(b))
    imag = torch.mul(torch.cosh(a), torch.sin(b))
    far = torch.gt(torch.abs(a), 20.0)
    far_real, far_imag = far_parts(a, b)
    below = torch.lt(a, 0.0)
    real = torch.where(far, torch.where(below, torch.neg(far_real), far_real), real)
    imag = torch.where(far, far_imag, imag)
    return real, torch.where(torch.eq(b, 0.0), b, imag)


def cosh_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """cosh a cos b + i sinh a sin b, real for real numbers, also for infinite ones."""
    real = torch.mul(torch.cosh(a), torch.cos(b))
    imag = torch.mul(torch.sinh(a), torch.sin(b))
    far = torch.gt(torch.abs(a), 20.0)
    far_real, far_imag = far_parts(a, b)
    below = torch.lt(a, 0.0)
    real = torch.where(far, far_real, real)
    imag = torch.where(far, torch.where(below, torch.neg(far_imag), far_imag), imag)
    nothing = torch.mul(torch.clamp(a, -1.0, 1.0), b)
    return real, torch.where(torch.eq(b, 0.0), nothing, imag)


def is_far(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Whether 1 is nothing next to the square of a number, which may be infinite."""
    return torch.logical_or(torch.ge(torch.abs(a), 1e8), torch.ge(torch.abs(b), 1e8))


def of_double(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The logarithm of twice the distance from 0."""
    return torch.add(torch.log(torch.hypot(a, b)), 0.6931471805599453)


def real_asinh(self: torch.Tensor) -> torch.Tensor:
    """asinh of real numbers below 1e9, by log1p, which keeps what is small."""
    size = torch.abs(self)
    square = torch.mul(size, size)
    root = torch.add(torch.sqrt(torch.add(square, 1.0)), 1.0)
    return signed(torch.log1p(torch.add(size, torch.div(square, root))), self)


def acos_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """By the roots of 1 - z and 1 + z (W. Kahan, "Branch cuts for complex elementary functions",
    1987); of large numbers, by their logarithm and angle."""
    less_real, less_imag = sqrt_parts(torch.rsub(a, 1.0), torch.neg(b))
    more_real, more_imag = sqrt_parts(torch.add(a, 1.0), b)
    real = torch.mul(torch.atan2(less_real, more_real), 2.0)
    height = torch.sub(torch.mul(more_real, less_imag), torch.mul(more_imag, less_real))
    far = is_far(a, b)
    real = torch.where(far, torch.atan2(torch.abs(b), a), real)
    real = torch.where(torch.eq(a, 0.0), torch.full_like(a, 1.5707963267948966), real)
    imag = torch.where(far, of_double(a, b), torch.abs(real_asinh(height)))
    return real, signed(imag, torch.neg(b))


def asin_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """By the roots of 1 - z and 1 + z, as `acos_parts`."""
    less_real, less_imag = sqrt_parts(torch.rsub(a, 1.0), torch.neg(b))
    more_real, more_imag = sqrt_parts(torch.add(a, 1.0), b)
    across = torch.sub(torch.mul(less_real, more_real), torch.mul(less_imag, more_imag))
    real = torch.atan2(a, across)
    height = torch.sub(torch.mul(less_real, more_imag), torch.mul(less_imag, more_real))
    far = is_far(a, b)
    real = torch.where(far, torch.atan2(a, torch.abs(b)), real)
    real = torch.where(torch.eq(a, 0.0), a, real)
    imag = torch.where(far, of_double(a, b), torch.abs(real_asinh(height)))
    return real, signed(imag, b)


def atanh_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Half the logarithm of (1 + z) / (1 - z); of large numbers, their inverse and a right
    angle."""
    size, height = torch.abs(a), torch.abs(b)
    ahead, behind = torch.rsub(size, 1.0), torch.add(size, 1.0)
    away = torch.hypot(ahead, height)
    # Next to 1, the square of the distance would underflow.
    near = torch.log(torch.div(torch.hypot(behind, height), away))
    ratio = torch.div(torch.mul(size, 4.0), torch.mul(away, away))
    real = torch.where(
        torch.lt(away, 0.5), torch.mul(near, 0.5), torch.mul(torch.log1p(ratio), 0.25)
    )
    depth = torch.sub(torch.mul(ahead, behind), torch.mul(height, height))
    imag = torch.mul(torch.atan2(torch.mul(height, 2.0), depth), 0.5)
    far = is_far(a, b)
    length = torch.hypot(size, height)
    inverse = torch.div(torch.div(size, length), length)
    endless = torch.eq(length, float("inf"))
    inverse = torch.where(endless, torch.zeros_like(inverse), inverse)
    real = torch.where(far, inverse, real)
    real = torch.where(torch.eq(a, 0.0), size, real)
    turned = torch.full_like(imag, 1.5707963267948966)
    imag = torch.where(torch.logical_and(far, torch.ge(height, 0.0)), turned, imag)
    return signed(real, a), signed(imag, b)


def log1p_parts(self: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """The logarithm of 1 + z.

    PyTorch's kernels multiply that of the rounded u = 1 + z by z / (u - 1), which is NaN for
    infinite numbers, unless u - 1 is exactly z.
    """
    a, b = wide_parts(self)
    ahead = torch.add(a, 1.0)
    size = torch.hypot(ahead, b)
    more = torch.add(torch.mul(a, torch.add(a, 2.0)), torch.mul(b, b))
    near = torch.mul(torch.log1p(more), 0.5)
    is_small = torch.logical_and(torch.gt(size, 0.5), torch.lt(size, 2.0))
    real = torch.where(is_small, near, torch.log(size))
    angle = torch.atan2(b, ahead)
    kept = torch.sub(torch.add(real_of(self), 1.0), 1.0)
    unknown = torch.logical_and(torch.isinf(b), torch.ne(kept, real_of(self)))
    unknown = torch.logical_or(unknown, torch.logical_or(torch.ne(a, a), torch.ne(b, b)))
    none = torch.full_like(real, float("nan"))
    return torch.where(unknown, none, real), torch.where(unknown, none, angle)


def expm1_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """exp(z) - 1, where cos(b) - 1 is -2 times the square of sin(b / 2), in the dtype of the
    parts."""
    sine = torch.sin(torch.mul(b, 0.5))
    less = torch.mul(torch.mul(sine, sine), 2.0)
    real = torch.sub(torch.mul(torch.expm1(a), torch.cos(b)), less)
    return real, torch.mul(torch.exp(a), torch.sin(b))


def tanh_parts(a: torch.Tensor, b: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """sinh over cosh: sinh a cosh a over (sinh a)^2 + (cos b)^2, and sin b cos b over the same.

    Of large a, the real part is its sign, and the imaginary one falls like exp(-2 |a|).
    """
    small = torch.clamp(a, -20.0, 20.0)
    sine, cosine, height = torch.sin(b), torch.cos(b), torch.sinh(small)
    over = torch.add(torch.mul(height, height), torch.mul(cosine, cosine))
    around = torch.mul(sine, cosine)
    real = torch.div(torch.mul(height, torch.cosh(small)), over)
    imag = torch.div(around, over)
    tail = torch.exp(torch.mul(torch.abs(a), -2.0))
    far = torch.gt(torch.abs(a), 20.0)
    real = torch.where(far, signed(torch.ones_like(a), a), real)
    imag = torch.where(far, torch.mul(torch.mul(around, 4.0), tail), imag)
    # Infinite numbers have no angle, and real ones are real.
    gone = torch.logical_and(torch.isinf(a), is_without_end(b))
    imag = torch.where(gone, torch.zeros_like(imag), imag)
    imag = torch.where(torch.eq(b, 0.0), b, imag)
    return real, imag


def infinite_direction(self: torch.Tensor, is_endless: torch.Tensor) -> torch.Tensor:
    """A part of an infinite number: 1 if it is infinite, else 0, with its sign."""
    size = torch.where(torch.isinf(self), torch.ones_like(self), torch.zeros_like(self))
    return torch.where(is_endless, signed(size, self), self)


def zero_for_nan(self: torch.Tensor, is_concerned: torch.Tensor) -> torch.Tensor:
    """A part, or a 0 with its sign for NaN."""
    unknown = torch.logical_and(is_concerned, torch.ne(self, self))
    return torch.where(unknown, torch.zeros_like(self), self)


def product_parts(
    a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, d: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """(a + i b) (c + i d), which is infinite if a factor is and the other one is not 0 or NaN.

    See C99, Annex G.5.1, example 1: where both parts are NaN, they are computed again, with boxes
    of infinite factors.
    """
    first = torch.logical_or(torch.isinf(a), torch.isinf(b))
    second = torch.logical_or(torch.isinf(c), torch.isinf(d))
    real = torch.sub(torch.mul(a, c), torch.mul(b, d))
    imag = torch.add(torch.mul(a, d), torch.mul(b, c))
    unknown = torch.logical_and(torch.ne(real, real), torch.ne(imag, imag))
    over = torch.logical_or(
        torch.logical_or(torch.isinf(torch.mul(a, c)), torch.isinf(torch.mul(b, d))),
        torch.logical_or(torch.isinf(torch.mul(a, d)), torch.isinf(torch.mul(b, c))),
    )
    endless = torch.logical_or(torch.logical_or(first, second), over)
    a = infinite_direction(a, first)
    b = infinite_direction(b, first)
    c = infinite_direction(c, second)
    d = infinite_direction(d, second)
    left = torch.logical_or(second, over)
    right = torch.logical_or(first, over)
    a, b = zero_for_nan(a, left), zero_for_nan(b, left)
    c, d = zero_for_nan(c, right), zero_for_nan(d, right)
    again = torch.logical_and(unknown, endless)
    huge = torch.full_like(real, float("inf"))
    boxed_real = torch.mul(torch.sub(torch.mul(a, c), torch.mul(b, d)), huge)
    boxed_imag = torch.mul(torch.add(torch.mul(a, d), torch.mul(b, c)), huge)
    return torch.where(again, boxed_real, real), torch.where(again, boxed_imag, imag)


def power_of_parts(
    base: torch.Tensor, c: torch.Tensor, d: torch.Tensor, dtype: int
) -> torch.Tensor:
    """A complex number to the power of c + i d: exp of the power times the logarithm, also of 0.

    Both are rounded to the dtype of the result, as the angles of large powers depend on it.
    """
    part = real_dtype(dtype)
    a, b = wide_parts(base)
    real, imag = log_parts(a, b)
    real, imag = in_dtype(real, part), in_dtype(imag, part)
    real, imag = product_parts(in_dtype(c, part), in_dtype(d, part), real, imag)
    real, imag = exp_parts(in_dtype(real, torch.float64), in_dtype(imag, torch.float64))
    return of_wide(real, imag, dtype)
