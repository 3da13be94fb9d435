"""Case tensors that `torch.ones` cannot create: non-contiguous strides, or an opaque handle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch_refine.abstract_interp_lib.declaration import TensorCase


@dataclass(frozen=True)
class MadeCase(TensorCase):
    """A tensor argument that `make` creates when the case runs in PyTorch."""

    make: Callable[[], torch.Tensor] | None = None


def made(dtype: torch.dtype, *sizes: int, make: Callable[[], torch.Tensor]) -> MadeCase:
    """A tensor for a case that only `make` can create; a function sees a tensor of these sizes."""
    return MadeCase(sizes, dtype, make=make)
