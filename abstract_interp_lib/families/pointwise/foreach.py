"""Operators on tensor lists: `_foreach_abs`, `_foreach_add`, `_foreach_addcmul`, ...

The other operand is a list of tensors or of scalars, or one scalar or 0-dim tensor for all.
"""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.factories_and_copies.conversion import copied
from torch_refine.abstract_interp_lib.families.linear_algebra.matmul import mm_dtype
from torch_refine.abstract_interp_lib.families.pointwise.arithmetic import (
    difference_dtype,
    power_dtype,
    power_of_number_dtype,
    power_with_number_dtype,
)
from torch_refine.abstract_interp_lib.families.pointwise.ternary import (
    addcdiv_dtype,
    addcmul_dtype,
    lerp_number_dtype,
    lerp_tensor_dtype,
)
from torch_refine.abstract_interp_lib.families.pointwise.unary_functions import negated_dtype
from torch_refine.abstract_interp_lib.families.reductions.extrema import extremum_rule
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three
from torch_refine.abstract_interp_lib.rules.foreach import (
    bounded_each_with_number,
    bounded_each_with_numbers,
    broadcast_each,
    check_pair,
    check_some,
    dtype_of_each,
    float_of_each,
    float_of_each_pair,
    float_of_each_with_number,
    float_of_each_with_numbers,
    float_of_each_with_tensor,
    promote_each,
    promote_each_with_number,
    promote_each_with_numbers,
    promote_each_with_tensor,
    same_as_each,
    same_as_each_with_numbers,
    same_as_each_with_tensor,
    sum_of_each,
    sum_of_each_with_tensor,
)
from torch_refine.abstract_interp_lib.rules.linalg import matrix_product
from torch_refine.abstract_interp_lib.rules.promotion import real_dtype
from torch_refine.abstract_interp_lib.rules.reduction import norm_dtype_in, reduce_all, sum_dtype

_SHAPES = [
    Invocation([T(2, 3), T(), T(0, 3)], [T(2, 3), T(3), T(1, 3)]),
    Invocation([T(2, 1, 4)], [T(3, 1)]),
]
_MISMATCHED = [
    Invocation([], []),
    Invocation([T(2), T(2)], [T(2)]),
    Invocation([T(2)], [T(2), T(2)]),
    Invocation([T(2)], [T(3)]),
]
_FLOATS = [
    Invocation(
        [T(2, dtype=torch.float16), T(2, dtype=torch.float16), T(2)],
        [T(2, dtype=torch.bfloat16), T(dtype=torch.float64), T(2, dtype=torch.float64)],
    )
]
_INTEGERS = [
    Invocation(
        [T(2, dtype=torch.int64), T(2, dtype=torch.uint8), T(2, dtype=torch.int64)],
        [T(2, dtype=torch.int64), T(2, dtype=torch.int8), T(2, dtype=torch.float16)],
    )
]
_BOOL = [Invocation([T(2, dtype=torch.bool)], [T(2, dtype=torch.int32)])]
_BOOLS = [Invocation([T(2), T(2, dtype=torch.bool)], [T(2), T(2, dtype=torch.bool)])]
_COMPLEX = [
    Invocation(
        [T(2, dtype=torch.complex64), T(2, dtype=torch.int64)],
        [T(2, dtype=torch.float64), T(2, dtype=torch.complex64)],
    )
]

_WITH_NUMBER = [
    Invocation([T(2, 3), T(), T(0, 3)], 2),
    Invocation([T(2, dtype=torch.float64), T(2, dtype=torch.float16), T(dtype=torch.int32)], 2.5),
    Invocation([T(2, dtype=torch.int64), T(2, dtype=torch.uint8), T(2, dtype=torch.bfloat16)], 2),
]
_BOOL_WITH_NUMBER = [
    Invocation([T(2, dtype=torch.bool), T(dtype=torch.bool)], 2),
    Invocation([T(2, dtype=torch.bool)], 2.5),
]
_BOOL_WITH_BOOL = [Invocation([T(2, dtype=torch.bool), T(2, dtype=torch.uint8)], True)]
_COMPLEX_WITH_NUMBER = [
    Invocation([T(2, dtype=torch.complex64)], 2.5),
    Invocation([T(2, dtype=torch.float64), T(2, dtype=torch.int64)], 2j),
]
_NO_TENSOR_WITH_NUMBER = [Invocation([], 2)]

_WITH_NUMBERS = [
    Invocation([T(2, 3), T(), T(0, 3)], [2, 2.5, 2]),
    Invocation([T(2, dtype=torch.float16), T(2, dtype=torch.int64)], [2.5, 2.5]),
    Invocation([T(2, dtype=torch.int64), T(2, dtype=torch.uint8)], [2, 2]),
]
_BOOL_WITH_NUMBERS = [Invocation([T(2, dtype=torch.bool), T(dtype=torch.bool)], [2, 2.5])]
_BOOL_WITH_BOOLS = [Invocation([T(2, dtype=torch.bool)], [True])]
_COMPLEX_WITH_NUMBERS = [
    Invocation([T(2, dtype=torch.complex64), T(2), T(2, dtype=torch.int64)], [2.5, 2j, 2j])
]
_MISMATCHED_NUMBERS = [
    Invocation([], []),
    Invocation([T(2)], [1, 2]),
    Invocation([T(2), T(2)], [1]),
]

_WITH_TENSOR = [
    Invocation([T(2, 3), T(), T(0, 3)], T()),
    Invocation([T(2, dtype=torch.float16), T(dtype=torch.float16)], T(dtype=torch.float64)),
    Invocation([T(2, dtype=torch.int64), T(dtype=torch.bool)], T(dtype=torch.int64)),
    Invocation([T(2, dtype=torch.bool)], T(dtype=torch.bool)),
    Invocation([T(2, dtype=torch.int64), T(2)], T(dtype=torch.complex64)),
]
_MISMATCHED_TENSOR = [Invocation([], T()), Invocation([T(2)], T(1)), Invocation([T(2)], T(2))]

# Sums: `alpha`, which scales the second operand, does not take part in promotion.
_WITH_ALPHA = [Invocation([T(2)], [T(2)], alpha=2.5)]
shape_family(broadcast_each, "aten::_foreach_add.List", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    sum_of_each,
    "aten::_foreach_add.List",
    ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_BOOLS, *_COMPLEX, *_WITH_ALPHA],
    error=[Invocation([T(2)], [T(2)], alpha=1e39, device="cpu")],
)
shape_family(
    same_as_each_with_tensor,
    "aten::_foreach_add.Tensor",
    ok=[Invocation([T(2)], T(), alpha=2.5)],
    error=_MISMATCHED_TENSOR,
)
dtype_family(
    sum_of_each_with_tensor,
    "aten::_foreach_add.Tensor",
    ok=_WITH_TENSOR,
    error=[Invocation([T(2)], T(), alpha=1e39, device="cpu")],
)


def difference_of_each(
    self: List[Tuple[int, int]],
    other: List[Tuple[int, int]],
    alpha: Union[int, float, complex],
) -> List[int]:
    """Tensors at the same index promote; subtraction of bool tensors is not defined."""
    return [difference_dtype(self[index], other[index], alpha) for index in range(len(self))]


shape_family(broadcast_each, "aten::_foreach_sub.List", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    difference_of_each,
    "aten::_foreach_sub.List",
    ok=[*_FLOATS, *_INTEGERS, *_COMPLEX, *_WITH_ALPHA],
    error=_BOOLS,
)
shape_family(
    same_as_each, "aten::_foreach_sub.Scalar", ok=_WITH_NUMBER, error=_NO_TENSOR_WITH_NUMBER
)
dtype_family(promote_each_with_number, "aten::_foreach_sub.Scalar", ok=_COMPLEX_WITH_NUMBER)
shape_family(
    same_as_each_with_numbers,
    "aten::_foreach_sub.ScalarList",
    ok=_WITH_NUMBERS,
    error=_MISMATCHED_NUMBERS,
)
dtype_family(promote_each_with_numbers, "aten::_foreach_sub.ScalarList", ok=_COMPLEX_WITH_NUMBERS)

# Products, and quotients, which convert integers to float32.
_PRODUCT = ("aten::_foreach_mul.List",)
_QUOTIENT = ("aten::_foreach_div.List",)
_ANY = [*_FLOATS, *_INTEGERS, *_BOOL, *_BOOLS, *_COMPLEX]
shape_family(broadcast_each, *_PRODUCT, *_QUOTIENT, ok=_SHAPES, error=_MISMATCHED)
dtype_family(promote_each, *_PRODUCT, ok=_ANY)
dtype_family(float_of_each_pair, *_QUOTIENT, ok=_ANY)
_BY_TENSOR = ("aten::_foreach_div.Tensor", "aten::_foreach_mul.Tensor")
shape_family(same_as_each_with_tensor, *_BY_TENSOR, ok=_WITH_TENSOR, error=_MISMATCHED_TENSOR)
dtype_family(promote_each_with_tensor, "aten::_foreach_mul.Tensor")
dtype_family(float_of_each_with_tensor, "aten::_foreach_div.Tensor")
_BY_NUMBER = ("aten::_foreach_add.Scalar", "aten::_foreach_mul.Scalar")
_ANY_NUMBER = [*_WITH_NUMBER, *_BOOL_WITH_NUMBER, *_BOOL_WITH_BOOL, *_COMPLEX_WITH_NUMBER]
shape_family(
    same_as_each,
    *_BY_NUMBER,
    "aten::_foreach_div.Scalar",
    ok=_ANY_NUMBER,
    error=_NO_TENSOR_WITH_NUMBER,
)
dtype_family(promote_each_with_number, *_BY_NUMBER)
dtype_family(float_of_each_with_number, "aten::_foreach_div.Scalar")
_BY_NUMBERS = ("aten::_foreach_add.ScalarList", "aten::_foreach_mul.ScalarList")
_ANY_NUMBERS = [*_WITH_NUMBERS, *_BOOL_WITH_NUMBERS, *_BOOL_WITH_BOOLS, *_COMPLEX_WITH_NUMBERS]
shape_family(
    same_as_each_with_numbers,
    *_BY_NUMBERS,
    "aten::_foreach_div.ScalarList",
    ok=_ANY_NUMBERS,
    error=_MISMATCHED_NUMBERS,
)
dtype_family(promote_each_with_numbers, *_BY_NUMBERS)
dtype_family(float_of_each_with_numbers, "aten::_foreach_div.ScalarList")

# Bounds and extrema, for real operands.
_EXTREMA = (
    "aten::_foreach_clamp_max.List",
    "aten::_foreach_clamp_min.List",
    "aten::_foreach_maximum.List",
    "aten::_foreach_minimum.List",
)
shape_family(broadcast_each, *_EXTREMA, ok=_SHAPES, error=_MISMATCHED)
dtype_family(promote_each, *_EXTREMA, ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_BOOLS])
_EXTREMA_WITH_NUMBER = (
    "aten::_foreach_clamp_max.Scalar",
    "aten::_foreach_clamp_min.Scalar",
    "aten::_foreach_maximum.Scalar",
    "aten::_foreach_minimum.Scalar",
)
shape_family(same_as_each, *_EXTREMA_WITH_NUMBER, ok=_WITH_NUMBER, error=_NO_TENSOR_WITH_NUMBER)
dtype_family(
    bounded_each_with_number,
    *_EXTREMA_WITH_NUMBER,
    ok=_BOOL_WITH_NUMBER,
    error=[
        Invocation([T(2, dtype=torch.float16)], 1e5, device="cpu"),
        Invocation([T(2, dtype=torch.int8)], 300, device="cpu"),
    ],
)
_EXTREMA_WITH_NUMBERS = (
    "aten::_foreach_clamp_max.ScalarList",
    "aten::_foreach_clamp_min.ScalarList",
    "aten::_foreach_maximum.ScalarList",
    "aten::_foreach_minimum.ScalarList",
)
shape_family(
    same_as_each_with_numbers, *_EXTREMA_WITH_NUMBERS, ok=_WITH_NUMBERS, error=_MISMATCHED_NUMBERS
)
dtype_family(
    bounded_each_with_numbers,
    *_EXTREMA_WITH_NUMBERS,
    ok=_BOOL_WITH_NUMBERS,
    error=[Invocation([T(2), T(2, dtype=torch.float16)], [2, 1e5], device="cpu")],
)


def power_of_each(self: List[List[int]], exponent: List[List[int]]) -> List[List[int]]:
    """Every base broadcasts with the exponent at the same index."""
    return broadcast_each(self, exponent)


def power_of_each_with_numbers(
    self: List[List[int]], exponent: List[Union[int, float, complex]]
) -> List[List[int]]:
    """Every tensor keeps its shape; the list of exponents has the same length."""
    return same_as_each_with_numbers(self, exponent)


def power_of_number_with_each(exponent: List[List[int]]) -> List[List[int]]:
    """The shape of every exponent; the base is one scalar."""
    return same_as_each(exponent)


def power_dtype_of_each(self: List[Tuple[int, int]], exponent: List[Tuple[int, int]]) -> List[int]:
    """Every base promotes with the exponent at the same index."""
    return [power_dtype(self[index], exponent[index]) for index in range(len(self))]


def power_dtype_of_each_with_number(
    self: List[Tuple[int, int]], exponent: Union[int, float, complex]
) -> List[int]:
    """Every base promotes with the exponent."""
    return [power_with_number_dtype(tensor, exponent) for tensor in self]


def power_dtype_of_each_with_numbers(
    self: List[Tuple[int, int]], exponent: List[Union[int, float, complex]]
) -> List[int]:
    """Every base promotes with the exponent at the same index."""
    return [power_with_number_dtype(self[index], exponent[index]) for index in range(len(self))]


def power_dtype_of_number_with_each(
    self: Union[int, float, complex], exponent: List[Tuple[int, int]]
) -> List[int]:
    """The base promotes with every exponent."""
    return [power_of_number_dtype(self, tensor) for tensor in exponent]


shape_family(power_of_each, "aten::_foreach_pow.List", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    power_dtype_of_each,
    "aten::_foreach_pow.List",
    ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_BOOLS, *_COMPLEX],
)
shape_family(
    same_as_each, "aten::_foreach_pow.Scalar", ok=_WITH_NUMBER, error=_NO_TENSOR_WITH_NUMBER
)
dtype_family(
    power_dtype_of_each_with_number,
    "aten::_foreach_pow.Scalar",
    ok=[
        *_BOOL_WITH_NUMBER,
        *_COMPLEX_WITH_NUMBER,
        # The meta kernel returns int64.
        Invocation([T(2, dtype=torch.bool)], True, device="cpu"),
    ],
)
shape_family(
    power_of_each_with_numbers,
    "aten::_foreach_pow.ScalarList",
    ok=_WITH_NUMBERS,
    error=_MISMATCHED_NUMBERS,
)
dtype_family(
    power_dtype_of_each_with_numbers,
    "aten::_foreach_pow.ScalarList",
    ok=[
        *_BOOL_WITH_NUMBERS,
        *_COMPLEX_WITH_NUMBERS,
        # The meta kernel returns int64.
        Invocation([T(2, dtype=torch.bool)], [True], device="cpu"),
    ],
)
shape_family(
    power_of_number_with_each,
    "aten::_foreach_pow.ScalarAndTensor",
    ok=[Invocation(2, [T(2, 3), T(), T(0, 3)])],
    error=[Invocation(2, [])],
)
dtype_family(
    power_dtype_of_number_with_each,
    "aten::_foreach_pow.ScalarAndTensor",
    ok=[
        Invocation(2.5, [T(2, dtype=torch.float16), T(2, dtype=torch.int64)]),
        Invocation(2, [T(2, dtype=torch.int64), T(2, dtype=torch.uint8), T(2, dtype=torch.bool)]),
        Invocation(2j, [T(2), T(2, dtype=torch.complex64)]),
    ],
)


def product_of_each(self: List[List[int]], mat2: List[List[int]]) -> List[List[int]]:
    """Every matrix times the matrix at the same index."""
    check_pair(len(self), len(mat2))
    return [matrix_product(self[index], mat2[index]) for index in range(len(self))]


def product_dtype_of_each(self: List[Tuple[int, int]], mat2: List[Tuple[int, int]]) -> List[int]:
    """Both operands have the same dtype, which the result keeps."""
    return [mm_dtype(self[index], mat2[index]) for index in range(len(self))]


shape_family(
    product_of_each,
    "aten::_foreach_mm",
    ok=[
        Invocation([T(2, 3), T(0, 3)], [T(3, 4), T(3, 0)]),
        Invocation(
            [T(2, 3, dtype=torch.int64), T(1, 2, dtype=torch.bfloat16)],
            [T(3, 4, dtype=torch.int64), T(2, 1, dtype=torch.bfloat16)],
        ),
        Invocation([T(2, 3, dtype=torch.complex64)], [T(3, 4, dtype=torch.complex64)]),
    ],
    error=[
        Invocation([], []),
        Invocation([T(2, 3)], [T(3, 4), T(3, 4)]),
        Invocation([T(2, 3)], [T(2, 3)]),
        Invocation([T(3)], [T(3, 4)]),
        Invocation([T(2, 3)], [T(3)]),
    ],
)
# The meta kernel accepts mixed dtypes, unlike every device.
dtype_family(
    product_dtype_of_each,
    "aten::_foreach_mm",
    error=[Invocation([T(2, 3)], [T(3, 4, dtype=torch.float64)], device="cpu")],
)


def copied_each(self: List[List[int]], src: List[List[int]]) -> List[List[int]]:
    """Every source expands to the shape of its destination; the lists have the same length."""
    return [copied(self[index], src[index]) for index in range(len(src))]


def copied_dtype_of_each(self: List[Tuple[int, int]], src: List[Tuple[int, int]]) -> List[int]:
    """Every tensor keeps its dtype."""
    return [self[index][1] for index in range(len(src))]


shape_family(
    copied_each,
    "aten::_foreach_copy",
    ok=[
        Invocation([T(2, 3), T(0, 3), T(2)], [T(3), T(1, 3), T()]),
        Invocation([T(2), T(3)], [T(2)]),
    ],
    error=[Invocation([T(3)], [T(1, 3)]), Invocation([T(2), T(3)], [T(2), T(4)])],
)
dtype_family(
    copied_dtype_of_each,
    "aten::_foreach_copy",
    ok=[
        Invocation(
            [T(2, dtype=torch.float16), T(2, dtype=torch.int64), T(2, dtype=torch.bool)],
            [T(2), T(2, dtype=torch.complex64), T(2, dtype=torch.int32)],
        )
    ],
)


# Unary functions of tensor lists: `_foreach_abs`, `_foreach_sin`, `_foreach_norm`, ...

_UNARY_SHAPES = [Invocation([T(2, 3), T(), T(0, 3)]), Invocation([T(2)])]
_NONE = [Invocation([])]
_UNARY_FLOATS = [Invocation([T(2, dtype=torch.float64), T(dtype=torch.float16)])]
_HALF = [Invocation([T(2, dtype=torch.bfloat16)])]
_UNARY_INTEGERS = [
    Invocation([T(2, dtype=torch.int64), T(2, dtype=torch.int32), T(dtype=torch.uint8)])
]
_UNARY_BOOL = [Invocation([T(2, dtype=torch.bool)])]
_UNARY_COMPLEX = [Invocation([T(2, dtype=torch.complex64), T(2, dtype=torch.complex128)])]

# Functions with real results, or complex ones for a complex operand.
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
shape_family(same_as_each, *_ANALYTIC, ok=_UNARY_SHAPES, error=_NONE)
dtype_family(
    float_of_each,
    *_ANALYTIC,
    ok=[*_UNARY_FLOATS, *_HALF, *_UNARY_INTEGERS, *_UNARY_BOOL, *_UNARY_COMPLEX],
)

# Functions that PyTorch defines for real operands only.
_REAL = ("aten::_foreach_erf", "aten::_foreach_erfc", "aten::_foreach_lgamma")
shape_family(same_as_each, *_REAL, ok=_UNARY_SHAPES, error=_NONE)
dtype_family(float_of_each, *_REAL, ok=[*_UNARY_FLOATS, *_HALF, *_UNARY_INTEGERS, *_UNARY_BOOL])

_ROUNDED = (
    "aten::_foreach_ceil",
    "aten::_foreach_floor",
    "aten::_foreach_round",
    "aten::_foreach_sign",
    "aten::_foreach_trunc",
)
shape_family(same_as_each, *_ROUNDED, ok=_UNARY_SHAPES, error=_NONE)
dtype_family(dtype_of_each, *_ROUNDED, ok=[*_UNARY_FLOATS, *_HALF, *_UNARY_INTEGERS])
shape_family(same_as_each, "aten::_foreach_frac", ok=_UNARY_SHAPES, error=_NONE)
dtype_family(dtype_of_each, "aten::_foreach_frac", ok=[*_UNARY_FLOATS, *_HALF])
_COPIES = ("aten::_foreach_clone", "aten::_foreach_zero")
shape_family(same_as_each, *_COPIES, ok=_UNARY_SHAPES, error=_NONE)
dtype_family(
    dtype_of_each,
    *_COPIES,
    ok=[*_UNARY_FLOATS, *_HALF, *_UNARY_INTEGERS, *_UNARY_BOOL, *_UNARY_COMPLEX],
)


def negated_each(self: List[Tuple[int, int]]) -> List[int]:
    """Every tensor keeps its dtype; bool cannot be negated."""
    return [negated_dtype(tensor) for tensor in self]


shape_family(same_as_each, "aten::_foreach_neg", ok=_UNARY_SHAPES, error=_NONE)
dtype_family(
    negated_each,
    "aten::_foreach_neg",
    ok=[*_UNARY_FLOATS, *_HALF, *_UNARY_INTEGERS, *_UNARY_COMPLEX],
    error=_UNARY_BOOL,
)


def real_of_each(self: List[Tuple[int, int]]) -> List[int]:
    """The absolute value of a complex tensor is real."""
    return [real_dtype(tensor[1]) for tensor in self]


shape_family(same_as_each, "aten::_foreach_abs", ok=_UNARY_SHAPES, error=_NONE)
dtype_family(
    real_of_each,
    "aten::_foreach_abs",
    ok=[*_UNARY_FLOATS, *_HALF, *_UNARY_INTEGERS, *_UNARY_BOOL, *_UNARY_COMPLEX],
)


def extremum_of_each(self: List[List[int]]) -> List[List[int]]:
    """A 0-dim tensor per input, which must not be empty."""
    check_some(len(self))
    return [extremum_rule(tensor) for tensor in self]


shape_family(
    extremum_of_each,
    "aten::_foreach_max",
    ok=[Invocation([T(2, 3), T(), T(1)])],
    error=[*_NONE, Invocation([T(2), T(0)])],
)
dtype_family(
    dtype_of_each, "aten::_foreach_max", ok=[*_UNARY_FLOATS, *_HALF, *_UNARY_INTEGERS, *_UNARY_BOOL]
)


def number_for_each(self: List[List[int]]) -> List[List[int]]:
    """A 0-dim tensor per input."""
    check_some(len(self))
    return [reduce_all(tensor) for tensor in self]


def norm_dtype_of_each(self: List[Tuple[int, int]], dtype: Optional[int]) -> List[int]:
    """The real dtype of `dtype`, in which norms are computed; if None, of each tensor."""
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
# The meta kernel accepts any dtype.
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
    """The real dtype of each tensor; sums are computed in `dtype`, or with the dtype of `sum`."""
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


# Ternary operators on tensor lists: `_foreach_addcmul`, `_foreach_lerp`.


def fused_each(
    self: List[List[int]], tensor1: List[List[int]], tensor2: List[List[int]]
) -> List[List[int]]:
    """The three tensors at the same index broadcast."""
    check_pair(len(self), len(tensor1))
    check_pair(len(self), len(tensor2))
    return [
        broadcast_three(self[index], tensor1[index], tensor2[index]) for index in range(len(self))
    ]


def fused_each_with_numbers(
    self: List[List[int]],
    tensor1: List[List[int]],
    tensor2: List[List[int]],
    scalars: List[Union[int, float, complex]],
) -> List[List[int]]:
    """As with one scalar `value`; the list of scalars has the same length."""
    check_pair(len(self), len(scalars))
    return fused_each(self, tensor1, tensor2)


def fused_each_with_tensor(
    self: List[List[int]],
    tensor1: List[List[int]],
    tensor2: List[List[int]],
    scalars: List[int],
) -> List[List[int]]:
    """As with one scalar `value`; `scalars` is a 1-D tensor of the same length."""
    assert len(scalars) == 1, f"scalars must be 1-D, got shape {scalars}"
    assert scalars[0] == len(self), (
        f"scalars and tensors must have the same length, got {scalars[0]} and {len(self)}"
    )
    return fused_each(self, tensor1, tensor2)


def addcmul_each(
    self: List[Tuple[int, int]], tensor1: List[Tuple[int, int]], tensor2: List[Tuple[int, int]]
) -> List[int]:
    """The three tensors at the same index promote; scalars do not take part."""
    return [
        addcmul_dtype(self[index], tensor1[index], tensor2[index], 1) for index in range(len(self))
    ]


def addcdiv_each(
    self: List[Tuple[int, int]], tensor1: List[Tuple[int, int]], tensor2: List[Tuple[int, int]]
) -> List[int]:
    """The three tensors at the same index promote; scalars do not, and integer division raises."""
    return [
        addcdiv_dtype(self[index], tensor1[index], tensor2[index], 1) for index in range(len(self))
    ]


def addcmul_each_with_number(
    self: List[Tuple[int, int]],
    tensor1: List[Tuple[int, int]],
    tensor2: List[Tuple[int, int]],
    value: Union[int, float, complex],
) -> List[int]:
    """The three tensors at the same index promote; the scalar is cast to their dtype."""
    return [
        addcmul_dtype(self[index], tensor1[index], tensor2[index], value)
        for index in range(len(self))
    ]


def addcdiv_each_with_number(
    self: List[Tuple[int, int]],
    tensor1: List[Tuple[int, int]],
    tensor2: List[Tuple[int, int]],
    value: Union[int, float, complex],
) -> List[int]:
    """The three tensors at the same index promote; the scalar is cast to their dtype."""
    return [
        addcdiv_dtype(self[index], tensor1[index], tensor2[index], value)
        for index in range(len(self))
    ]


def addcmul_each_with_numbers(
    self: List[Tuple[int, int]],
    tensor1: List[Tuple[int, int]],
    tensor2: List[Tuple[int, int]],
    scalars: List[Union[int, float, complex]],
) -> List[int]:
    """The three tensors at the same index promote; their scalar is cast to that dtype."""
    return [
        addcmul_dtype(self[index], tensor1[index], tensor2[index], scalars[index])
        for index in range(len(self))
    ]


def addcdiv_each_with_numbers(
    self: List[Tuple[int, int]],
    tensor1: List[Tuple[int, int]],
    tensor2: List[Tuple[int, int]],
    scalars: List[Union[int, float, complex]],
) -> List[int]:
    """The three tensors at the same index promote; their scalar is cast to that dtype."""
    return [
        addcdiv_dtype(self[index], tensor1[index], tensor2[index], scalars[index])
        for index in range(len(self))
    ]


_TERNARY_HALF = T(2, dtype=torch.float16)
_INT64 = T(2, dtype=torch.int64)
_LISTS = (
    ([T(2, 3), T(2, 1, 1), T(0)], [T(2, 3), T(3, 1), T()], [T(2, 3), T(4), T(1)]),
    (
        [_TERNARY_HALF, _INT64, T(2, dtype=torch.bool)],
        [T(2, dtype=torch.bfloat16), _TERNARY_HALF, T(2, dtype=torch.float64)],
        [T(2), T(dtype=torch.float64), T(2, dtype=torch.int32)],
    ),
    ([T(2, dtype=torch.complex64), T(2)], [T(2), T(2, dtype=torch.complex64)], [T(2), T(2)]),
)
_TERNARY_INTEGERS = ([_INT64], [T(2, dtype=torch.int32)], [T(dtype=torch.uint8)])
_TERNARY_MISMATCHED = (
    ([], [], []),
    ([T(2)], [T(2), T(2)], [T(2)]),
    ([T(2)], [T(2)], [T(2), T(2)]),
    ([T(2)], [T(3)], [T(1)]),
)
_QUOTIENTS = ([T(2), T(2)], [_TERNARY_HALF, _INT64], [_TERNARY_HALF, _INT64])

# One scalar for all.
_TERNARY_WITH_NUMBER = ("aten::_foreach_addcdiv.Scalar", "aten::_foreach_addcmul.Scalar")
shape_family(
    fused_each,
    *_TERNARY_WITH_NUMBER,
    ok=[
        *[Invocation(*lists) for lists in _LISTS],
        Invocation([_TERNARY_HALF], [_TERNARY_HALF], [_TERNARY_HALF], 2.5),
    ],
    error=[Invocation(*lists) for lists in _TERNARY_MISMATCHED],
)
_ONE_EACH = ([T(2)], [T(2)], [T(2)])
dtype_family(
    addcmul_each_with_number,
    "aten::_foreach_addcmul.Scalar",
    ok=[Invocation(*_TERNARY_INTEGERS, value=2)],
    error=[Invocation(*_ONE_EACH, 1e39, device="cpu")],
)
dtype_family(
    addcdiv_each_with_number,
    "aten::_foreach_addcdiv.Scalar",
    error=[Invocation(*_QUOTIENTS), Invocation(*_ONE_EACH, 1e39, device="cpu")],
)

# A list of scalars.
_TERNARY_WITH_NUMBERS = ("aten::_foreach_addcdiv.ScalarList", "aten::_foreach_addcmul.ScalarList")
shape_family(
    fused_each_with_numbers,
    *_TERNARY_WITH_NUMBERS,
    ok=[Invocation(*lists, [2.5, 2, 2.5][: len(lists[0])]) for lists in _LISTS],
    error=[
        *[Invocation(*lists, [2] * len(lists[0])) for lists in _TERNARY_MISMATCHED],
        Invocation([T(2)], [T(2)], [T(2)], [1, 2]),
    ],
)
dtype_family(
    addcmul_each_with_numbers,
    "aten::_foreach_addcmul.ScalarList",
    ok=[Invocation(*_TERNARY_INTEGERS, [2])],
    error=[Invocation(*_ONE_EACH, [1e39], device="cpu")],
)
dtype_family(
    addcdiv_each_with_numbers,
    "aten::_foreach_addcdiv.ScalarList",
    error=[Invocation(*_QUOTIENTS, [1, 2]), Invocation(*_ONE_EACH, [1e39], device="cpu")],
)

# A tensor of scalars, whose values are read: a meta tensor has none.
_TERNARY_WITH_TENSOR = ("aten::_foreach_addcdiv.Tensor", "aten::_foreach_addcmul.Tensor")
shape_family(
    fused_each_with_tensor,
    *_TERNARY_WITH_TENSOR,
    ok=[Invocation(*lists, T(len(lists[0])), device="cpu") for lists in _LISTS],
    error=[
        *[Invocation(*lists, T(len(lists[0])), device="cpu") for lists in _TERNARY_MISMATCHED],
        Invocation([T(2)], [T(2)], [T(2)], T(2), device="cpu"),
        Invocation([T(2)], [T(2)], [T(2)], T(), device="cpu"),
        Invocation([T(2)], [T(2)], [T(2)], T(1, 1), device="cpu"),
    ],
)
dtype_family(
    addcmul_each,
    "aten::_foreach_addcmul.Tensor",
    ok=[Invocation(*_TERNARY_INTEGERS, T(1, dtype=torch.int64), device="cpu")],
)
dtype_family(
    addcdiv_each,
    "aten::_foreach_addcdiv.Tensor",
    error=[Invocation(*_QUOTIENTS, T(2), device="cpu")],
)


def lerp_each(
    self: List[List[int]], tensors1: List[List[int]], weights: List[List[int]]
) -> List[List[int]]:
    """Start, end and weight at the same index broadcast."""
    return fused_each(self, tensors1, weights)


def lerp_each_with_number(self: List[List[int]], tensors1: List[List[int]]) -> List[List[int]]:
    """Start and end at the same index broadcast."""
    return broadcast_each(self, tensors1)


def lerp_each_with_numbers(
    self: List[List[int]],
    tensors1: List[List[int]],
    weight: List[Union[int, float, complex]],
) -> List[List[int]]:
    """Start and end at the same index broadcast; the list of weights has the same length."""
    check_pair(len(self), len(weight))
    return broadcast_each(self, tensors1)


def lerp_dtype_of_each(
    self: List[Tuple[int, int]], tensors1: List[Tuple[int, int]], weights: List[Tuple[int, int]]
) -> List[int]:
    """Start and end have the same dtype; a 0-dim weight may have another, and promotes."""
    return [
        lerp_tensor_dtype(self[index], tensors1[index], weights[index])
        for index in range(len(self))
    ]


def lerp_dtype_of_each_with_number(
    self: List[Tuple[int, int]],
    tensors1: List[Tuple[int, int]],
    weight: Union[int, float, complex],
) -> List[int]:
    """Start and end have the same dtype, which the result keeps."""
    return [lerp_number_dtype(self[index], tensors1[index], weight) for index in range(len(self))]


def lerp_dtype_of_each_with_numbers(
    self: List[Tuple[int, int]],
    tensors1: List[Tuple[int, int]],
    weight: List[Union[int, float, complex]],
) -> List[int]:
    """Start and end have the same dtype, which the result keeps."""
    return [
        lerp_number_dtype(self[index], tensors1[index], weight[index]) for index in range(len(self))
    ]


_DOUBLE = T(2, dtype=torch.float64)
_TERNARY_COMPLEX = T(2, dtype=torch.complex64)
shape_family(
    lerp_each,
    "aten::_foreach_lerp.List",
    ok=[
        Invocation([T(2, 1), T(), T(0)], [T(3), T(), T(0)], [T(4, 1, 1), T(), T(1)]),
        Invocation([_TERNARY_HALF, _DOUBLE], [_TERNARY_HALF, _DOUBLE], [_TERNARY_HALF, T()]),
        Invocation(
            [_TERNARY_HALF, _TERNARY_COMPLEX],
            [_TERNARY_HALF, _TERNARY_COMPLEX],
            [T(dtype=torch.float64), T()],
        ),
    ],
    error=[Invocation(*lists) for lists in _TERNARY_MISMATCHED],
)
dtype_family(
    lerp_dtype_of_each,
    "aten::_foreach_lerp.List",
    error=[Invocation([T(2)], [_DOUBLE], [T(2)])],
)
shape_family(
    lerp_each_with_number,
    "aten::_foreach_lerp.Scalar",
    ok=[
        Invocation([T(2, 1), T(), T(0)], [T(3), T(), T(1)], 0.5),
        Invocation(
            [_TERNARY_HALF, _DOUBLE, _TERNARY_COMPLEX],
            [_TERNARY_HALF, _DOUBLE, _TERNARY_COMPLEX],
            2,
        ),
    ],
    error=[
        Invocation(*lists[:2], 0.5) for lists in (*_TERNARY_MISMATCHED[:2], _TERNARY_MISMATCHED[3])
    ],
)
dtype_family(
    lerp_dtype_of_each_with_number,
    "aten::_foreach_lerp.Scalar",
    error=[
        Invocation([T(2)], [_DOUBLE], 0.5),
        Invocation([T(2)], [T(2)], 1e39, device="cpu"),
    ],
)
shape_family(
    lerp_each_with_numbers,
    "aten::_foreach_lerp.ScalarList",
    ok=[
        Invocation([T(2, 1), T()], [T(3), T()], [0.5, 2]),
        Invocation(
            [_TERNARY_HALF, _DOUBLE, _TERNARY_COMPLEX],
            [_TERNARY_HALF, _DOUBLE, _TERNARY_COMPLEX],
            [0.5, 0.5, 1j],
        ),
    ],
    error=[
        Invocation([], [], []),
        Invocation([T(2)], [T(2), T(2)], [0.5]),
        Invocation([T(2)], [T(2)], [0.5, 0.5]),
        Invocation([T(2)], [T(3)], [0.5]),
    ],
)
dtype_family(
    lerp_dtype_of_each_with_numbers,
    "aten::_foreach_lerp.ScalarList",
    error=[
        Invocation([T(2)], [_DOUBLE], [0.5]),
        Invocation([T(2)], [T(2)], [1e39], device="cpu"),
    ],
)
