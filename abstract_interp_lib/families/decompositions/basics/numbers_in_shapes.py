"""Tensors of one number, or filled with one: `scalar_tensor`, `new_full`, `where` of numbers."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import as_element, in_dtype
from torch_refine.abstract_interp_lib.rules.factories import default_dtype
from torch_refine.abstract_interp_lib.rules.promotion import (
    dtype_of_number,
    promote_with_number,
)


def filled_as(
    self: torch.Tensor,
    size: List[int],
    fill_value: Union[int, float, complex],
    dtype: Optional[int],
) -> torch.Tensor:
    """A number in a shape, in the dtype of another tensor unless one is given."""
    return torch.full(size, fill_value, dtype=self.dtype if dtype is None else dtype)


@decomposition("aten::new_full")
def new_full(
    self: torch.Tensor,
    size: List[int],
    fill_value: Union[int, float, complex],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """A number in a shape."""
    return filled_as(self, size, fill_value, dtype)


@decomposition("aten::new_zeros")
def new_zeros(
    self: torch.Tensor,
    size: List[int],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """0 in a shape."""
    return filled_as(self, size, 0, dtype)


@decomposition("aten::new_ones")
def new_ones(
    self: torch.Tensor,
    size: List[int],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """1 in a shape."""
    return filled_as(self, size, 1, dtype)


def undefined(size: List[int], dtype: Optional[int]) -> torch.Tensor:
    """Elements that are not defined."""
    return torch.empty(size, dtype=torch.float32 if dtype is None else dtype)


def undefined_like(self: torch.Tensor, dtype: Optional[int]) -> torch.Tensor:
    """Elements that are not defined, in the shape of a tensor."""
    return torch.empty(self.size(), dtype=self.dtype if dtype is None else dtype)


def undefined_as(self: torch.Tensor, size: List[int], dtype: Optional[int]) -> torch.Tensor:
    """Elements that are not defined, in the dtype of a tensor unless one is given."""
    return torch.empty(size, dtype=self.dtype if dtype is None else dtype)


decomposition_family(undefined, "aten::empty_strided")
decomposition_family(undefined_like, "aten::empty_like")
decomposition_family(undefined_as, "aten::new_empty", "aten::new_empty_strided")


@decomposition("aten::zero")
def zero(self: torch.Tensor) -> torch.Tensor:
    """0 in the shape of a tensor."""
    return torch.zeros_like(self)


@decomposition("aten::where.ScalarOther")
def where_number_is_other(
    condition: torch.Tensor, self: torch.Tensor, other: Union[int, float, complex]
) -> torch.Tensor:
    """Elements, or a number."""
    dtype = promote_with_number((self.dim(), self.dtype), other)
    return torch.where(condition, in_dtype(self, dtype), torch.full([], other, dtype=dtype))


@decomposition("aten::where.ScalarSelf")
def where_number_is_self(
    condition: torch.Tensor, self: Union[int, float, complex], other: torch.Tensor
) -> torch.Tensor:
    """A number, or elements."""
    dtype = promote_with_number((other.dim(), other.dtype), self)
    return torch.where(condition, torch.full([], self, dtype=dtype), in_dtype(other, dtype))


@decomposition("aten::where.Scalar")
def where_numbers(
    condition: torch.Tensor,
    self: Union[int, float, complex],
    other: Union[int, float, complex],
) -> torch.Tensor:
    """One of two numbers."""
    dtype = default_dtype(promote_with_number((0, dtype_of_number(self)), other))
    left, right = torch.full([], self, dtype=dtype), torch.full([], other, dtype=dtype)
    return torch.where(condition, left, right)


@decomposition("aten::masked_fill.Tensor")
def masked_fill(self: torch.Tensor, mask: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """The element of a tensor of rank 0 where the mask is."""
    return torch.where(mask, as_element(value, self.dtype), self)


def in_other_dtype(
    self: torch.Tensor,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
    non_blocking: bool = False,
    memory_format: Optional[int] = None,
) -> torch.Tensor:
    """The elements in a dtype, if one is given."""
    return self if dtype is None else in_dtype(self, dtype)


decomposition_family(in_other_dtype, "aten::_to_copy", "aten::to.dtype_layout")


@decomposition("aten::type_as")
def type_as(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The elements in the dtype of another tensor."""
    return in_dtype(self, other.dtype)
