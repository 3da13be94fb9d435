"""Running maxima and minima as logarithmically many steps over a whole dimension.

This module loads PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._ops import OpOverload

aten = torch.ops.aten


def running_extremes() -> dict[OpOverload, Callable[..., Any]]:
    """The decompositions by operator."""
    return {
        aten.cummax.default: _running(aten.ge.Tensor),
        aten.cummin.default: _running(aten.le.Tensor),
    }


def _running(is_better: OpOverload) -> Callable[..., Any]:
    """Of equal values the last one is taken; NaN is better than any number."""

    def decompose(self: torch.Tensor, dim: int) -> Any:
        if self.dim() == 0:
            values, places = decompose(self.reshape([1]), 0)
            return values.reshape([]), places.reshape([])
        length = self.shape[dim]
        if not isinstance(length, int) or self.is_complex():
            return NotImplemented
        # The conversion compares unsigned integers and bools as signed.
        is_narrow = self.dtype in (torch.uint8, torch.bool)
        values = self.to(torch.int32) if is_narrow else self
        shape = [1] * self.dim()
        shape[dim] = length
        numbers = torch.arange(length, dtype=torch.int64, device=self.device)
        places = numbers.reshape(shape).expand(self.shape)
        distance = 1
        while distance < length:
            values, places = _step(is_better, values, places, dim, distance)
            distance *= 2
        return values.to(self.dtype) if is_narrow else values.clone(), places.clone()

    return decompose


def _step(
    is_better: OpOverload, values: torch.Tensor, places: torch.Tensor, dim: int, distance: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Combine each element with that at a distance before it."""
    length = values.shape[dim] - distance
    before, own = values.narrow(dim, 0, length), values.narrow(dim, distance, length)
    is_own = is_better(own, before)
    if values.is_floating_point():
        # A comparison with NaN is false.
        is_own = (is_own & (before == before)) | (own != own)
    chosen = []
    for each in (values, places):
        first = each.narrow(dim, 0, distance)
        rest = torch.where(is_own, each.narrow(dim, distance, length), each.narrow(dim, 0, length))
        chosen.append(torch.cat([first, rest], dim))
    return chosen[0], chosen[1]
