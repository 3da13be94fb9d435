"""The incomplete gamma function and the Hurwitz zeta function.

Both are computed in double precision: decompositions convert tensors of other dtypes before.
"""

import math

from torch_refine.abstract_interp_lib.elements import element_function


def is_pole_of_zeta(s: float, q: float) -> bool:
    """Whether a summand is infinite: at s = 1 all are too large, else that of 0."""
    return s == 1.0 or (not s < 1.0 and q <= 0.0 and q // 1.0 == q)


def next_correction(total: float, s: float, rest: float, index: float, coefficient: float) -> float:
    """A step of Horner's rule for the corrections of `zeta_from`, the next lower one."""
    return coefficient + total * ((s + index) * rest) * ((s + index + 1.0) * rest)


def zeta_from(s: float, start: float, summand: float) -> float:
    """The sum of (start + k)^-s over k >= 0 without half of the first, by Euler and Maclaurin.

    The coefficients are B(2k) / (2k)!, of Bernoulli's numbers.
    """
    rest = 1.0 / start
    total = -1.3954464685812523e-19
    total = next_correction(total, s, rest, 21.0, 5.5090028283602295e-18)
    total = next_correction(total, s, rest, 19.0, -2.174868698558062e-16)
    total = next_correction(total, s, rest, 17.0, 8.586062056277845e-15)
    total = next_correction(total, s, rest, 15.0, -3.3896802963225827e-13)
    total = next_correction(total, s, rest, 13.0, 1.3382536530684679e-11)
    total = next_correction(total, s, rest, 11.0, -5.284190138687493e-10)
    total = next_correction(total, s, rest, 9.0, 2.08767569878681e-8)
    total = next_correction(total, s, rest, 7.0, -8.267195767195768e-7)
    total = next_correction(total, s, rest, 5.0, 3.306878306878307e-5)
    total = next_correction(total, s, rest, 3.0, -1.388888888888889e-3)
    total = next_correction(total, s, rest, 1.0, 8.333333333333333e-2)
    return summand * start / (s - 1.0) + summand * (s * rest) * total


@element_function("aten::special_zeta", "prims::zeta")
def special_zeta(self: float, other: float) -> float:
    """Hurwitz' zeta function: the sum of (q + k)^-s over k >= 0."""
    found = math.nan
    if is_pole_of_zeta(self, other):
        found = math.inf
    elif self > 1.0 and not math.isnan(other) and (other > 0.0 or self // 1.0 == self):
        at = other
        found = math.pow(at, -self)
        summand = found
        count = 0
        # Summands one by one, until the corrections converge or a summand is too small to matter.
        is_small = False
        while (count < 9 or at <= 9.0) and not is_small:
            at += 1.0
            summand = math.pow(at, -self)
            found += summand
            is_small = abs(summand) < 1.11e-16 * abs(found)
            count += 1
        if not is_small:
            found += zeta_from(self, at, summand) - 0.5 * summand
    return found


def stirling_correction(z: float) -> float:
    """log gamma(z) - ((z - 1/2) log z - z + log(2 pi) / 2) for z >= 10, by B(2k) / (2k (2k-1))."""
    w = 1.0 / z
    r = w * w
    total = 6.410256410256410e-3
    total = -1.9175269175269176e-3 + r * total
    total = 8.417508417508418e-4 + r * total
    total = -5.952380952380953e-4 + r * total
    total = 7.936507936507937e-4 + r * total
    total = -2.777777777777778e-3 + r * total
    total = 8.333333333333333e-2 + r * total
    return w * total


def gamma_summand(a: float, x: float) -> float:
    """x^a exp(-x) / gamma(a + 1) for positive numbers."""
    product = 1.0
    z = a
    while z < 10.0:
        z += 1.0
        product = product * z
    # gamma(a + 1) is gamma(z + 1) / product.
    power = 0.0
    if z == a:
        # a (log(x / a) + 1 - x / a), without a difference of large numbers where x is near a.
        part = (x - a) / a
        logarithm = math.log1p(part) if abs(part) < 0.5 else math.log(x / a)
        power = a * (logarithm - part)
    else:
        power = a * math.log(x) - x - z * math.log(z) + z
    power = power - stirling_correction(z)
    return product * math.exp(power) / math.sqrt(6.283185307179586 * z)


def uniform_difference(a: float, eta: float) -> float:
    """The terms beside the error function in Temme's uniform expansion (DLMF 8.12.8), |eta| < 0.4.

    The coefficients are those of the Taylor series of c0, c1 and c2, from the recurrence 8.12.10.
    """
    first = 9.147699582236790e-10
    first = -4.382036018453353e-9 + eta * first
    first = 1.0261809784240309e-8 + eta * first
    first = 6.707853543401498e-9 + eta * first
    first = -1.7665952736826078e-7 + eta * first
    first = 8.296711340953087e-7 + eta * first
    first = -1.85406221071516e-6 + eta * first
    first = -2.185448510679992e-6 + eta * first
    first = 3.919263178522438e-5 + eta * first
    first = -1.787551440329218e-4 + eta * first
    first = 3.527336860670194e-4 + eta * first
    first = 1.1574074074074073e-3 + eta * first
    first = -1.4814814814814815e-2 + eta * first
    first = 8.333333333333333e-2 + eta * first
    first = -3.333333333333333e-1 + eta * first
    second = -1.6120900894563446e-6
    second = 7.64916091608111e-6 + eta * second
    second = -1.8098550334489977e-5 + eta * second
    second = -4.018775720164609e-7 + eta * second
    second = 2.0576131687242798e-4 + eta * second
    second = -9.902263374485596e-4 + eta * second
    second = 2.6455026455026454e-3 + eta * second
    second = -3.472222222222222e-3 + eta * second
    second = -1.851851851851852e-3 + eta * second
    third = 7.716049382716049e-4
    third = -2.6813271604938273e-3 + eta * third
    third = 4.133597883597883e-3 + eta * third
    total = first + (second + third / a) / a
    return math.exp(-0.5 * a * eta * eta) / math.sqrt(6.283185307179586 * a) * total


def uniform_gamma(a: float, x: float, is_upper: bool) -> float:
    """The regularised incomplete gamma function for large a, by Temme's uniform expansion."""
    part = (x - a) / a
    found = 0.0
    if part < -0.5 or part > 1.0:
        found = 1.0 if is_upper == (part < 0.0) else 0.0
    else:
        eta = math.sqrt(max(2.0 * (part - math.log1p(part)), 0.0))
        if part < 0.0:
            eta = -eta
        sign = 1.0 if is_upper else -1.0
        near = max(min(eta, 0.4), -0.4)
        found = 0.5 * math.erfc(sign * eta * math.sqrt(0.5 * a))
        if near == eta:
            found += sign * uniform_difference(a, eta)
    return found


def gamma_series(a: float, x: float) -> float:
    """The lower function by its power series, for x that is not much greater than a."""
    total = 1.0
    summand = 1.0
    at = a
    while summand > 1e-17 * total:
        at += 1.0
        summand = summand * x / at
        total += summand
    return total * gamma_summand(a, x)


def gamma_fraction(a: float, x: float) -> float:
    """The upper function by its continued fraction, for x > a, by the method of Lentz."""
    tiny = 1e-300
    base = x + 1.0 - a
    upper = 1.0 / tiny
    lower = 1.0 / base
    found = lower
    index = 1.0
    ratio = 0.0
    while index < 10000.0 and abs(ratio - 1.0) > 1e-16:
        factor = index * (a - index)
        base += 2.0
        lower = factor * lower + base
        lower = tiny if lower == 0.0 else lower
        upper = base + factor / upper
        upper = tiny if upper == 0.0 else upper
        lower = 1.0 / lower
        ratio = lower * upper
        found = found * ratio
        index += 1.0
    return found * a * gamma_summand(a, x)


def regularised(a: float, x: float, is_upper: bool) -> float:
    """The regularised incomplete gamma function, the upper or the lower one, with its limits."""
    found = math.nan
    if x < 0.0 or a < 0.0:
        found = math.nan
    elif a == 0.0:
        if x > 0.0:
            found = 0.0 if is_upper else 1.0
    elif x == 0.0 or (math.isinf(a) and not math.isinf(x)):
        found = 1.0 if is_upper else 0.0
    elif math.isinf(x) and not math.isinf(a):
        found = 0.0 if is_upper else 1.0
    elif a >= 10000.0 and not math.isnan(x):
        if not math.isinf(a):
            found = uniform_gamma(a, x, is_upper)
    elif x <= 1.0 or x <= a:
        below = gamma_series(a, x)
        found = 1.0 - below if is_upper else below
    elif x > 1.0:
        above = gamma_fraction(a, x)
        found = above if is_upper else 1.0 - above
    return found


@element_function("aten::igamma", "prims::igamma")
def igamma(self: float, other: float) -> float:
    """The regularised lower incomplete gamma function of x, with parameter a."""
    return regularised(self, other, False)


@element_function("aten::igammac", "prims::igammac")
def igammac(self: float, other: float) -> float:
    """The regularised upper incomplete gamma function of x, with parameter a."""
    return regularised(self, other, True)
