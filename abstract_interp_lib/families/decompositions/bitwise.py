"""Bitwise operators of a tensor and a scalar, computed by those of two tensors."""

from typing import Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import promote_with_number


def common_dtype(tensor: torch.Tensor, number: Union[int, float, complex]) -> int:
    """The dtype that a tensor and a scalar promote to."""
    return promote_with_number((tensor.dim(), tensor.dtype), number)


@decomposition("aten::bitwise_and.Scalar")
def bitwise_and(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    return torch.bitwise_and(in_dtype(self, dtype), torch.full([], other, dtype=dtype))


@decomposition("aten::bitwise_and.Scalar_Tensor")
def bitwise_and_of_number(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The operator is commutative."""
    return torch.ops.aten.bitwise_and(other, self)


@decomposition("aten::bitwise_or.Scalar")
def bitwise_or(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    return torch.bitwise_or(in_dtype(self, dtype), torch.full([], other, dtype=dtype))


@decomposition("aten::bitwise_or.Scalar_Tensor")
def bitwise_or_of_number(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The operator is commutative."""
    return torch.ops.aten.bitwise_or(other, self)


@decomposition("aten::bitwise_xor.Scalar")
def bitwise_xor(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    return torch.bitwise_xor(in_dtype(self, dtype), torch.full([], other, dtype=dtype))


@decomposition("aten::bitwise_xor.Scalar_Tensor")
def bitwise_xor_of_number(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The operator is commutative."""
    return torch.ops.aten.bitwise_xor(other, self)


@decomposition("aten::bitwise_left_shift.Tensor_Scalar")
def bitwise_left_shift(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    number = torch.full([], other, dtype=dtype)
    return torch.bitwise_left_shift(in_dtype(self, dtype), number)


@decomposition("aten::bitwise_left_shift.Scalar_Tensor")
def number_shifted_left(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(other, self)
    number = torch.full([], self, dtype=dtype)
    return torch.bitwise_left_shift(number, in_dtype(other, dtype))


@decomposition("aten::bitwise_right_shift.Tensor_Scalar")
def bitwise_right_shift(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    number = torch.full([], other, dtype=dtype)
    return torch.bitwise_right_shift(in_dtype(self, dtype), number)


@decomposition("aten::bitwise_right_shift.Scalar_Tensor")
def number_shifted_right(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(other, self)
    number = torch.full([], self, dtype=dtype)
    return torch.bitwise_right_shift(number, in_dtype(other, dtype))
