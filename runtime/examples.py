"""Examples of inputs, as `torch.export` can tell them apart."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree


def told_apart(examples: Any) -> Any:
    """The examples, nested as they are, each tensor a copy in memory of its own.

    `torch.export` takes two inputs whose examples are one tensor for one input, for ever, and an
    example that is a weight of the model, or a tensor that its code refers to, for that. Copies
    have the sizes and strides of what they are copied of, and require no gradients.
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
        # All memory from the first element to the last, as elements of a repeated dimension, or of
        # two that overlap, are to be in one place again.
        reach = 1 + sum(
            (size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True)
        )
        memory = tensor.as_strided((reach,), (1,)).clone()
        return memory.as_strided(tensor.shape, tensor.stride(), 0)
