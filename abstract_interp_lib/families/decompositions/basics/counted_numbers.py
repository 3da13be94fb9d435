"""Numbers at equal distances: `arange`."""

import math
from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def counted(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> torch.Tensor:
    """In integers, or in f64, of the number that integers or f64 give.

    The conversion computes the number and the elements in the dtype, which may have neither.
    """
    is_of_ints = isinstance(start, int) and isinstance(end, int) and isinstance(step, int)
    made = torch.int64 if is_of_ints else torch.float32
    if dtype is not None:
        made = dtype
    assert made != torch.int64 or not is_of_ints, "concerns no int64 between integers"
    assert not is_complex(made), "concerns integers and floats"
    if is_of_ints:
        # The bounds may be no numbers of the dtype.
        return in_dtype(torch.arange(int(start), int(end), int(step), dtype=torch.int64), made)
    first, last, by = float(start), float(end), float(step)
    if made == torch.int64:
        # The kernel counts in this dtype, and in f64 for others.
        first, last, by = float(int(first)), float(int(last)), float(int(by))
    count = math.ceil((last - first) / by)
    each = torch.arange(int(count), dtype=torch.int64)
    if is_integral(made):
        return in_dtype(torch.add(torch.mul(each, int(by)), int(first)), made)
    wide = in_dtype(each, torch.float64)
    return in_dtype(torch.add(torch.mul(wide, by), first), made)


def counted_to(end: Union[int, float, complex], dtype: Optional[int]) -> torch.Tensor:
    """From 0."""
    return torch.arange(0, end, 1, dtype=dtype)


def counted_from(
    start: Union[int, float, complex], end: Union[int, float, complex], dtype: Optional[int]
) -> torch.Tensor:
    """By 1."""
    return torch.arange(start, end, 1, dtype=dtype)


decomposition_family(
    counted_to,
    "aten::arange",
    ok=[Invocation(4.5, dtype=torch.int32), Invocation(5, dtype=torch.uint8)],
)
decomposition_family(
    counted_from, "aten::arange.start", ok=[Invocation(-1.5, 4.2, dtype=torch.int64)]
)
decomposition_family(
    counted,
    "aten::arange.start_step",
    ok=[
        Invocation(7.5, 1.0, -1.6, dtype=torch.int32),
        Invocation(7.5, 1.0, -1.6, dtype=torch.int64),
        Invocation(1, 9, 2, dtype=torch.uint8),
        Invocation(5, 65541, 32768, dtype=torch.int16),
        Invocation(0, 257, 1, dtype=torch.bfloat16),
        Invocation(9, -3001, -2, dtype=torch.float16),
        Invocation(0.5, 30.3, 0.25),
        Invocation(0.5, 30.3, 0.1, dtype=torch.float64),
    ],
)
