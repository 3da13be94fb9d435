"""Operators on pairs of tensors at the same index of two lists, or with one number or tensor for all."""

from typing import List, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition


@decomposition("aten::_foreach_add.List")
def add_each(
    self: List[torch.Tensor], other: List[torch.Tensor], alpha: Union[int, float, complex] = 1
) -> List[torch.Tensor]:
    """`add` of the tensors at the same index."""
    return [torch.add(self[index], other[index], alpha=alpha) for index in range(len(self))]


@decomposition("aten::_foreach_add.Scalar")
def add_each_with_number(
    self: List[torch.Tensor], scalar: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`add` of each tensor and a number."""
    return [torch.add(tensor, scalar) for tensor in self]


@decomposition("aten::_foreach_add.ScalarList")
def add_each_with_numbers(
    self: List[torch.Tensor], scalars: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`add` of each tensor and the number at the same index."""
    return [torch.add(self[index], scalars[index]) for index in range(len(self))]


@decomposition("aten::_foreach_add.Tensor")
def add_each_with_tensor(
    self: List[torch.Tensor], other: torch.Tensor, alpha: Union[int, float, complex] = 1
) -> List[torch.Tensor]:
    """`add` of each tensor and one of rank 0."""
    return [torch.add(tensor, other, alpha=alpha) for tensor in self]


@decomposition("aten::_foreach_sub.List")
def sub_each(
    self: List[torch.Tensor], other: List[torch.Tensor], alpha: Union[int, float, complex] = 1
) -> List[torch.Tensor]:
    """`sub` of the tensors at the same index."""
    return [torch.sub(self[index], other[index], alpha=alpha) for index in range(len(self))]


@decomposition("aten::_foreach_sub.Scalar")
def sub_each_with_number(
    self: List[torch.Tensor], scalar: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`sub` of each tensor and a number."""
    return [torch.sub(tensor, scalar) for tensor in self]


@decomposition("aten::_foreach_sub.ScalarList")
def sub_each_with_numbers(
    self: List[torch.Tensor], scalars: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`sub` of each tensor and the number at the same index."""
    return [torch.sub(self[index], scalars[index]) for index in range(len(self))]


@decomposition("aten::_foreach_mul.List")
def mul_each(self: List[torch.Tensor], other: List[torch.Tensor]) -> List[torch.Tensor]:
    """`mul` of the tensors at the same index."""
    return [torch.mul(self[index], other[index]) for index in range(len(self))]


@decomposition("aten::_foreach_mul.Scalar")
def mul_each_with_number(
    self: List[torch.Tensor], scalar: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`mul` of each tensor and a number."""
    return [torch.mul(tensor, scalar) for tensor in self]


@decomposition("aten::_foreach_mul.ScalarList")
def mul_each_with_numbers(
    self: List[torch.Tensor], scalars: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`mul` of each tensor and the number at the same index."""
    return [torch.mul(self[index], scalars[index]) for index in range(len(self))]


@decomposition("aten::_foreach_mul.Tensor")
def mul_each_with_tensor(self: List[torch.Tensor], other: torch.Tensor) -> List[torch.Tensor]:
    """`mul` of each tensor and one of rank 0."""
    return [torch.mul(tensor, other) for tensor in self]


@decomposition("aten::_foreach_div.List")
def div_each(self: List[torch.Tensor], other: List[torch.Tensor]) -> List[torch.Tensor]:
    """`div` of the tensors at the same index."""
    return [torch.div(self[index], other[index]) for index in range(len(self))]


@decomposition("aten::_foreach_div.Scalar")
def div_each_with_number(
    self: List[torch.Tensor], scalar: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`div` of each tensor and a number."""
    return [torch.div(tensor, scalar) for tensor in self]


@decomposition("aten::_foreach_div.ScalarList")
def div_each_with_numbers(
    self: List[torch.Tensor], scalars: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`div` of each tensor and the number at the same index."""
    return [torch.div(self[index], scalars[index]) for index in range(len(self))]


@decomposition("aten::_foreach_div.Tensor")
def div_each_with_tensor(self: List[torch.Tensor], other: torch.Tensor) -> List[torch.Tensor]:
    """`div` of each tensor and one of rank 0."""
    return [torch.div(tensor, other) for tensor in self]


@decomposition("aten::_foreach_clamp_max.List")
def clamp_max_each(self: List[torch.Tensor], other: List[torch.Tensor]) -> List[torch.Tensor]:
    """`clamp_max` of the tensors at the same index."""
    return [torch.clamp_max(self[index], other[index]) for index in range(len(self))]


@decomposition("aten::_foreach_clamp_max.Scalar")
def clamp_max_each_with_number(
    self: List[torch.Tensor], scalar: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`clamp_max` of each tensor and a number."""
    return [torch.clamp_max(tensor, scalar) for tensor in self]


@decomposition("aten::_foreach_clamp_max.ScalarList")
def clamp_max_each_with_numbers(
    self: List[torch.Tensor], scalars: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`clamp_max` of each tensor and the number at the same index."""
    return [torch.clamp_max(self[index], scalars[index]) for index in range(len(self))]


@decomposition("aten::_foreach_clamp_min.List")
def clamp_min_each(self: List[torch.Tensor], other: List[torch.Tensor]) -> List[torch.Tensor]:
    """`clamp_min` of the tensors at the same index."""
    return [torch.clamp_min(self[index], other[index]) for index in range(len(self))]


@decomposition("aten::_foreach_clamp_min.Scalar")
def clamp_min_each_with_number(
    self: List[torch.Tensor], scalar: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`clamp_min` of each tensor and a number."""
    return [torch.clamp_min(tensor, scalar) for tensor in self]


@decomposition("aten::_foreach_clamp_min.ScalarList")
def clamp_min_each_with_numbers(
    self: List[torch.Tensor], scalars: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`clamp_min` of each tensor and the number at the same index."""
    return [torch.clamp_min(self[index], scalars[index]) for index in range(len(self))]


@decomposition("aten::_foreach_maximum.List")
def maximum_each(self: List[torch.Tensor], other: List[torch.Tensor]) -> List[torch.Tensor]:
    """`maximum` of the tensors at the same index."""
    return [torch.maximum(self[index], other[index]) for index in range(len(self))]


@decomposition("aten::_foreach_maximum.Scalar")
def maximum_each_with_number(
    self: List[torch.Tensor], scalar: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`clamp_min` of each tensor and a number."""
    return [torch.clamp_min(tensor, scalar) for tensor in self]


@decomposition("aten::_foreach_maximum.ScalarList")
def maximum_each_with_numbers(
    self: List[torch.Tensor], scalars: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`clamp_min` of each tensor and the number at the same index."""
    return [torch.clamp_min(self[index], scalars[index]) for index in range(len(self))]


@decomposition("aten::_foreach_minimum.List")
def minimum_each(self: List[torch.Tensor], other: List[torch.Tensor]) -> List[torch.Tensor]:
    """`minimum` of the tensors at the same index."""
    return [torch.minimum(self[index], other[index]) for index in range(len(self))]


@decomposition("aten::_foreach_minimum.Scalar")
def minimum_each_with_number(
    self: List[torch.Tensor], scalar: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`clamp_max` of each tensor and a number."""
    return [torch.clamp_max(tensor, scalar) for tensor in self]


@decomposition("aten::_foreach_minimum.ScalarList")
def minimum_each_with_numbers(
    self: List[torch.Tensor], scalars: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`clamp_max` of each tensor and the number at the same index."""
    return [torch.clamp_max(self[index], scalars[index]) for index in range(len(self))]


@decomposition("aten::_foreach_pow.List")
def pow_each(self: List[torch.Tensor], exponent: List[torch.Tensor]) -> List[torch.Tensor]:
    """`pow` of the tensors at the same index."""
    return [torch.pow(self[index], exponent[index]) for index in range(len(self))]


@decomposition("aten::_foreach_pow.Scalar")
def pow_each_with_number(
    self: List[torch.Tensor], exponent: Union[int, float, complex]
) -> List[torch.Tensor]:
    """`pow` of each tensor and a number."""
    return [torch.pow(tensor, exponent) for tensor in self]


@decomposition("aten::_foreach_pow.ScalarList")
def pow_each_with_numbers(
    self: List[torch.Tensor], exponent: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """`pow` of each tensor and the number at the same index."""
    return [torch.pow(self[index], exponent[index]) for index in range(len(self))]


@decomposition("aten::_foreach_pow.ScalarAndTensor")
def power_of_number_by_each(
    self: Union[int, float, complex], exponent: List[torch.Tensor]
) -> List[torch.Tensor]:
    """A number to the power of each tensor."""
    return [torch.pow(self, tensor) for tensor in exponent]
