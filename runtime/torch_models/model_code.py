"""What a program was compiled from, beside the weights of a model: its modules and their values."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch_refine.importer.python_state.reads import Reads
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
            if vars(modules[name.rpartition(".")[0]]).get(name.rpartition(".")[2]) == value
        ]

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
            found = vars(modules[owner]).get(attribute)
            if type(found) is not type(value) or (found != value and value == value):
                name = f"{owner}.{attribute}" if owner else attribute
                advice = "call eval() or train(), or compile again"
                raise WeightError(
                    f"{name!r} was {value!r} when the program was compiled, and is {found!r} now; "
                    + (advice if attribute == "training" else "compile again")
                )

    def dicts(self) -> list[dict[str, Any]]:
        """The dictionaries that no attribute of a module replaces: those of hooks."""
        modules = dict(self._model.named_modules(remove_duplicate=False))
        used = [modules[name] for name in self._modules if name in modules]
        return [vars(module)[name] for module in used for name in _HOOKS]


def _described(module: torch.nn.Module) -> _Module:
    hooks = [id(hook) for name in _HOOKS for hook in vars(module)[name].values()]
    return _Module(type(module), vars(module).get("forward"), tuple(hooks))
