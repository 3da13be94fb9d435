"""The program of a call, whose inputs are the call's tensors, or its integers, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import torch
from torch.utils import _pytree as pytree
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of, own_copy
from torch_refine.runtime.compiling.compiler import Options
from torch_refine.runtime.torch_models.models import compile_model

Way = Literal["numbers", "dynamic", "static"]
WAYS: dict[Way, str] = {
    "numbers": "for tensors of any sizes, and any integers",
    "dynamic": "for tensors of any sizes",
    "static": "for the sizes of the call",
}


class InputModule(torch.nn.Module):
    """A call as a model whose inputs are its tensors, and optionally its integers, in order."""

    def __init__(self, call: ValueCall, numbers: bool) -> None:
        super().__init__()
        self.call = call
        self.numbers = numbers
        self.overload = overload_of(call.operator)
        self.writes = self.overload._schema.is_mutable

    def takes(self, leaf: Any) -> bool:
        """Whether an argument of the call is an input."""
        is_number = isinstance(leaf, int) and not isinstance(leaf, bool)
        return isinstance(leaf, torch.Tensor) or (self.numbers and is_number)

    def inputs(self) -> tuple[Any, ...]:
        """The inputs of the original call."""
        leaves = pytree.tree_leaves((self.call.args, self.call.kwargs))
        return tuple(leaf for leaf in leaves if self.takes(leaf))

    def called_with(self, inputs: tuple[Any, ...]) -> ValueCall:
        """The call with other inputs."""
        leaves, spec = pytree.tree_flatten((self.call.args, self.call.kwargs))
        if len(inputs) != len(self.inputs()):
            raise TypeError(f"expected {len(self.inputs())} inputs, got {len(inputs)}")
        others = iter(inputs)
        leaves = [next(others) if self.takes(leaf) else leaf for leaf in leaves]
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        return replace(self.call, args=args, kwargs=kwargs)

    def forward(self, *inputs: Any) -> tuple[Any, ...]:
        """The operator's results, flat, without None."""
        if self.writes:
            inputs = tuple(
                each.clone() if isinstance(each, torch.Tensor) else each for each in inputs
            )
        call = self.called_with(inputs)
        results = pytree.tree_leaves(self.overload(*call.args, **call.kwargs))
        return tuple(each for each in results if each is not None)


def compile_guarded(model: InputModule, way: Way) -> Callable[..., Any]:
    """Compile the program of a call so that a guarded heap sees each of its buffers.

    Raises CompileError or ImportModelError.
    """
    examples = copies(model.inputs())
    shapes = None if way == "static" else (tuple(map(_any_size, examples)),)
    compiled: Callable[..., Any] = compile_model(
        model, examples, shapes, Options(separate_buffers=True)
    )
    return compiled


def copies(
    inputs: tuple[Any, ...], copy: Callable[[torch.Tensor], torch.Tensor] = own_copy
) -> tuple[Any, ...]:
    """Copies of plain tensors; a tensor that occurs twice is copied once."""
    made: dict[int, Any] = {}
    for each in inputs:
        if id(each) not in made:
            made[id(each)] = _copy(each, copy)
    return tuple(made[id(each)] for each in inputs)


def _copy(value: Any, copy: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    if type(value) is not torch.Tensor or value.device.type != "cpu" or value._is_zerotensor():
        return value
    copied = copy(value)
    return copied.requires_grad_() if value.requires_grad else copied


def _any_size(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return {dim: torch.export.Dim.AUTO for dim, size in enumerate(value.shape) if size > 1}
    return torch.export.Dim.AUTO
