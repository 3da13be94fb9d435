"""Orthogonal polynomials, by the recurrences that define them.

The degree is an element: its fraction is dropped, and a negative degree gives 0. Between -1 and 1,
Chebyshev polynomials of higher degrees are cosines and sines of multiples of an angle, as in
PyTorch, whose time does not depend on the degree there. Recurrences end at NaN, so that they do not
run for long once they overflow.
"""

import math

from torch_refine.abstract_interp_lib.elements import element_function


def is_single() -> bool:
    """Whether floats have the precision of float32, which a thousandth of its epsilon tells."""
    return 1.0 + 1e-10 == 1.0


def sign_of_power(degree: int) -> float:
    """-1 for an odd degree, else 1: a power of -1."""
    return 1.0 - 2.0 * float(degree % 2)


def three_terms(first: float, second: float, factor: float, degree: int) -> float:
    """The polynomial of a degree from those of 0 and 1: P(k+1) = factor P(k) - P(k-1)."""
    before, found = first, second
    if degree == 0:
        found = first
    index = 1
    while index < degree and not math.isnan(found):
        before, found = found, factor * found - before
        index += 1
    return found


def chebyshev_t(x: float, degree: int, limit: int) -> float:
    """T(n, cos a) = cos(n a)."""
    found = 0.0
    if degree >= 0:
        if abs(x) == 1.0:
            found = 1.0 if x > 0.0 else sign_of_power(degree)
        elif degree > limit and abs(x) < 1.0:
            found = math.cos(float(degree) * math.acos(x))
        else:
            found = three_terms(1.0, x, x + x, degree)
    return found


def chebyshev_u(x: float, degree: int, limit: int) -> float:
    """U(n, cos a) = sin((n + 1) a) / sin a."""
    found = 0.0
    if degree >= 0:
        if abs(x) == 1.0:
            found = float(degree + 1)
            if x < 0.0:
                found = found * sign_of_power(degree)
        elif degree > limit and abs(x) < 1.0:
            angle = math.acos(x)
            found = math.sin(float(degree + 1) * angle) / math.sin(angle)
        else:
            found = three_terms(1.0, x + x, x + x, degree)
    return found


def chebyshev_v(x: float, degree: int, limit: int) -> float:
    """V(n, cos a) = cos((n + 1/2) a) / cos(a / 2)."""
    found = 0.0
    if degree >= 0:
        if abs(x) == 1.0:
            found = 1.0
            if x < 0.0:
                found = float(degree + degree + 1) * sign_of_power(degree)
        elif degree > limit and abs(x) < 1.0:
            angle = math.acos(x)
            found = math.cos((float(degree) + 0.5) * angle) / math.cos(angle / 2.0)
        else:
            found = three_terms(1.0, x + x - 1.0, x + x, degree)
    return found


def chebyshev_w(x: float, degree: int, limit: int) -> float:
    """W(n, cos a) = sin((n + 1/2) a) / sin(a / 2)."""
    found = 0.0
    if degree >= 0:
        if abs(x) == 1.0:
            found = float(degree + degree + 1)
            if x < 0.0:
                found = sign_of_power(degree)
        elif degree > limit and abs(x) < 1.0:
            angle = math.acos(x)
            found = math.sin((float(degree) + 0.5) * angle) / math.sin(angle / 2.0)
        else:
            found = three_terms(1.0, x + x + 1.0, x + x, degree)
    return found


@element_function("aten::special_chebyshev_polynomial_t")
def special_chebyshev_polynomial_t(x: float, n: float) -> float:
    """The Chebyshev polynomial of the first kind."""
    return chebyshev_t(x, int(n), 6)


@element_function("aten::special_chebyshev_polynomial_u")
def special_chebyshev_polynomial_u(x: float, n: float) -> float:
    """The Chebyshev polynomial of the second kind."""
    return chebyshev_u(x, int(n), 8)


@element_function("aten::special_chebyshev_polynomial_v")
def special_chebyshev_polynomial_v(x: float, n: float) -> float:
    """The Chebyshev polynomial of the third kind."""
    return chebyshev_v(x, int(n), 8)


@element_function("aten::special_chebyshev_polynomial_w")
def special_chebyshev_polynomial_w(x: float, n: float) -> float:
    """The Chebyshev polynomial of the fourth kind."""
    return chebyshev_w(x, int(n), 8)


@element_function("aten::special_shifted_chebyshev_polynomial_t")
def special_shifted_chebyshev_polynomial_t(x: float, n: float) -> float:
    """The Chebyshev polynomial of the first kind, from [0, 1]."""
    return chebyshev_t(x + x - 1.0, int(n), 6)


@element_function("aten::special_shifted_chebyshev_polynomial_u")
def special_shifted_chebyshev_polynomial_u(x: float, n: float) -> float:
    """The Chebyshev polynomial of the second kind, from [0, 1]."""
    return chebyshev_u(x + x - 1.0, int(n), 6)


@element_function("aten::special_shifted_chebyshev_polynomial_v")
def special_shifted_chebyshev_polynomial_v(x: float, n: float) -> float:
    """The Chebyshev polynomial of the third kind, from [0, 1]."""
    return chebyshev_v(x + x - 1.0, int(n), 6)


@element_function("aten::special_shifted_chebyshev_polynomial_w")
def special_shifted_chebyshev_polynomial_w(x: float, n: float) -> float:
    """The Chebyshev polynomial of the fourth kind, from [0, 1]."""
    return chebyshev_w(x + x - 1.0, int(n), 4)


def hermite(x: float, second: float, scale: int, degree: int) -> float:
    """P(k+1) = second P(k) - scale k P(k-1), from 1 and second; NaN where it would overflow."""
    before, found = 1.0, second
    if degree < 0:
        found = 0.0
    elif degree == 0:
        found = 1.0
    elif degree > (128 if is_single() else 512):
        found = math.nan
    else:
        index = 1
        while index < degree and not math.isnan(found):
            before, found = found, second * found - float(scale * index) * before
            index += 1
    return found


@element_function("aten::special_hermite_polynomial_h")
def special_hermite_polynomial_h(x: float, n: float) -> float:
    """The physicist's Hermite polynomial."""
    return hermite(x, x + x, 2, int(n))


@element_function("aten::special_hermite_polynomial_he")
def special_hermite_polynomial_he(x: float, n: float) -> float:
    """The probabilist's Hermite polynomial."""
    return hermite(x, x, 1, int(n))


@element_function("aten::special_laguerre_polynomial_l")
def special_laguerre_polynomial_l(x: float, n: float) -> float:
    """The Laguerre polynomial: (k+1) L(k+1) = (2k + 1 - x) L(k) - k L(k-1)."""
    degree = int(n)
    before, found = 1.0, 1.0 - x
    if degree < 0:
        found = 0.0
    elif degree == 0 or x == 0.0:
        found = 1.0
    else:
        index = 1
        while index < degree and not math.isnan(found):
            at = float(index)
            following = ((at + at + (1.0 - x)) * found - at * before) / (at + 1.0)
            before, found = found, following
            index += 1
    return found


@element_function("aten::special_legendre_polynomial_p")
def special_legendre_polynomial_p(x: float, n: float) -> float:
    """The Legendre polynomial: (k+1) P(k+1) = (2k + 1) x P(k) - k P(k-1)."""
    degree = int(n)
    before, found = 1.0, x
    if degree < 0:
        found = 0.0
    elif degree == 0:
        found = 1.0
    elif abs(x) == 1.0:
        found = 1.0 if x > 0.0 else sign_of_power(degree)
    else:
        index = 1
        while index < degree and not math.isnan(found):
            at = float(index)
            following = ((at + at + 1.0) * x * found - at * before) / (at + 1.0)
            before, found = found, following
            index += 1
    return found
