"""The weights of a live model, found by their names at each call after something changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch_refine.runtime.refusals import WeightError


class ModelWeights:
    """The weights of a live model, by their names: one that is replaced is seen.

    What was one tensor under two names must stay one, as the program takes it once, and what was
    not there, such as a bias that is None, must not appear. The code of the model is that from when
    it was compiled: only its tensors are followed.
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
        # A tensor that the model does not name, such as one of a list, stays what it is. Others are
        # not kept: they may be replaced.
        self._unnamed = [
            None if aliases else tensor
            for aliases, tensor in zip(self._aliases, tensors, strict=True)
        ]
        self._absent = set(_absent(model))

    def current(self) -> list[torch.Tensor]:
        """What the names mean now.

        Raises:
            WeightError: a name is gone, or two names of one tensor mean two.
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
                        "compiled, and are two now; compile again"
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
        """As the model names them."""
        return self._names

    def owners(self) -> list[Any]:
        """All modules."""
        return list(self._model.modules())

    def dicts(self) -> list[dict[str, Any]]:
        """Those of all modules: their parameters, buffers and submodules."""
        found: list[dict[str, Any]] = []
        for module in self._model.modules():
            found += [module._parameters, module._buffers, module._modules]
        # An empty one of which nothing is wanted may be filled, and nothing comes of it.
        return [each for each in found if each]


def _registered(model: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    yield from model.named_parameters(remove_duplicate=False)
    yield from model.named_buffers(remove_duplicate=False)


def _if_attribute(model: torch.nn.Module, name: str, tensor: torch.Tensor) -> list[str]:
    """The name if it is that of an attribute which is not registered."""
    owner = _owner(model, name)
    is_named = owner is not None and owner.__dict__.get(name.rpartition(".")[2]) is tensor
    return [name] if is_named else []


def _owner(model: torch.nn.Module, name: str) -> torch.nn.Module | None:
    """The module of which a name's last part is said."""
    found: torch.nn.Module | None = model
    for part in name.split(".")[:-1]:
        found = None if found is None else found._modules.get(part)
    return found


def _looked_up(model: torch.nn.Module, name: str) -> Any:
    """What a model's attribute is, as Python would find it; None if there is none."""
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
