"""Special functions of real numbers, by series in double precision.

The coefficients are those of Chebyshev series, computed to 40 digits by numerical quadrature of the
functions; `clenshaw` sums them.
"""

from typing import List

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype


def clenshaw(x: torch.Tensor, coefficients: List[float]) -> torch.Tensor:
    """The sum of a Chebyshev series at x in [-1, 1]."""
    twice = torch.mul(x, 2.0)
    last = torch.zeros_like(x)
    found = torch.zeros_like(x)
    for index in range(len(coefficients) - 1):
        next = torch.sub(
            torch.add(torch.mul(twice, found), coefficients[len(coefficients) - 1 - index]), last
        )
        last = found
        found = next
    return torch.sub(torch.add(torch.mul(x, found), coefficients[0]), last)


def horner(x: torch.Tensor, coefficients: List[float]) -> torch.Tensor:
    """The polynomial with these coefficients, from that of the highest power of x."""
    found = torch.add(torch.mul(x, coefficients[0]), coefficients[1])
    for index in range(2, len(coefficients)):
        found = torch.add(torch.mul(found, x), coefficients[index])
    return found


def scaled_erfc_of_positive(x: torch.Tensor, terms: int = 27) -> torch.Tensor:
    """exp(x^2) erfc(x) for x >= 0, over t = 2 / (2 + x) a smooth function of t in [0, 1].

    The first 14 terms have a relative error of 1e-9.
    """
    t = torch.reciprocal(torch.add(torch.mul(x, 0.5), 1.0))
    series: List[float] = [
        5.77033738616469689e-1,
        3.55436921270498487e-1,
        6.50951588287865246e-2,
        3.67114239583663917e-3,
        -1.1128447433526325e-3,
        -1.60758299153780798e-4,
        3.27803157417313706e-5,
        5.44244164550501603e-6,
        -1.51546655531714816e-6,
        -1.42976081811698649e-7,
        8.23460882741949343e-8,
        -1.29628468523065626e-9,
        -4.1547216310151983e-9,
        6.34705827836281115e-10,
        1.4320822712256224e-10,
        -6.16039010520458582e-11,
        2.06121385547217242e-12,
        3.57149314884770169e-12,
        -8.58642284325176922e-13,
        -6.14560021379089988e-14,
        7.41872574859688297e-14,
        -1.28950427550349491e-14,
        -2.35872638570804616e-15,
        1.57293493816604376e-15,
        -2.27829662392957627e-16,
        -6.31233045100294581e-17,
        3.5916763534236733e-17,
    ]
    return torch.mul(t, clenshaw(torch.sub(torch.mul(t, 2.0), 1.0), series[:terms]))


def exp_of_minus_square(x: torch.Tensor) -> torch.Tensor:
    """exp(-x^2), with the rounding error of the square made up for."""
    # The leading half of the digits of x has an exact square.
    high = in_dtype(in_dtype(x, torch.float32), torch.float64)
    low = torch.sub(x, high)
    rest = torch.mul(low, torch.add(x, high))
    near = torch.mul(torch.exp(torch.neg(torch.mul(high, high))), torch.exp(torch.neg(rest)))
    return torch.where(torch.lt(torch.abs(x), 40.0), near, torch.zeros_like(x))


def double_erfc(x: torch.Tensor) -> torch.Tensor:
    """1 - erf(x) in double precision."""
    size = torch.abs(x)
    return _erfc(x, torch.mul(exp_of_minus_square(size), scaled_erfc_of_positive(size)))


def single_erfc(x: torch.Tensor) -> torch.Tensor:
    """1 - erf(x) for numbers of single precision as f64; in f64, as accurate as f32 is."""
    size = torch.abs(x)
    # The squares of such numbers are exact.
    decay = torch.exp(torch.neg(torch.mul(x, x)))
    return _erfc(x, torch.mul(decay, scaled_erfc_of_positive(size, 14)))


def _erfc(x: torch.Tensor, tail: torch.Tensor) -> torch.Tensor:
    """1 - erf(x), given that of |x|."""
    size = torch.abs(x)
    # 0 times what an infinity gives is no number.
    tail = torch.where(torch.lt(size, 40.0), tail, torch.zeros_like(tail))
    found = torch.where(torch.lt(x, 0.0), torch.sub(2.0, tail), tail)
    return torch.where(torch.ne(x, x), x, found)


def double_erfcx(x: torch.Tensor) -> torch.Tensor:
    """exp(x^2) erfc(x) in double precision."""
    tail = scaled_erfc_of_positive(torch.abs(x))
    grown = torch.sub(torch.mul(torch.exp(torch.mul(x, x)), 2.0), tail)
    return torch.where(torch.lt(x, 0.0), grown, tail)


def double_i0e(x: torch.Tensor) -> torch.Tensor:
    """exp(-|x|) I0(x) in double precision."""
    size = torch.abs(x)
    small: List[float] = [
        3.38397637204738042e-1,
        -3.04682672343198399e-1,
        1.71620901522208775e-1,
        -9.49010970480476444e-2,
        4.93052842396707085e-2,
        -2.37374148058994688e-2,
        1.05464603945949983e-2,
        -4.32430999505057594e-3,
        1.6394756169413358e-3,
        -5.76375574538582366e-4,
        1.88502885095841656e-4,
        -5.7541950100821037e-5,
        1.64484480707288971e-5,
        -4.41673835845875056e-6,
        1.11738753912010372e-6,
        -2.67079385394061173e-7,
        6.04699502254191895e-8,
        -1.30002500998624804e-8,
        2.65982372468238665e-9,
        -5.18979560163526291e-10,
        9.67580903537323691e-11,
        -1.72682629144155571e-11,
        2.95505266312963983e-12,
        -4.85644678311192946e-13,
        7.67618549860493562e-14,
        -1.16853328779934517e-14,
        1.71539128555513303e-15,
        -2.43127984654795469e-16,
        3.3307945188222381e-17,
        -4.41534164647933938e-18,
    ]
    large: List[float] = [
        4.02245205507054416e-1,
        3.36911647825569409e-3,
        6.88975834691682398e-5,
        2.89137052083475648e-6,
        2.04891858946906374e-7,
        2.26666899049817806e-8,
        3.39623202570838635e-9,
        4.94060238822496959e-10,
        1.18891471078464383e-11,
        -3.14991652796324136e-11,
        -1.32158118404477131e-11,
        -1.79417853150680612e-12,
        7.18012445138366623e-13,
        3.8527783827421427e-13,
        1.54008621752140983e-14,
        -4.15056934728722209e-14,
        -9.55484669882830765e-15,
        3.81168066935262242e-15,
        1.77256013305652638e-15,
        -3.42548561967721913e-16,
        -2.82762398051658348e-16,
        3.46122286769746109e-17,
        4.46562142029676e-17,
        -4.83050448594418207e-18,
        -7.23318048787475395e-18,
    ]
    near = clenshaw(torch.sub(torch.mul(size, 0.25), 1.0), small)
    # Where this is not used, its argument is not in [-1, 1].
    ratio = torch.div(8.0, torch.clamp(size, 8.0))
    far = torch.div(clenshaw(torch.sub(torch.mul(ratio, 2.0), 1.0), large), torch.sqrt(size))
    return torch.where(torch.le(size, 8.0), near, far)


def double_i1e(x: torch.Tensor) -> torch.Tensor:
    """exp(-|x|) I1(x) in double precision."""
    size = torch.abs(x)
    small: List[float] = [
        1.26293593221816827e-1,
        -1.76416518357834055e-1,
        1.02643658689847095e-1,
        -5.29459812080949914e-2,
        2.47264490306265168e-2,
        -1.05640848946261982e-2,
        4.15642294431288816e-3,
        -1.51357245063125315e-3,
        5.12285956168575773e-4,
        -1.61760815825896746e-4,
        4.78156510755005423e-5,
        -1.32731636560394358e-5,
        3.47025130813767848e-6,
        -8.56872026469545474e-7,
        2.00329475355213526e-7,
        -4.44505912879632808e-8,
        9.38153738649577178e-9,
        -1.88724975172282929e-9,
        3.62559028155211704e-10,
        -6.66348972350202774e-11,
        1.17361862988909016e-11,
        -1.98397439776494372e-12,
        3.22379336594557471e-13,
        -5.04218550472791169e-14,
        7.60068429473540693e-15,
        -1.10559694773538631e-15,
        1.55363195773620047e-16,
        -2.11142121435816608e-17,
        2.77791411276104637e-18,
    ]
    large: List[float] = [
        3.8928811750914006e-1,
        -9.76109749136146841e-3,
        -1.10588938762623716e-4,
        -3.88256480887769039e-6,
        -2.51223623787020893e-7,
        -2.63146884688951951e-8,
        -3.83538038596423702e-9,
        -5.58974346219658381e-10,
        -1.89749581235054123e-11,
        3.25260358301548824e-11,
        1.41258074366137813e-11,
        2.03562854414708951e-12,
        -7.19855177624590851e-13,
        -4.08355111109219732e-13,
        -2.10154184277266431e-14,
        4.27244001671195135e-14,
        1.04202769841288028e-14,
        -3.8144030724370078e-15,
        -1.88035477551078245e-15,
        3.30820231092092828e-16,
        2.96262899764595014e-16,
        -3.20952592199342396e-17,
        -4.65030536848935833e-17,
        4.41434832307170795e-18,
        7.51729631084210481e-18,
    ]
    near = torch.mul(clenshaw(torch.sub(torch.mul(size, 0.25), 1.0), small), size)
    ratio = torch.div(8.0, torch.clamp(size, 8.0))
    far = torch.div(clenshaw(torch.sub(torch.mul(ratio, 2.0), 1.0), large), torch.sqrt(size))
    found = torch.where(torch.le(size, 8.0), near, far)
    return torch.where(torch.lt(x, 0.0), torch.neg(found), found)


def sin_of_turns(x: torch.Tensor) -> torch.Tensor:
    """|sin(pi x)|, exactly 0 at integers."""
    part = torch.abs(torch.sub(x, torch.round(x)))
    # Of the square of the part, fitted at Chebyshev's nodes.
    sine: List[float] = [
        7.697826768224191e-07,
        -2.1903497074626018e-05,
        0.0004662998161898394,
        -0.007370430505916944,
        0.0821458865731029,
        -0.5992645293189447,
        2.5501640398773007,
        -5.167712780049969,
        3.141592653589793,
    ]
    return torch.mul(part, horner(torch.mul(part, part), sine))


def double_lgamma(x: torch.Tensor) -> torch.Tensor:
    """log |gamma(x)| in double precision, by the sum of Lanczos and the reflection formula."""
    at = torch.where(torch.lt(x, 0.5), torch.sub(1.0, x), x)
    less = torch.sub(at, 1.0)
    terms: List[float] = [
        676.5203681218851,
        -1259.1392167224028,
        771.3234287776531,
        -176.6150291621406,
        12.507343278686905,
        -0.13857109526572012,
        9.984369578019572e-6,
        1.5056327351493116e-7,
    ]
    total = torch.full_like(x, 0.9999999999998099)
    for index in range(len(terms)):
        total = torch.add(total, torch.div(terms[index], torch.add(less, float(index + 1))))
    base = torch.add(less, 7.5)
    main = torch.add(torch.log(total), 0.9189385332046728)
    # (a - 1/2) log b - b, without a difference of large numbers where a is large.
    main = torch.add(
        main, torch.sub(torch.mul(torch.add(less, 0.5), torch.sub(torch.log(base), 1.0)), 7.0)
    )
    reflected = torch.sub(torch.sub(1.1447298858494002, torch.log(sin_of_turns(x))), main)
    found = torch.where(torch.lt(x, 0.5), reflected, main)
    infinite = torch.full_like(found, float("inf"))
    found = torch.where(torch.isinf(x), infinite, found)
    pole = torch.logical_and(torch.le(x, 0.0), torch.eq(torch.floor(x), x))
    return torch.where(pole, infinite, found)


def double_digamma(x: torch.Tensor) -> torch.Tensor:
    """The derivative of log gamma in double precision, by its recurrence and asymptotic series."""
    negative = torch.lt(x, 0.0)
    at = torch.where(negative, torch.sub(1.0, x), x)
    found = torch.zeros_like(x)
    for _ in range(10):
        small = torch.lt(at, 10.0)
        found = torch.where(small, torch.sub(found, torch.reciprocal(at)), found)
        at = torch.where(small, torch.add(at, 1.0), at)
    square = torch.reciprocal(torch.mul(at, at))
    # B(2k) / 2k, from the last.
    terms: List[float] = [
        8.33333333333333333333e-2,
        -2.10927960927960927961e-2,
        7.57575757575757575758e-3,
        -4.16666666666666666667e-3,
        3.96825396825396825397e-3,
        -8.33333333333333333333e-3,
        8.33333333333333333333e-2,
    ]
    series = torch.zeros_like(x)
    for index in range(len(terms)):
        series = torch.mul(torch.add(series, terms[index]), square)
    main = torch.sub(torch.log(at), torch.mul(torch.reciprocal(at), 0.5))
    found = torch.add(found, torch.sub(main, series))
    # pi / tan(pi x), of the part that counts.
    part = torch.sub(x, torch.trunc(x))
    turned = torch.div(3.141592653589793, torch.tan(torch.mul(part, 3.141592653589793)))
    found = torch.where(negative, torch.sub(found, turned), found)
    whole = torch.eq(torch.trunc(x), x)
    nothing = torch.full_like(found, float("nan"))
    found = torch.where(torch.logical_and(negative, whole), nothing, found)
    # The sign of infinity is that of the zero, exchanged.
    return torch.where(torch.eq(x, 0.0), torch.neg(torch.reciprocal(x)), found)


def single_inverse_of_erf(x: torch.Tensor) -> torch.Tensor:
    """The number whose error function is x; in f64, nearly as accurate as f32 is.

    NaN outside [-1, 1].

    Over w = -log(1 - x^2), a smooth function times x; where w is large, one of its root. Both are
    fitted at Chebyshev's nodes, with relative errors of 1e-8.
    """
    w = torch.neg(torch.log(torch.mul(torch.sub(1.0, x), torch.add(x, 1.0))))
    near: List[float] = [
        -8.931925970244222e-09,
        2.3335967195708108e-08,
        4.6813134805534123e-07,
        -3.4639852676333717e-06,
        -4.9724196894547514e-06,
        0.00021834938623976644,
        -0.001252726391773229,
        -0.004177392875203149,
        0.24664027905463662,
        1.501409360450329,
    ]
    far: List[float] = [
        0.0001115385807799795,
        -0.00030552505117411146,
        -5.045885289808411e-05,
        0.001479703952923971,
        -0.0036009003307526993,
        0.005689216294342166,
        -0.007636489636678905,
        0.009444992113527836,
        1.0016749120571993,
        2.8329768070195414,
    ]
    root = torch.sub(torch.sqrt(torch.clamp(w, 5.0)), 3.0)
    scale = torch.where(torch.lt(w, 5.0), horner(torch.sub(w, 2.5), near), horner(root, far))
    scale = torch.where(torch.eq(torch.abs(x), 1.0), torch.full_like(x, float("inf")), scale)
    return torch.mul(x, torch.where(torch.ne(w, w), w, scale))


def inverse_of_erf(x: torch.Tensor, rest: torch.Tensor) -> torch.Tensor:
    """y >= 0 with erf(y) = x and erfc(y) = rest = 1 - x in double precision; NaN outside [0, 1].

    Newton's steps from an approximation of relative error 0.002 (Winitzki), on erf near 0, and on
    the logarithm of erfc where it is small.
    """
    least = torch.clamp(rest, 1e-300)
    log = torch.log(torch.mul(least, torch.add(x, 1.0)))
    base = torch.add(torch.mul(log, 0.5), 4.330746750799873)
    root = torch.sqrt(torch.sub(torch.mul(base, base), torch.mul(log, 6.802721088435374)))
    found = torch.sqrt(torch.clamp(torch.sub(root, base), 0.0))
    wanted = torch.log(least)
    for _ in range(4):
        slope = torch.mul(torch.exp(torch.neg(torch.mul(found, found))), 1.1283791670955126)
        near = torch.div(torch.sub(x, torch.erf(found)), slope)
        scaled = scaled_erfc_of_positive(found)
        excess = torch.sub(torch.sub(torch.log(scaled), torch.mul(found, found)), wanted)
        far = torch.mul(torch.mul(excess, scaled), 0.886226925452758)
        found = torch.add(found, torch.where(torch.lt(x, 0.5), near, far))
        # A step from near 0 may end below it by rounding.
        found = torch.clamp(found, 0.0)
    found = torch.where(torch.eq(rest, 0.0), torch.full_like(found, float("inf")), found)
    valid = torch.logical_and(torch.ge(x, 0.0), torch.ge(rest, 0.0))
    return torch.where(valid, found, torch.full_like(found, float("nan")))
