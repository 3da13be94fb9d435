"""Numbers at equal steps between two bounds, and powers of them: `linspace`, `logspace`."""

from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import (
    dtype_of_number,
    is_complex,
    is_integral,
)


def spaced_in(dtype: Optional[int]) -> int:
    """The dtype that numbers of a dtype are computed in."""
    kind = torch.float32 if dtype is None else dtype
    # A bound that is no byte has no defined value.
    assert kind != torch.uint8, "what is no unsigned number is not defined"
    if is_integral(kind):
        return torch.float64
    assert kind == torch.float32 or kind == torch.float64, "other kernels round each step"
    return kind


def bound(number: Union[int, float, complex], dtype: Optional[int]) -> torch.Tensor:
    """A number as a bound."""
    assert not is_complex(dtype_of_number(number)), "a number that is not real"
    return torch.full([], number, dtype=spaced_in(dtype))


def spaced(
    start: torch.Tensor, end: torch.Tensor, steps: int, dtype: Optional[int]
) -> torch.Tensor:
    """Equal steps from the nearer bound; integers are rounded to 0, as their bounds are before."""
    assert not is_complex(start.dtype) and not is_complex(end.dtype), "a default dtype is complex"
    kind = torch.float32 if dtype is None else dtype
    wide = spaced_in(dtype)
    first, last = in_dtype(start, wide), in_dtype(end, wide)
    if is_integral(kind):
        first, last = torch.trunc(first), torch.trunc(last)
    step = torch.div(torch.sub(last, first), max(steps - 1, 1))
    index = torch.arange(steps, dtype=torch.int64)
    forward = torch.add(first, torch.mul(step, in_dtype(index, wide)))
    behind = torch.rsub(index, steps - 1)
    backward = torch.sub(last, torch.mul(step, in_dtype(behind, wide)))
    found = torch.where(torch.lt(index, steps // 2), forward, backward)
    return in_dtype(first.expand([1]) if steps == 1 else found, kind)


_BOUNDS = (T(values=[-1.5]), T(values=[4.7]))


@decomposition(
    "aten::linspace.Tensor_Tensor",
    ok=[Invocation(*_BOUNDS, 7), Invocation(*_BOUNDS, 4, dtype=torch.int64)],
)
def linspace(
    start: torch.Tensor,
    end: torch.Tensor,
    steps: int,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """Equal steps between two scalars."""
    return spaced(start, end, steps, dtype)


@decomposition(
    "aten::linspace",
    ok=[Invocation(-1.5, 4.7, 7), Invocation(-1.5, 4.7, 1, dtype=torch.int32)],
)
def linspace_of_numbers(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    steps: int,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """Equal steps between two numbers."""
    return spaced(bound(start, dtype), bound(end, dtype), steps, dtype)


@decomposition(
    "aten::linspace.Tensor_Scalar", ok=[Invocation(_BOUNDS[0], 4.7, 5, dtype=torch.int64)]
)
def linspace_to_number(
    start: torch.Tensor,
    end: Union[int, float, complex],
    steps: int,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """Equal steps from a scalar to a number."""
    return spaced(start, bound(end, dtype), steps, dtype)


@decomposition(
    "aten::linspace.Scalar_Tensor", ok=[Invocation(-1.5, _BOUNDS[1], 5, dtype=torch.int64)]
)
def linspace_from_number(
    start: Union[int, float, complex],
    end: torch.Tensor,
    steps: int,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """Equal steps from a number to a scalar."""
    return spaced(bound(start, dtype), end, steps, dtype)


def one_power(start: torch.Tensor, steps: int, base: float, dtype: Optional[int]) -> torch.Tensor:
    """A single power that is an integer: that of the bound, which is not rounded."""
    assert dtype is not None, "concerns only integers"
    assert is_integral(dtype) and steps == 1, "concerns only a single integer"
    wide = in_dtype(start, torch.float64)
    power = torch.pow(torch.full([], base, dtype=torch.float64), wide)
    return in_dtype(torch.trunc(power), dtype).expand([1])


@decomposition("aten::logspace", ok=[Invocation(0.9, 1.9, 1, 10.0, dtype=torch.int64)])
def logspace(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    steps: int,
    base: float = 10.0,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """A power of a number."""
    return one_power(bound(start, dtype), steps, base, dtype)


@decomposition(
    "aten::logspace.Tensor_Tensor", ok=[Invocation(*_BOUNDS[::-1], 1, 2.0, dtype=torch.int64)]
)
def logspace_of_tensors(
    start: torch.Tensor,
    end: torch.Tensor,
    steps: int,
    base: float = 10.0,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """A power of a scalar."""
    return one_power(start, steps, base, dtype)


@decomposition(
    "aten::logspace.Tensor_Scalar", ok=[Invocation(_BOUNDS[1], 1.9, 1, 2.0, dtype=torch.int64)]
)
def logspace_to_number(
    start: torch.Tensor,
    end: Union[int, float, complex],
    steps: int,
    base: float = 10.0,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """A power of a scalar."""
    return one_power(start, steps, base, dtype)


@decomposition(
    "aten::logspace.Scalar_Tensor", ok=[Invocation(4.7, _BOUNDS[0], 1, 2.0, dtype=torch.int64)]
)
def logspace_from_number(
    start: Union[int, float, complex],
    end: torch.Tensor,
    steps: int,
    base: float = 10.0,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """A power of a number."""
    return one_power(bound(start, dtype), steps, base, dtype)
