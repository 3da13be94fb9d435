"""Operators that the library's own decomposition functions expand before the import.

The operators that these functions call are then exported like those that a model calls itself: in
the dtypes that PyTorch computes in, with the decompositions of this folder.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch
from torch._ops import OpOverload
from torch_refine.abstract_interp_lib.declaration import Declaration, decompositions

Decomposition = Callable[..., Any]

_FAMILIES = "torch_refine.abstract_interp_lib.families.decompositions"
# Files of functions whose conversions name dtypes, but which promote none.
_MODULES = (
    "lists.functions_of_each_tensor",
    "lists.pairs_of_tensors",
    "lists.optimizer_steps",
    "lists.three_tensors",
    "networks.fake_quantized_values",
    "prims_as_aten.prims_of_elements",
    "prims_as_aten.prims_of_whole_tensors",
)


def library_functions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator."""
    names = {import_module(f"{_FAMILIES}.{name}").__name__ for name in _MODULES}
    table: dict[OpOverload, Decomposition] = {}
    for operator, declaration in decompositions().items():
        overload = _overload(operator)
        if declaration.function.__module__ in names and overload is not None:
            table[overload] = _decomposition(declaration, overload)
    return table


def _overload(operator: str) -> OpOverload | None:
    """An operator's overload; None if this version of PyTorch does not have it."""
    namespace, _, rest = operator.partition("::")
    name, _, overload = rest.partition(".")
    packet = getattr(getattr(torch.ops, namespace), name, None)
    found: OpOverload | None = getattr(packet, overload or "default", None)
    return found


def _decomposition(declaration: Declaration, overload: OpOverload) -> Decomposition:
    """A function with the parameters of the operator; `NotImplemented` where it does not apply."""
    arguments = overload._schema.arguments
    names = [each.name for each in arguments]
    defaults = {each.name: each.default_value for each in arguments if each.has_default_value()}
    taken = declaration.function.__code__.co_varnames[: declaration.function.__code__.co_argcount]

    def decompose(*args: Any, **kwargs: Any) -> Any:
        given = {**defaults, **dict(zip(names, args, strict=False)), **kwargs}
        given.update(declaration.constants)
        try:
            return declaration.function(**{name: given[name] for name in taken})
        except AssertionError:
            return NotImplemented

    return decompose
