"""Comparisons, and logical and bitwise operators."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.factories import zero_dim
from torch_refine.abstract_interp_lib.rules.pointwise import (
    always_bool,
    broadcast_self_other,
    comparison_dtype,
    promote_number_tensor,
    promote_tensor_number,
    promote_tensors,
    same_as_other,
)

_SHAPES = [
    Invocation(T(2, 3), T(2, 3)),
    Invocation(T(2, 1, 4), T(3, 1)),
    Invocation(T(), T(3)),
    Invocation(T(), T()),
    Invocation(T(0, 3), T(1, 3)),
]
_MISMATCHED = [Invocation(T(2, 3), T(4, 3))]
_DTYPES = [
    Invocation(T(2, dtype=torch.float64), T(2, dtype=torch.float16)),
    Invocation(T(2, dtype=torch.bfloat16), T(dtype=torch.float32)),
    Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.bool)),
    Invocation(T(2, dtype=torch.uint8), T(2, dtype=torch.int32)),
]

_ON_TENSORS = (
    "aten::eq.Tensor",
    "aten::ge.Tensor",
    "aten::greater.Tensor",
    "aten::greater_equal.Tensor",
    "aten::gt.Tensor",
    "aten::le.Tensor",
    "aten::less.Tensor",
    "aten::less_equal.Tensor",
    "aten::logical_and",
    "aten::logical_or",
    "aten::logical_xor",
    "aten::lt.Tensor",
    "aten::ne.Tensor",
    "aten::not_equal.Tensor",
)
shape_family(broadcast_self_other, *_ON_TENSORS, ok=_SHAPES, error=_MISMATCHED)
dtype_family(comparison_dtype, *_ON_TENSORS, ok=_DTYPES)

_WITH_NUMBER = (
    "aten::eq.Scalar",
    "aten::ge.Scalar",
    "aten::greater.Scalar",
    "aten::greater_equal.Scalar",
    "aten::gt.Scalar",
    "aten::le.Scalar",
    "aten::less.Scalar",
    "aten::less_equal.Scalar",
    "aten::lt.Scalar",
    "aten::ne.Scalar",
    "aten::not_equal.Scalar",
)
shape_family(
    same_as_self,
    *_WITH_NUMBER,
    ok=[Invocation(T(2, 3), 1), Invocation(T(), 2.5), Invocation(T(0, 3), 1)],
)
dtype_family(
    comparison_dtype,
    *_WITH_NUMBER,
    ok=[
        Invocation(T(2, dtype=torch.float16), 1),
        Invocation(T(2, dtype=torch.int64), 2.5),
        Invocation(T(2, dtype=torch.bool), 1),
    ],
)

# Both operands have the same dtype.
shape_family(broadcast_self_other, "aten::isclose", ok=_SHAPES, error=_MISMATCHED)
dtype_family(
    always_bool,
    "aten::isclose",
    ok=[
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int64)),
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.float16)),
    ],
)


def same_as_elements(elements: List[int]) -> List[int]:
    """The shape of `elements`."""
    return elements


shape_family(
    same_as_elements,
    "aten::isin.Tensor_Tensor",
    ok=[Invocation(T(2, 3), T(4)), Invocation(T(), T(2, 2))],
)
shape_family(
    same_as_elements,
    "aten::isin.Tensor_Scalar",
    ok=[Invocation(T(2, 3), 1), Invocation(T(), 2.5)],
)
shape_family(zero_dim, "aten::isin.Scalar_Tensor", ok=[Invocation(1, T(2, 3))])
dtype_family(
    always_bool,
    "aten::isin.Tensor_Tensor",
    ok=[Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int32))],
)
dtype_family(always_bool, "aten::isin.Tensor_Scalar", ok=[Invocation(T(2, dtype=torch.float16), 1)])
dtype_family(always_bool, "aten::isin.Scalar_Tensor", ok=[Invocation(1, T(2, dtype=torch.float64))])

# Bitwise operators: integers, and bool except for shifts.
_BITWISE = (
    "aten::__and__.Tensor",
    "aten::__or__.Tensor",
    "aten::__xor__.Tensor",
    "aten::bitwise_and.Tensor",
    "aten::bitwise_or.Tensor",
    "aten::bitwise_xor.Tensor",
)
_SHIFTS = (
    "aten::__lshift__.Tensor",
    "aten::__rshift__.Tensor",
    "aten::bitwise_left_shift.Tensor",
    "aten::bitwise_right_shift.Tensor",
)
_INTEGER_SHAPES = [
    Invocation(T(2, 1, 4, dtype=torch.int64), T(3, 1, dtype=torch.int64)),
    Invocation(T(dtype=torch.int64), T(3, dtype=torch.int64)),
    Invocation(T(0, 3, dtype=torch.int64), T(dtype=torch.int64)),
]
_INTEGER_MISMATCHED = [Invocation(T(2, 3, dtype=torch.int64), T(4, 3, dtype=torch.int64))]
_INTEGER_DTYPES = [
    Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int32)),
    Invocation(T(2, dtype=torch.uint8), T(2, dtype=torch.int8)),
    Invocation(T(2, dtype=torch.int32), T(dtype=torch.int64)),
]
_BOOL_DTYPES = [
    Invocation(T(2, dtype=torch.bool), T(2, dtype=torch.bool)),
    Invocation(T(2, dtype=torch.bool), T(dtype=torch.int32)),
]
shape_family(
    broadcast_self_other, *_BITWISE, *_SHIFTS, ok=_INTEGER_SHAPES, error=_INTEGER_MISMATCHED
)
dtype_family(promote_tensors, *_BITWISE, ok=[*_INTEGER_DTYPES, *_BOOL_DTYPES])
dtype_family(promote_tensors, *_SHIFTS, ok=_INTEGER_DTYPES)

_BITWISE_WITH_NUMBER = (
    "aten::__and__.Scalar",
    "aten::__or__.Scalar",
    "aten::__xor__.Scalar",
    "aten::bitwise_and.Scalar",
    "aten::bitwise_or.Scalar",
    "aten::bitwise_xor.Scalar",
)
_SHIFTS_WITH_NUMBER = (
    "aten::__lshift__.Scalar",
    "aten::__rshift__.Scalar",
    "aten::bitwise_left_shift.Tensor_Scalar",
    "aten::bitwise_right_shift.Tensor_Scalar",
)
_WITH_INTEGER = [
    Invocation(T(2, 3, dtype=torch.int64), 1),
    Invocation(T(dtype=torch.int32), 1),
    Invocation(T(0, dtype=torch.uint8), 1),
]
shape_family(same_as_self, *_BITWISE_WITH_NUMBER, *_SHIFTS_WITH_NUMBER, ok=_WITH_INTEGER)
dtype_family(
    promote_tensor_number,
    *_BITWISE_WITH_NUMBER,
    ok=[Invocation(T(2, dtype=torch.bool), 1), Invocation(T(dtype=torch.bool), 1)],
)
# The meta kernels of `__lshift__` and `__rshift__` reject bool, the CPU kernels accept it.
dtype_family(
    promote_tensor_number,
    *_SHIFTS_WITH_NUMBER,
    ok=[Invocation(T(2, dtype=torch.bool), 1, device="cpu")],
)

_BITWISE_OF_NUMBER = (
    "aten::bitwise_and.Scalar_Tensor",
    "aten::bitwise_left_shift.Scalar_Tensor",
    "aten::bitwise_or.Scalar_Tensor",
    "aten::bitwise_right_shift.Scalar_Tensor",
    "aten::bitwise_xor.Scalar_Tensor",
)
shape_family(
    same_as_other,
    *_BITWISE_OF_NUMBER,
    ok=[Invocation(1, T(2, 3, dtype=torch.int64)), Invocation(1, T(dtype=torch.int32))],
)
dtype_family(
    promote_number_tensor,
    *_BITWISE_OF_NUMBER,
    ok=[Invocation(1, T(2, dtype=torch.uint8)), Invocation(1, T(2, dtype=torch.bool))],
)
