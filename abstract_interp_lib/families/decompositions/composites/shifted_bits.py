"""Shifts of the bits of integers, by every amount."""

from typing import Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype, promoted_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


def width_of(dtype: int) -> int:
    """The number of bits of an integer."""
    if dtype == torch.uint8 or dtype == torch.int8:
        return 8
    if dtype == torch.int16:
        return 16
    return 32 if dtype == torch.int32 else 64


def is_within(amount: torch.Tensor) -> torch.Tensor:
    """Whether some bits remain: the processor's shifts are defined only then."""
    width = width_of(amount.dtype)
    return torch.logical_and(torch.ge(amount, 0), torch.lt(amount, width))


def number_like(self: torch.Tensor, number: int) -> torch.Tensor:
    """A number in the dtype of a tensor."""
    return torch.full([], number, dtype=self.dtype)


@decomposition(
    "aten::bitwise_left_shift.Tensor",
    ok=[
        Invocation(
            T(4, dtype=torch.int64),
            T(4, dtype=torch.int64, values=[0, 63, 64, -1]),
        ),
        Invocation(T(2, 4, dtype=torch.uint8), T(4, dtype=torch.uint8, values=[0, 7, 8, 255])),
        Invocation(T(4, dtype=torch.int8), T(4, dtype=torch.int16, values=[1, 15, 16, -9])),
    ],
)
def shifted_left(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Zero where all bits are shifted out (`lshift_kernel` of `BinaryOpsKernel.cpp`)."""
    dtype = promoted_dtype(self, other)
    amount = in_dtype(other, dtype)
    keeps = is_within(amount)
    none = number_like(amount, 0)
    found = torch.bitwise_left_shift(in_dtype(self, dtype), torch.where(keeps, amount, none))
    return torch.where(keeps, found, none)


@decomposition(
    "aten::bitwise_right_shift.Tensor",
    ok=[
        Invocation(
            T(4, dtype=torch.int64, values=[-5, 5, -1, 7]),
            T(4, dtype=torch.int64, values=[1, 63, 64, -1]),
        ),
        Invocation(
            T(4, dtype=torch.uint8, values=[255, 128, 255, 1]),
            T(4, dtype=torch.uint8, values=[0, 7, 8, 255]),
        ),
        Invocation(
            T(4, dtype=torch.int8, values=[-128, 127, -1, -2]),
            T(1, dtype=torch.int16, values=[15]),
        ),
    ],
)
def shifted_right(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Copies of the sign where all bits are shifted out, 0 of unsigned numbers (`rshift_kernel` of
    `BinaryOpsKernel.cpp`)."""
    dtype = promoted_dtype(self, other)
    value, amount = in_dtype(self, dtype), in_dtype(other, dtype)
    keeps = is_within(amount)
    if dtype == torch.uint8:
        none = number_like(amount, 0)
        found = torch.bitwise_right_shift(value, torch.where(keeps, amount, none))
        return torch.where(keeps, found, none)
    most = number_like(amount, width_of(dtype) - 1)
    return torch.bitwise_right_shift(value, torch.where(keeps, amount, most))


@decomposition(
    "aten::__lshift__.Scalar",
    ok=[
        Invocation(T(4, dtype=torch.int64), 64),
        Invocation(T(4, dtype=torch.int8, values=[1, -1, 64, -128]), 7),
        Invocation(T(4, dtype=torch.int32), -1),
    ],
)
def shifted_left_by_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """`self << other`, of integers."""
    assert is_integral(self.dtype), "the kernel takes integers"
    return torch.ops.aten.bitwise_left_shift(self, other)


@decomposition(
    "aten::__rshift__.Scalar",
    ok=[
        Invocation(T(4, dtype=torch.int64, values=[-5, 5, -1, 7]), 64),
        Invocation(T(4, dtype=torch.uint8, values=[255, 128, 255, 1]), 8),
        Invocation(T(4, dtype=torch.int32, values=[-5, 5, -1, 7]), -1),
    ],
)
def shifted_right_by_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """`self >> other`, of integers."""
    assert is_integral(self.dtype), "the kernel takes integers"
    return torch.ops.aten.bitwise_right_shift(self, other)
