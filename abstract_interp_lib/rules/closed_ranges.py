"""Ranges that include their end, as `torch.range` counts them."""

import math
from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.promotion import is_integral
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def is_whole(number: float) -> bool:
    """Whether arithmetic on a number is exact in float32: it is whole, and not large."""
    return number > -1048576.0 and number < 1048576.0 and math.floor(number) == number


def computed_in_float32(dtype: int) -> bool:
    """Whether a range of a floating dtype is counted in float32."""
    return dtype != torch.float64 and (dtype != torch.float32 or not runs_on_cpu())


def closed_range_size(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> int:
    """How many numbers a range has, its end included.

    Integer dtypes count in integers cut off from the numbers, floating ones in float64, except
    that half dtypes, and float32 on CUDA, count in float32: then only whole numbers tell the size.
    """
    first = float(start)
    by = float(step)
    assert by != 0.0, f"the step of a range must not be 0, got {step}"
    steps = (float(end) - first) / by
    assert steps >= 0.0 and steps < 9.0e18, f"a range from {start} to {end} has no steps of {step}"
    kind = torch.float32 if dtype is None else dtype
    if is_integral(kind):
        whole_step = int(step)
        assert whole_step != 0, f"the step of a range of integers must not be 0, got {step}"
        size = (int(end) - int(start)) // whole_step + 1
    else:
        size = int(steps + 1.0)
        whole = is_whole(first) and is_whole(float(end)) and is_whole(by)
        if computed_in_float32(kind) and not whole:
            size = unknown_size()
    return size
