"""Traces that make no guards of how tensors lie in memory. This module loads PyTorch.

PyTorch notes in each node whether its result is contiguous, and asks the same to give the result of
an elementwise operator strides. For a slice such as `x[:, -7:]` of a dynamic size that is a
question about the size, and the answer a guard: a program traced with seven elements would hold for
no others. Values of a program have no strides, so that these answers do not matter. Those that
decide whether `view` is possible, or whether `contiguous` returns its operand, keep their guards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from typing import Any

from torch import _meta_registrations, _prims_common
from torch._decomp import decompositions
from torch._subclasses import fake_impls
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.experimental import proxy_tensor
from torch.fx.experimental.symbolic_shapes import ShapeEnv

# Functions that choose strides of results, and the modules that look them up.
_CHOOSING_STRIDES = {
    "is_contiguous_for_memory_format_or_false": (_prims_common, fake_impls),
    "compute_elementwise_output_logical_to_physical_perm": (_prims_common,),
    "suggest_memory_format": (_prims_common, _meta_registrations, decompositions),
}


@contextmanager
def without_layout_guards() -> Iterator[None]:
    """A context in which PyTorch traces without guards on the strides of results."""
    # There is no option, so the functions are replaced while PyTorch traces.
    with ExitStack() as undone:
        note = proxy_tensor._extract_tensor_metadata  # type: ignore[attr-defined]
        _replace(undone, proxy_tensor, note, partial(note, include_contiguity=False))
        for name, modules in _CHOOSING_STRIDES.items():
            for module in modules:
                # They are PyTorch's own, and another version may lack one.
                original = getattr(module, name, None)
                if original is not None:
                    _replace(undone, module, original, _without_guards(original))
        yield


def _replace(undone: ExitStack, module: Any, original: Any, function: Any) -> None:
    name = original.__name__
    setattr(module, name, function)
    undone.callback(setattr, module, name, original)


def _without_guards(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def ask(*operands: Any, **options: Any) -> Any:
        environment = _environment_of(operands)
        if environment is None:
            return function(*operands, **options)
        with environment.suppress_guards():
            return function(*operands, **options)

    return ask


def _environment_of(operands: Iterable[Any]) -> ShapeEnv | None:
    for each in operands:
        if isinstance(each, FakeTensor):
            return each.fake_mode.shape_env
        found = _environment_of(each) if isinstance(each, tuple | list) else None
        if found is not None:
            return found
    return None
