"""Functions of two tensors in the set of primitive operators: `prims::add`, `prims::eq`, ...

Both have one shape and one dtype; a zero-dim tensor may stand beside any. See `rules.prims`.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.prims import (
    is_number,
    one_dtype,
    same_or_zero_dim,
    strict_bool,
    strict_dtype,
    strict_float,
    strict_shape,
)
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float

_INT = torch.int64
_SHAPES = [
    Invocation(T(2, 3), T(2, 3)),
    Invocation(T(), T()),
    Invocation(T(0, 3), T(0, 3)),
    # The meta kernels cannot tell a zero-dim tensor from others.
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
_FLOATS = [
    Invocation(*[T(2, dtype=torch.float64)] * 2),
    Invocation(*[T(2, dtype=torch.float16)] * 2),
    Invocation(*[T(2, dtype=torch.bfloat16)] * 2),
]
_INTEGERS = [
    Invocation(*[T(2, dtype=torch.int64)] * 2),
    Invocation(*[T(2, dtype=torch.int32)] * 2),
    Invocation(*[T(2, dtype=torch.uint8)] * 2),
]
_BOOLS = [Invocation(*[T(2, dtype=torch.bool)] * 2)]
_COMPLEX = [Invocation(*[T(2, dtype=torch.complex64)] * 2)]
_MIXED = [
    Invocation(T(2), T(2, dtype=torch.float64)),
    Invocation(T(2, dtype=torch.int64), T(2)),
]

# Arithmetic on all numbers, on real ones, on floating-point ones.
_ARITHMETIC = ("prims::add", "prims::mul", "prims::pow", "prims::sub")
_REAL = (
    "prims::fmax",
    "prims::fmin",
    "prims::fmod",
    "prims::remainder",
)
_EXTREMA = ("prims::maximum", "prims::minimum")
_ON_FLOATS = ("prims::hypot", "prims::igamma", "prims::igammac", "prims::nextafter")
_KEEPING = (*_ARITHMETIC, *_REAL, *_EXTREMA, *_ON_FLOATS)
shape_family(strict_shape, *_KEEPING, ok=_SHAPES, error=_MISMATCHED)
dtype_family(strict_dtype, *_ARITHMETIC, ok=[*_FLOATS, *_INTEGERS, *_COMPLEX], error=_MIXED)
dtype_family(strict_dtype, *_REAL, ok=[*_FLOATS, *_INTEGERS], error=_MIXED)
dtype_family(strict_dtype, *_ON_FLOATS, ok=_FLOATS, error=_MIXED)


def extremum_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors have one dtype, which the result keeps; a number is converted to it."""
    one_dtype(self, other)
    if is_number(self, other):
        return other[1]
    else:
        return self[1]


dtype_family(extremum_dtype, *_EXTREMA, ok=[*_FLOATS, *_INTEGERS, *_BOOLS], error=_MIXED)

# Bits.
_LOGICAL = ("prims::bitwise_and", "prims::bitwise_or", "prims::bitwise_xor")
_ON_INTEGERS = ("prims::gcd", "prims::shift_left", "prims::shift_right_arithmetic")
shape_family(strict_shape, *_LOGICAL, *_ON_INTEGERS, ok=_INTEGER_SHAPES, error=_MISMATCHED)
dtype_family(strict_dtype, *_LOGICAL, ok=[*_INTEGERS, *_BOOLS], error=_MIXED)
dtype_family(strict_dtype, *_ON_INTEGERS, ok=_INTEGERS, error=_MIXED)

# Functions with real values; the meta kernels keep integers.
_TO_FLOAT = ("prims::atan2", "prims::zeta")
shape_family(strict_shape, *_TO_FLOAT, ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    strict_float,
    *_TO_FLOAT,
    ok=[*_FLOATS, *[Invocation(*case.args, device="cpu") for case in (*_INTEGERS, *_BOOLS)]],
    error=_MIXED,
)


def quotient_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """An integer is divided without a rest; a tensor of bool has none, and becomes float32."""
    promoted = one_dtype(self, other)
    if self[1] == torch.bool and not is_number(self, other):
        return int_to_float(promoted)
    else:
        return promoted


shape_family(strict_shape, "prims::div", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    quotient_dtype,
    "prims::div",
    # The meta kernel keeps bool.
    ok=[*_FLOATS, *_INTEGERS, *_COMPLEX, Invocation(*_BOOLS[0].args, device="cpu")],
    error=_MIXED,
)

_ORDERS = ("prims::ge", "prims::gt", "prims::le", "prims::lt")
_EQUALITIES = ("prims::eq", "prims::ne")
shape_family(strict_shape, *_ORDERS, *_EQUALITIES, ok=_SHAPES, error=_MISMATCHED)
dtype_family(strict_bool, *_ORDERS, ok=[*_FLOATS, *_INTEGERS, *_BOOLS], error=_MIXED)
dtype_family(strict_bool, *_EQUALITIES, ok=[*_FLOATS, *_INTEGERS, *_BOOLS, *_COMPLEX], error=_MIXED)


def choice(pred: List[int], a: List[int], b: List[int]) -> List[int]:
    """Condition and choices have one shape, apart from those that are zero-dim."""
    return same_or_zero_dim(same_or_zero_dim(pred, a), b)


def choice_dtype(pred: Tuple[int, int], a: Tuple[int, int], b: Tuple[int, int]) -> int:
    """Both choices have one dtype, which the result keeps."""
    assert pred[1] == torch.bool or pred[1] == torch.uint8, (
        f"the condition must be of dtype bool, got dtype {pred[1]}"
    )
    return one_dtype(a, b)


_BOOL = T(2, dtype=torch.bool)
shape_family(
    choice,
    "prims::where",
    ok=[
        Invocation(T(2, 3, dtype=torch.bool), T(2, 3), T(2, 3)),
        Invocation(T(dtype=torch.bool), T(), T()),
        Invocation(T(dtype=torch.bool), T(2), T(2), device="cpu"),
        Invocation(_BOOL, T(), T(2), device="cpu"),
        Invocation(_BOOL, T(), T(), device="cpu"),
    ],
    error=[
        Invocation(T(1, dtype=torch.bool), T(2), T(2)),
        Invocation(_BOOL, T(2), T(3)),
        Invocation(_BOOL, T(2), T(1, 2)),
    ],
)
dtype_family(
    choice_dtype,
    "prims::where",
    ok=[
        Invocation(_BOOL, T(2, dtype=torch.float16), T(2, dtype=torch.float16)),
        Invocation(_BOOL, T(2, dtype=torch.int64), T(2, dtype=torch.int64)),
        Invocation(_BOOL, _BOOL, _BOOL),
        Invocation(_BOOL, T(2, dtype=torch.complex64), T(2, dtype=torch.complex64)),
        Invocation(T(2, dtype=torch.uint8), T(2), T(2), device="cpu"),
    ],
    error=[
        Invocation(_BOOL, T(2), T(2, dtype=torch.float64)),
        # The meta kernel takes any condition.
        Invocation(T(2, dtype=torch.int64), T(2), T(2), device="cpu"),
    ],
)
