"""Binary arithmetic: `add`, `div`, `pow`, `maximum`, `atan2`, ..."""

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
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.pointwise import (
    broadcast_self_other,
    complex_dtype,
    float_of_number_tensor,
    float_of_tensor_number,
    float_of_tensors,
    promote_number_tensor,
    promote_tensor_number,
    promote_tensors,
    same_as_other,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    check_number,
    dtype_of_number,
    int_to_float,
    is_complex,
    is_integral,
    promote_two,
    promote_with_number,
)

_SHAPES = [
    Invocation(T(2, 3), T(2, 3)),
    Invocation(T(2, 1, 4), T(3, 1)),
    Invocation(T(), T(3)),
    Invocation(T(), T()),
    Invocation(T(0, 3), T(1, 3)),
]
_MISMATCHED = [Invocation(T(2, 3), T(4, 3))]
_FLOATS = [
    Invocation(T(2, dtype=torch.float64), T(2, dtype=torch.float64)),
    Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.bfloat16)),
    Invocation(T(2, dtype=torch.bfloat16), T(dtype=torch.float64)),
]
_INTEGERS = [
    Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int32)),
    Invocation(T(2, dtype=torch.int32), T(2, dtype=torch.float16)),
    Invocation(T(2, dtype=torch.uint8), T(2, dtype=torch.int8)),
    Invocation(T(2, dtype=torch.int64), T(dtype=torch.float64)),
]
_BOOL = [
    Invocation(T(2, dtype=torch.bool), T(2, dtype=torch.int32)),
    Invocation(T(2, dtype=torch.bool), T(dtype=torch.float16)),
]
_BOOLS = [Invocation(T(2, dtype=torch.bool), T(2, dtype=torch.bool))]
_COMPLEX = [
    Invocation(T(2, dtype=torch.complex64), T(2, dtype=torch.float64)),
    Invocation(T(2, dtype=torch.int64), T(dtype=torch.complex64)),
]
_ANY = [*_FLOATS, *_INTEGERS, *_BOOL]

_NUMBER_SHAPES = [Invocation(T(2, 3), 2), Invocation(T(), 2.5), Invocation(T(0, 3), 2)]
_WITH_NUMBER = [
    Invocation(T(2, dtype=torch.float64), 2),
    Invocation(T(2, dtype=torch.float16), 2.5),
    Invocation(T(2, dtype=torch.bfloat16), 2),
    Invocation(T(2, dtype=torch.int64), 2.5),
    Invocation(T(dtype=torch.int32), 2),
    Invocation(T(2, dtype=torch.uint8), 2),
]
_BOOL_WITH_NUMBER = [
    Invocation(T(2, dtype=torch.bool), 2),
    Invocation(T(2, dtype=torch.bool), 2.5),
]
_COMPLEX_WITH_NUMBER = [
    Invocation(T(2, dtype=torch.complex64), 2.5),
    Invocation(T(2, dtype=torch.float64), 2j),
    Invocation(T(2, dtype=torch.int64), 2j),
]
_NUMBER_FIRST_SHAPES = [Invocation(2, T(2, 3)), Invocation(2.5, T()), Invocation(2, T(0, 3))]
_NUMBER_FIRST = [
    Invocation(2.5, T(2, dtype=torch.float16)),
    Invocation(2, T(2, dtype=torch.bfloat16)),
    Invocation(2.5, T(2, dtype=torch.int64)),
    Invocation(2, T(2, dtype=torch.uint8)),
    Invocation(2, T(2, dtype=torch.bool)),
]

# Sums: `alpha`, which scales the second operand, does not take part in promotion.
shape_family(broadcast_self_other, "aten::add.Tensor", ok=_SHAPES, error=_MISMATCHED)


def check_factor(alpha: Union[int, float, complex], dtype: int) -> None:
    """Raise for a bool factor of other dtypes, and for a float one of integers."""
    kind = dtype_of_number(alpha)
    assert kind != torch.bool or dtype == torch.bool, (
        f"alpha may be a bool for bools only, got dtype {dtype}"
    )
    assert kind != torch.float64 or not is_integral(dtype), (
        f"alpha may not be a float for integers, got dtype {dtype}"
    )


@promotes("default", "self", "other")
def sum_dtype(
    self: Tuple[int, int], other: Tuple[int, int], alpha: Union[int, float, complex]
) -> int:
    """Two tensors promote, to the dtype that the factor is cast to."""
    promoted = promote_two(self, other)
    check_factor(alpha, promoted)
    check_number(alpha, promoted)
    return promoted


@promotes("default", "self", "other")
def sum_with_number_dtype(
    self: Tuple[int, int],
    other: Union[int, float, complex],
    alpha: Union[int, float, complex],
) -> int:
    """A tensor and a scalar promote, to the dtype that the factor is cast to."""
    promoted = promote_with_number(self, other)
    check_factor(alpha, promoted)
    check_number(alpha, promoted)
    return promoted


_BYTES = T(2, dtype=torch.int8)
_LARGE_FACTOR = [
    Invocation(_BYTES, _BYTES, alpha=300, device="cpu"),
    Invocation(_BYTES, _BYTES, alpha=-129, device="cpu"),
    Invocation(_BYTES, _BYTES, alpha=True, device="cpu"),
    Invocation(_BYTES, _BYTES, alpha=2.5, device="cpu"),
    Invocation(T(2), T(2), alpha=True, device="cpu"),
]
_LARGE_FACTOR_OF_NUMBER = [Invocation(_BYTES, 1, 300, device="cpu")]
dtype_family(
    sum_dtype,
    "aten::add.Tensor",
    ok=[*_ANY, *_BOOLS, *_COMPLEX, Invocation(T(2), T(2), alpha=2.5)],
    error=[*_LARGE_FACTOR, Invocation(_BYTES, _BYTES, alpha=128, device="cpu")],
)
shape_family(same_as_self, "aten::add.Scalar", ok=_NUMBER_SHAPES)
dtype_family(
    sum_with_number_dtype,
    "aten::add.Scalar",
    ok=[
        *_WITH_NUMBER,
        *_BOOL_WITH_NUMBER,
        *_COMPLEX_WITH_NUMBER,
        Invocation(T(2), 2, 2.5),
        Invocation(T(2, dtype=torch.bool), True),
    ],
    error=_LARGE_FACTOR_OF_NUMBER,
)


def check_subtracted(alpha: Union[int, float, complex], dtype: int) -> None:
    """Raise for a factor whose negative the dtype does not have."""
    check_factor(alpha, dtype)
    if dtype_of_number(alpha) == torch.int64:
        check_number(-int(alpha), dtype)
    else:
        check_number(alpha, dtype)


@promotes("default", "self", "other")
def difference_with_number_dtype(
    self: Tuple[int, int],
    other: Union[int, float, complex],
    alpha: Union[int, float, complex],
) -> int:
    """A tensor and a scalar promote, to the dtype that the factor is cast to; none is a bool."""
    is_bool = self[1] == torch.bool or dtype_of_number(other) == torch.bool
    assert not is_bool, f"subtraction of bool tensors is not supported, got dtype {self[1]}"
    promoted = promote_with_number(self, other)
    check_subtracted(alpha, promoted)
    return promoted


@promotes("default", "self", "other")
def difference_dtype(
    self: Tuple[int, int], other: Tuple[int, int], alpha: Union[int, float, complex]
) -> int:
    """Two tensors promote, as for a sum; subtraction of bool tensors is not defined."""
    assert self[1] != torch.bool and other[1] != torch.bool, (
        f"subtraction of bool tensors is not supported, got dtypes {self[1]} and {other[1]}"
    )
    promoted = promote_two(self, other)
    check_subtracted(alpha, promoted)
    return promoted


_DIFFERENCES = ("aten::rsub.Tensor", "aten::sub.Tensor", "aten::subtract.Tensor")
shape_family(broadcast_self_other, *_DIFFERENCES, ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    difference_dtype,
    *_DIFFERENCES,
    ok=[
        *_FLOATS,
        *_INTEGERS,
        *_COMPLEX,
        Invocation(T(2), T(2), alpha=2),
        Invocation(_BYTES, _BYTES, alpha=128, device="cpu"),
    ],
    error=[*_BOOLS, *_LARGE_FACTOR, Invocation(T(2, dtype=torch.bool), T(2), device="cpu")],
)
_DIFFERENCES_WITH_NUMBER = ("aten::rsub.Scalar", "aten::sub.Scalar", "aten::subtract.Scalar")
shape_family(same_as_self, *_DIFFERENCES_WITH_NUMBER, ok=_NUMBER_SHAPES)
dtype_family(
    difference_with_number_dtype,
    *_DIFFERENCES_WITH_NUMBER,
    ok=[*_WITH_NUMBER, *_COMPLEX_WITH_NUMBER, Invocation(T(2), 2, 2.5)],
    error=[*_LARGE_FACTOR_OF_NUMBER, Invocation(T(2, dtype=torch.bool), 1, device="cpu")],
)

# Products, and true division, which converts integers to float32.
_PRODUCTS = ("aten::mul.Tensor", "aten::multiply.Tensor")
_QUOTIENTS = ("aten::div.Tensor", "aten::divide.Tensor", "aten::true_divide.Tensor")
shape_family(broadcast_self_other, *_PRODUCTS, *_QUOTIENTS, ok=_SHAPES, error=_MISMATCHED)
dtype_family(promote_tensors, *_PRODUCTS, ok=[*_ANY, *_BOOLS, *_COMPLEX])
dtype_family(float_of_tensors, *_QUOTIENTS, ok=[*_ANY, *_BOOLS, *_COMPLEX])
_PRODUCTS_WITH_NUMBER = ("aten::mul.Scalar", "aten::multiply.Scalar")
_QUOTIENTS_WITH_NUMBER = ("aten::div.Scalar", "aten::divide.Scalar", "aten::true_divide.Scalar")
_ANY_WITH_NUMBER = [*_WITH_NUMBER, *_BOOL_WITH_NUMBER, *_COMPLEX_WITH_NUMBER]
shape_family(same_as_self, *_PRODUCTS_WITH_NUMBER, *_QUOTIENTS_WITH_NUMBER, ok=_NUMBER_SHAPES)
dtype_family(promote_tensor_number, *_PRODUCTS_WITH_NUMBER, ok=_ANY_WITH_NUMBER)
dtype_family(float_of_tensor_number, *_QUOTIENTS_WITH_NUMBER, ok=_ANY_WITH_NUMBER)


def quotient_dtype(
    self: Tuple[int, int], other: Tuple[int, int], rounding_mode: Optional[str]
) -> int:
    """Rounding division keeps integers, true division converts them to float32."""
    check_rounding_mode(rounding_mode)
    promoted = promote_two(self, other)
    if rounding_mode is None:
        promoted = int_to_float(promoted)
    return promoted


def quotient_with_number_dtype(
    self: Tuple[int, int], other: Union[int, float, complex], rounding_mode: Optional[str]
) -> int:
    """Rounding division keeps integers, true division converts them to float32."""
    check_rounding_mode(rounding_mode)
    promoted = promote_with_number(self, other)
    if rounding_mode is None:
        promoted = int_to_float(promoted)
    return promoted


def check_rounding_mode(rounding_mode: Optional[str]) -> None:
    """`rounding_mode` is None, 'floor' or 'trunc'."""
    if rounding_mode is not None:
        assert rounding_mode == "floor" or rounding_mode == "trunc", (
            f"rounding_mode must be None, 'floor' or 'trunc', got {rounding_mode}"
        )


_MODES = (None, "floor", "trunc")
_ROUNDED = ("aten::div.Tensor_mode", "aten::divide.Tensor_mode")
shape_family(
    broadcast_self_other,
    *_ROUNDED,
    ok=[Invocation(T(2, 1), T(3), rounding_mode="floor")],
    error=[Invocation(T(2), T(3), rounding_mode=None)],
)
dtype_family(
    quotient_dtype,
    *_ROUNDED,
    ok=[Invocation(*case.args, rounding_mode=mode) for case in _ANY for mode in _MODES],
    error=[Invocation(T(2), T(2), rounding_mode="ceil")],
)
_ROUNDED_WITH_NUMBER = ("aten::div.Scalar_mode", "aten::divide.Scalar_mode")
shape_family(
    same_as_self, *_ROUNDED_WITH_NUMBER, ok=[Invocation(T(2, 3), 2, rounding_mode="trunc")]
)
dtype_family(
    quotient_with_number_dtype,
    *_ROUNDED_WITH_NUMBER,
    ok=[Invocation(*case.args, rounding_mode=mode) for case in _WITH_NUMBER for mode in _MODES],
    error=[Invocation(T(2), 2, rounding_mode="ceil")],
)

# Promotion, for real operands.
_PROMOTING = (
    "aten::floor_divide",
    "aten::fmax",
    "aten::fmin",
    "aten::fmod.Tensor",
    "aten::max.other",
    "aten::maximum",
    "aten::min.other",
    "aten::minimum",
    "aten::remainder.Tensor",
)
shape_family(broadcast_self_other, *_PROMOTING, ok=_SHAPES, error=_MISMATCHED)
dtype_family(promote_tensors, *_PROMOTING, ok=_ANY)
_PROMOTING_WITH_NUMBER = (
    "aten::floor_divide.Scalar",
    "aten::fmod.Scalar",
    "aten::remainder.Scalar",
)
shape_family(same_as_self, *_PROMOTING_WITH_NUMBER, ok=_NUMBER_SHAPES)
dtype_family(promote_tensor_number, *_PROMOTING_WITH_NUMBER, ok=[*_WITH_NUMBER, *_BOOL_WITH_NUMBER])
shape_family(same_as_other, "aten::remainder.Scalar_Tensor", ok=_NUMBER_FIRST_SHAPES)
dtype_family(promote_number_tensor, "aten::remainder.Scalar_Tensor", ok=_NUMBER_FIRST)

# Promotion, for floating-point operands.
_ON_FLOATS = (
    "aten::hypot",
    "aten::logaddexp",
    "aten::logaddexp2",
    "aten::nextafter",
)
shape_family(broadcast_self_other, *_ON_FLOATS, ok=_SHAPES, error=_MISMATCHED)
dtype_family(promote_tensors, *_ON_FLOATS, ok=_FLOATS)

# Promotion, for integers.
_ON_INTEGERS = ("aten::gcd", "aten::lcm")
shape_family(
    broadcast_self_other,
    *_ON_INTEGERS,
    ok=[
        Invocation(T(2, 1, dtype=torch.int64), T(3, dtype=torch.int64)),
        Invocation(T(dtype=torch.int64), T(0, dtype=torch.int64)),
    ],
    error=[Invocation(T(2, dtype=torch.int64), T(3, dtype=torch.int64))],
)
dtype_family(
    promote_tensors,
    *_ON_INTEGERS,
    ok=[
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int32)),
        Invocation(T(2, dtype=torch.uint8), T(2, dtype=torch.int8)),
        Invocation(T(2, dtype=torch.uint8), T(dtype=torch.int64)),
    ],
)

# Functions with real results: integers become float32.
_REAL = (
    "aten::arctan2",
    "aten::atan2",
    "aten::copysign.Tensor",
    "aten::special_xlog1py",
    "aten::special_xlogy",
    "aten::special_zeta",
    "aten::xlogy.Tensor",
)
shape_family(broadcast_self_other, *_REAL, ok=_SHAPES, error=_MISMATCHED)
dtype_family(float_of_tensors, *_REAL, ok=_ANY)
# The meta kernel is wrong if a 0-dim exponent determines the dtype.
shape_family(broadcast_self_other, "aten::ldexp.Tensor", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    float_of_tensors,
    "aten::ldexp.Tensor",
    ok=[Invocation(*case.args, device="cpu") for case in _ANY],
)
_GAMMA = (
    "aten::igamma",
    "aten::igammac",
    "aten::special_gammainc",
    "aten::special_gammaincc",
)
shape_family(broadcast_self_other, *_GAMMA, ok=_SHAPES, error=_MISMATCHED)
dtype_family(float_of_tensors, *_GAMMA, ok=_FLOATS)
_REAL_WITH_NUMBER = (
    "aten::copysign.Scalar",
    "aten::special_xlog1py.other_scalar",
    "aten::special_xlogy.other_scalar",
    "aten::special_zeta.other_scalar",
    "aten::xlogy.Scalar_Other",
)
shape_family(same_as_self, *_REAL_WITH_NUMBER, ok=_NUMBER_SHAPES)
dtype_family(float_of_tensor_number, *_REAL_WITH_NUMBER, ok=[*_WITH_NUMBER, *_BOOL_WITH_NUMBER])
_REAL_OF_NUMBER = (
    "aten::special_xlog1py.self_scalar",
    "aten::special_xlogy.self_scalar",
    "aten::special_zeta.self_scalar",
    "aten::xlogy.Scalar_Self",
)
shape_family(same_as_other, *_REAL_OF_NUMBER, ok=_NUMBER_FIRST_SHAPES)
dtype_family(float_of_number_tensor, *_REAL_OF_NUMBER, ok=_NUMBER_FIRST)


@shape_function("aten::heaviside", ok=_SHAPES, error=_MISMATCHED)
def heaviside(self: List[int], values: List[int]) -> List[int]:
    """`self` and `values` broadcast."""
    return broadcast_two(self, values)


@dtype_function(
    "aten::heaviside",
    ok=[
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int64)),
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.float16)),
        Invocation(T(2, dtype=torch.bool), T(dtype=torch.bool)),
    ],
)
def heaviside_dtype(self: Tuple[int, int], values: Tuple[int, int]) -> int:
    """The operands promote; the CPU requires the same dtype."""
    return promote_two(self, values)


def power(self: List[int], exponent: List[int]) -> List[int]:
    """Base and exponent broadcast."""
    return broadcast_two(self, exponent)


def power_of_number(exponent: List[int]) -> List[int]:
    """The shape of the exponent; the base is a scalar."""
    return exponent


def power_result(promoted: int) -> int:
    """Powers of bool by bool are int64, as in PyTorch's tracing: no kernel computes them."""
    if promoted == torch.bool:
        return torch.int64
    else:
        return promoted


@promotes("bool-to-long")
def power_dtype(self: Tuple[int, int], exponent: Tuple[int, int]) -> int:
    """Base and exponent promote."""
    return power_result(promote_two(self, exponent))


@promotes("default")
def power_with_number_dtype(self: Tuple[int, int], exponent: Union[int, float, complex]) -> int:
    """Base and exponent promote; integers stay integers, also for negative exponents."""
    promoted = promote_with_number(self, exponent)
    # Powers of float32 and of complex numbers are computed with float64's exponents.
    if promoted != torch.float32 and not is_complex(promoted):
        check_number(exponent, promoted)
    return promoted


@promotes("bool-to-long")
def power_of_number_dtype(self: Union[int, float, complex], exponent: Tuple[int, int]) -> int:
    """Base and exponent promote."""
    return power_result(promote_with_number(exponent, self))


_POWERS = ("aten::float_power.Tensor_Tensor", "aten::pow.Tensor_Tensor")
_POWERS_WITH_NUMBER = ("aten::float_power.Tensor_Scalar", "aten::pow.Tensor_Scalar")
_POWERS_OF_NUMBER = ("aten::float_power.Scalar", "aten::pow.Scalar")
shape_family(power, *_POWERS, ok=_SHAPES, error=_MISMATCHED)
shape_family(same_as_self, *_POWERS_WITH_NUMBER, ok=_NUMBER_SHAPES)
shape_family(power_of_number, *_POWERS_OF_NUMBER, ok=_NUMBER_FIRST_SHAPES)
dtype_family(power_dtype, "aten::pow.Tensor_Tensor", ok=[*_ANY, *_BOOLS, *_COMPLEX])
dtype_family(
    power_with_number_dtype,
    "aten::pow.Tensor_Scalar",
    ok=[
        *_ANY_WITH_NUMBER,
        # The meta kernel returns int64.
        Invocation(T(2, dtype=torch.bool), True, device="cpu"),
    ],
    error=[Invocation(_BYTES, 300, device="cpu")],
)
dtype_family(power_of_number_dtype, "aten::pow.Scalar", ok=_NUMBER_FIRST)


def wide(left: int, right: int) -> int:
    """complex128 if one of two dtypes is complex, else float64."""
    if is_complex(left) or is_complex(right):
        return torch.complex128
    else:
        return torch.float64


def wide_power_dtype(self: Tuple[int, int], exponent: Tuple[int, int]) -> int:
    """`float_power` computes in complex128 or float64."""
    return wide(self[1], exponent[1])


def wide_power_with_number_dtype(
    self: Tuple[int, int], exponent: Union[int, float, complex]
) -> int:
    """`float_power` computes in complex128 or float64."""
    return wide(self[1], dtype_of_number(exponent))


def wide_power_of_number_dtype(self: Union[int, float, complex], exponent: Tuple[int, int]) -> int:
    """`float_power` computes in complex128 or float64."""
    return wide(dtype_of_number(self), exponent[1])


dtype_family(wide_power_dtype, "aten::float_power.Tensor_Tensor", ok=[*_ANY, *_COMPLEX])
dtype_family(wide_power_with_number_dtype, "aten::float_power.Tensor_Scalar", ok=_ANY_WITH_NUMBER)
dtype_family(
    wide_power_of_number_dtype,
    "aten::float_power.Scalar",
    ok=[*_NUMBER_FIRST, Invocation(2j, T(2)), Invocation(2, T(2, dtype=torch.complex64))],
)


def complex_of_parts(real: List[int], imag: List[int]) -> List[int]:
    """Real and imaginary part broadcast."""
    return broadcast_two(real, imag)


def complex_of_polar(abs: List[int], angle: List[int]) -> List[int]:
    """Absolute value and angle broadcast."""
    return broadcast_two(abs, angle)


def complex_of_parts_dtype(real: Tuple[int, int], imag: Tuple[int, int]) -> int:
    """Both parts have the same floating-point dtype."""
    assert real[1] == imag[1], f"dtypes must match, got {real[1]} and {imag[1]}"
    return complex_dtype(real[1])


def complex_of_polar_dtype(abs: Tuple[int, int], angle: Tuple[int, int]) -> int:
    """Absolute value and angle have the same floating-point dtype."""
    assert abs[1] == angle[1], f"dtypes must match, got {abs[1]} and {angle[1]}"
    return complex_dtype(abs[1])


_WIDE_PARTS = [Invocation(T(2, dtype=torch.float64), T(2, dtype=torch.float64))]
# The meta kernels promote; the device kernels do not.
_MIXED_PARTS = [Invocation(T(2, dtype=torch.float64), T(2), device="cpu")]
_INTEGER_PARTS = [Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int64))]
shape_family(complex_of_parts, "aten::complex", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    complex_of_parts_dtype,
    "aten::complex",
    ok=[*_WIDE_PARTS, Invocation(T(2, dtype=torch.float16), T(dtype=torch.float16))],
    error=[*_MIXED_PARTS, *_INTEGER_PARTS],
)
shape_family(complex_of_polar, "aten::polar", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    complex_of_polar_dtype,
    "aten::polar",
    ok=_WIDE_PARTS,
    error=[*_MIXED_PARTS, *_INTEGER_PARTS],
)


# `_add_relu`: addition followed by `relu`, on the CPU only.

_DTYPES = (torch.float64, torch.int64, torch.int32, torch.int8)

# The meta kernel accepts every dtype.
shape_family(
    broadcast_self_other,
    "aten::_add_relu.Tensor",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 1), T(3), alpha=2),
        Invocation(T(), T(2, 3)),
        Invocation(T(0, 3), T(1, 3)),
    ],
    error=[Invocation(T(2, 3), T(2))],
)
dtype_family(
    promote_tensors,
    "aten::_add_relu.Tensor",
    ok=[
        *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype), device="cpu") for dtype in _DTYPES],
        Invocation(T(2, dtype=torch.int64), T(2), device="cpu"),
        Invocation(T(2), T(dtype=torch.float64), device="cpu"),
        Invocation(*[T(2, dtype=torch.bfloat16)] * 2),
    ],
)
# There is no meta kernel for a scalar.
shape_family(
    same_as_self,
    "aten::_add_relu.Scalar",
    ok=[
        Invocation(T(2, 3), 1.5, device="cpu"),
        Invocation(T(), 2, 3, device="cpu"),
        Invocation(T(0, 3), 1, device="cpu"),
    ],
)
dtype_family(
    promote_tensor_number,
    "aten::_add_relu.Scalar",
    ok=[
        *[Invocation(T(2, dtype=dtype), 2, device="cpu") for dtype in _DTYPES],
        *[Invocation(T(2, dtype=dtype), 1.5, device="cpu") for dtype in _DTYPES],
        Invocation(T(2), True, device="cpu"),
    ],
)
