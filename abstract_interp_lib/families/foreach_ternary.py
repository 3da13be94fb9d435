"""Operators on every tensor of a list with two partners: `_foreach_addcmul`, `_foreach_lerp`."""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.ternary import (
    addcdiv_dtype,
    addcmul_dtype,
    lerp_number_dtype,
    lerp_tensor_dtype,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three
from torch_refine.abstract_interp_lib.rules.foreach import broadcast_each, check_pair


def fused_each(
    self: List[List[int]], tensor1: List[List[int]], tensor2: List[List[int]]
) -> List[List[int]]:
    """Every tensor and the two that are multiplied or divided broadcast."""
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
    """As with one factor for all; there is one for each."""
    check_pair(len(self), len(scalars))
    return fused_each(self, tensor1, tensor2)


def fused_each_with_tensor(
    self: List[List[int]],
    tensor1: List[List[int]],
    tensor2: List[List[int]],
    scalars: List[int],
) -> List[List[int]]:
    """As with one factor for all; a vector holds one for each."""
    assert len(scalars) == 1, f"scalars must be a vector, got shape {scalars}"
    assert scalars[0] == len(self), (
        f"scalars must be as many as tensors, got {scalars[0]} and {len(self)}"
    )
    return fused_each(self, tensor1, tensor2)


def addcmul_each(
    self: List[Tuple[int, int]], tensor1: List[Tuple[int, int]], tensor2: List[Tuple[int, int]]
) -> List[int]:
    """All three promote; factors do not take part."""
    return [
        addcmul_dtype(self[index], tensor1[index], tensor2[index]) for index in range(len(self))
    ]


def addcdiv_each(
    self: List[Tuple[int, int]], tensor1: List[Tuple[int, int]], tensor2: List[Tuple[int, int]]
) -> List[int]:
    """All three promote; factors do not take part, and integers are not divided."""
    return [
        addcdiv_dtype(self[index], tensor1[index], tensor2[index]) for index in range(len(self))
    ]


_HALF = T(2, dtype=torch.float16)
_INT64 = T(2, dtype=torch.int64)
_LISTS = (
    ([T(2, 3), T(2, 1, 1), T(0)], [T(2, 3), T(3, 1), T()], [T(2, 3), T(4), T(1)]),
    (
        [_HALF, _INT64, T(2, dtype=torch.bool)],
        [T(2, dtype=torch.bfloat16), _HALF, T(2, dtype=torch.float64)],
        [T(2), T(dtype=torch.float64), T(2, dtype=torch.int32)],
    ),
    ([T(2, dtype=torch.complex64), T(2)], [T(2), T(2, dtype=torch.complex64)], [T(2), T(2)]),
)
_INTEGERS = ([_INT64], [T(2, dtype=torch.int32)], [T(dtype=torch.uint8)])
_MISMATCHED = (
    ([], [], []),
    ([T(2)], [T(2), T(2)], [T(2)]),
    ([T(2)], [T(2)], [T(2), T(2)]),
    ([T(2)], [T(3)], [T(1)]),
)
_QUOTIENTS = ([T(2), T(2)], [_HALF, _INT64], [_HALF, _INT64])

# One number for all.
_WITH_NUMBER = ("aten::_foreach_addcdiv.Scalar", "aten::_foreach_addcmul.Scalar")
shape_family(
    fused_each,
    *_WITH_NUMBER,
    ok=[*[Invocation(*lists) for lists in _LISTS], Invocation([_HALF], [_HALF], [_HALF], 2.5)],
    error=[Invocation(*lists) for lists in _MISMATCHED],
)
dtype_family(addcmul_each, "aten::_foreach_addcmul.Scalar", ok=[Invocation(*_INTEGERS, value=2)])
dtype_family(addcdiv_each, "aten::_foreach_addcdiv.Scalar", error=[Invocation(*_QUOTIENTS)])

# A number for each.
_WITH_NUMBERS = ("aten::_foreach_addcdiv.ScalarList", "aten::_foreach_addcmul.ScalarList")
shape_family(
    fused_each_with_numbers,
    *_WITH_NUMBERS,
    ok=[Invocation(*lists, [2.5, 2, 2.5][: len(lists[0])]) for lists in _LISTS],
    error=[
        *[Invocation(*lists, [2] * len(lists[0])) for lists in _MISMATCHED],
        Invocation([T(2)], [T(2)], [T(2)], [1, 2]),
    ],
)
dtype_family(addcmul_each, "aten::_foreach_addcmul.ScalarList", ok=[Invocation(*_INTEGERS, [2])])
dtype_family(
    addcdiv_each, "aten::_foreach_addcdiv.ScalarList", error=[Invocation(*_QUOTIENTS, [1, 2])]
)

# A vector of numbers, which is read: a meta tensor has none.
_WITH_TENSOR = ("aten::_foreach_addcdiv.Tensor", "aten::_foreach_addcmul.Tensor")
shape_family(
    fused_each_with_tensor,
    *_WITH_TENSOR,
    ok=[Invocation(*lists, T(len(lists[0])), device="cpu") for lists in _LISTS],
    error=[
        *[Invocation(*lists, T(len(lists[0])), device="cpu") for lists in _MISMATCHED],
        Invocation([T(2)], [T(2)], [T(2)], T(2), device="cpu"),
        Invocation([T(2)], [T(2)], [T(2)], T(), device="cpu"),
        Invocation([T(2)], [T(2)], [T(2)], T(1, 1), device="cpu"),
    ],
)
dtype_family(
    addcmul_each,
    "aten::_foreach_addcmul.Tensor",
    ok=[Invocation(*_INTEGERS, T(1, dtype=torch.int64), device="cpu")],
)
dtype_family(
    addcdiv_each,
    "aten::_foreach_addcdiv.Tensor",
    error=[Invocation(*_QUOTIENTS, T(2), device="cpu")],
)


def lerp_each(
    self: List[List[int]], tensors1: List[List[int]], weights: List[List[int]]
) -> List[List[int]]:
    """Every start, end and weight broadcast."""
    return fused_each(self, tensors1, weights)


def lerp_each_with_number(self: List[List[int]], tensors1: List[List[int]]) -> List[List[int]]:
    """Every start broadcasts with its end."""
    return broadcast_each(self, tensors1)


def lerp_each_with_numbers(
    self: List[List[int]],
    tensors1: List[List[int]],
    weight: List[Union[int, float, complex]],
) -> List[List[int]]:
    """Every start broadcasts with its end; there is a weight for each."""
    check_pair(len(self), len(weight))
    return broadcast_each(self, tensors1)


def lerp_dtype_of_each(
    self: List[Tuple[int, int]], tensors1: List[Tuple[int, int]], weights: List[Tuple[int, int]]
) -> List[int]:
    """Start and end have one dtype; a zero-dim weight may have another, and promotes."""
    return [
        lerp_tensor_dtype(self[index], tensors1[index], weights[index])
        for index in range(len(self))
    ]


def lerp_dtype_of_each_with_number(
    self: List[Tuple[int, int]], tensors1: List[Tuple[int, int]]
) -> List[int]:
    """Start and end have one dtype, which the result keeps."""
    return [lerp_number_dtype(self[index], tensors1[index]) for index in range(len(self))]


_DOUBLE = T(2, dtype=torch.float64)
_COMPLEX = T(2, dtype=torch.complex64)
shape_family(
    lerp_each,
    "aten::_foreach_lerp.List",
    ok=[
        Invocation([T(2, 1), T(), T(0)], [T(3), T(), T(0)], [T(4, 1, 1), T(), T(1)]),
        Invocation([_HALF, _DOUBLE], [_HALF, _DOUBLE], [_HALF, T()]),
        Invocation([_HALF, _COMPLEX], [_HALF, _COMPLEX], [T(dtype=torch.float64), T()]),
    ],
    error=[Invocation(*lists) for lists in _MISMATCHED],
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
        Invocation([_HALF, _DOUBLE, _COMPLEX], [_HALF, _DOUBLE, _COMPLEX], 2),
    ],
    error=[Invocation(*lists[:2], 0.5) for lists in (*_MISMATCHED[:2], _MISMATCHED[3])],
)
dtype_family(
    lerp_dtype_of_each_with_number,
    "aten::_foreach_lerp.Scalar",
    error=[Invocation([T(2)], [_DOUBLE], 0.5)],
)
shape_family(
    lerp_each_with_numbers,
    "aten::_foreach_lerp.ScalarList",
    ok=[
        Invocation([T(2, 1), T()], [T(3), T()], [0.5, 2]),
        Invocation([_HALF, _DOUBLE, _COMPLEX], [_HALF, _DOUBLE, _COMPLEX], [0.5, 0.5, 1j]),
    ],
    error=[
        Invocation([], [], []),
        Invocation([T(2)], [T(2), T(2)], [0.5]),
        Invocation([T(2)], [T(2)], [0.5, 0.5]),
        Invocation([T(2)], [T(3)], [0.5]),
    ],
)
dtype_family(
    lerp_dtype_of_each_with_number,
    "aten::_foreach_lerp.ScalarList",
    error=[Invocation([T(2)], [_DOUBLE], [0.5])],
)
