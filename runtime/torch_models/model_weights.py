"""The weights of a live model, looked up by name again after a change."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch_refine.importer.python_state.reads import Reads
from torch_refine.runtime.refusals import WeightError
from torch_refine.runtime.state.weights import Places
from torch_refine.runtime.torch_models.model_code import ModelCode
from torch_refine.runtime.torch_models.model_objects import ModelObjects


@dataclass(frozen=True)
class LiveModel:
    """A model whose weights a program has."""

    module: torch.nn.Module
    assigned: frozenset[str] = frozenset()
    """The buffers and attributes to which its `forward` assigns new tensors, by name."""
    unread: frozenset[str] = frozenset()
    """Buffers that the program does not read; the model may change them."""
    reads: Reads = field(default_factory=Reads)
    """What the trace read of its modules."""

    @property
    def signature(self) -> inspect.Signature:
        """The signature of its `forward`."""
        return inspect.signature(self.module.forward)

    def places_of_assigned(self, names: Sequence[str]) -> frozenset[int]:
        """The indices of names to which its `forward` assigns tensors."""
        return frozenset(place for place, name in enumerate(names) if name in self.assigned)


class ModelWeights:
    """The weights of a live model, by name; replaced ones are detected.

    Tied weights must stay tied, as the program takes them once, and absent ones, such as a bias
    that is None, must stay absent. So must the modules and values that the trace read.
    """

    def __init__(
        self, live: LiveModel, tensors: Sequence[torch.Tensor], names: Sequence[str]
    ) -> None:
        self._model = model = live.module
        self._names = list(names)
        registered: dict[int, list[str]] = {}
        for name, tensor in _registered(model):
            registered.setdefault(id(tensor), []).append(name)
        # A tensor that is assigned is not tied to others after the first call.
        self._aliases = [
            [name]
            if name in live.assigned
            else []
            if name in live.unread
            else [*registered.get(id(tensor), ()), *_if_attribute(model, name, tensor)]
            for name, tensor in zip(names, tensors, strict=True)
        ]
        # A tensor that the model does not name, such as one in a list, is fixed. Others are not
        # kept alive: they may be replaced.
        self._unnamed = [
            None if aliases else tensor
            for aliases, tensor in zip(self._aliases, tensors, strict=True)
        ]
        self._absent = set(_absent(model))
        self._code = ModelCode(model, live.reads)
        self._objects = ModelObjects(model, live.reads)
        self._assigned = live.places_of_assigned(names)

    def current(self) -> list[torch.Tensor]:
        """The current tensors of the names.

        Raises:
            WeightError: a name is gone, tied weights are not tied any more, or modules or values
                that the program was compiled from have changed.
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
        self._code.check()
        self._objects.check()
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

    def places(self) -> Places | None:
        """All modules and their dictionaries, and what the trace read of their attributes."""
        if not self._objects.is_watchable():
            return None
        modules = list(self._model.modules())
        names = (
            each
            for module in modules
            for each in (module._parameters, module._buffers, module._modules)
        )
        # Entries may be added to an empty dictionary that no name uses; that has no effect.
        used = [each for each in names if each]
        return Places(
            [*modules, *self._objects.owners()],
            [*used, *self._code.dicts(), *self._objects.dicts()],
            self._objects.lists(),
        )

    def assigned(self) -> frozenset[int]:
        """The indices of tensors that `forward` assigns."""
        return self._assigned

    def assign(self, place: int, tensor: Any) -> list[dict[str, Any]]:
        """Assign a tensor to a buffer or an attribute, as Python does; raises WeightError."""
        name = self._names[place]
        owner = _owner(self._model, name)
        if owner is None:
            raise WeightError(f"the model has no module for {name!r} any more; compile again")
        setattr(owner, name.rpartition(".")[2], tensor)
        return [owner.__dict__, owner._buffers]

    def has_conditions(self) -> bool:
        """Whether more than the tensors can change."""
        return bool(self._code) or bool(self._objects)


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
