"""Tensors made from sizes and numbers: default dtypes, sizes, how long a range is."""

import math
from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.rules.promotion import dtype_of_number, is_complex
from torch_refine.abstract_interp_lib.rules.sizes import ceil_divide


def given_size(size: List[int]) -> List[int]:
    """The shape is the argument `size`."""
    for entry in size:
        assert entry >= 0, f"sizes must not be negative, got {size}"
    return size


def zero_dim() -> List[int]:
    """The shape of a single number."""
    empty: List[int] = []
    return empty


def dtype_or_default(dtype: Optional[int]) -> int:
    """The argument `dtype`, float32 when there is none."""
    if dtype is None:
        return torch.float32
    else:
        return dtype


def dtype_or_int64(dtype: Optional[int]) -> int:
    """The argument `dtype`, int64 when there is none."""
    if dtype is None:
        return torch.int64
    else:
        return dtype


def dtype_or_same(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The argument `dtype`, that of `self` when there is none."""
    if dtype is None:
        return self[1]
    else:
        return dtype


def dtype_or_fill_value(fill_value: Union[int, float, complex], dtype: Optional[int]) -> int:
    """The argument `dtype`, else the default dtype of the number's category."""
    if dtype is not None:
        return dtype
    else:
        return default_dtype(dtype_of_number(fill_value))


def default_dtype(number: int) -> int:
    """The default dtype of the category of a number's dtype: float32 for float64."""
    if number == torch.float64:
        return torch.float32
    elif number == torch.complex128:
        return torch.complex64
    else:
        return number


def dtype_or_float(left: int, right: int, dtype: Optional[int]) -> int:
    """The argument `dtype`, else complex64 when one of two dtypes is complex, else float32."""
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
    """How many numbers a range has, its end excluded.

    As `arange` of PyTorch counts: in integers where all numbers are integers, in integers cut off
    from the numbers where `dtype` is int64, in float64 else.
    """
    if isinstance(start, int) and isinstance(end, int) and isinstance(step, int):
        size = integer_range_size(start, end, step)
    elif dtype is not None and dtype == torch.int64:
        size = integer_range_size(int(start), int(end), int(step))
    else:
        size = float_range_size(float(start), float(end), float(step))
    return size


def integer_range_size(start: int, end: int, step: int) -> int:
    """How many integers a range has.

    What does not change the size is not computed, so that `end` stays what it is where it is not
    known.
    """
    assert step != 0, f"the step of a range must not be 0, got {step}"
    span = end
    if start != 0:
        span = end - start
    if step < 0:
        span = -span
    assert span >= 0, f"a range from {start} to {end} has no steps of {step}"
    if step != 1:
        span = ceil_divide(span, abs(step))
    return span


def float_range_size(start: float, end: float, step: float) -> int:
    """How many numbers a range has; one that is infinite has no size."""
    assert step != 0.0, f"the step of a range must not be 0, got {step}"
    steps = (end - start) / step
    assert steps >= 0.0 and steps < 9.0e18, f"a range from {start} to {end} has no steps of {step}"
    return math.ceil(steps)


def range_dtype(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> int:
    """The argument `dtype`, else int64 where all numbers are integers, else float32."""
    if dtype is not None:
        return dtype
    else:
        numbers = [dtype_of_number(start), dtype_of_number(end), dtype_of_number(step)]
        assert torch.complex128 not in numbers, "the numbers of a range must be real"
        return torch.float32 if torch.float64 in numbers else torch.int64
