"""Factories: default dtypes, sizes, and the length of ranges."""

import math
from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.promotion import (
    check_filled,
    dtype_of_number,
    is_complex,
    is_integral,
)
from torch_refine.abstract_interp_lib.rules.sizes import ceil_divide
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def given_size(size: List[int]) -> List[int]:
    """The shape is the argument `size`."""
    for entry in size:
        assert entry >= 0, f"sizes must not be negative, got {size}"
    return size


def zero_dim() -> List[int]:
    """The shape of a 0-dim tensor."""
    empty: List[int] = []
    return empty


def dtype_or_default(dtype: Optional[int]) -> int:
    """The argument `dtype`, or float32 if it is None."""
    if dtype is None:
        return torch.float32
    else:
        return dtype


def dtype_or_int64(dtype: Optional[int]) -> int:
    """The argument `dtype`, or int64 if it is None."""
    if dtype is None:
        return torch.int64
    else:
        return dtype


def dtype_or_same(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The argument `dtype`, or the dtype of `self` if it is None."""
    if dtype is None:
        return self[1]
    else:
        return dtype


def dtype_or_fill_value(
    size: List[int], fill_value: Union[int, float, complex], dtype: Optional[int]
) -> int:
    """The argument `dtype`, or the default dtype of the fill value's category if it is None."""
    found = default_dtype(dtype_of_number(fill_value)) if dtype is None else dtype
    check_filled(fill_value, found, len(size))
    return found


def default_dtype(number: int) -> int:
    """The default dtype of the category of a scalar's dtype: float32 for float64."""
    if number == torch.float64:
        return torch.float32
    elif number == torch.complex128:
        return torch.complex64
    else:
        return number


def dtype_or_float(left: int, right: int, dtype: Optional[int]) -> int:
    """The argument `dtype`; if None, complex64 if one of two dtypes is complex, else float32."""
    if dtype is not None:
        return dtype
    elif is_complex(left) or is_complex(right):
        return torch.complex64
    else:
        return torch.float32


def range_size(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> int:
    """The number of elements of a half-open range.

    As `torch.arange` computes it: in integers if all scalars are integers, in truncated integers if
    `dtype` is int64, else in float64.
    """
    if isinstance(start, int) and isinstance(end, int) and isinstance(step, int):
        size = integer_range_size(start, end, step)
    elif dtype is not None and dtype == torch.int64:
        size = integer_range_size(int(start), int(end), int(step))
    else:
        size = float_range_size(float(start), float(end), float(step))
    return size


def integer_range_size(start: int, end: int, step: int) -> int:
    """The number of elements of a half-open integer range.

    A start of 0 or a step of 1 is not computed with, so that `end` stays the same symbol if its
    value is unknown.
    """
    assert step != 0, f"step must be nonzero, got {step}"
    span = end
    if start != 0:
        span = end - start
    if step < 0:
        span = -span
    assert span >= 0, f"bounds {start} and {end} are inconsistent with step {step}"
    if step != 1:
        span = ceil_divide(span, abs(step))
    return span


def float_range_size(start: float, end: float, step: float) -> int:
    """The number of elements of a half-open floating-point range; an infinite one raises."""
    assert step != 0.0, f"step must be nonzero, got {step}"
    steps = (end - start) / step
    assert steps >= 0.0 and steps < 9.0e18, (
        f"bounds {start} and {end} are inconsistent with step {step}"
    )
    return math.ceil(steps)


def range_dtype(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> int:
    """The argument `dtype`; if None, int64 if all scalars are integers, else float32."""
    if dtype is not None:
        return dtype
    else:
        numbers = [dtype_of_number(start), dtype_of_number(end), dtype_of_number(step)]
        assert torch.complex128 not in numbers, "start, end and step must be real"
        return torch.float32 if torch.float64 in numbers else torch.int64


def is_whole(number: float) -> bool:
    """Whether float32 arithmetic on a scalar is exact: it is an integer of small magnitude."""
    return number > -1048576.0 and number < 1048576.0 and math.floor(number) == number


def computed_in_float32(dtype: int) -> bool:
    """Whether the length of a range of a floating-point dtype is computed in float32."""
    return dtype != torch.float64 and (dtype != torch.float32 or not runs_on_cpu())


def closed_range_size(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> int:
    """The number of elements of a closed range.

    Integer dtypes compute with truncated integers, floating-point dtypes in float64. Half dtypes,
    and float32 on CUDA, compute in float32, where the size is known only for integral scalars.
    """
    first = float(start)
    by = float(step)
    assert by != 0.0, f"step must be nonzero, got {step}"
    steps = (float(end) - first) / by
    assert steps >= 0.0 and steps < 9.0e18, (
        f"bounds {start} and {end} are inconsistent with step {step}"
    )
    kind = torch.float32 if dtype is None else dtype
    if is_integral(kind):
        whole_step = int(step)
        assert whole_step != 0, f"step must be nonzero for integers, got {step}"
        size = (int(end) - int(start)) // whole_step + 1
    else:
        size = int(steps + 1.0)
        whole = is_whole(first) and is_whole(float(end)) and is_whole(by)
        if computed_in_float32(kind) and not whole:
            size = unknown_size()
    return size
