"""Copies of example inputs without aliases, for `torch.export`."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree


def without_aliases(examples: Any) -> Any:
    """Copy example inputs, nested as they are, each tensor with its own memory.

    `torch.export` merges two inputs whose examples are one tensor, and an input whose example is a
    weight of the model, or a tensor that its code refers to, with that. The copies keep sizes and
    strides, and require no gradients.
    """
    return pytree.tree_map(_apart, examples)


def _apart(value: Any) -> Any:
    is_memory = (
        type(value) in (torch.Tensor, torch.nn.Parameter)
        and not value.is_nested
        and value.layout == torch.strided
        and not value.is_quantized
    )
    if not is_memory:
        return value
    with torch.no_grad():
        tensor = value.detach()
        if tensor.is_conj() or tensor.is_neg() or tensor.numel() == 0:
            return tensor.clone()
        # The span from the first element to the last, so that elements of a repeated dimension, or
        # of overlapping ones, share memory in the copy, too.
        reach = 1 + sum(
            (size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True)
        )
        memory = tensor.as_strided((reach,), (1,)).clone()
        return memory.as_strided(tensor.shape, tensor.stride(), 0)
