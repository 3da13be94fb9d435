"""Validation of a model and its examples, with messages that suggest what to pass instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch


def positional(example_inputs: Any) -> tuple[Any, ...]:
    """Examples as positional arguments; a single tensor is the only argument.

    Raises:
        TypeError: they are not a tuple, list or tensor.
    """
    if isinstance(example_inputs, torch.Tensor):
        return (example_inputs,)
    if example_inputs is None:
        return ()
    # A named tuple may be one argument, or all of them, which is ambiguous.
    is_named = hasattr(example_inputs, "_fields")
    if not isinstance(example_inputs, (tuple, list)) or is_named:
        given = type(example_inputs).__name__
        is_mapping = isinstance(example_inputs, Mapping)
        hint = "; keyword arguments are passed as kwargs=" if is_mapping else ""
        raise TypeError(f"example_inputs must be a tuple of arguments, not a {given}{hint}")
    return tuple(example_inputs)


def refuse_examples(
    example_inputs: Any, kwargs: Mapping[str, Any] | None, dynamic_shapes: Any
) -> None:
    """Raise TypeError for arguments that an exported program already determines."""
    given = isinstance(example_inputs, torch.Tensor) or example_inputs
    if given or kwargs or dynamic_shapes is not None:
        raise TypeError("an exported program already has its inputs and dynamic shapes")


def kind_of(model: Any) -> str:
    """What was passed instead of a model, and how to make a model of it."""
    given = f"a {type(model).__name__}"
    if isinstance(model, str) or hasattr(model, "__fspath__"):
        return f"{given}: torch_refine.load reads a file"
    if callable(model):
        return (
            f"{given}: wrap it as the `forward` of a torch.nn.Module, or use "
            'torch.compile(function, backend="torch_refine")'
        )
    return given
