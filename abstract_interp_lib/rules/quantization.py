"""Quantization: quantized dtypes, and checks of scales and zero points."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.sizes import product


def check_quantized_dtype(dtype: int) -> None:
    """Raise unless a dtype is quantized."""
    quantized = [torch.qint8, torch.quint8, torch.qint32, torch.quint4x2, torch.quint2x4]
    assert dtype in quantized, f"dtype must be quantized, got {dtype}"


def check_floating(dtype: int) -> None:
    """Raise if a tensor to quantize is integral or complex."""
    assert not is_integral(dtype) and not is_complex(dtype), (
        f"the input must be floating-point, got dtype {dtype}"
    )


def check_float32(dtype: int, name: str) -> None:
    """Raise unless a dtype is float32, the only one that many quantized kernels support."""
    assert dtype == torch.float32, f"{name} must be of dtype float32, got dtype {dtype}"


def check_one_element(sizes: List[int], name: str) -> None:
    """Raise unless a tensor that stands for a scalar has one element."""
    assert product(sizes) == 1, f"{name} must have one element, got shape {sizes}"


def check_channel_parameters(
    self: List[int], scale: List[int], zero_point: List[int], axis: int
) -> None:
    """Raise unless scale and zero point have one element per entry of dimension `axis`."""
    assert len(scale) == 1, f"scale must be 1-D, got shape {scale}"
    check_same(zero_point, scale, "zero_point")
    assert axis >= 0 and axis < len(self), f"axis {axis} is out of range for rank {len(self)}"
    assert scale[0] == self[axis], (
        f"scale must have {self[axis]} elements, one per channel, got {scale[0]}"
    )


def check_same_dtype(left: Tuple[int, int], right: Tuple[int, int]) -> None:
    """Raise unless two tensors have the same dtype; quantized dtypes do not promote."""
    assert left[1] == right[1], f"dtypes must match, got {left[1]} and {right[1]}"


def least_quantized(dtype: int) -> int:
    """The least value of a dtype that decomposed quantization supports; raises for others."""
    if dtype == torch.uint8 or dtype == torch.uint16:
        least = 0
    elif dtype == torch.int8:
        least = -128
    elif dtype == torch.int16:
        least = -32768
    elif dtype == torch.int32:
        least = -2147483648
    elif dtype == torch.float8_e5m2:
        least = -57344
    else:
        assert dtype == torch.float8_e4m3fn, (
            f"quantized values must be integers of at most 32 bits, float8_e5m2 or float8_e4m3fn, "
            f"got dtype {dtype}"
        )
        least = -448
    return least


def greatest_quantized(dtype: int) -> int:
    """The greatest value of a dtype that `least_quantized` accepts."""
    least = least_quantized(dtype)
    if dtype == torch.float8_e5m2 or dtype == torch.float8_e4m3fn:
        greatest = -least
    elif dtype == torch.uint8:
        greatest = 255
    elif dtype == torch.uint16:
        greatest = 65535
    else:
        greatest = -least - 1
    return greatest


def check_quantized_range(quant_min: int, quant_max: int, dtype: int) -> None:
    """Raise unless the range of quantized values is within the dtype's."""
    least, greatest = least_quantized(dtype), greatest_quantized(dtype)
    assert quant_min >= least, f"quant_min must be at least {least}, got {quant_min}"
    assert quant_max <= greatest, f"quant_max must be at most {greatest}, got {quant_max}"


def check_quantizable(dtype: int) -> None:
    """Raise unless a tensor to quantize is float32, or 16 bits wide, which is extended to it."""
    assert dtype == torch.float32 or dtype == torch.float16 or dtype == torch.bfloat16, (
        f"the input must be of dtype float32, float16 or bfloat16, got dtype {dtype}"
    )
