"""Padding with elements of the tensor, as concatenations.

PyTorch's decompositions read every element through an index, where only those of the border have
other places than in the input; rows of the input are copied as a whole here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
Decomposition = Callable[..., Any]
# The elements beyond an end of a dimension: of a tensor, a dimension, their number, and the end.
Border = Callable[[torch.Tensor, int, int, bool], torch.Tensor]


def paddings() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator."""
    reflected = (aten.reflection_pad1d, aten.reflection_pad2d, aten.reflection_pad3d)
    replicated = (aten.replication_pad1d, aten.replication_pad2d, aten.replication_pad3d)
    return {
        **{each.default: _padding(_reflected) for each in reflected},
        **{each.default: _padding(_replicated) for each in replicated},
    }


def _padding(border: Border) -> Decomposition:
    def decompose(self: torch.Tensor, padding: Sequence[Any]) -> Any:
        if not all(isinstance(each, int) and each >= 0 for each in padding):
            return NotImplemented
        dims = [self.dim() - 1 - place for place in range(len(padding) // 2)]
        pairs = list(zip(padding[::2], padding[1::2], strict=True))
        least = [1 if border is _replicated else max(pair) + 1 for pair in pairs]
        # Of smaller sizes, the kernels raise.
        sizes = zip(dims, least, strict=True)
        if not all(statically_known_true(self.shape[dim] >= size) for dim, size in sizes):
            return NotImplemented
        for dim, (before, after) in zip(dims, pairs, strict=True):
            parts = [border(self, dim, before, False)] if before else []
            parts.append(self)
            parts += [border(self, dim, after, True)] if after else []
            self = torch.cat(parts, dim) if len(parts) > 1 else self
        return self

    return decompose


def _reflected(self: torch.Tensor, dim: int, count: int, is_end: bool) -> torch.Tensor:
    start = self.shape[dim] - 1 - count if is_end else 1
    found: torch.Tensor = aten.slice.Tensor(self, dim, start, start + count)
    return torch.flip(found, [dim]) if count > 1 else found


def _replicated(self: torch.Tensor, dim: int, count: int, is_end: bool) -> torch.Tensor:
    start = self.shape[dim] - 1 if is_end else 0
    sizes = [count if place == dim else -1 for place in range(self.dim())]
    found: torch.Tensor = aten.slice.Tensor(self, dim, start, start + 1)
    return found.expand(sizes)
