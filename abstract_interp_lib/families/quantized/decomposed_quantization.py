"""The operators of `quantized_decomposed`, which programs quantized by PT2E consist of.

The rules are those of PyTorch's reference kernels (`torch.ao.quantization.fx._decomposed`), which
run on every device. The meta kernels accept more, and give other shapes and dtypes in places, so
the cases run on the CPU.
"""

from typing import List, Optional, Tuple

import torch

# Registers the operators.
import torch.ao.quantization.fx._decomposed
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.promotion import (
    is_complex,
    is_integral,
    promote_dtypes,
    real_dtype,
)
from torch_refine.abstract_interp_lib.rules.quantization import (
    check_one_element,
    check_quantizable,
    check_quantized_range,
    least_quantized,
)
from torch_refine.abstract_interp_lib.rules.sizes import append_size, product
from torch_refine.abstract_interp_lib.rules.unknown import unknown_sizes

_I8 = torch.int8
_I64 = torch.int64
_BYTES = (-128, 127, _I8)
_HALVES = (torch.float16, torch.bfloat16)
_NARROW = (torch.uint8, torch.int16, torch.uint16, torch.int32)
_SCALE = T(1, values=[0.5])
_POINT = T(1, dtype=_I64, values=[3])


# Per tensor.
def input_shape(input: List[int]) -> List[int]:
    """The shape of the input."""
    return input


def one_parameter_shape(input: List[int], scale: List[int], zero_point: List[int]) -> List[int]:
    """The shape of the input; scale and zero point are tensors of one element."""
    check_one_element(zero_point, "zero_point")
    check_one_element(scale, "scale")
    return input


def one_parameter_and_range_shape(
    input: List[int],
    scale: List[int],
    zero_point: List[int],
    quant_min: List[int],
    quant_max: List[int],
) -> List[int]:
    """As `one_parameter_shape`; the bounds of the quantized values have one element, too."""
    check_one_element(quant_min, "quant_min")
    check_one_element(quant_max, "quant_max")
    return one_parameter_shape(input, scale, zero_point)


def quantize_dtype(input: Tuple[int, int], quant_min: int, quant_max: int, dtype: int) -> int:
    """The dtype that is asked for; the range must be within its range."""
    check_quantizable(input[1])
    check_quantized_range(quant_min, quant_max, dtype)
    return dtype


def quantize_unknown_range_dtype(input: Tuple[int, int], dtype: int) -> int:
    """As `quantize_dtype`, where the range is values of tensors."""
    check_quantizable(input[1])
    least_quantized(dtype)
    return dtype


def check_stored(input: Tuple[int, int], dtype: int) -> None:
    """Raise unless the quantized values are of the dtype that is declared for them."""
    assert input[1] == dtype, f"the input must be of dtype {dtype}, got dtype {input[1]}"


def dequantized(out_dtype: Optional[int]) -> int:
    """The dtype that quantized values are converted to: float32 by default."""
    result: int = torch.float32
    if out_dtype is not None:
        result = out_dtype
    return result


def dequantize_dtype(input: Tuple[int, int], dtype: int, out_dtype: Optional[int] = None) -> int:
    """`out_dtype`, by default float32, promoted with the scale, which is a Python float."""
    check_stored(input, dtype)
    least_quantized(dtype)
    result = dequantized(out_dtype)
    assert result != torch.bool, "a zero point cannot be subtracted from out_dtype bool"
    if is_integral(result):
        result = torch.float32
    return result


def kind_of_element(dtype: int) -> int:
    """The dtype of the Python number that `item` makes of an element."""
    kind = torch.float64
    if dtype == torch.bool:
        kind = torch.bool
    elif is_integral(dtype):
        kind = torch.int64
    elif is_complex(dtype):
        kind = torch.complex128
    return kind


def dequantize_by_tensors_dtype(
    input: Tuple[int, int],
    scale: Tuple[int, int],
    zero_point: Tuple[int, int],
    dtype: int,
    out_dtype: Optional[int] = None,
) -> int:
    """As `dequantize_dtype`, with numbers of the kinds of the tensors' dtypes."""
    check_stored(input, dtype)
    least_quantized(dtype)
    result = dequantized(out_dtype)
    assert result != torch.bool, "a zero point cannot be subtracted from out_dtype bool"
    ranks: List[Optional[int]] = [input[0], None, None]
    # The schema converts both, to a float and to an int.
    return promote_dtypes(ranks, [result, kind_of_element(scale[1]), torch.int64])


_QUANTIZE_DTYPE_ERROR = [
    Invocation(T(2, dtype=torch.float64), 0.5, 0, *_BYTES, device="cpu"),
    Invocation(T(2, dtype=_I64), 0.5, 0, *_BYTES, device="cpu"),
    Invocation(T(2), 0.5, 0, -128, 127, _I64, device="cpu"),
    Invocation(T(2), 0.5, 0, -129, 127, _I8, device="cpu"),
    Invocation(T(2), 0.5, 0, -128, 128, _I8, device="cpu"),
    Invocation(T(2), 0.5, 0, 0, 449, torch.float8_e4m3fn, device="cpu"),
]
shape_family(
    input_shape,
    "quantized_decomposed::quantize_per_tensor",
    ok=[
        Invocation(T(2, 3), 0.5, 3, *_BYTES, device="cpu"),
        Invocation(T(), 0.5, 3, 0, 255, torch.uint8, device="cpu"),
        Invocation(T(0, 3), 0.5, 3, -8, 7, _I8, device="cpu"),
        *[Invocation(T(2, 3, dtype=each), 0.5, 3, *_BYTES, device="cpu") for each in _HALVES],
        *[Invocation(T(2, 3), 0.5, 3, 0, 15, each, device="cpu") for each in _NARROW],
        Invocation(T(2, 3), 0.5, 0, -448, 448, torch.float8_e4m3fn, device="cpu"),
        Invocation(T(2, 3), 0.5, 0, -57344, 57344, torch.float8_e5m2, device="cpu"),
    ],
)
dtype_family(
    quantize_dtype, "quantized_decomposed::quantize_per_tensor", error=_QUANTIZE_DTYPE_ERROR
)
shape_family(
    one_parameter_shape,
    "quantized_decomposed::quantize_per_tensor.tensor",
    ok=[
        Invocation(T(2, 3), _SCALE, _POINT, *_BYTES, device="cpu"),
        Invocation(T(), T(values=[0.5]), T(1, 1, dtype=_I64), 0, 255, torch.uint8, device="cpu"),
        Invocation(T(0, 3), T(1, 1, values=[0.25]), _POINT, *_BYTES, device="cpu"),
        Invocation(
            T(2, dtype=torch.float16),
            T(1, dtype=torch.float64, values=[0.1]),
            T(1, dtype=torch.int32),
            *_BYTES,
            device="cpu",
        ),
    ],
    error=[
        Invocation(T(2, 3), T(3), _POINT, *_BYTES, device="cpu"),
        Invocation(T(2, 3), _SCALE, T(0, dtype=_I64), *_BYTES, device="cpu"),
    ],
)
dtype_family(
    quantize_dtype,
    "quantized_decomposed::quantize_per_tensor.tensor",
    error=[
        Invocation(T(2, dtype=torch.float64), _SCALE, _POINT, *_BYTES, device="cpu"),
        Invocation(T(2), _SCALE, _POINT, -128, 127, torch.float32, device="cpu"),
        Invocation(T(2), _SCALE, _POINT, -1, 255, torch.uint8, device="cpu"),
        Invocation(T(2), _SCALE, _POINT, 0, 256, torch.uint8, device="cpu"),
    ],
)
_LEAST = T(1, dtype=_I64, values=[-128])
_GREATEST = T(1, dtype=_I64, values=[127])
shape_family(
    one_parameter_and_range_shape,
    "quantized_decomposed::quantize_per_tensor.tensor2",
    ok=[
        Invocation(T(2, 3), _SCALE, _POINT, _LEAST, _GREATEST, _I8, device="cpu"),
        Invocation(
            T(),
            T(values=[0.5]),
            T(dtype=_I64),
            T(dtype=_I64, values=[0]),
            T(dtype=_I64, values=[15]),
            torch.uint8,
            device="cpu",
        ),
        Invocation(
            T(2, dtype=torch.bfloat16), _SCALE, _POINT, _LEAST, _GREATEST, _I8, device="cpu"
        ),
    ],
    error=[
        Invocation(T(2, 3), T(3), _POINT, _LEAST, _GREATEST, _I8, device="cpu"),
        Invocation(T(2, 3), _SCALE, T(2, dtype=_I64), _LEAST, _GREATEST, _I8, device="cpu"),
        Invocation(T(2, 3), _SCALE, _POINT, T(2, dtype=_I64), _GREATEST, _I8, device="cpu"),
        Invocation(T(2, 3), _SCALE, _POINT, _LEAST, T(2, dtype=_I64), _I8, device="cpu"),
    ],
)
dtype_family(
    quantize_unknown_range_dtype,
    "quantized_decomposed::quantize_per_tensor.tensor2",
    error=[
        Invocation(T(2, dtype=_I64), _SCALE, _POINT, _LEAST, _GREATEST, _I8, device="cpu"),
        Invocation(T(2), _SCALE, _POINT, _LEAST, _GREATEST, _I64, device="cpu"),
    ],
)
_STORED = T(2, 3, dtype=_I8)
shape_family(
    input_shape,
    "quantized_decomposed::dequantize_per_tensor",
    ok=[
        Invocation(_STORED, 0.5, 3, *_BYTES, device="cpu"),
        Invocation(T(dtype=torch.uint8), 0.5, 3, 0, 255, torch.uint8, device="cpu"),
        Invocation(T(0, 3, dtype=_I8), 0.5, 3, *_BYTES, device="cpu"),
        # The range is not used.
        Invocation(_STORED, 0.5, 3, -999, 999, _I8, device="cpu"),
        *[
            Invocation(_STORED, 0.5, 3, *_BYTES, out_dtype=each, device="cpu")
            for each in (*_HALVES, torch.float64, torch.int32, torch.complex64)
        ],
        *[
            Invocation(T(2, dtype=each), 0.5, 3, 0, 7, each, device="cpu")
            for each in (*_NARROW, torch.float8_e4m3fn, torch.float8_e5m2)
        ],
    ],
)
dtype_family(
    dequantize_dtype,
    "quantized_decomposed::dequantize_per_tensor",
    error=[
        Invocation(_STORED, 0.5, 3, 0, 255, torch.uint8, device="cpu"),
        Invocation(T(2, dtype=_I64), 0.5, 3, -128, 127, _I64, device="cpu"),
        Invocation(_STORED, 0.5, 3, *_BYTES, out_dtype=torch.bool, device="cpu"),
    ],
)
shape_family(
    one_parameter_shape,
    "quantized_decomposed::dequantize_per_tensor.tensor",
    ok=[
        Invocation(_STORED, _SCALE, _POINT, *_BYTES, device="cpu"),
        Invocation(T(dtype=_I8), T(values=[0.5]), T(dtype=_I64), *_BYTES, device="cpu"),
        *[
            Invocation(
                _STORED,
                T(1, dtype=torch.float64, values=[0.1]),
                T(1, 1, dtype=torch.int32),
                *_BYTES,
                out_dtype=each,
                device="cpu",
            )
            for each in (*_HALVES, torch.float64, torch.int32)
        ],
        # An integral scale.
        Invocation(_STORED, T(1, dtype=_I64), _POINT, *_BYTES, device="cpu"),
    ],
    error=[
        Invocation(_STORED, T(3), _POINT, *_BYTES, device="cpu"),
        Invocation(_STORED, _SCALE, T(2, dtype=_I64), *_BYTES, device="cpu"),
    ],
)
_BY_TENSORS_ERROR = [
    Invocation(_STORED, _SCALE, _POINT, 0, 255, torch.uint8, device="cpu"),
    Invocation(T(2, dtype=_I64), _SCALE, _POINT, -128, 127, _I64, device="cpu"),
    Invocation(_STORED, _SCALE, _POINT, *_BYTES, out_dtype=torch.bool, device="cpu"),
]
dtype_family(
    dequantize_by_tensors_dtype,
    "quantized_decomposed::dequantize_per_tensor.tensor",
    error=_BY_TENSORS_ERROR,
)
shape_family(
    one_parameter_and_range_shape,
    "quantized_decomposed::dequantize_per_tensor.tensor2",
    ok=[
        Invocation(_STORED, _SCALE, _POINT, _LEAST, _GREATEST, _I8, device="cpu"),
        Invocation(
            _STORED, _SCALE, _POINT, _LEAST, _GREATEST, _I8, out_dtype=torch.float16, device="cpu"
        ),
    ],
    error=[
        Invocation(_STORED, T(3), _POINT, _LEAST, _GREATEST, _I8, device="cpu"),
        Invocation(_STORED, _SCALE, T(2, dtype=_I64), _LEAST, _GREATEST, _I8, device="cpu"),
        Invocation(_STORED, _SCALE, _POINT, T(2, dtype=_I64), _GREATEST, _I8, device="cpu"),
        Invocation(_STORED, _SCALE, _POINT, _LEAST, T(2, dtype=_I64), _I8, device="cpu"),
    ],
)
dtype_family(
    dequantize_by_tensors_dtype,
    "quantized_decomposed::dequantize_per_tensor.tensor2",
    error=[
        Invocation(_STORED, _SCALE, _POINT, _LEAST, _GREATEST, torch.uint8, device="cpu"),
        Invocation(T(2, dtype=_I64), _SCALE, _POINT, _LEAST, _GREATEST, _I64, device="cpu"),
        Invocation(
            _STORED, _SCALE, _POINT, _LEAST, _GREATEST, _I8, out_dtype=torch.bool, device="cpu"
        ),
    ],
)


# Per channel.
def channels_shape(
    input: List[int], scales: List[int], zero_points: List[int], axis: int
) -> List[int]:
    """The shape of the input, of which `axis` is broadcast with the scales.

    `view` gives the scales and zero points one element per entry of the scales' first dimension.
    """
    out = scaled_channels_shape(input, scales, axis)
    check_channel_points(scales, zero_points)
    return out


def stored_channels_shape(
    input: List[int], scales: List[int], zero_points: Optional[List[int]], axis: int
) -> List[int]:
    """As `channels_shape`, where all zero points may be zero."""
    out = scaled_channels_shape(input, scales, axis)
    if zero_points is not None:
        check_channel_points(scales, zero_points)
    return out


def scaled_channels_shape(input: List[int], scales: List[int], axis: int) -> List[int]:
    """The shape of the input, of which `axis` is broadcast with the scales."""
    rank = len(input)
    assert axis >= -rank and axis < rank, f"axis {axis} is out of range for rank {rank}"
    assert len(scales) > 0, "scales must not be 0-dim"
    channels = scales[0]
    assert product(scales) == channels, f"scales must have {channels} elements, got shape {scales}"
    along = broadcast_two([input[axis]], [channels])
    out = input[:]
    out[axis] = along[0]
    return out


def check_channel_points(scales: List[int], zero_points: List[int]) -> None:
    """Raise unless there is a zero point per scale."""
    assert product(zero_points) == scales[0], (
        f"zero_points must have {scales[0]} elements, got shape {zero_points}"
    )


def dequantize_channels_dtype(
    input: Tuple[int, int],
    quant_min: int,
    quant_max: int,
    dtype: int,
    out_dtype: Optional[int] = None,
) -> int:
    """`out_dtype`, by default float32."""
    check_stored(input, dtype)
    check_quantized_range(quant_min, quant_max, dtype)
    return dequantized(out_dtype)


_SCALES = T(3, values=[0.5, 0.25, 2.0])
_POINTS = T(3, dtype=_I64)
_CHANNELS_ERROR = [
    (T(), _SCALES, _POINTS, 0),
    (T(2, 3), _SCALES, _POINTS, 2),
    (T(2, 3), _SCALES, _POINTS, -3),
    (T(2, 3), T(2), T(2), 1),
    (T(2, 3), T(), T(), 1),
    (T(2, 3), T(3, 2), _POINTS, 1),
    (T(2, 3), _SCALES, T(1, dtype=_I64), 1),
]
shape_family(
    channels_shape,
    "quantized_decomposed::quantize_per_channel",
    ok=[
        Invocation(T(2, 3), _SCALES, _POINTS, 1, *_BYTES, device="cpu"),
        Invocation(T(3, 2, 4), _SCALES, T(3, dtype=torch.int32), 0, *_BYTES, device="cpu"),
        Invocation(T(2, 3, 1), _SCALES, _POINTS, -2, 0, 255, torch.uint8, device="cpu"),
        Invocation(T(0, 3), _SCALES, _POINTS, 1, *_BYTES, device="cpu"),
        # Broadcast both ways.
        Invocation(T(2, 3), _SCALE, _POINT, 1, *_BYTES, device="cpu"),
        Invocation(T(2, 1), _SCALES, _POINTS, 1, *_BYTES, device="cpu"),
        Invocation(T(2, 3), T(3, 1), T(1, 3, dtype=_I64), 1, *_BYTES, device="cpu"),
        Invocation(T(2, 3), T(3, dtype=torch.float64), T(3), 1, *_BYTES, device="cpu"),
        *[
            Invocation(T(2, 3, dtype=each), _SCALES, _POINTS, 1, *_BYTES, device="cpu")
            for each in _HALVES
        ],
    ],
    error=[Invocation(*each, *_BYTES, device="cpu") for each in _CHANNELS_ERROR],
)
dtype_family(
    quantize_dtype,
    "quantized_decomposed::quantize_per_channel",
    error=[
        Invocation(T(2, 3, dtype=torch.float64), _SCALES, _POINTS, 1, *_BYTES, device="cpu"),
        Invocation(T(2, 3), _SCALES, _POINTS, 1, -129, 127, _I8, device="cpu"),
        Invocation(T(2, 3), _SCALES, _POINTS, 1, -128, 128, _I8, device="cpu"),
        Invocation(T(2, 3), _SCALES, _POINTS, 1, -128, 127, _I64, device="cpu"),
    ],
)
shape_family(
    stored_channels_shape,
    "quantized_decomposed::dequantize_per_channel",
    ok=[
        Invocation(_STORED, _SCALES, _POINTS, 1, *_BYTES, device="cpu"),
        Invocation(_STORED, _SCALES, None, 1, *_BYTES, device="cpu"),
        Invocation(T(3, 2, 4, dtype=_I8), _SCALES, _POINTS, -3, *_BYTES, device="cpu"),
        Invocation(T(2, 1, dtype=_I8), _SCALES, None, 1, *_BYTES, device="cpu"),
        Invocation(T(0, 3, dtype=_I8), _SCALES, _POINTS, 1, *_BYTES, device="cpu"),
        *[
            Invocation(_STORED, _SCALES, _POINTS, 1, *_BYTES, out_dtype=each, device="cpu")
            for each in (*_HALVES, torch.float64, torch.int32)
        ],
        Invocation(_STORED, T(3, dtype=torch.float64), T(3), 1, *_BYTES, device="cpu"),
    ],
    error=[
        Invocation(T(*each[0].sizes, dtype=_I8), *each[1:], *_BYTES, device="cpu")
        for each in _CHANNELS_ERROR
    ],
)
dtype_family(
    dequantize_channels_dtype,
    "quantized_decomposed::dequantize_per_channel",
    error=[
        Invocation(_STORED, _SCALES, _POINTS, 1, 0, 255, torch.uint8, device="cpu"),
        Invocation(_STORED, _SCALES, _POINTS, 1, -129, 127, _I8, device="cpu"),
        Invocation(_STORED, _SCALES, _POINTS, 1, -128, 128, _I8, device="cpu"),
        Invocation(T(2, 3, dtype=_I64), _SCALES, _POINTS, 1, -128, 127, _I64, device="cpu"),
    ],
)


@shape_function(
    "quantized_decomposed::fake_quant_per_channel",
    ok=[
        Invocation(T(2, 3), _SCALES, _POINTS, 1, -128, 127, device="cpu"),
        Invocation(T(3, 2, 4), T(3, dtype=torch.float64), T(3), 0, 0, 255, device="cpu"),
        Invocation(T(0, 3), _SCALES, _POINTS, 1, -128, 127, device="cpu"),
        Invocation(T(2, 3), _SCALE, _POINTS, 1, -128, 127, device="cpu"),
        Invocation(T(2, 1), _SCALES, T(dtype=_I64), 1, -128, 127, device="cpu"),
    ],
    error=[
        Invocation(T(2, 3), _SCALES, _POINTS, 2, -128, 127, device="cpu"),
        Invocation(T(2, 3), T(2), T(2), 1, -128, 127, device="cpu"),
        Invocation(T(2, 3), _SCALES, T(2), 1, -128, 127, device="cpu"),
    ],
)
def fake_quant_per_channel(
    input: List[int],
    scales: List[int],
    zero_points: List[int],
    axis: int,
    quant_min: int,
    quant_max: int,
) -> List[int]:
    """The shape of the input, broadcast with the parameters, which have unit dimensions inserted.

    A negative axis inserts another number of them, for which the shape is not inferred.
    """
    assert axis < len(input), f"axis must be less than rank {len(input)}, got {axis}"
    if axis < 0 or len(scales) != 1 or len(zero_points) > 1:
        return unknown_sizes()
    scale_shape: List[int] = []
    point_shape: List[int] = []
    for dim in range(len(input)):
        scale_shape.append(scales[0] if dim == axis else 1)
        if len(zero_points) == 0:
            point_shape.append(1)
        else:
            point_shape.append(zero_points[0] if dim == axis else 1)
    return broadcast_three(input, scale_shape, point_shape)


@dtype_function(
    "quantized_decomposed::fake_quant_per_channel",
    error=[
        Invocation(T(2, 3, dtype=torch.float64), _SCALES, _POINTS, 1, -128, 127, device="cpu"),
        Invocation(T(2, 3, dtype=torch.float16), _SCALES, _POINTS, 1, -128, 127, device="cpu"),
    ],
)
def fake_quant_per_channel_dtype(
    input: Tuple[int, int],
    scales: Tuple[int, int],
    zero_points: Tuple[int, int],
    axis: int,
    quant_min: int,
    quant_max: int,
) -> int:
    """float32, as the input; parameters are converted to float32 and int32."""
    assert input[1] == torch.float32, f"the input must be of dtype float32, got dtype {input[1]}"
    return input[1]


# Per token: parameters for each row.
def check_tokens(input: List[int], scales: List[int], zero_points: List[int]) -> None:
    """Raise unless there are a scale and a zero point per row of the input."""
    rows = product(input[:-1])
    assert product(scales) == rows, f"scales must have {rows} elements, got shape {scales}"
    assert product(zero_points) == rows, (
        f"zero_points must have {rows} elements, got shape {zero_points}"
    )


def quantize_tokens_shape(input: List[int], scales: List[int], zero_points: List[int]) -> List[int]:
    """The input's shape, broadcast with the parameters' as they are."""
    check_tokens(input, scales, zero_points)
    return broadcast_three(input, scales, zero_points)


def dequantize_tokens_shape(
    input: List[int], scales: List[int], zero_points: List[int]
) -> List[int]:
    """The input's shape, broadcast with the parameters'; their number is not checked."""
    return broadcast_three(input, scales, zero_points)


def check_real_parameters(scales: Tuple[int, int], zero_points: Tuple[int, int]) -> None:
    """Raise if a parameter is complex, which cannot be rounded."""
    assert not is_complex(scales[1]), f"scales must be real, got dtype {scales[1]}"
    assert not is_complex(zero_points[1]), f"zero_points must be real, got dtype {zero_points[1]}"


def quantize_tokens_dtype(
    input: Tuple[int, int],
    scales: Tuple[int, int],
    zero_points: Tuple[int, int],
    quant_min: int,
    quant_max: int,
    dtype: int,
) -> int:
    """The dtype that is asked for; the range must be within its range."""
    assert not is_complex(input[1]), f"the input must be real, got dtype {input[1]}"
    check_real_parameters(scales, zero_points)
    check_quantized_range(quant_min, quant_max, dtype)
    return dtype


def output_dtype(output_dtype: int) -> int:
    """The dtype that is asked for."""
    return output_dtype


_ROW_SCALES = T(2, 1, dtype=torch.float64, values=[0.5, 0.25])
_ROW_POINTS = T(2, 1, dtype=_I64)
_TOKENS_OK = [
    (T(2, 3), _ROW_SCALES, _ROW_POINTS),
    (T(2, 1, 3), T(2, 1, 1), T(2, 1, 1, dtype=torch.int32)),
    (T(3), T(1), T(1)),
    (T(0, 3), T(0, 1), T(0, 1)),
    (T(2, 2), T(2), T(2)),
]
shape_family(
    quantize_tokens_shape,
    "quantized_decomposed::quantize_per_token",
    ok=[
        *[Invocation(*each, *_BYTES, device="cpu") for each in _TOKENS_OK],
        Invocation(
            T(2, 3, dtype=torch.float64),
            _ROW_SCALES,
            _ROW_POINTS,
            0,
            255,
            torch.uint8,
            device="cpu",
        ),
        Invocation(T(2, 3, dtype=torch.float16), _ROW_SCALES, _ROW_POINTS, *_BYTES, device="cpu"),
    ],
    error=[
        Invocation(T(2, 3), T(1, 1), T(2, 1), *_BYTES, device="cpu"),
        Invocation(T(2, 3), T(2, 1), T(1, 1), *_BYTES, device="cpu"),
        Invocation(T(2, 3), T(2), T(2), *_BYTES, device="cpu"),
    ],
)
dtype_family(
    quantize_tokens_dtype,
    "quantized_decomposed::quantize_per_token",
    error=[
        Invocation(T(2, 3), _ROW_SCALES, _ROW_POINTS, -129, 127, _I8, device="cpu"),
        Invocation(T(2, 3), _ROW_SCALES, _ROW_POINTS, -128, 128, _I8, device="cpu"),
        Invocation(T(2, 3), _ROW_SCALES, _ROW_POINTS, -128, 127, torch.float32, device="cpu"),
        Invocation(T(2, 3, dtype=torch.complex64), _ROW_SCALES, _ROW_POINTS, *_BYTES, device="cpu"),
        Invocation(T(2, 3), T(2, 1, dtype=torch.complex64), _ROW_POINTS, *_BYTES, device="cpu"),
        Invocation(T(2, 3), _ROW_SCALES, T(2, 1, dtype=torch.complex64), *_BYTES, device="cpu"),
    ],
)
shape_family(
    dequantize_tokens_shape,
    "quantized_decomposed::dequantize_per_token",
    ok=[
        *[
            Invocation(
                T(*each[0].sizes, dtype=_I8), *each[1:], *_BYTES, torch.float32, device="cpu"
            )
            for each in _TOKENS_OK
        ],
        Invocation(_STORED, T(1, 1), T(3), *_BYTES, torch.float16, device="cpu"),
        # Neither the range nor `dtype` is used.
        Invocation(_STORED, T(1, 1), T(3), -999, 999, _I64, torch.int64, device="cpu"),
    ],
    error=[Invocation(_STORED, T(2), T(2), *_BYTES, torch.float32, device="cpu")],
)
dtype_family(output_dtype, "quantized_decomposed::dequantize_per_token")


# Per group of a row.
def check_groups(input: List[int], scales: List[int], group_size: int) -> int:
    """The size of a group: that of a row if it is shorter. Raises unless it divides the row."""
    assert group_size > 1, f"group_size must be greater than 1, got {group_size}"
    assert len(input) == 2, f"the input must have 2 dimensions, got shape {input}"
    size = group_size
    if size > input[1]:
        assert len(scales) > 0, "scales must not be 0-dim"
        if scales[-1] == 1:
            size = input[1]
    assert size > 0, "the rows must not be empty"
    assert input[1] % size == 0, f"group_size {size} must divide the size of a row, got {input[1]}"
    return size


def group_shape(
    input: List[int], scales: List[int], zero_points: List[int], group_size: int
) -> List[int]:
    """The shape of the input, the rows of which are divided into groups."""
    size = check_groups(input, scales, group_size)
    groups = input[0] * (input[1] // size)
    check_group_parameters(groups, scales, "scales")
    check_group_parameters(groups, zero_points, "zero_points")
    return input


def stored_group_shape(
    input: List[int], scales: List[int], zero_points: Optional[List[int]], group_size: int
) -> List[int]:
    """As `group_shape`, where all zero points may be zero."""
    size = check_groups(input, scales, group_size)
    groups = input[0] * (input[1] // size)
    check_group_parameters(groups, scales, "scales")
    if zero_points is not None:
        check_group_parameters(groups, zero_points, "zero_points")
    return input


def check_group_parameters(groups: int, parameters: List[int], name: str) -> None:
    """Raise unless parameters are one per group, or one for all."""
    count = product(parameters)
    assert count == groups or count == 1, (
        f"{name} must have {groups} elements, one per group, got shape {parameters}"
    )


def quantize_groups_dtype(
    input: Tuple[int, int], scales: Tuple[int, int], zero_points: Tuple[int, int], dtype: int
) -> int:
    """The dtype that is asked for; the range is not compared with it."""
    assert not is_complex(input[1]), f"the input must be real, got dtype {input[1]}"
    check_real_parameters(scales, zero_points)
    return dtype


_GROUP_SCALES = T(4, 2)
_GROUP_POINTS = T(4, 2, dtype=torch.int32)
_GROUPS = (-8, 7, _I8)
_GROUPS_OK = [
    (T(4, 8), _GROUP_SCALES, _GROUP_POINTS, 4),
    (T(4, 8), T(8, dtype=torch.float64), T(8, dtype=_I64), 4),
    (T(4, 8), T(4, 1), T(4, 1), 16),
    (T(4, 8), T(1, 1), T(), 4),
    (T(0, 8), T(0, 2), T(0, 2), 4),
]
_GROUPS_ERROR = [
    (T(4, 8), _GROUP_SCALES, _GROUP_POINTS, 1),
    (T(4, 8), _GROUP_SCALES, _GROUP_POINTS, 3),
    (T(4, 8), _GROUP_SCALES, _GROUP_POINTS, 16),
    (T(4, 8), T(), T(), 16),
    (T(1, 4, 8), _GROUP_SCALES, _GROUP_POINTS, 4),
    (T(4, 0), T(4, 1), T(4, 1), 4),
    (T(4, 8), T(4, 1), _GROUP_POINTS, 4),
    (T(4, 8), _GROUP_SCALES, T(4, 1), 4),
]
shape_family(
    group_shape,
    "quantized_decomposed::quantize_per_channel_group",
    ok=[
        *[Invocation(*each[:3], *_GROUPS, each[3], device="cpu") for each in _GROUPS_OK],
        Invocation(
            T(4, 8, dtype=torch.float16),
            _GROUP_SCALES,
            _GROUP_POINTS,
            -999,
            999,
            torch.int64,
            4,
            device="cpu",
        ),
    ],
    error=[Invocation(*each[:3], *_GROUPS, each[3], device="cpu") for each in _GROUPS_ERROR],
)
dtype_family(
    quantize_groups_dtype,
    "quantized_decomposed::quantize_per_channel_group",
    error=[
        Invocation(
            T(4, 8, dtype=torch.complex64), _GROUP_SCALES, _GROUP_POINTS, *_GROUPS, 4, device="cpu"
        ),
        Invocation(
            T(4, 8), T(4, 2, dtype=torch.complex64), _GROUP_POINTS, *_GROUPS, 4, device="cpu"
        ),
        Invocation(
            T(4, 8), _GROUP_SCALES, T(4, 2, dtype=torch.complex64), *_GROUPS, 4, device="cpu"
        ),
    ],
)
shape_family(
    stored_group_shape,
    "quantized_decomposed::dequantize_per_channel_group",
    ok=[
        *[
            Invocation(
                T(*each[0].sizes, dtype=_I8),
                *each[1:3],
                *_GROUPS,
                each[3],
                torch.float32,
                device="cpu",
            )
            for each in _GROUPS_OK
        ],
        Invocation(
            T(4, 8, dtype=_I8), _GROUP_SCALES, None, *_GROUPS, 4, torch.float16, device="cpu"
        ),
    ],
    error=[
        Invocation(
            T(*each[0].sizes, dtype=_I8),
            *each[1:3],
            *_GROUPS,
            each[3],
            torch.float32,
            device="cpu",
        )
        for each in _GROUPS_ERROR
    ],
)
dtype_family(output_dtype, "quantized_decomposed::dequantize_per_channel_group")


# Parameters from the values of a tensor.
def one_of_each(input: List[int]) -> Tuple[List[int], List[int]]:
    """One scale and one zero point; an empty tensor has no extrema."""
    assert product(input) > 0, f"the input must not be empty, got shape {input}"
    return [1], [1]


def chosen_dtype(
    input: Tuple[int, int], quant_min: int, quant_max: int, dtype: int
) -> Tuple[int, int]:
    """float64 for the scale, int64 for the zero point; the range must include 0."""
    check_quantizable(input[1])
    least_quantized(dtype)
    assert quant_min <= 0 and quant_max >= 0, (
        f"the range of quantized values must include 0, got {quant_min} to {quant_max}"
    )
    assert quant_min < quant_max, (
        f"quant_min must be less than quant_max, got {quant_min} and {quant_max}"
    )
    # TorchScript would fold a tuple into a constant, which cannot be exported.
    dtypes: List[int] = [torch.float64, torch.int64]
    return dtypes[0], dtypes[1]


def chosen_in_range_dtype(
    input: Tuple[int, int], quant_min: int, quant_max: int, dtype: int
) -> Tuple[int, int]:
    """The same; the zero point is clamped as an int32, which the range must fit."""
    least, greatest = -2147483648, 2147483647
    assert quant_min >= least and quant_max <= greatest, (
        f"the range of quantized values must fit int32, got {quant_min} to {quant_max}"
    )
    return chosen_dtype(input, quant_min, quant_max, dtype)


_CHOOSE = (0, 255, 1e-5, torch.uint8)
_CHOOSERS = (
    "quantized_decomposed::choose_qparams.tensor",
    "quantized_decomposed::choose_qparams_symmetric.tensor",
)
shape_family(
    one_of_each,
    *_CHOOSERS,
    ok=[
        Invocation(T(2, 3), *_CHOOSE, device="cpu"),
        Invocation(T(), -128, 127, 1e-5, _I8, device="cpu"),
        # The range is not compared with the dtype.
        Invocation(T(2, 3), -999, 999, 0.5, _I8, device="cpu"),
        *[Invocation(T(2, 3, dtype=each), *_CHOOSE, device="cpu") for each in _HALVES],
    ],
    error=[Invocation(T(0, 3), *_CHOOSE, device="cpu")],
)
_WRONGLY_CHOSEN = [
    Invocation(T(2, 3, dtype=torch.float64), *_CHOOSE, device="cpu"),
    Invocation(T(2, 3), 0, 255, 1e-5, _I64, device="cpu"),
    Invocation(T(2, 3), 1, 255, 1e-5, torch.uint8, device="cpu"),
    Invocation(T(2, 3), -2, -1, 1e-5, _I8, device="cpu"),
    Invocation(T(2, 3), 0, 0, 1e-5, _I8, device="cpu"),
]
dtype_family(
    chosen_in_range_dtype,
    "quantized_decomposed::choose_qparams.tensor",
    error=[
        *_WRONGLY_CHOSEN,
        Invocation(T(2, 3), 0, 1 << 31, 1e-5, torch.uint8, device="cpu"),
        Invocation(T(2, 3), -(1 << 32), 255, 1e-5, torch.uint8, device="cpu"),
    ],
)
dtype_family(
    chosen_dtype, "quantized_decomposed::choose_qparams_symmetric.tensor", error=_WRONGLY_CHOSEN
)


def one_per_token(input: List[int]) -> Tuple[List[int], List[int]]:
    """A scale and a zero point per row, which must not be empty."""
    sizes: List[int] = []
    if len(input) > 0:
        assert input[-1] > 0, f"the rows must not be empty, got shape {input}"
        sizes = append_size(input[:-1], 1)
    return sizes, list(sizes)


def symmetric_token_dtype(input: Tuple[int, int], dtype: int) -> Tuple[int, int]:
    """The input's dtype for both, or float32 for integers and float16."""
    assert dtype == torch.int8, f"dtype must be int8, got dtype {dtype}"
    assert input[1] != torch.bool, "the input must not be bool"
    result = real_dtype(input[1])
    if is_integral(result) or result == torch.float16:
        result = torch.float32
    return result, result


def asymmetric_token_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """float64 for the scales, int64 for the zero points."""
    assert not is_complex(input[1]) and input[1] != torch.bool, (
        f"the input must be real and not bool, got dtype {input[1]}"
    )
    # TorchScript would fold a tuple into a constant, which cannot be exported.
    dtypes: List[int] = [torch.float64, torch.int64]
    return dtypes[0], dtypes[1]


_PER_TOKEN = "quantized_decomposed::choose_qparams_per_token"
_PER_TOKEN_ASYMMETRIC = (
    "quantized_decomposed::choose_qparams_per_token_asymmetric",
    "quantized_decomposed::_choose_qparams_per_token_asymmetric_impl",
)
shape_family(
    one_per_token,
    _PER_TOKEN,
    *_PER_TOKEN_ASYMMETRIC,
    ok=[
        Invocation(T(2, 3), _I8, device="cpu"),
        Invocation(T(2, 4, 3), _I8, device="cpu"),
        Invocation(T(3), _I8, device="cpu"),
        Invocation(T(), _I8, device="cpu"),
        Invocation(T(0, 3), _I8, device="cpu"),
        *[
            Invocation(T(2, 3, dtype=each), _I8, device="cpu")
            for each in (*_HALVES, torch.float64, _I64)
        ],
    ],
    error=[Invocation(T(2, 0), _I8, device="cpu")],
)
dtype_family(
    symmetric_token_dtype,
    _PER_TOKEN,
    error=[
        Invocation(T(2, 3), torch.uint8, device="cpu"),
        Invocation(T(2, 3, dtype=torch.bool), _I8, device="cpu"),
    ],
)
dtype_family(
    asymmetric_token_dtype,
    *_PER_TOKEN_ASYMMETRIC,
    ok=[Invocation(T(2, 3), torch.uint8, device="cpu")],
    error=[
        Invocation(T(2, 3, dtype=torch.bool), _I8, device="cpu"),
        Invocation(T(2, 3, dtype=torch.complex64), _I8, device="cpu"),
    ],
)


# Conversion.
def converted_dtype(dtype: int) -> int:
    """The dtype that is asked for."""
    return dtype


shape_family(
    input_shape,
    "quantized_decomposed::convert_element_type.no_fuse",
    ok=[
        Invocation(T(2, 3), torch.float16, device="cpu"),
        Invocation(T(dtype=_I8), torch.float32, device="cpu"),
        Invocation(T(0, 3), torch.bool, device="cpu"),
    ],
)
dtype_family(converted_dtype, "quantized_decomposed::convert_element_type.no_fuse")
