"""Decompositions of `linspace` and `logspace` with integer results, as PyTorch's kernels count them
(`RangeFactories.cpp`).

The bounds of an integer `linspace` are rounded to integers first; values in between are computed in
f64, from the nearer bound. A `logspace` of one step is the power of its first bound, which is not
rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._ops import OpOverload

aten = torch.ops.aten
Decomposition = Callable[..., Any]
_WIDE = torch.float64


def spaces() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator."""
    overloads = ("default", "Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor")
    table: dict[OpOverload, Decomposition] = {}
    for overload in overloads:
        table[getattr(aten.linspace, overload)] = _linspace
        table[getattr(aten.logspace, overload)] = _logspace
    return table


def _is_integer(dtype: torch.dtype | None) -> bool:
    return dtype is not None and not (dtype.is_floating_point or dtype.is_complex)


def _bound(value: Any, device: Any) -> torch.Tensor:
    """A bound as an f64 tensor."""
    if isinstance(value, torch.Tensor):
        return value.to(_WIDE)
    return torch.full((), value, dtype=_WIDE, device=device)


def _linspace(
    start: Any,
    end: Any,
    steps: Any,
    *,
    dtype: torch.dtype | None = None,
    device: Any = None,
    **rest: Any,
) -> Any:
    """For integers: from the nearer bound, truncated. Others are kept."""
    if not _is_integer(dtype):
        return NotImplemented
    first = _bound(start, device).trunc()
    if steps in (0, 1):
        return first.expand((steps,)).to(dtype)
    last = _bound(end, device).trunc()
    step = (last - first) / (steps - 1)
    places = torch.arange(steps, dtype=_WIDE, device=device)
    before = first + step * places
    behind = last - step * (steps - 1 - places)
    return torch.where(places < steps // 2, before, behind).trunc().to(dtype)


def _logspace(
    start: Any,
    end: Any,
    steps: Any,
    base: float = 10.0,
    *,
    dtype: torch.dtype | None = None,
    device: Any = None,
    **rest: Any,
) -> Any:
    """For one integer: the power of a bound that is not rounded. Others are kept."""
    if not _is_integer(dtype) or steps != 1:
        return NotImplemented
    return torch.pow(base, _bound(start, device)).trunc().expand((1,)).to(dtype)
