"""Other names of operators on pairs of elements: `arctan2`, `greater`, `divide`."""

from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition


@decomposition("aten::arctan2")
def arctan2(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `atan2`."""
    return torch.atan2(self, other)


@decomposition("aten::special_gammainc")
def special_gammainc(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `igamma`."""
    return torch.igamma(self, other)


@decomposition("aten::special_gammaincc")
def special_gammaincc(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `igammac`."""
    return torch.igammac(self, other)


@decomposition("aten::greater.Tensor")
def greater(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `gt`."""
    return torch.gt(self, other)


@decomposition("aten::greater_equal.Tensor")
def greater_equal(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `ge`."""
    return torch.ge(self, other)


@decomposition("aten::less.Tensor")
def less(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `lt`."""
    return torch.lt(self, other)


@decomposition("aten::less_equal.Tensor")
def less_equal(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `le`."""
    return torch.le(self, other)


@decomposition("aten::not_equal.Tensor")
def not_equal(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `ne`."""
    return torch.ne(self, other)


@decomposition("aten::__and__.Tensor")
def logical_and(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `bitwise_and`."""
    return torch.bitwise_and(self, other)


@decomposition("aten::__or__.Tensor")
def logical_or(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `bitwise_or`."""
    return torch.bitwise_or(self, other)


@decomposition("aten::__xor__.Tensor")
def logical_xor(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `bitwise_xor`."""
    return torch.bitwise_xor(self, other)


@decomposition("aten::greater.Scalar")
def greater_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `gt`."""
    return torch.gt(self, other)


@decomposition("aten::greater_equal.Scalar")
def greater_equal_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `ge`."""
    return torch.ge(self, other)


@decomposition("aten::less.Scalar")
def less_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `lt`."""
    return torch.lt(self, other)


@decomposition("aten::less_equal.Scalar")
def less_equal_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `le`."""
    return torch.le(self, other)


@decomposition("aten::not_equal.Scalar")
def not_equal_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `ne`."""
    return torch.ne(self, other)


@decomposition("aten::true_divide.Scalar")
def true_divide_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `div`."""
    return torch.div(self, other)


@decomposition("aten::__and__.Scalar")
def logical_and_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `bitwise_and`."""
    return torch.bitwise_and(self, other)


@decomposition("aten::__or__.Scalar")
def logical_or_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `bitwise_or`."""
    return torch.bitwise_or(self, other)


@decomposition("aten::__xor__.Scalar")
def logical_xor_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `bitwise_xor`."""
    return torch.bitwise_xor(self, other)


@decomposition("aten::divide.Tensor_mode")
def divide_mode(
    self: torch.Tensor, other: torch.Tensor, rounding_mode: Optional[str]
) -> torch.Tensor:
    """Another name of `div`."""
    return torch.div(self, other, rounding_mode=rounding_mode)


@decomposition("aten::divide.Scalar_mode")
def divide_scalar_mode(
    self: torch.Tensor, other: Union[int, float, complex], rounding_mode: Optional[str]
) -> torch.Tensor:
    """Another name of `div`."""
    return torch.div(self, other, rounding_mode=rounding_mode)
