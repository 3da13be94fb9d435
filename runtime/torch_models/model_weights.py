"""The weights of a live model, looked up by name again after a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch_refine.runtime.refusals import WeightError


class ModelWeights:
    """The weights of a live model, by name; replaced ones are detected.

    Tied weights must stay tied, as the program takes them once, and absent ones, such as a bias
    that is None, must stay absent. Only tensors are tracked, not the code of the model.
    """

    def __init__(
        self, model: torch.nn.Module, tensors: Sequence[torch.Tensor], names: Sequence[str]
    ) -> None:
        self._model = model
        self._names = list(names)
        registered: dict[int, list[str]] = {}
        for name, tensor in _registered(model):
            registered.setdefault(id(tensor), []).append(name)
        self._aliases = [
            [*registered.get(id(tensor), ()), *_if_attribute(model, name, tensor)]
            for name, tensor in zip(names, tensors, strict=True)
        ]
        # A tensor that the model does not name, such as one in a list, is fixed. Others are not
        # kept alive: they may be replaced.
        self._unnamed = [
            None if aliases else tensor
            for aliases, tensor in zip(self._aliases, tensors, strict=True)
        ]
        self._absent = set(_absent(model))

    def current(self) -> list[torch.Tensor]:
        """The current tensors of the names.

        Raises:
            WeightError: a name is gone, or tied weights are not tied any more.
        """
        found: list[Any] = []
        for unnamed, aliases in zip(self._unnamed, self._aliases, strict=True):
            meant = [_looked_up(self._model, alias) for alias in aliases]
            for alias, other in zip(aliases, meant, strict=True):
                if not isinstance(other, torch.Tensor):
                    raise WeightError(f"the model has no tensor {alias!r} any more; compile again")
                if other is not meant[0]:
                    raise WeightError(
                        f"{aliases[0]!r} and {alias!r} were one tensor when the program was "
                        "compiled, and are not any more; compile again"
                    )
            found.append(meant[0] if meant else unnamed)
        appeared = self._absent.difference(_absent(self._model))
        for name in sorted(appeared):
            if isinstance(_looked_up(self._model, name), torch.Tensor):
                raise WeightError(
                    f"{name!r} was None when the program was compiled, and is a tensor now; "
                    "compile again"
                )
        return found

    def names(self) -> Sequence[str]:
        """The names in the model."""
        return self._names

    def owners(self) -> list[Any]:
        """All modules."""
        return list(self._model.modules())

    def dicts(self) -> list[dict[str, Any]]:
        """Those of all modules: parameters, buffers and submodules."""
        found: list[dict[str, Any]] = []
        for module in self._model.modules():
            found += [module._parameters, module._buffers, module._modules]
        # Entries may be added to an empty dictionary that no name uses; that has no effect.
        return [each for each in found if each]


def _registered(model: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    yield from model.named_parameters(remove_duplicate=False)
    yield from model.named_buffers(remove_duplicate=False)


def _if_attribute(model: torch.nn.Module, name: str, tensor: torch.Tensor) -> list[str]:
    """The name, if it is an unregistered attribute."""
    owner = _owner(model, name)
    is_named = owner is not None and owner.__dict__.get(name.rpartition(".")[2]) is tensor
    return [name] if is_named else []


def _owner(model: torch.nn.Module, name: str) -> torch.nn.Module | None:
    """The module that has the last part of a name."""
    found: torch.nn.Module | None = model
    for part in name.split(".")[:-1]:
        found = None if found is None else found._modules.get(part)
    return found


def _looked_up(model: torch.nn.Module, name: str) -> Any:
    """An attribute of a model, as Python finds it; None if there is none."""
    owner = _owner(model, name)
    last = name.rpartition(".")[2]
    if owner is None:
        return None
    for names in (owner.__dict__, owner._parameters, owner._buffers):
        if last in names:
            return names[last]
    return None


def _absent(model: torch.nn.Module) -> Iterator[str]:
    """The names of parameters and buffers that are registered as None."""
    for prefix, module in model.named_modules(remove_duplicate=False):
        for names in (module._parameters, module._buffers):
            for name, value in names.items():
                if value is None:
                    yield f"{prefix}.{name}" if prefix else name
