"""Arithmetic on every tensor of a list with a partner: `_foreach_add`, `_foreach_pow`, ...

The partner is a tensor or a number of another list, or one number or zero-dim tensor for all.
"""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.conversion import copied
from torch_refine.abstract_interp_lib.families.matmul import mm_dtype
from torch_refine.abstract_interp_lib.families.pointwise_binary import (
    difference_dtype,
    power_dtype,
    power_of_number_dtype,
    power_with_number_dtype,
)
from torch_refine.abstract_interp_lib.rules.foreach import (
    broadcast_each,
    check_pair,
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
)
from torch_refine.abstract_interp_lib.rules.matmul import matrix_product

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

# Sums: `alpha`, the factor of the second operand, does not take part in promotion.
_WITH_ALPHA = [Invocation([T(2)], [T(2)], alpha=2.5)]
shape_family(broadcast_each, "aten::_foreach_add.List", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    promote_each,
    "aten::_foreach_add.List",
    ok=[*_FLOATS, *_INTEGERS, *_BOOL, *_BOOLS, *_COMPLEX, *_WITH_ALPHA],
)
shape_family(
    same_as_each_with_tensor,
    "aten::_foreach_add.Tensor",
    ok=[Invocation([T(2)], T(), alpha=2.5)],
    error=_MISMATCHED_TENSOR,
)
dtype_family(promote_each_with_tensor, "aten::_foreach_add.Tensor", ok=_WITH_TENSOR)


def difference_of_each(self: List[Tuple[int, int]], other: List[Tuple[int, int]]) -> List[int]:
    """Every tensor promotes with its partner; bool cannot be subtracted from bool."""
    return [difference_dtype(self[index], other[index]) for index in range(len(self))]


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

# Products, and quotients, which take integers to float32.
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

# Bounds and extrema, of real operands.
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
dtype_family(promote_each_with_number, *_EXTREMA_WITH_NUMBER, ok=_BOOL_WITH_NUMBER)
_EXTREMA_WITH_NUMBERS = (
    "aten::_foreach_clamp_max.ScalarList",
    "aten::_foreach_clamp_min.ScalarList",
    "aten::_foreach_maximum.ScalarList",
    "aten::_foreach_minimum.ScalarList",
)
shape_family(
    same_as_each_with_numbers, *_EXTREMA_WITH_NUMBERS, ok=_WITH_NUMBERS, error=_MISMATCHED_NUMBERS
)
dtype_family(promote_each_with_numbers, *_EXTREMA_WITH_NUMBERS, ok=_BOOL_WITH_NUMBERS)


def power_of_each(self: List[List[int]], exponent: List[List[int]]) -> List[List[int]]:
    """Every base broadcasts with its exponent."""
    return broadcast_each(self, exponent)


def power_of_each_with_numbers(
    self: List[List[int]], exponent: List[Union[int, float, complex]]
) -> List[List[int]]:
    """Every tensor keeps its shape; there is an exponent for each."""
    return same_as_each_with_numbers(self, exponent)


def power_of_number_with_each(exponent: List[List[int]]) -> List[List[int]]:
    """One number to the power of every tensor."""
    return same_as_each(exponent)


def power_dtype_of_each(self: List[Tuple[int, int]], exponent: List[Tuple[int, int]]) -> List[int]:
    """Every base promotes with its exponent."""
    return [power_dtype(self[index], exponent[index]) for index in range(len(self))]


def power_dtype_of_each_with_number(
    self: List[Tuple[int, int]], exponent: Union[int, float, complex]
) -> List[int]:
    """Every base promotes with the exponent."""
    return [power_with_number_dtype(tensor, exponent) for tensor in self]


def power_dtype_of_each_with_numbers(
    self: List[Tuple[int, int]], exponent: List[Union[int, float, complex]]
) -> List[int]:
    """Every base promotes with its exponent."""
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
        # The meta kernel gives int64.
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
        # The meta kernel gives int64.
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
    """Every matrix times its partner."""
    check_pair(len(self), len(mat2))
    return [matrix_product(self[index], mat2[index]) for index in range(len(self))]


def product_dtype_of_each(self: List[Tuple[int, int]], mat2: List[Tuple[int, int]]) -> List[int]:
    """Both factors have one dtype, which the product keeps."""
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
# The meta kernel accepts mixed dtypes, which no device does.
dtype_family(
    product_dtype_of_each,
    "aten::_foreach_mm",
    error=[Invocation([T(2, 3)], [T(3, 4, dtype=torch.float64)], device="cpu")],
)


def copied_each(self: List[List[int]], src: List[List[int]]) -> List[List[int]]:
    """Every source expands to the shape of its tensor; PyTorch counts the sources."""
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
