"""Gradients of fake quantization by learned scales and zero points.

The formulas are those of Esser et al. (2020), "Learned Step Size Quantization", as PyTorch's kernels
for CPUs (`FakeQuantPerTensorAffine.cpp`, `FakeQuantPerChannelAffine.cpp`) compute them, in float32.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.families.decompositions.networks.fake_quantized_values import (
    of_channels,
)
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype


def check(
    grad: torch.Tensor, self: torch.Tensor, scale: torch.Tensor, quant_min: int, quant_max: int
) -> None:
    """Raise unless PyTorch accepts the operands."""
    assert self.dtype == torch.float32 or self.dtype == torch.bfloat16, "of these floats"
    assert grad.dtype == self.dtype, "the gradients of the same dtype"
    assert scale.dtype == torch.float32 or scale.dtype == self.dtype, "scales are of float32"
    assert grad.size() == self.size(), "`X` and `dY` are not the same size"
    assert quant_min <= 0 and quant_max >= 0, "the quantization range should include 0"
    # Kernels compare integers, and some have 32 bits.
    assert quant_min >= -16777216 and quant_max <= 16777216, "bounds that are exact in float32"


def copies(
    self: torch.Tensor, scale: torch.Tensor, zero_point: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What PyTorch returns for an empty tensor: the operands."""
    return (
        torch.ops.aten.clone(self),
        torch.ops.aten.clone(scale),
        torch.ops.aten.clone(zero_point),
    )


def point_in_range(point: torch.Tensor, quant_min: int, quant_max: int) -> torch.Tensor:
    """Zero points that are not yet integers, within the range of quantized values."""
    is_right = torch.logical_not(torch.isnan(point))
    point = asserted(point, is_right, "`zero_point` must be between `quant_min` and `quant_max`.")
    return torch.clamp(point, float(quant_min), float(quant_max))


def gradients(
    grad: torch.Tensor,
    self: torch.Tensor,
    scale: torch.Tensor,
    point: torch.Tensor,
    quant_min: int,
    quant_max: int,
    grad_factor: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The gradients of each element, of its scale and of its zero point."""
    low, high = float(quant_min), float(quant_max)
    inverse = torch.reciprocal(scale)
    place = torch.add(torch.round(torch.mul(self, inverse)), point)
    # The kernel converts to int64, and what does not fit to the least integer.
    fits = torch.lt(place, 9223372036854775808.0)
    place = torch.where(fits, place, torch.full_like(place, -9223372036854775808.0))
    is_below, is_above = torch.lt(place, low), torch.gt(place, high)
    is_outside = torch.logical_or(is_below, is_above)
    inside = in_dtype(torch.logical_not(is_outside), torch.float32)
    steps = torch.sub(torch.clamp(place, low, high), point)
    # One rounding, as of a fused multiply-add.
    quantized = torch.mul(in_dtype(steps, torch.float64), in_dtype(scale, torch.float64))
    error = in_dtype(torch.sub(quantized, in_dtype(self, torch.float64)), torch.float32)
    within = torch.mul(torch.mul(torch.mul(grad, error), inverse), grad_factor)
    beyond = torch.mul(torch.mul(grad, steps), grad_factor)
    of_point = torch.mul(torch.mul(torch.neg(grad), scale), grad_factor)
    return (
        torch.mul(grad, inside),
        torch.where(is_outside, beyond, within),
        torch.where(is_outside, of_point, torch.zeros_like(of_point)),
    )


@decomposition("aten::_fake_quantize_learnable_per_tensor_affine_backward")
def _fake_quantize_learnable_per_tensor_affine_backward(
    grad: torch.Tensor,
    self: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    quant_min: int,
    quant_max: int,
    grad_factor: float = 1.0,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """By the first scale and zero point; a half is added to this one, and the sum truncated."""
    check(grad, self, scale, quant_min, quant_max)
    if self.numel() == 0:
        return copies(self, scale, zero_point)
    assert scale.dim() > 0 and zero_point.dim() > 0, "PyTorch selects the first elements"
    factors = in_dtype(torch.reshape(scale, [scale.numel()]), torch.float32)
    first = torch.select(torch.reshape(zero_point, [zero_point.numel()]), 0, 0)
    point = point_in_range(torch.add(in_dtype(first, torch.float32), 0.5), quant_min, quant_max)
    of_self, of_scale, of_point = gradients(
        in_dtype(grad, torch.float32),
        in_dtype(self, torch.float32),
        torch.select(factors, 0, 0),
        torch.trunc(point),
        quant_min,
        quant_max,
        grad_factor,
    )
    return (
        of_self,
        torch.reshape(torch.sum(of_scale), [1]),
        torch.reshape(torch.sum(of_point), [1]),
    )


@decomposition("aten::_fake_quantize_learnable_per_channel_affine_backward")
def _fake_quantize_learnable_per_channel_affine_backward(
    grad: torch.Tensor,
    self: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    axis: int,
    quant_min: int,
    quant_max: int,
    grad_factor: float = 1.0,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """By those of each channel, summed in the other dimensions; in all if there are no others."""
    check(grad, self, scale, quant_min, quant_max)
    if self.numel() == 0:
        return copies(self, scale, zero_point)
    assert axis >= 0, "PyTorch rejects negative axes"
    point = torch.round(in_dtype(zero_point, torch.float32))
    point = point_in_range(point, quant_min, quant_max)
    of_self, of_scale, of_point = gradients(
        in_dtype(grad, torch.float32),
        in_dtype(self, torch.float32),
        of_channels(in_dtype(scale, torch.float32), self.dim(), axis),
        of_channels(point, self.dim(), axis),
        quant_min,
        quant_max,
        grad_factor,
    )
    if self.dim() == 1:
        return of_self, torch.sum(of_scale), torch.sum(of_point)
    others: List[int] = []
    for dim in range(self.dim()):
        if dim != axis:
            others.append(dim)
    return of_self, torch.sum(of_scale, others), torch.sum(of_point, others)
