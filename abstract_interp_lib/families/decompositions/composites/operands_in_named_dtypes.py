"""Conversions to a dtype that an operator names: `_cast_Half`, `to.other`, `float_power`."""

from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_complex,
    promote_with_number,
)


@decomposition("aten::_cast_Byte")
def as_uint8(self: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Elements as uint8."""
    return in_dtype(self, torch.uint8)


@decomposition("aten::_cast_Char")
def as_int8(self: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Elements as int8."""
    return in_dtype(self, torch.int8)


@decomposition("aten::_cast_Short")
def as_int16(self: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Elements as int16."""
    return in_dtype(self, torch.int16)


@decomposition("aten::_cast_Int")
def as_int32(self: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Elements as int32."""
    return in_dtype(self, torch.int32)


@decomposition("aten::_cast_Long")
def as_int64(self: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Elements as int64."""
    return in_dtype(self, torch.int64)


@decomposition("aten::_cast_Half")
def as_float16(self: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Elements as float16."""
    return in_dtype(self, torch.float16)


@decomposition("aten::_cast_Float")
def as_float32(self: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Elements as float32."""
    return in_dtype(self, torch.float32)


@decomposition("aten::_cast_Double")
def as_float64(self: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Elements as float64."""
    return in_dtype(self, torch.float64)


@decomposition("aten::to.other")
def to_other(
    self: torch.Tensor,
    other: torch.Tensor,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Optional[int] = None,
) -> torch.Tensor:
    """Elements in the dtype of another tensor; all tensors of a program have one device."""
    return torch.ops.aten.to(self, other.dtype, non_blocking, copy, memory_format)


@decomposition("aten::_autocast_to_full_precision")
def autocast_to_full_precision(
    self: torch.Tensor, cuda_enabled: bool, cpu_enabled: bool
) -> torch.Tensor:
    """Half precision becomes float32 where it is enabled."""
    if self.dtype != torch.float16 and self.dtype != torch.bfloat16:
        return self
    assert cuda_enabled == cpu_enabled, "the device is not known"
    return in_dtype(self, torch.float32) if cpu_enabled else self


@decomposition("aten::_autocast_to_reduced_precision")
def autocast_to_reduced_precision(
    self: torch.Tensor, cuda_enabled: bool, cpu_enabled: bool, cuda_dtype: int, cpu_dtype: int
) -> torch.Tensor:
    """float32 becomes another dtype where it is enabled."""
    if self.dtype != torch.float32 or not (cuda_enabled or cpu_enabled):
        return self
    assert cuda_enabled == cpu_enabled and cuda_dtype == cpu_dtype, "the device is not known"
    return in_dtype(self, cpu_dtype)


def as_real_power(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """An operand of a power of real numbers."""
    assert not is_complex(dtype), "powers of complex numbers are not computed here"
    return in_dtype(self, torch.float64)


@decomposition("aten::float_power.Tensor_Scalar")
def float_power(self: torch.Tensor, exponent: Union[int, float, complex]) -> torch.Tensor:
    """A power, in float64."""
    dtype = promote_with_number((self.dim(), self.dtype), exponent)
    return torch.pow(as_real_power(self, dtype), exponent)


@decomposition("aten::float_power.Tensor_Tensor")
def float_power_tensors(self: torch.Tensor, exponent: torch.Tensor) -> torch.Tensor:
    """A power, in float64."""
    return torch.pow(as_real_power(self, self.dtype), as_real_power(exponent, exponent.dtype))


def as_operand(number: Union[int, float, complex], tensor: torch.Tensor) -> torch.Tensor:
    """A number as a tensor of the floating-point dtype that it has with another."""
    dtype = int_to_float(promote_with_number((tensor.dim(), tensor.dtype), number))
    return torch.full([], number, dtype=dtype)


def xlogy_of_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """`xlogy` with a number."""
    number = as_operand(other, self)
    return torch.xlogy(in_dtype(self, number.dtype), number)


decomposition_family(
    xlogy_of_number, "aten::xlogy.Scalar_Other", "aten::special_xlogy.other_scalar"
)


def number_xlogy(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """`xlogy` of a number."""
    number = as_operand(self, other)
    return torch.xlogy(number, in_dtype(other, number.dtype))


decomposition_family(number_xlogy, "aten::xlogy.Scalar_Self", "aten::special_xlogy.self_scalar")


def xlog1py_of_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """`xlog1py` with a number."""
    number = as_operand(other, self)
    return torch.ops.aten.special_xlog1py(in_dtype(self, number.dtype), number)


decomposition_family(xlog1py_of_number, "aten::special_xlog1py.other_scalar")


def number_xlog1py(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """`xlog1py` of a number."""
    number = as_operand(self, other)
    return torch.ops.aten.special_xlog1py(number, in_dtype(other, number.dtype))


decomposition_family(number_xlog1py, "aten::special_xlog1py.self_scalar")
