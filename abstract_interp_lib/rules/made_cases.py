"""Tensors of cases that cannot be made of ones: they have other strides, or hide an object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch_refine.abstract_interp_lib.declaration import TensorCase


@dataclass(frozen=True)
class MadeCase(TensorCase):
    """A tensor argument that `make` returns when the case runs on PyTorch."""

    make: Callable[[], torch.Tensor] | None = None


def made(dtype: torch.dtype, *sizes: int, make: Callable[[], torch.Tensor]) -> MadeCase:
    """A tensor for a case, which only `make` can make; to a function it is one of these sizes."""
    return MadeCase(sizes, dtype, make=make)
