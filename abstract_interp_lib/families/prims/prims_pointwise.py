"""Unary and binary functions among the primitive operators: `prims::sin`, `prims::add`.

For integers the meta kernels return integers where the others compute in float32.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.factories_and_copies.conversion import (
    dtype_of_a,
    fill_dtype,
    same_as_a,
)
from torch_refine.abstract_interp_lib.families.pointwise.unary_functions import negated_dtype
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.pointwise import (
    always_bool,
    float_of_self,
    real_of_self,
)
from torch_refine.abstract_interp_lib.rules.prims import (
    is_number,
    one_dtype,
    same_or_zero_dim,
    strict_bool,
    strict_dtype,
    strict_float,
    strict_shape,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_complex,
    is_integral,
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
_BOOL_CPU = [Invocation(T(2, dtype=torch.bool), device="cpu")]
_INTEGERS_CPU = [Invocation(*case.args, device="cpu") for case in _INTEGERS]
_COMPLEX = [Invocation(T(2, dtype=torch.complex64)), Invocation(T(dtype=torch.complex128))]

# Functions with real results, or complex ones for a complex operand.
_ANALYTIC = (
    "prims::acos",
    "prims::acosh",
    "prims::asin",
    "prims::asinh",
    "prims::atan",
    "prims::atanh",
    "prims::cos",
    "prims::cosh",
    "prims::exp",
    "prims::exp2",
    "prims::expm1",
    "prims::log",
    "prims::log10",
    "prims::log1p",
    "prims::log2",
    "prims::reciprocal",
    "prims::rsqrt",
    "prims::sin",
    "prims::sinh",
    "prims::tan",
    "prims::tanh",
)
shape_family(same_as_self, *_ANALYTIC, ok=_SHAPES)
dtype_family(float_of_self, *_ANALYTIC, ok=[*_FLOATS, *_INTEGERS_CPU, *_BOOL_CPU, *_COMPLEX])

# Functions that PyTorch defines for real operands only.
_REAL = (
    "prims::bessel_i0",
    "prims::bessel_i0e",
    "prims::bessel_i1",
    "prims::bessel_i1e",
    "prims::bessel_j0",
    "prims::bessel_j1",
    "prims::digamma",
    "prims::erf",
    "prims::erf_inv",
    "prims::erfc",
    "prims::erfcx",
    "prims::lgamma",
    "prims::ndtri",
    "prims::spherical_bessel_j0",
)
shape_family(same_as_self, *_REAL, "prims::cbrt", ok=_SHAPES)
dtype_family(float_of_self, *_REAL, ok=[*_FLOATS, *_INTEGERS_CPU, *_BOOL_CPU])
dtype_family(float_of_self, "prims::cbrt", ok=[*_FLOATS, *_INTEGERS_CPU])

_ROUNDED = ("prims::ceil", "prims::floor", "prims::round", "prims::sign", "prims::trunc")
shape_family(same_as_self, *_ROUNDED, ok=_SHAPES)
dtype_family(dtype_of_self, *_ROUNDED, ok=[*_FLOATS, *_INTEGERS])
shape_family(
    same_as_self,
    "prims::bitwise_not",
    ok=[Invocation(T(2, 3, dtype=torch.int64)), Invocation(T(dtype=torch.bool))],
)
dtype_family(dtype_of_self, "prims::bitwise_not", ok=[*_INTEGERS, *_BOOL])
shape_family(same_as_self, "prims::clone", ok=_SHAPES)
dtype_family(
    dtype_of_self,
    "prims::clone",
    ok=[
        *_FLOATS,
        *_INTEGERS,
        *_BOOL,
        *_COMPLEX,
        Invocation(T(1, 2, 3, 4), memory_format=torch.channels_last),
        Invocation(T(2, 3), memory_format=torch.preserve_format),
    ],
)
shape_family(same_as_self, "prims::fill", ok=[Invocation(T(2, 3), 1), Invocation(T(), 2.5)])
dtype_family(
    fill_dtype,
    "prims::fill",
    ok=[
        Invocation(T(2, dtype=torch.float16), 1),
        Invocation(T(2, dtype=torch.int64), 2.5),
        Invocation(T(2, dtype=torch.bool), 2),
        Invocation(T(2, dtype=torch.complex64), 2j),
    ],
    error=[Invocation(T(2, dtype=torch.float16), 1e5, device="cpu")],
)

shape_family(same_as_self, "prims::abs", "prims::neg", ok=_SHAPES)
dtype_family(real_of_self, "prims::abs", ok=[*_FLOATS, *_INTEGERS, *_COMPLEX])
# The meta kernel accepts bool.
dtype_family(negated_dtype, "prims::neg", ok=[*_FLOATS, *_INTEGERS, *_COMPLEX], error=_BOOL_CPU)

shape_family(same_as_self, "prims::isfinite", ok=_SHAPES)
dtype_family(always_bool, "prims::isfinite", ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_COMPLEX])
# The meta kernel keeps the dtype.
shape_family(
    same_as_self,
    "prims::signbit",
    ok=[Invocation(*case.args, device="cpu") for case in (*_SHAPES, *_FLOATS, *_INTEGERS, *_BOOL)],
)
dtype_family(always_bool, "prims::signbit")


def check_complex(dtype: int) -> None:
    """Raise unless a dtype is complex."""
    assert is_complex(dtype), f"the dtype must be complex, got {dtype}"


def conjugated_dtype(self: Tuple[int, int]) -> int:
    """The dtype of the input, which is complex."""
    check_complex(self[1])
    return self[1]


def conjugated_view_dtype(a: Tuple[int, int]) -> int:
    """The dtype of the input, which is complex."""
    check_complex(a[1])
    return a[1]


def part_dtype(self: Tuple[int, int]) -> int:
    """The real dtype of a complex dtype."""
    check_complex(self[1])
    return real_of_self(self)


_COMPLEX_SHAPES = [
    Invocation(T(2, 3, dtype=torch.complex64)),
    Invocation(T(dtype=torch.complex128)),
    Invocation(T(0, dtype=torch.complex32)),
]
_NOT_COMPLEX = [Invocation(T(2)), Invocation(T(2, dtype=torch.int64))]
shape_family(same_as_self, "prims::conj_physical", ok=_COMPLEX_SHAPES)
dtype_family(conjugated_dtype, "prims::conj_physical", error=_NOT_COMPLEX)
shape_family(same_as_a, "prims::conj", ok=_COMPLEX_SHAPES)
dtype_family(conjugated_view_dtype, "prims::conj", error=_NOT_COMPLEX)
shape_family(same_as_self, "prims::imag", "prims::real", ok=_COMPLEX_SHAPES)
dtype_family(part_dtype, "prims::imag", "prims::real", error=_NOT_COMPLEX)


def mantissa_and_exponent(self: List[int]) -> Tuple[List[int], List[int]]:
    """Both have the shape of the input."""
    return self, self


def mantissa_and_exponent_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The mantissa has the dtype of the input, which is floating-point; the exponent is int32."""
    assert not is_integral(self[1]) and not is_complex(self[1]), (
        f"the dtype must be floating-point, got {self[1]}"
    )
    return self[1], torch.int32


shape_family(mantissa_and_exponent, "prims::frexp", ok=_SHAPES)
dtype_family(mantissa_and_exponent_dtype, "prims::frexp", ok=_FLOATS, error=[*_INTEGERS, *_COMPLEX])

_OF_A = [*_SHAPES, *_FLOATS, *_INTEGERS, *_BOOL, *_COMPLEX]
_META = torch.device("meta")
shape_family(same_as_a, "prims::device_put", ok=[Invocation(*case.args, _META) for case in _OF_A])
dtype_family(dtype_of_a, "prims::device_put", ok=[Invocation(T(2), _META, True)])


# Binary functions: `prims::add`, `prims::eq`, ...
#
# Both operands have the same shape and dtype, except that one may be 0-dim. See `rules.prims`.

_INT = torch.int64
_BINARY_SHAPES = [
    Invocation(T(2, 3), T(2, 3)),
    Invocation(T(), T()),
    Invocation(T(0, 3), T(0, 3)),
    # The meta kernels cannot tell whether a 0-dim tensor stands for a scalar.
    Invocation(T(2, 3), T(), device="cpu"),
    Invocation(T(), T(0, 3), device="cpu"),
]
_INTEGER_SHAPES = [
    Invocation(T(2, 3, dtype=_INT), T(2, 3, dtype=_INT)),
    Invocation(T(dtype=_INT), T(dtype=_INT)),
    Invocation(T(2, 3, dtype=_INT), T(dtype=_INT), device="cpu"),
]
_MISMATCHED = [
    Invocation(T(2, 3), T(3, 3)),
    Invocation(T(2), T(1)),
    Invocation(T(2, 3), T(3)),
]
_BINARY_FLOATS = [
    Invocation(*[T(2, dtype=torch.float64)] * 2),
    Invocation(*[T(2, dtype=torch.float16)] * 2),
    Invocation(*[T(2, dtype=torch.bfloat16)] * 2),
]
_BINARY_INTEGERS = [
    Invocation(*[T(2, dtype=torch.int64)] * 2),
    Invocation(*[T(2, dtype=torch.int32)] * 2),
    Invocation(*[T(2, dtype=torch.uint8)] * 2),
]
_BOOLS = [Invocation(*[T(2, dtype=torch.bool)] * 2)]
_BINARY_COMPLEX = [Invocation(*[T(2, dtype=torch.complex64)] * 2)]
_MIXED = [
    Invocation(T(2), T(2, dtype=torch.float64)),
    Invocation(T(2, dtype=torch.int64), T(2)),
]

# Arithmetic on all dtypes, on real ones, on floating-point ones.
_ARITHMETIC = ("prims::add", "prims::mul", "prims::pow", "prims::sub")
_BINARY_REAL = (
    "prims::fmax",
    "prims::fmin",
    "prims::fmod",
    "prims::remainder",
)
_EXTREMA = ("prims::maximum", "prims::minimum")
_ON_FLOATS = ("prims::hypot", "prims::igamma", "prims::igammac", "prims::nextafter")
_KEEPING = (*_ARITHMETIC, *_BINARY_REAL, *_EXTREMA, *_ON_FLOATS)
shape_family(strict_shape, *_KEEPING, ok=_BINARY_SHAPES, error=_MISMATCHED)
dtype_family(
    strict_dtype,
    *_ARITHMETIC,
    ok=[*_BINARY_FLOATS, *_BINARY_INTEGERS, *_BINARY_COMPLEX],
    error=_MIXED,
)
dtype_family(strict_dtype, *_BINARY_REAL, ok=[*_BINARY_FLOATS, *_BINARY_INTEGERS], error=_MIXED)
dtype_family(strict_dtype, *_ON_FLOATS, ok=_BINARY_FLOATS, error=_MIXED)


def extremum_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors have the same dtype, which the result keeps; a scalar is converted to it."""
    one_dtype(self, other)
    if is_number(self, other):
        return other[1]
    else:
        return self[1]


dtype_family(
    extremum_dtype, *_EXTREMA, ok=[*_BINARY_FLOATS, *_BINARY_INTEGERS, *_BOOLS], error=_MIXED
)

# Bitwise operators.
_LOGICAL = ("prims::bitwise_and", "prims::bitwise_or", "prims::bitwise_xor")
_ON_INTEGERS = ("prims::gcd", "prims::shift_left", "prims::shift_right_arithmetic")
shape_family(strict_shape, *_LOGICAL, *_ON_INTEGERS, ok=_INTEGER_SHAPES, error=_MISMATCHED)
dtype_family(strict_dtype, *_LOGICAL, ok=[*_BINARY_INTEGERS, *_BOOLS], error=_MIXED)
dtype_family(strict_dtype, *_ON_INTEGERS, ok=_BINARY_INTEGERS, error=_MIXED)

# Functions with real results; the meta kernels keep integers.
_TO_FLOAT = ("prims::atan2", "prims::zeta")
shape_family(strict_shape, *_TO_FLOAT, ok=_BINARY_SHAPES, error=_MISMATCHED)
dtype_family(
    strict_float,
    *_TO_FLOAT,
    ok=[
        *_BINARY_FLOATS,
        *[Invocation(*case.args, device="cpu") for case in (*_BINARY_INTEGERS, *_BOOLS)],
    ],
    error=_MIXED,
)


def quotient_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Integer division truncates; two bool tensors give float32."""
    promoted = one_dtype(self, other)
    if self[1] == torch.bool and not is_number(self, other):
        return int_to_float(promoted)
    else:
        return promoted


shape_family(strict_shape, "prims::div", ok=_BINARY_SHAPES, error=_MISMATCHED)
dtype_family(
    quotient_dtype,
    "prims::div",
    # The meta kernel keeps bool.
    ok=[
        *_BINARY_FLOATS,
        *_BINARY_INTEGERS,
        *_BINARY_COMPLEX,
        Invocation(*_BOOLS[0].args, device="cpu"),
    ],
    error=_MIXED,
)

_ORDERS = ("prims::ge", "prims::gt", "prims::le", "prims::lt")
_EQUALITIES = ("prims::eq", "prims::ne")
shape_family(strict_shape, *_ORDERS, *_EQUALITIES, ok=_BINARY_SHAPES, error=_MISMATCHED)
dtype_family(strict_bool, *_ORDERS, ok=[*_BINARY_FLOATS, *_BINARY_INTEGERS, *_BOOLS], error=_MIXED)
dtype_family(
    strict_bool,
    *_EQUALITIES,
    ok=[*_BINARY_FLOATS, *_BINARY_INTEGERS, *_BOOLS, *_BINARY_COMPLEX],
    error=_MIXED,
)


def choice(pred: List[int], a: List[int], b: List[int]) -> List[int]:
    """Condition and choices have the same shape, except for 0-dim ones."""
    return same_or_zero_dim(same_or_zero_dim(pred, a), b)


def choice_dtype(pred: Tuple[int, int], a: Tuple[int, int], b: Tuple[int, int]) -> int:
    """Both choices have the same dtype, which the result keeps."""
    assert pred[1] == torch.bool or pred[1] == torch.uint8, (
        f"the condition must be of dtype bool, got dtype {pred[1]}"
    )
    return one_dtype(a, b)


_BINARY_BOOL = T(2, dtype=torch.bool)
shape_family(
    choice,
    "prims::where",
    ok=[
        Invocation(T(2, 3, dtype=torch.bool), T(2, 3), T(2, 3)),
        Invocation(T(dtype=torch.bool), T(), T()),
        Invocation(T(dtype=torch.bool), T(2), T(2), device="cpu"),
        Invocation(_BINARY_BOOL, T(), T(2), device="cpu"),
        Invocation(_BINARY_BOOL, T(), T(), device="cpu"),
    ],
    error=[
        Invocation(T(1, dtype=torch.bool), T(2), T(2)),
        Invocation(_BINARY_BOOL, T(2), T(3)),
        Invocation(_BINARY_BOOL, T(2), T(1, 2)),
    ],
)
dtype_family(
    choice_dtype,
    "prims::where",
    ok=[
        Invocation(_BINARY_BOOL, T(2, dtype=torch.float16), T(2, dtype=torch.float16)),
        Invocation(_BINARY_BOOL, T(2, dtype=torch.int64), T(2, dtype=torch.int64)),
        Invocation(_BINARY_BOOL, _BINARY_BOOL, _BINARY_BOOL),
        Invocation(_BINARY_BOOL, T(2, dtype=torch.complex64), T(2, dtype=torch.complex64)),
        Invocation(T(2, dtype=torch.uint8), T(2), T(2), device="cpu"),
    ],
    error=[
        Invocation(_BINARY_BOOL, T(2), T(2, dtype=torch.float64)),
        # The meta kernel accepts any condition.
        Invocation(T(2, dtype=torch.int64), T(2), T(2), device="cpu"),
    ],
)
