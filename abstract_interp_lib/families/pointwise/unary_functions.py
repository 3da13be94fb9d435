"""Unary elementwise functions: `sin`, `abs`, `floor`, `frexp`, polynomials."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.promotion_kinds import promotes
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.pointwise import (
    always_bool,
    float_of_number_tensor,
    float_of_self,
    float_of_tensor_number,
    float_of_tensors,
    real_of_self,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    check_number,
    int_to_float,
    is_complex,
    is_integral,
    promote_with_number,
    real_dtype,
)

_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]
_FLOATS = [
    Invocation(T(2, dtype=torch.float64)),
    Invocation(T(2, dtype=torch.float16)),
    Invocation(T(2, dtype=torch.bfloat16)),
]
_INTEGERS = [
    Invocation(T(2, dtype=torch.int64)),
    Invocation(T(2, dtype=torch.int32)),
    Invocation(T(2, dtype=torch.uint8)),
]
_BOOL = [Invocation(T(2, dtype=torch.bool))]
_COMPLEX = [Invocation(T(2, dtype=torch.complex64)), Invocation(T(2, dtype=torch.complex128))]

# Functions with real results, or complex ones for a complex operand.
_ANALYTIC = (
    "aten::acos",
    "aten::acosh",
    "aten::arccos",
    "aten::arccosh",
    "aten::arcsin",
    "aten::arcsinh",
    "aten::arctan",
    "aten::arctanh",
    "aten::asin",
    "aten::asinh",
    "aten::atan",
    "aten::atanh",
    "aten::cos",
    "aten::cosh",
    "aten::exp",
    "aten::exp2",
    "aten::expm1",
    "aten::log",
    "aten::log10",
    "aten::log1p",
    "aten::log2",
    "aten::reciprocal",
    "aten::rsqrt",
    "aten::sigmoid",
    "aten::sin",
    "aten::sinc",
    "aten::sinh",
    "aten::special_exp2",
    "aten::special_expit",
    "aten::special_expm1",
    "aten::special_log1p",
    "aten::special_sinc",
    "aten::sqrt",
    "aten::tan",
    "aten::tanh",
)
shape_family(same_as_self, *_ANALYTIC, ok=_SHAPES)
dtype_family(float_of_self, *_ANALYTIC, ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_COMPLEX])

# Its name in the core set that PyTorch decomposes to.
shape_family(same_as_self, "prims::sqrt", ok=_SHAPES)
dtype_family(float_of_self, "prims::sqrt", ok=[*_FLOATS, *_COMPLEX])

# Functions that PyTorch defines for real operands only.
_REAL = (
    "aten::deg2rad",
    "aten::digamma",
    "aten::erf",
    "aten::erfc",
    "aten::erfinv",
    "aten::i0",
    "aten::lgamma",
    "aten::rad2deg",
    "aten::special_bessel_j0",
    "aten::special_bessel_j1",
    "aten::special_bessel_y0",
    "aten::special_bessel_y1",
    "aten::special_digamma",
    "aten::special_entr",
    "aten::special_erf",
    "aten::special_erfc",
    "aten::special_erfcx",
    "aten::special_erfinv",
    "aten::special_gammaln",
    "aten::special_i0",
    "aten::special_i0e",
    "aten::special_i1",
    "aten::special_i1e",
    "aten::special_log_ndtr",
    "aten::special_modified_bessel_i0",
    "aten::special_modified_bessel_i1",
    "aten::special_modified_bessel_k0",
    "aten::special_modified_bessel_k1",
    "aten::special_ndtr",
    "aten::special_ndtri",
    "aten::special_psi",
)
shape_family(same_as_self, *_REAL, ok=_SHAPES)
dtype_family(float_of_self, *_REAL, ok=[*_FLOATS, *_INTEGERS, *_BOOL])


@promotes("int-to-float", "self")
def logit_dtype(self: Tuple[int, int], eps: Optional[float]) -> int:
    """The dtype of `self`, to which the bound is cast; integers and bool become float32."""
    promoted = int_to_float(self[1])
    if eps is not None:
        check_number(eps, promoted)
    return promoted


_LOGITS = ("aten::logit", "aten::special_logit")
shape_family(same_as_self, *_LOGITS, ok=_SHAPES)
dtype_family(
    logit_dtype,
    *_LOGITS,
    ok=[*_FLOATS, *_INTEGERS, *_BOOL],
    error=[Invocation(T(2, dtype=torch.float16), 1e5, device="cpu")],
)


def same_as_x(x: List[int]) -> List[int]:
    """The shape of `x`."""
    return x


def float_of_x(x: Tuple[int, int]) -> int:
    """The dtype of `x`; integers and bool become float32."""
    return int_to_float(x[1])


_REAL_OF_X = (
    "aten::special_airy_ai",
    "aten::special_scaled_modified_bessel_k0",
    "aten::special_scaled_modified_bessel_k1",
    "aten::special_spherical_bessel_j0",
)
shape_family(same_as_x, *_REAL_OF_X, ok=_SHAPES)
dtype_family(float_of_x, *_REAL_OF_X, ok=[*_FLOATS, *_INTEGERS, *_BOOL])

_SAME_DTYPE = (
    "aten::bitwise_not",
    "aten::ceil",
    "aten::conj_physical",
    "aten::fix",
    "aten::floor",
    "aten::nan_to_num",
    "aten::round",
    "aten::sgn",
    "aten::sign",
    "aten::special_round",
    "aten::trunc",
)
shape_family(same_as_self, *_SAME_DTYPE, ok=[Invocation(T(2, 3, dtype=torch.int64))])
dtype_family(dtype_of_self, *_SAME_DTYPE, ok=[*_SHAPES, *_FLOATS, *_INTEGERS])
shape_family(same_as_self, "aten::frac", ok=_SHAPES)
dtype_family(dtype_of_self, "aten::frac", ok=_FLOATS)


shape_family(
    same_as_self,
    "aten::round.decimals",
    ok=[Invocation(T(2, 3), decimals=1), Invocation(T(), decimals=-2)],
)
dtype_family(
    dtype_of_self,
    "aten::round.decimals",
    ok=[
        Invocation(T(2, dtype=torch.float16), decimals=1),
        Invocation(T(2, dtype=torch.float64), decimals=0),
    ],
)


def negated_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`; bool cannot be negated."""
    assert self[1] != torch.bool, f"negation of bool is not supported, got dtype {self[1]}"
    return self[1]


_NEGATION = ("aten::neg", "aten::negative", "aten::positive")
shape_family(same_as_self, *_NEGATION, ok=_SHAPES)
dtype_family(negated_dtype, *_NEGATION, ok=[*_FLOATS, *_INTEGERS, *_COMPLEX], error=_BOOL)

_ABSOLUTE = ("aten::abs", "aten::absolute")
shape_family(same_as_self, *_ABSOLUTE, ok=_SHAPES)
dtype_family(real_of_self, *_ABSOLUTE, ok=[*_FLOATS, *_INTEGERS, *_COMPLEX])

_PREDICATES = (
    "aten::isfinite",
    "aten::isinf",
    "aten::isnan",
    "aten::isreal",
    "aten::logical_not",
)
shape_family(same_as_self, *_PREDICATES, ok=_SHAPES)
dtype_family(always_bool, *_PREDICATES, ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_COMPLEX])

_REAL_PREDICATES = ("aten::isneginf", "aten::isposinf", "aten::signbit")
shape_family(same_as_self, *_REAL_PREDICATES, ok=_SHAPES)
dtype_family(always_bool, *_REAL_PREDICATES, ok=[*_FLOATS, *_INTEGERS, *_BOOL])


@shape_function("aten::angle", ok=_SHAPES)
def angle(self: List[int]) -> List[int]:
    """The shape of `self`."""
    return self


@dtype_function("aten::angle", ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_COMPLEX])
def angle_dtype(self: Tuple[int, int]) -> int:
    """An angle is real: the real dtype of a complex input."""
    return real_dtype(int_to_float(self[1]))


@shape_function("aten::square", ok=_SHAPES)
def square(self: List[int]) -> List[int]:
    """The shape of `self`."""
    return self


@dtype_function("aten::square", ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_COMPLEX])
@promotes("bool-to-long")
def square_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `pow(self, 2)`: bool becomes int64."""
    return promote_with_number(self, 2)


def polygamma(n: int, self: List[int]) -> List[int]:
    """The shape of `self`; the order `n` of the derivative of digamma must not be negative."""
    assert n >= 0, f"n must not be negative, got {n}"
    return self


_POLYGAMMA = ("aten::polygamma", "aten::special_polygamma")
shape_family(
    polygamma,
    *_POLYGAMMA,
    ok=[Invocation(1, T(2, 3)), Invocation(0, T())],
    error=[Invocation(-1, T(2))],
)
dtype_family(
    float_of_self,
    *_POLYGAMMA,
    ok=[Invocation(1, T(2, dtype=torch.int64)), Invocation(2, T(2, dtype=torch.float16))],
)


def mvlgamma(self: List[int], p: int) -> List[int]:
    """The shape of `self`; the dimension `p` of the log-gamma function must be positive."""
    assert p >= 1, f"p must be at least 1, got {p}"
    return self


_MVLGAMMA = ("aten::mvlgamma", "aten::special_multigammaln")
shape_family(
    mvlgamma,
    *_MVLGAMMA,
    ok=[Invocation(T(2, 3), 1), Invocation(T(), 2)],
    # The meta kernel does not check the dimension.
    error=[Invocation(T(2), 0, device="cpu")],
)
dtype_family(
    float_of_self,
    *_MVLGAMMA,
    ok=[Invocation(T(2, dtype=torch.int64), 1), Invocation(T(2, dtype=torch.float64), 1)],
)


# Mantissa and exponent: `frexp`.


@shape_function(
    "aten::frexp.Tensor",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T()),
        Invocation(T(0)),
        *[
            Invocation(T(2, dtype=dtype))
            for dtype in (torch.float16, torch.bfloat16, torch.float64)
        ],
    ],
)
def frexp(self: List[int]) -> Tuple[List[int], List[int]]:
    """Mantissa and exponent have the shape of `self`."""
    return self, self


@dtype_function(
    "aten::frexp.Tensor",
    error=[Invocation(T(2, dtype=dtype)) for dtype in (torch.int64, torch.bool, torch.complex64)],
)
def frexp_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The mantissa has the dtype of `self`, the exponent is int32."""
    assert not is_integral(self[1]) and not is_complex(self[1]), (
        f"aten::frexp.Tensor: self must be floating-point, got dtype {self[1]}"
    )
    return self[1], torch.int32


# Orthogonal polynomials: Chebyshev, Hermite, Laguerre and Legendre.
#
# `x` is the argument and `n` the degree; either may be a scalar.

_TENSORS = (
    "aten::special_chebyshev_polynomial_t",
    "aten::special_chebyshev_polynomial_u",
    "aten::special_chebyshev_polynomial_v",
    "aten::special_chebyshev_polynomial_w",
    "aten::special_hermite_polynomial_h",
    "aten::special_hermite_polynomial_he",
    "aten::special_laguerre_polynomial_l",
    "aten::special_legendre_polynomial_p",
    "aten::special_shifted_chebyshev_polynomial_t",
    "aten::special_shifted_chebyshev_polynomial_u",
    "aten::special_shifted_chebyshev_polynomial_v",
    "aten::special_shifted_chebyshev_polynomial_w",
)
_NUMBER_DEGREE = tuple(f"{name}.n_scalar" for name in _TENSORS)
_OF_NUMBER = tuple(f"{name}.x_scalar" for name in _TENSORS)
_DTYPES = (
    torch.float16,
    torch.bfloat16,
    torch.float64,
    torch.int64,
    torch.int32,
    torch.uint8,
    torch.bool,
)


def polynomial(x: List[int], n: List[int]) -> List[int]:
    """Argument and degree broadcast."""
    return broadcast_two(x, n)


def polynomial_of_one_degree(x: List[int]) -> List[int]:
    """The shape of the argument; the degree is a scalar."""
    return x


def polynomials_of_number(n: List[int]) -> List[int]:
    """The shape of the degree; the argument is a scalar."""
    return n


def polynomial_dtype(x: Tuple[int, int], n: Tuple[int, int]) -> int:
    """Argument and degree promote; integers and bool then become float32."""
    return float_of_tensors(x, n)


def polynomial_of_one_degree_dtype(x: Tuple[int, int], n: Union[int, float, complex]) -> int:
    """Argument and degree promote; integers and bool then become float32."""
    return float_of_tensor_number(x, n)


def polynomials_of_number_dtype(x: Union[int, float, complex], n: Tuple[int, int]) -> int:
    """Argument and degree promote; integers and bool then become float32."""
    return float_of_number_tensor(x, n)


shape_family(
    polynomial,
    *_TENSORS,
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 1, 4), T(3, 1)),
        Invocation(T(), T(3)),
        Invocation(T(), T()),
        Invocation(T(0, 3), T(1, 3)),
    ],
    error=[Invocation(T(2, 3), T(4, 3))],
)
dtype_family(
    polynomial_dtype,
    *_TENSORS,
    ok=[
        *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype)) for dtype in _DTYPES],
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.bfloat16)),
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.float16)),
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.int64)),
        Invocation(T(2, dtype=torch.int64), T(dtype=torch.float64)),
        Invocation(T(2), T(dtype=torch.float64)),
        Invocation(T(2, dtype=torch.bool), T(2, dtype=torch.int64)),
    ],
)
shape_family(
    polynomial_of_one_degree,
    *_NUMBER_DEGREE,
    ok=[Invocation(T(2, 3), 2), Invocation(T(), 2), Invocation(T(0, 3), 2)],
)
dtype_family(
    polynomial_of_one_degree_dtype,
    *_NUMBER_DEGREE,
    ok=[
        *[Invocation(T(2, dtype=dtype), 2) for dtype in _DTYPES],
        *[Invocation(T(2, dtype=dtype), 2.5) for dtype in _DTYPES],
    ],
)
shape_family(
    polynomials_of_number,
    *_OF_NUMBER,
    ok=[Invocation(2, T(2, 3)), Invocation(2.5, T()), Invocation(2, T(0, 3))],
)
dtype_family(
    polynomials_of_number_dtype,
    *_OF_NUMBER,
    ok=[
        *[Invocation(2, T(2, dtype=dtype)) for dtype in _DTYPES],
        *[Invocation(2.5, T(2, dtype=dtype)) for dtype in _DTYPES],
    ],
)
