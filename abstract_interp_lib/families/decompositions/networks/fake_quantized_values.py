"""Fake quantization: values are rounded as if they were quantized, and remain floats.

As in PyTorch's kernels for CPUs, scales are of float32, 16-bit floats are computed in float32, and
a NaN is quantized to the least value.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    asserted,
    computation_dtype,
    in_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


def parameter_of(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """A tensor of one element as a 0-dim one."""
    shape: List[int] = []
    return in_dtype(torch.reshape(self, shape), dtype)


def integer_of(self: torch.Tensor, least: int, most: int) -> torch.Tensor:
    """The integer of a tensor of one element, which a kernel converts to C++'s."""
    shape: List[int] = []
    value = torch.reshape(self, shape)
    is_right = torch.logical_and(torch.ge(value, least), torch.le(value, most))
    return asserted(value, is_right, "value cannot be converted to type int without overflow")


def scale_of(scale: float) -> torch.Tensor:
    """A scale as the float32 that kernels compute with."""
    shape: List[int] = []
    return torch.full(shape, scale, dtype=torch.float32)


def point_of(zero_point: int) -> torch.Tensor:
    """A zero point as a tensor."""
    shape: List[int] = []
    return torch.full(shape, zero_point, dtype=torch.int32)


def places(self: torch.Tensor, scale: torch.Tensor, point: torch.Tensor) -> torch.Tensor:
    """The quantized values, not yet limited to their range.

    A zero point that is an integer is added to the rounded value, another one before.
    """
    wide = computation_dtype(self.dtype)
    scaled = torch.mul(in_dtype(self, wide), in_dtype(torch.reciprocal(scale), wide))
    if is_integral(point.dtype):
        return torch.add(torch.round(scaled), in_dtype(point, wide))
    return torch.round(torch.add(scaled, in_dtype(point, wide)))


def limited(
    place: torch.Tensor,
    scale: torch.Tensor,
    point: torch.Tensor,
    quant_min: int,
    quant_max: int,
    dtype: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Quantized values in their range as floats of a dtype, and whether they were in it."""
    low, high = float(quant_min), float(quant_max)
    inside = torch.where(torch.gt(place, low), place, torch.full_like(place, low))
    inside = torch.where(torch.lt(inside, high), inside, torch.full_like(place, high))
    shifted = torch.sub(inside, in_dtype(point, place.dtype))
    found = in_dtype(torch.mul(shifted, in_dtype(scale, place.dtype)), dtype)
    return found, torch.logical_and(torch.ge(place, low), torch.le(place, high))


@decomposition("aten::fake_quantize_per_tensor_affine_cachemask")
def by_numbers_with_mask(
    self: torch.Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """By one scale and zero point."""
    factor, point = scale_of(scale), point_of(zero_point)
    place = in_dtype(places(self, factor, point), torch.float32)
    return limited(place, factor, point, quant_min, quant_max, self.dtype)


@decomposition("aten::fake_quantize_per_tensor_affine")
def by_numbers(
    self: torch.Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int
) -> torch.Tensor:
    """By one scale and zero point."""
    return by_numbers_with_mask(self, scale, zero_point, quant_min, quant_max)[0]


@decomposition("aten::fake_quantize_per_tensor_affine.tensor_qparams")
def by_tensors(
    self: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    quant_min: int,
    quant_max: int,
) -> torch.Tensor:
    """By one scale and zero point, which are elements of tensors."""
    factor = parameter_of(scale, torch.float32)
    point = in_dtype(integer_of(zero_point, -2147483648, 2147483647), torch.int32)
    place = in_dtype(places(self, factor, point), torch.float32)
    return limited(place, factor, point, quant_min, quant_max, self.dtype)[0]


@decomposition("aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams")
def by_tensors_with_mask(
    self: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    fake_quant_enabled: torch.Tensor,
    quant_min: int,
    quant_max: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """By elements of tensors, unless another element says that values remain as they are."""
    factor = parameter_of(scale, torch.float32)
    point = in_dtype(integer_of(zero_point, -2147483648, 2147483647), torch.int32)
    place = in_dtype(places(self, factor, point), torch.float32)
    found, mask = limited(place, factor, point, quant_min, quant_max, self.dtype)
    enabled = integer_of(fake_quant_enabled, -2147483648, 2147483647)
    disabled = torch.eq(in_dtype(enabled, torch.int64), 0)
    return torch.where(disabled, self, found), torch.logical_or(mask, disabled)


def of_channels(parameters: torch.Tensor, rank: int, axis: int) -> torch.Tensor:
    """One parameter per entry of a dimension, with the others as unit dimensions."""
    shape: List[int] = []
    for _ in range(rank):
        shape.append(1)
    shape[axis] = parameters.size(0)
    return torch.reshape(parameters, shape)


@decomposition("aten::fake_quantize_per_channel_affine_cachemask")
def by_channels_with_mask(
    self: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    axis: int,
    quant_min: int,
    quant_max: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """By a scale and a zero point per channel."""
    factor = of_channels(in_dtype(scale, torch.float32), self.dim(), axis)
    checked = zero_point
    if is_integral(zero_point.dtype):
        is_within = torch.ge(zero_point, quant_min)
        is_within = torch.logical_and(is_within, torch.le(zero_point, quant_max))
        said = "`zero_point` must be between `quant_min` and `quant_max`."
        checked = asserted(zero_point, is_within, said)
    point = of_channels(checked, self.dim(), axis)
    place = places(self, factor, point)
    # The kernel converts to int64, and what does not fit to the least integer.
    fits = torch.lt(place, 9223372036854775808.0)
    place = torch.where(fits, place, torch.full_like(place, -9223372036854775808.0))
    return limited(place, factor, point, quant_min, quant_max, self.dtype)


@decomposition("aten::fake_quantize_per_channel_affine")
def by_channels(
    self: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    axis: int,
    quant_min: int,
    quant_max: int,
) -> torch.Tensor:
    """By a scale and a zero point per channel."""
    return by_channels_with_mask(self, scale, zero_point, axis, quant_min, quant_max)[0]


def learned_points(zero_point: torch.Tensor, quant_min: int, quant_max: int) -> torch.Tensor:
    """Learned zero points, which are floats, as integers in the range of quantized values."""
    rounded = torch.round(in_dtype(zero_point, torch.float32))
    is_right = torch.logical_not(torch.isnan(rounded))
    rounded = asserted(
        rounded, is_right, "`zero_point` must be between `quant_min` and `quant_max`."
    )
    return in_dtype(torch.clamp(rounded, float(quant_min), float(quant_max)), torch.int32)


@decomposition("aten::_fake_quantize_learnable_per_tensor_affine")
def by_learned_numbers(
    self: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    quant_min: int,
    quant_max: int,
    grad_factor: float = 1.0,
) -> torch.Tensor:
    """By a scale and a zero point that are learned."""
    # PyTorch reads the first element, also of several.
    first = torch.select(torch.reshape(scale, [scale.numel()]), 0, 0)
    points = learned_points(torch.reshape(zero_point, [zero_point.numel()]), quant_min, quant_max)
    return by_tensors(self, first, torch.select(points, 0, 0), quant_min, quant_max)


@decomposition("aten::_fake_quantize_learnable_per_channel_affine")
def by_learned_channels(
    self: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    axis: int,
    quant_min: int,
    quant_max: int,
    grad_factor: float = 1.0,
) -> torch.Tensor:
    """By a scale and a zero point per channel that are learned."""
    point = learned_points(zero_point, quant_min, quant_max)
    return by_channels(self, scale, point, axis, quant_min, quant_max)
