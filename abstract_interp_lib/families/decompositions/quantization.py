"""The operators of `quantized_decomposed`, computed by others.

The order of operations is that of PyTorch's reference kernels, so quantized values are the same:
an element is multiplied by the reciprocal of the scale, not divided by it. Scales that are read from
tensors of one element are Python floats in PyTorch: their reciprocal is rounded to float64 first.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import (
    asserted,
    computation_dtype,
    computed_in,
    in_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_complex,
    is_float8,
    is_integral,
    promote_dtypes,
)


def as_number(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """A tensor of one element as a 0-dim one."""
    shape: List[int] = []
    return in_dtype(torch.reshape(self, shape), dtype)


def check_decomposable(dtype: int) -> None:
    """Raise unless quantized values are integers or 8-bit floats."""
    assert is_integral(dtype) or is_float8(dtype), "PyTorch quantizes to no other dtypes"


def greatest_of(dtype: int) -> int:
    """The greatest integer of a dtype."""
    if dtype == torch.uint8:
        return 255
    if dtype == torch.int8:
        return 127
    if dtype == torch.int16:
        return 32767
    assert dtype == torch.int32, "PyTorch knows the bounds of no other dtype"
    return 2147483647


def rounded(
    scaled: torch.Tensor, zero_point: torch.Tensor, quant_min: float, quant_max: float, dtype: int
) -> torch.Tensor:
    """Scaled float32 elements as quantized values."""
    shifted = torch.add(torch.round(scaled), zero_point)
    return in_dtype(torch.clamp(shifted, quant_min, quant_max), dtype)


@decomposition("quantized_decomposed::quantize_per_tensor")
def quantize_per_tensor(
    input: torch.Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: int
) -> torch.Tensor:
    """Times the reciprocal of the scale, rounded to even, plus the zero point."""
    check_decomposable(dtype)
    # PyTorch raises ZeroDivisionError.
    assert scale != 0.0, "the scale must not be zero"
    scaled = torch.mul(in_dtype(input, torch.float32), 1.0 / scale)
    shifted = torch.add(torch.round(scaled), float(zero_point))
    return in_dtype(torch.clamp(shifted, float(quant_min), float(quant_max)), dtype)


@decomposition("quantized_decomposed::quantize_per_tensor.tensor")
def quantize_per_tensor_tensor(
    input: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    quant_min: int,
    quant_max: int,
    dtype: int,
) -> torch.Tensor:
    """As `quantize_per_tensor`, with parameters that are elements of tensors."""
    check_decomposable(dtype)
    inverse = in_dtype(torch.reciprocal(as_number(scale, torch.float64)), torch.float32)
    scaled = torch.mul(in_dtype(input, torch.float32), inverse)
    point = as_number(zero_point, torch.float32)
    return rounded(scaled, point, float(quant_min), float(quant_max), dtype)


@decomposition("quantized_decomposed::quantize_per_tensor.tensor2")
def quantize_per_tensor_tensor2(
    input: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    quant_min: torch.Tensor,
    quant_max: torch.Tensor,
    dtype: int,
) -> torch.Tensor:
    """As `quantize_per_tensor.tensor`; the bounds are elements of tensors, too."""
    check_decomposable(dtype)
    inverse = in_dtype(torch.reciprocal(as_number(scale, torch.float64)), torch.float32)
    scaled = torch.round(torch.mul(in_dtype(input, torch.float32), inverse))
    shifted = torch.add(scaled, as_number(zero_point, torch.float32))
    high = greatest_of(dtype)
    low = 0 if dtype == torch.uint8 else -1 - high
    is_right = torch.logical_and(torch.ge(quant_min, low), torch.le(quant_max, high))
    shifted = asserted(shifted, is_right, "quant_min or quant_max is out of bounds for the dtype")
    least = torch.maximum(shifted, as_number(quant_min, torch.float32))
    return in_dtype(torch.minimum(least, as_number(quant_max, torch.float32)), dtype)


def result_dtype(out_dtype: Optional[int]) -> int:
    """float32 unless another dtype is asked for, in which PyTorch computes a difference first."""
    result: int = torch.float32
    if out_dtype is not None:
        result = out_dtype
    assert not is_complex(result) and not is_integral(result), "the result is of a float dtype"
    return result


@decomposition("quantized_decomposed::dequantize_per_tensor")
def dequantize_per_tensor(
    input: torch.Tensor,
    scale: float,
    zero_point: int,
    quant_min: int,
    quant_max: int,
    dtype: int,
    out_dtype: Optional[int] = None,
) -> torch.Tensor:
    """The difference to the zero point, in the result's dtype, times the scale."""
    check_decomposable(dtype)
    result = result_dtype(out_dtype)
    wide = computation_dtype(result)
    values = in_dtype(in_dtype(input, result), wide)
    # Kernels for 16 bits round their result, not their numbers.
    shifted = in_dtype(in_dtype(torch.sub(values, float(zero_point)), result), wide)
    return in_dtype(torch.mul(shifted, scale), result)


def dequantize_by_tensors(
    input: torch.Tensor,
    scale: torch.Tensor,
    zero_point: torch.Tensor,
    dtype: int,
    out_dtype: Optional[int] = None,
) -> torch.Tensor:
    """As `dequantize_per_tensor`, with parameters that are elements of tensors."""
    check_decomposable(dtype)
    result = result_dtype(out_dtype)
    wide = computation_dtype(result)
    values = in_dtype(in_dtype(input, result), wide)
    # Python's numbers are converted to the dtype that the kernel computes in.
    difference = torch.sub(values, as_number(zero_point, wide))
    shifted = in_dtype(in_dtype(difference, result), wide)
    return in_dtype(torch.mul(shifted, as_number(scale, wide)), result)


decomposition_family(
    dequantize_by_tensors,
    "quantized_decomposed::dequantize_per_tensor.tensor",
    "quantized_decomposed::dequantize_per_tensor.tensor2",
)


def along_axis(parameters: torch.Tensor, rank: int, axis: int) -> torch.Tensor:
    """One parameter per entry of a dimension, with the others as unit dimensions."""
    shape: List[int] = []
    for _ in range(rank):
        shape.append(1)
    shape[axis] = parameters.size(0)
    return torch.reshape(parameters, shape)


def float_of(dtype: int) -> int:
    """The dtype of a reciprocal; PyTorch computes those of 16 bits with an intermediate rounding."""
    assert dtype != torch.float16 and dtype != torch.bfloat16, "parameters are not of 16 bits"
    return int_to_float(dtype)


@decomposition("quantized_decomposed::quantize_per_channel")
def quantize_per_channel(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: torch.Tensor,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: int,
) -> torch.Tensor:
    """As `quantize_per_tensor`, by the parameters of each channel."""
    check_decomposable(dtype)
    wide = float_of(scales.dtype)
    inverse = torch.reciprocal(in_dtype(along_axis(scales, input.dim(), axis), wide))
    scaled = torch.mul(in_dtype(in_dtype(input, torch.float32), wide), inverse)
    points = along_axis(zero_points, input.dim(), axis)
    ranks: List[Optional[int]] = [1, 1]
    sums = promote_dtypes(ranks, [wide, points.dtype])
    point = in_dtype(points, sums)
    return rounded(in_dtype(scaled, sums), point, float(quant_min), float(quant_max), dtype)


@decomposition("quantized_decomposed::dequantize_per_channel")
def dequantize_per_channel(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: Optional[torch.Tensor],
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: int,
    out_dtype: Optional[int] = None,
) -> torch.Tensor:
    """The difference to the zero point, which is exact, times the scale; then converted."""
    check_decomposable(dtype)
    if zero_points is not None:
        points = along_axis(zero_points, input.dim(), axis)
        return times_scales(
            difference(input, points),
            along_axis(scales, input.dim(), axis),
            result_dtype(out_dtype),
        )
    return times_scales(input, along_axis(scales, input.dim(), axis), result_dtype(out_dtype))


def difference(input: torch.Tensor, points: torch.Tensor) -> torch.Tensor:
    """The difference of quantized values and zero points in the dtype that they promote to."""
    ranks: List[Optional[int]] = [1, 1]
    wide = promote_dtypes(ranks, [input.dtype, points.dtype])
    return torch.sub(in_dtype(input, wide), in_dtype(points, wide))


def times_scales(values: torch.Tensor, scales: torch.Tensor, result: int) -> torch.Tensor:
    """The product in the dtype that both promote to, converted."""
    ranks: List[Optional[int]] = [1, 1]
    wide = float_of(promote_dtypes(ranks, [values.dtype, scales.dtype]))
    return in_dtype(torch.mul(in_dtype(values, wide), in_dtype(scales, wide)), result)


@decomposition("quantized_decomposed::fake_quant_per_channel")
def fake_quant_per_channel(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: torch.Tensor,
    axis: int,
    quant_min: int,
    quant_max: int,
) -> torch.Tensor:
    """Quantized and dequantized, without a conversion between."""
    assert axis >= 0 and scales.dim() == 1 and zero_points.dim() == 1, "one parameter per channel"
    scale = in_dtype(along_axis(scales, input.dim(), axis), torch.float32)
    point = in_dtype(along_axis(zero_points, input.dim(), axis), torch.int32)
    point = in_dtype(point, torch.float32)
    shifted = torch.add(torch.round(torch.mul(input, torch.reciprocal(scale))), point)
    inside = torch.clamp(shifted, float(quant_min), float(quant_max))
    return torch.mul(torch.sub(inside, point), scale)


def by_parts(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: torch.Tensor,
    quant_min: int,
    quant_max: int,
    dtype: int,
) -> torch.Tensor:
    """Quantized by tensors of parameters, with the zero point added before rounding."""
    check_decomposable(dtype)
    ranks: List[Optional[int]] = [1, 1]
    inverse = torch.reciprocal(in_dtype(scales, float_of(scales.dtype)))
    wide = float_of(promote_dtypes(ranks, [input.dtype, inverse.dtype]))
    scaled = torch.mul(in_dtype(input, wide), in_dtype(inverse, wide))
    sums = float_of(promote_dtypes(ranks, [wide, zero_points.dtype]))
    shifted = torch.round(torch.add(in_dtype(scaled, sums), in_dtype(zero_points, sums)))
    return in_dtype(torch.clamp(shifted, float(quant_min), float(quant_max)), dtype)


@decomposition("quantized_decomposed::quantize_per_token")
def quantize_per_token(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: torch.Tensor,
    quant_min: int,
    quant_max: int,
    dtype: int,
) -> torch.Tensor:
    """By the parameters of each row."""
    return by_parts(input, scales, zero_points, quant_min, quant_max, dtype)


@decomposition("quantized_decomposed::dequantize_per_token")
def dequantize_per_token(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: torch.Tensor,
    quant_min: int,
    quant_max: int,
    dtype: int,
    output_dtype: int,
) -> torch.Tensor:
    """The difference to the zero points, times the scales, converted."""
    check_decomposable(input.dtype)
    assert not is_complex(output_dtype) and not is_integral(output_dtype), "a float dtype"
    return times_scales(difference(input, zero_points), scales, output_dtype)


def group_length(row: int, scales: torch.Tensor, group_size: int) -> int:
    """The size of a group: that of a row if it is shorter and has one scale."""
    size = group_size
    if size > row and scales.size(-1) == 1:
        size = row
    return size


@decomposition("quantized_decomposed::dequantize_per_channel_group")
def dequantize_per_channel_group(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: Optional[torch.Tensor],
    quant_min: int,
    quant_max: int,
    dtype: int,
    group_size: int,
    output_dtype: int,
) -> torch.Tensor:
    """The difference to the zero point of each group of a row, times its scale, converted."""
    check_decomposable(input.dtype)
    assert not is_complex(output_dtype) and not is_integral(output_dtype), "a float dtype"
    size = group_length(input.size(1), scales, group_size)
    grouped = torch.reshape(input, [-1, size])
    # Without zero points PyTorch subtracts a 0-dim zero, which does not promote.
    if zero_points is not None:
        grouped = difference(grouped, torch.reshape(zero_points, [-1, 1]))
    found = times_scales(grouped, torch.reshape(scales, [-1, 1]), output_dtype)
    return torch.reshape(found, [input.size(0), input.size(1)])


@decomposition("quantized_decomposed::quantize_per_channel_group")
def quantize_per_channel_group(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: torch.Tensor,
    quant_min: int,
    quant_max: int,
    dtype: int,
    group_size: int,
) -> torch.Tensor:
    """Each group of a row over its scale, with its zero point added before it is rounded."""
    assert input.dtype == torch.float32 or input.dtype == torch.float64, (
        "16-bit floats have intermediate roundings"
    )
    assert not is_integral(scales.dtype) and not is_complex(scales.dtype), "real scales"
    size = group_length(input.size(1), scales, group_size)
    grouped = torch.reshape(input, [-1, size])
    # PyTorch raises for a NaN: there is no second element to select.
    is_invalid = torch.reshape(torch.any(torch.isnan(grouped)), [1])
    zero = torch.zeros([1], dtype=input.dtype)
    nothing = torch.index_select(zero, 0, in_dtype(is_invalid, torch.int64))
    places = torch.mul(grouped, torch.reciprocal(torch.reshape(scales, [-1, 1])))
    places = torch.add(places, torch.reshape(zero_points, [-1, 1]))
    places = torch.round(torch.add(places, nothing))
    found = torch.clamp(places, quant_min, quant_max)
    return torch.reshape(in_dtype(found, dtype), [input.size(0), input.size(1)])


# Parameters from the values of a tensor.
def extremes_with_zero(input: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """The least and greatest element, or zero."""
    least, greatest = torch.aminmax(input)
    zero = torch.zeros_like(least)
    return torch.minimum(least, zero), torch.maximum(greatest, zero)


@decomposition("quantized_decomposed::choose_qparams.tensor")
def choose_qparams(
    input: torch.Tensor, quant_min: int, quant_max: int, eps: float, dtype: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The range of the elements over that of the quantized values, and where zero is in it."""
    assert input.dtype == torch.float32, "16-bit floats have intermediate roundings"
    least, greatest = extremes_with_zero(input)
    scale = torch.div(torch.sub(greatest, least), float(quant_max - quant_min))
    scale = torch.reshape(at_least(scale, eps), [1])
    places = torch.round(torch.div(torch.reshape(least, [1]), scale))
    point = torch.rsub(in_dtype(places, torch.int32), quant_min)
    point = torch.clamp(point, quant_min, quant_max)
    return in_dtype(scale, torch.float64), in_dtype(point, torch.int64)


@decomposition("quantized_decomposed::choose_qparams_symmetric.tensor")
def choose_qparams_symmetric(
    input: torch.Tensor, quant_min: int, quant_max: int, eps: float, dtype: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The greatest magnitude over half of the quantized values; zero is in the middle."""
    assert input.dtype == torch.float32, "16-bit floats have intermediate roundings"
    least, greatest = extremes_with_zero(input)
    largest = torch.maximum(torch.neg(least), greatest)
    scale = at_least(torch.div(largest, float(quant_max - quant_min) / 2), eps)
    scale = torch.reshape(scale, [1])
    middle = 128 if dtype == torch.uint8 else 0
    point = torch.full([1], middle, dtype=torch.int64)
    return in_dtype(scale, torch.float64), point


def at_least(scale: torch.Tensor, eps: float) -> torch.Tensor:
    """A scale of at least `eps` as a float32; a NaN remains one."""
    return torch.clamp(scale, eps)


@decomposition("quantized_decomposed::choose_qparams_per_token")
def choose_qparams_per_token(input: torch.Tensor, dtype: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """The greatest magnitude of each row over 127, and zeros."""
    assert input.dtype == torch.float32 or input.dtype == torch.float64, (
        "integers overflow, and 16-bit floats have intermediate roundings"
    )
    assert dtype == torch.int8, "PyTorch rejects others"
    scales = torch.div(torch.clamp(torch.amax(torch.abs(input), [-1], True), 1e-5), 127.0)
    return scales, torch.zeros_like(scales)


def rounded_to(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """Floats, computed in a wider dtype, with the precision of another one."""
    return computed_in(self, dtype)


def choose_asymmetric_token(input: torch.Tensor, dtype: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """The range of each row over 255, and where zero is in it.

    PyTorch computes them step by step in the dtype of the input, or in float32 for integers.
    """
    assert input.dtype != torch.bool and not is_complex(input.dtype), "PyTorch has no difference"
    step = int_to_float(input.dtype)
    wide = computation_dtype(step)
    least = torch.amin(input, [-1], True)
    greatest = torch.amax(input, [-1], True)
    zero = torch.zeros_like(least)
    least = torch.minimum(least, zero)
    greatest = torch.maximum(greatest, zero)
    if is_integral(input.dtype):
        span = in_dtype(torch.sub(greatest, least), wide)
        least, greatest = in_dtype(least, wide), in_dtype(greatest, wide)
    else:
        least, greatest = in_dtype(least, wide), in_dtype(greatest, wide)
        span = rounded_to(torch.sub(greatest, least), step)
    # The epsilon of float32.
    scale = torch.clamp(rounded_to(torch.div(span, 255.0), step), 1.1920928955078125e-07)
    low = rounded_to(torch.div(least, scale), step)
    high = rounded_to(torch.div(greatest, scale), step)
    first_error = rounded_to(torch.add(low, -128.0), step)
    error = rounded_to(torch.add(first_error, rounded_to(torch.add(high, 127.0), step)), step)
    first = rounded_to(torch.rsub(low, -128.0), step)
    point = torch.where(torch.gt(error, 0.0), first, rounded_to(torch.rsub(high, 127.0), step))
    point = torch.round(torch.clamp(point, -128.0, 127.0))
    return in_dtype(scale, torch.float64), in_dtype(point, torch.int64)


decomposition_family(
    choose_asymmetric_token,
    "quantized_decomposed::choose_qparams_per_token_asymmetric",
    "quantized_decomposed::_choose_qparams_per_token_asymmetric_impl",
)


@decomposition("quantized_decomposed::convert_element_type.no_fuse")
def convert_element_type(input: torch.Tensor, dtype: int) -> torch.Tensor:
    """A conversion that is not to be fused with others."""
    assert is_complex(dtype) or not is_complex(input.dtype), "the imaginary part would be lost"
    return in_dtype(input, dtype)
