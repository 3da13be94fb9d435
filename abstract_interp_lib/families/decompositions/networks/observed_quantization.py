"""Fake quantization by the moving averages of the extremes that are observed.

As in PyTorch's kernel for CPUs (`fused_obs_fake_quant.cpp`), the scale and zero point of a range
are those of asymmetric quantization (Jacob et al., 2018), of which zero has an exact value.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.families.decompositions.networks.fake_quantized_values import (
    by_channels_with_mask,
    integer_of,
    limited,
    places,
)
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def is_switched_on(switch: torch.Tensor) -> torch.Tensor:
    """Whether the integer of a tensor of one element is not 0."""
    value = integer_of(switch, -2147483648, 2147483647)
    return torch.ne(in_dtype(value, torch.int64), 0)


def averaged(
    running: torch.Tensor, observed: torch.Tensor, is_on: torch.Tensor, averaging_const: float
) -> torch.Tensor:
    """A moving average with what is observed, by which the first one, an infinity, is replaced."""
    step = torch.mul(torch.sub(observed, running), averaging_const)
    found = torch.where(torch.isinf(running), observed, torch.add(running, step))
    return torch.where(is_on, found, running)


def scale_and_point(
    least: torch.Tensor, greatest: torch.Tensor, quant_min: int, quant_max: int, is_symmetric: bool
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The scale and the zero point of a range; one that is too narrow is widened."""
    zero = torch.zeros_like(least)
    low, high = torch.minimum(least, zero), torch.maximum(greatest, zero)
    is_around = torch.logical_and(torch.lt(low, 0.0), torch.gt(high, 0.0))
    span = float(quant_max - quant_min)
    if is_symmetric:
        below, above = float((quant_max - quant_min) // 2 + 1), float((quant_max - quant_min) // 2)
        half = torch.maximum(torch.abs(torch.div(low, below)), torch.abs(torch.div(high, above)))
        low = torch.where(is_around, torch.mul(half, -below), low)
        high = torch.where(is_around, torch.mul(half, above), high)
    wide = torch.sub(in_dtype(high, torch.float64), in_dtype(low, torch.float64))
    scale = in_dtype(torch.div(wide, span), torch.float32)
    has_no_inverse = torch.isinf(torch.reciprocal(scale))
    scale = torch.where(has_no_inverse, torch.full_like(scale, 0.1), scale)
    # The smallest scale, that of normal numbers in float16.
    smallest = 6.1e-5
    ratio = torch.div(torch.full_like(scale, smallest), scale)
    is_small = torch.lt(scale, torch.full_like(scale, smallest))
    whole = torch.full_like(scale, smallest * span)
    wider_low = torch.where(torch.eq(high, 0.0), torch.neg(whole), torch.mul(low, ratio))
    wider_low = torch.where(torch.eq(low, 0.0), low, wider_low)
    wider_high = torch.where(torch.eq(high, 0.0), high, torch.mul(high, ratio))
    wider_high = torch.where(torch.eq(low, 0.0), whole, wider_high)
    low = torch.where(is_small, wider_low, low)
    high = torch.where(is_small, wider_high, high)
    scale = torch.where(is_small, torch.full_like(scale, smallest), scale)
    # Of both ends that one gives the zero point whose own rounding error is smaller.
    divisor = in_dtype(scale, torch.float64)
    first = torch.div(in_dtype(low, torch.float64), divisor)
    last = torch.div(in_dtype(high, torch.float64), divisor)
    first_error = torch.rsub(torch.abs(first), float(abs(quant_min)))
    last_error = torch.rsub(torch.abs(last), float(abs(quant_max)))
    point = torch.where(
        torch.lt(first_error, last_error),
        torch.rsub(first, float(quant_min)),
        torch.rsub(last, float(quant_max)),
    )
    if is_symmetric:
        middle = torch.full_like(point, float(quant_min + quant_max) / 2.0)
        point = torch.where(is_around, middle, point)
    point = torch.round(torch.clamp(point, float(quant_min), float(quant_max)))
    return scale, in_dtype(point, torch.int32)


def extremes(self: torch.Tensor, axis: int, is_per_row: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    """The least and the greatest element, or those of each channel."""
    if not is_per_row:
        return torch.reshape(torch.amin(self), [1]), torch.reshape(torch.amax(self), [1])
    dims: List[int] = []
    for dim in range(self.dim()):
        if dim != axis:
            dims.append(dim)
    return torch.amin(self, dims), torch.amax(self, dims)


@decomposition("aten::_fused_moving_avg_obs_fq_helper_functional")
def _fused_moving_avg_obs_fq_helper_functional(
    self: torch.Tensor,
    observer_on: torch.Tensor,
    fake_quant_on: torch.Tensor,
    running_min: torch.Tensor,
    running_max: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    averaging_const: float,
    quant_min: int,
    quant_max: int,
    ch_axis: int,
    per_row_fake_quant: bool = False,
    symmetric_quant: bool = False,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The quantized values, whether they were in the range, and the statistics, updated.

    Either part, observation and quantization, may be switched off.
    """
    assert running_min.dtype == torch.float32 and running_max.dtype == torch.float32, "of float32"
    assert scale.dtype == torch.float32 and zero_point.dtype == torch.int32, "of float32 and int32"
    assert quant_min < quant_max and quant_min <= 0 and quant_max >= 0, "a range with 0"
    # Kernels compare integers, and some have 32 bits.
    assert quant_min >= -16777216 and quant_max <= 16777216, "bounds that are exact in float32"
    shape = running_min.size()
    assert len(shape) == 1 and running_max.size() == shape, "statistics have one dimension"
    assert scale.size() == shape and zero_point.size() == shape, "parameters have one dimension"
    if per_row_fake_quant:
        assert ch_axis >= 0 and self.dim() > 1, "channels, and others"
        assert shape[0] == self.size(ch_axis), "one statistic per channel"
    else:
        assert shape[0] == 1, "one statistic"
    observes, quantizes = is_switched_on(observer_on), is_switched_on(fake_quant_on)
    least, greatest = running_min, running_max
    # PyTorch observes the rows of matrices, whichever dimension has channels.
    has_rows = not per_row_fake_quant or ch_axis == 0 or self.dim() != 2
    if self.dtype == torch.float32 and self.numel() > 0 and has_rows:
        lows, highs = extremes(self, ch_axis, per_row_fake_quant)
        least = averaged(running_min, lows, observes, averaging_const)
        greatest = averaged(running_max, highs, observes, averaging_const)
    else:
        is_off = torch.logical_not(observes)
        least = asserted(least, is_off, "only float32 is observed, not an empty tensor or columns")
    if is_integral(self.dtype) or is_complex(self.dtype):
        least = asserted(least, torch.logical_not(quantizes), "only floats are quantized")
        mask = torch.ones_like(self, dtype=torch.bool)
        return torch.ops.aten.clone(self), mask, least, greatest, scale, zero_point
    is_right = torch.logical_and(torch.isfinite(least), torch.isfinite(greatest))
    is_right = torch.logical_or(is_right, torch.logical_not(quantizes))
    low = asserted(least, is_right, "the observed range must be finite")
    # Nothing is chosen for other ranges, which may have no zero point.
    low = torch.where(quantizes, low, torch.zeros_like(low))
    high = torch.where(quantizes, greatest, torch.zeros_like(low))
    new_scale, new_point = scale_and_point(low, high, quant_min, quant_max, symmetric_quant)
    if per_row_fake_quant:
        found, mask = by_channels_with_mask(
            self, new_scale, new_point, ch_axis, quant_min, quant_max
        )
    else:
        place = places(self, new_scale, new_point)
        found, mask = limited(place, new_scale, new_point, quant_min, quant_max, self.dtype)
    return (
        torch.where(quantizes, found, self),
        torch.logical_or(mask, torch.logical_not(quantizes)),
        least,
        greatest,
        torch.where(quantizes, new_scale, scale),
        torch.where(quantizes, new_point, zero_point),
    )
