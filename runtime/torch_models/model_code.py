"""What a program was compiled from, beside the weights of a model: its modules and their values."""

from __future__ import annotations

import gc
from typing import Any, NamedTuple

import torch
from torch_refine.importer.python_state.kinds import is_same
from torch_refine.importer.python_state.reads import Reads, is_in_class
from torch_refine.runtime.refusals import WeightError

_HOOKS = ("_forward_hooks", "_forward_pre_hooks")


class _Module(NamedTuple):
    """A module that `forward` uses."""

    kind: type
    forward: Any
    """The function that replaces that of the class; None if none does."""
    hooks: tuple[int, ...]
    """The hooks, by identity."""


class ModelCode:
    """Detects changes of the modules that a program was compiled from.

    These are other classes, hooks and `forward` functions, and other values of attributes that the
    trace read: numbers, strings, `training`.
    """

    def __init__(self, model: torch.nn.Module, reads: Reads) -> None:
        self._model = model
        modules = dict(model.named_modules(remove_duplicate=False))
        self._modules = {name: _described(modules[name]) for name in reads.modules}
        self._values = [
            (*name.rpartition(".")[::2], value)
            for name, value in reads.values.items()
            # A value that the export itself changes is none of the model.
            if is_same(_value_of(modules[name.rpartition(".")[0]], name.rpartition(".")[2]), value)
        ]
        self._classes = {
            kind: None
            for owner, attribute, _ in self._values
            for kind in type(modules[owner]).__mro__
            if attribute in vars(kind)
        }

    def __bool__(self) -> bool:
        return bool(self._modules)

    def check(self) -> None:
        """Check that all are as they were; raises WeightError."""
        modules = dict(self._model.named_modules(remove_duplicate=False))
        for name, before in self._modules.items():
            shown = repr(name) if name else "the model"
            if name not in modules:
                raise WeightError(f"the model has no module {shown} any more; compile again")
            now = _described(modules[name])
            if now.kind is not before.kind:
                raise WeightError(
                    f"{shown} was a {before.kind.__name__} when the program was compiled, and is "
                    f"a {now.kind.__name__} now; compile again"
                )
            if now != before:
                what = "hooks" if now.hooks != before.hooks else "forward"
                raise WeightError(
                    f"the {what} of {shown} changed since the program was compiled; compile again"
                )
        for owner, attribute, value in self._values:
            found = _value_of(modules[owner], attribute)
            if not is_same(found, value):
                name = f"{owner}.{attribute}" if owner else attribute
                advice = "call eval() or train(), or compile again"
                raise WeightError(
                    f"{name!r} was {value!r} when the program was compiled, and is {found!r} now; "
                    + (advice if attribute == "training" else "compile again")
                )

    def dicts(self) -> list[dict[str, Any]]:
        """The dictionaries that no attribute of a module replaces: those of hooks and classes."""
        modules = dict(self._model.named_modules(remove_duplicate=False))
        used = [modules[name] for name in self._modules if name in modules]
        hooks = [vars(module)[name] for module in used for name in _HOOKS]
        return [*hooks, *(each for kind in self._classes for each in _dicts_of_class(kind))]


def _described(module: torch.nn.Module) -> _Module:
    hooks = [id(hook) for name in _HOOKS for hook in vars(module)[name].values()]
    return _Module(type(module), vars(module).get("forward"), tuple(hooks))


def _value_of(module: torch.nn.Module, attribute: str) -> Any:
    """A plain attribute of a module or of its class; None if there is none."""
    attributes = vars(module)
    if attribute in attributes:
        return attributes[attribute]
    kind = type(module)
    return getattr(kind, attribute) if is_in_class(kind, attribute) else None


def _dicts_of_class(kind: type) -> list[dict[str, Any]]:
    """The dictionary behind the view that a class shows of its own."""
    shown = vars(kind).keys()
    return [each for each in gc.get_referents(kind) if type(each) is dict and each.keys() == shown]
