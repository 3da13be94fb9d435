"""Functions of one tensor in the set of primitive operators: `prims::sin`, `prims::abs`, ...

The meta kernels give integers where the others compute in float32.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.conversion import dtype_of_a, same_as_a
from torch_refine.abstract_interp_lib.families.pointwise_unary import negated_dtype
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.pointwise import (
    always_bool,
    float_of_self,
    real_of_self,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral

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

# Functions with real values, or complex ones where the operand is complex.
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

# Functions that PyTorch defines on real operands only.
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
    dtype_of_self,
    "prims::fill",
    ok=[
        Invocation(T(2, dtype=torch.float16), 1),
        Invocation(T(2, dtype=torch.int64), 2.5),
        Invocation(T(2, dtype=torch.bool), 2),
        Invocation(T(2, dtype=torch.complex64), 2j),
    ],
)

shape_family(same_as_self, "prims::abs", "prims::neg", ok=_SHAPES)
dtype_family(real_of_self, "prims::abs", ok=[*_FLOATS, *_INTEGERS, *_COMPLEX])
# The meta kernel takes bool.
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
    """Raise for a dtype that is not complex."""
    assert is_complex(dtype), f"the dtype must be complex, got {dtype}"


def conjugated_dtype(self: Tuple[int, int]) -> int:
    """Keeps the dtype, which is complex."""
    check_complex(self[1])
    return self[1]


def conjugated_view_dtype(a: Tuple[int, int]) -> int:
    """Keeps the dtype, which is complex."""
    check_complex(a[1])
    return a[1]


def part_dtype(self: Tuple[int, int]) -> int:
    """The dtype of the parts of a complex number."""
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
    """Both have the shape of the number that they stand for."""
    return self, self


def mantissa_and_exponent_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The mantissa has the dtype of the number, which is floating-point; exponents are int32."""
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
