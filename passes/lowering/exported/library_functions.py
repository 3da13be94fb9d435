"""Operators that the library's own decomposition functions expand, before or after the import.

The operators that functions call before the import are exported like those that a model calls
itself: in the dtypes that PyTorch computes in, with the decompositions of this folder. What is
expanded after it (`torch-decompose-ops`) is kept here, so that one function serves programs that
come as IR, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import torch
from torch._ops import OpOverload
from torch_refine.abstract_interp_lib.declaration import Declaration, decompositions
from torch_refine.abstract_interp_lib.families.decompositions import exact

Decomposition = Callable[..., Any]

_FAMILIES = "torch_refine.abstract_interp_lib.families.decompositions"
# Files of functions whose conversions name dtypes, but which promote none.
_MODULES = (
    "exact.before_import",
    "lists.functions_of_each_tensor",
    "lists.pairs_of_tensors",
    "lists.optimizer_steps",
    "lists.three_tensors",
    "networks.fake_quantized_values",
    "prims_as_aten.prims_of_elements",
    "prims_as_aten.prims_of_whole_tensors",
    "signals.window_functions",
)
# Functions that expand operators of imported programs as they do those of others.
_AFTER_IMPORT = tuple(
    f"exact.{each.name}" for each in iter_modules(exact.__path__) if each.name != "before_import"
)

# A composite that PyTorch calls with the arguments of another overload, unless it is decomposed.
_NOT_KEPT = torch.ops.aten.std_mean.dim


def library_functions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator, of those that are expanded before the import."""
    return {
        overload: _decomposition(declaration, overload)
        for overload, declaration in _declared_in(_MODULES)
    }


def expanded_after_import() -> list[OpOverload]:
    """The operators that are imported as they are."""
    found = [overload for overload, _ in _declared_in(_AFTER_IMPORT)]
    return [overload for overload in found if overload != _NOT_KEPT]


def _declared_in(modules: Iterable[str]) -> Iterator[tuple[OpOverload, Declaration]]:
    """The operators whose functions are in some files, in this version of PyTorch."""
    names = {import_module(f"{_FAMILIES}.{name}").__name__ for name in modules}
    for operator, declaration in decompositions().items():
        overload = _overload(operator)
        if declaration.function.__module__ in names and overload is not None:
            yield overload, declaration


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
