"""Functions of every tensor of a list: `_foreach_abs`, `_foreach_sin`, `_foreach_norm`, ..."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.extrema import extremum_rule
from torch_refine.abstract_interp_lib.families.pointwise_unary import negated_dtype
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.foreach import (
    check_some,
    dtype_of_each,
    float_of_each,
    same_as_each,
)
from torch_refine.abstract_interp_lib.rules.reduction import (
    norm_dtype_in,
    reduce_all,
    sum_dtype,
)

_SHAPES = [Invocation([T(2, 3), T(), T(0, 3)]), Invocation([T(2)])]
_NONE = [Invocation([])]
_FLOATS = [Invocation([T(2, dtype=torch.float64), T(dtype=torch.float16)])]
_HALF = [Invocation([T(2, dtype=torch.bfloat16)])]
_INTEGERS = [Invocation([T(2, dtype=torch.int64), T(2, dtype=torch.int32), T(dtype=torch.uint8)])]
_BOOL = [Invocation([T(2, dtype=torch.bool)])]
_COMPLEX = [Invocation([T(2, dtype=torch.complex64), T(2, dtype=torch.complex128)])]

# Functions with real values, or complex ones where the operand is complex.
_ANALYTIC = (
    "aten::_foreach_acos",
    "aten::_foreach_asin",
    "aten::_foreach_atan",
    "aten::_foreach_cos",
    "aten::_foreach_cosh",
    "aten::_foreach_exp",
    "aten::_foreach_expm1",
    "aten::_foreach_log",
    "aten::_foreach_log10",
    "aten::_foreach_log1p",
    "aten::_foreach_log2",
    "aten::_foreach_reciprocal",
    "aten::_foreach_rsqrt",
    "aten::_foreach_sigmoid",
    "aten::_foreach_sin",
    "aten::_foreach_sinh",
    "aten::_foreach_sqrt",
    "aten::_foreach_tan",
    "aten::_foreach_tanh",
)
shape_family(same_as_each, *_ANALYTIC, ok=_SHAPES, error=_NONE)
dtype_family(float_of_each, *_ANALYTIC, ok=[*_FLOATS, *_HALF, *_INTEGERS, *_BOOL, *_COMPLEX])

# Functions that PyTorch defines on real operands only.
_REAL = ("aten::_foreach_erf", "aten::_foreach_erfc", "aten::_foreach_lgamma")
shape_family(same_as_each, *_REAL, ok=_SHAPES, error=_NONE)
dtype_family(float_of_each, *_REAL, ok=[*_FLOATS, *_HALF, *_INTEGERS, *_BOOL])

_ROUNDED = (
    "aten::_foreach_ceil",
    "aten::_foreach_floor",
    "aten::_foreach_round",
    "aten::_foreach_sign",
    "aten::_foreach_trunc",
)
shape_family(same_as_each, *_ROUNDED, ok=_SHAPES, error=_NONE)
dtype_family(dtype_of_each, *_ROUNDED, ok=[*_FLOATS, *_HALF, *_INTEGERS])
shape_family(same_as_each, "aten::_foreach_frac", ok=_SHAPES, error=_NONE)
dtype_family(dtype_of_each, "aten::_foreach_frac", ok=[*_FLOATS, *_HALF])
_COPIES = ("aten::_foreach_clone", "aten::_foreach_zero")
shape_family(same_as_each, *_COPIES, ok=_SHAPES, error=_NONE)
dtype_family(dtype_of_each, *_COPIES, ok=[*_FLOATS, *_HALF, *_INTEGERS, *_BOOL, *_COMPLEX])


def negated_each(self: List[Tuple[int, int]]) -> List[int]:
    """Every tensor keeps its dtype, which is not bool."""
    return [negated_dtype(tensor) for tensor in self]


shape_family(same_as_each, "aten::_foreach_neg", ok=_SHAPES, error=_NONE)
dtype_family(
    negated_each,
    "aten::_foreach_neg",
    ok=[*_FLOATS, *_HALF, *_INTEGERS, *_COMPLEX],
    error=_BOOL,
)


def real_of_each(self: List[Tuple[int, int]]) -> List[int]:
    """A complex number has a real absolute value."""
    return [real_dtype(tensor[1]) for tensor in self]


shape_family(same_as_each, "aten::_foreach_abs", ok=_SHAPES, error=_NONE)
dtype_family(
    real_of_each, "aten::_foreach_abs", ok=[*_FLOATS, *_HALF, *_INTEGERS, *_BOOL, *_COMPLEX]
)


def extremum_of_each(self: List[List[int]]) -> List[List[int]]:
    """One number for every tensor, which must have an element."""
    check_some(len(self))
    return [extremum_rule(tensor) for tensor in self]


shape_family(
    extremum_of_each,
    "aten::_foreach_max",
    ok=[Invocation([T(2, 3), T(), T(1)])],
    error=[*_NONE, Invocation([T(2), T(0)])],
)
dtype_family(dtype_of_each, "aten::_foreach_max", ok=[*_FLOATS, *_HALF, *_INTEGERS, *_BOOL])


def number_for_each(self: List[List[int]]) -> List[List[int]]:
    """One number for every tensor."""
    check_some(len(self))
    return [reduce_all(tensor) for tensor in self]


def norm_dtype_of_each(self: List[Tuple[int, int]], dtype: Optional[int]) -> List[int]:
    """The real part of `dtype`, in which norms are computed; without one, of each tensor."""
    return [norm_dtype_in(tensor, dtype) for tensor in self]


_NORMS = [
    Invocation([T(2, 3), T(), T(0)]),
    Invocation([T(2, 3)], 1),
    Invocation([T(2, 3)], ord=float("inf")),
    Invocation([T(2, dtype=torch.float64), T(2, dtype=torch.float16)], 0.5),
    Invocation([T(2, dtype=torch.complex64), T(2, dtype=torch.bfloat16)]),
    Invocation([T(2), T(2, dtype=torch.float16)], 2, torch.float64),
    Invocation([T(2, dtype=torch.complex64)], 2, torch.complex128),
]
shape_family(number_for_each, "aten::_foreach_norm.Scalar", ok=_NORMS, error=_NONE)
# The meta kernel takes any dtype.
dtype_family(
    norm_dtype_of_each,
    "aten::_foreach_norm.Scalar",
    error=[
        Invocation([T(2, dtype=torch.int64)], device="cpu"),
        Invocation([T(2)], 2, torch.int64, device="cpu"),
        Invocation([T(2)], 2, torch.complex64, device="cpu"),
    ],
)


def power_sum_dtype_of_each(self: List[Tuple[int, int]], dtype: Optional[int]) -> List[int]:
    """Powers of absolute values are real; they are summed in `dtype` or as `sum` does it."""
    return [real_dtype(sum_dtype(tensor, dtype)) for tensor in self]


shape_family(number_for_each, "aten::_foreach_powsum.Scalar", ok=_NORMS, error=_NONE)
dtype_family(
    power_sum_dtype_of_each,
    "aten::_foreach_powsum.Scalar",
    ok=[
        Invocation([T(2)], 2, torch.float16),
        Invocation([T(2, dtype=torch.int64), T(2, dtype=torch.bool)], 2, torch.float32),
        Invocation([T(2, dtype=torch.complex64)], 2, torch.float64),
        Invocation([T(2)], 2, torch.complex64),
        # No kernel computes them, but PyTorch traces them.
        Invocation([T(2, dtype=torch.int32), T(2, dtype=torch.bool)]),
    ],
)
