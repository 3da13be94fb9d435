"""A snapshot of what a model keeps in Python, compared with it after a trace.

This module loads PyTorch.
"""

from __future__ import annotations

import enum
import random
import sys
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch_refine.importer.python_state.kinds import (
    CONTAINERS,
    MOST_CONTAINERS,
    MOST_ENTRIES,
    OPAQUE,
    OWN_ATTRIBUTES,
    PLAIN,
    is_of_library,
    is_same,
)


class _Of(enum.Enum):
    """What a container is."""

    MODULE = enum.auto()
    OBJECT = enum.auto()
    """The attributes of an object."""
    ITEMS = enum.auto()
    """A list, a dictionary or a set."""
    CLASS = enum.auto()
    GLOBALS = enum.auto()


# Only plain values in these are state of the model.
_NAMESPACES = (_Of.CLASS, _Of.GLOBALS)


@dataclass(frozen=True)
class Change:
    """A value that a trace changed, `path` as Python writes it; None stands for an absent one."""

    path: str
    before: Any
    after: Any
    module: torch.nn.Module | None
    """The module of which it is an attribute, if it is."""
    place: tuple[int, Any]
    """The identity of the container, and the value's index or name in it."""


@dataclass(frozen=True)
class _Held:
    """A container with a copy of what was in it."""

    path: str
    kind: _Of
    container: Any
    content: Any

    def present(self) -> Any:
        """A copy of what is in it now."""
        if self.kind == _Of.MODULE:
            return _attributes(self.container)
        if self.kind in _NAMESPACES:
            return _plain_values(vars(self.container))
        return self.container.copy()

    def changes(self) -> Iterator[Change]:
        """What is not as it was."""
        old, new = _items(self.content), _items(self.present())
        for key in dict.fromkeys((*old, *new)):
            before, after = old.get(key), new.get(key)
            if not is_same(before, after):
                module = self.container if self.kind == _Of.MODULE else None
                place = id(self.container), key
                yield Change(self.path_of(key), before, after, module, place)

    def put(self, content: Any) -> None:
        """Replace what is in it."""
        if self.kind in _NAMESPACES:
            for name in _plain_values(vars(self.container)).keys() - content.keys():
                delattr(self.container, name)
            for name, value in content.items():
                setattr(self.container, name, value)
        elif self.kind == _Of.MODULE:
            attributes = self.container.__dict__
            for name in _attributes(self.container).keys() - content.keys():
                del attributes[name]
            attributes.update(content)
        else:
            self.container.clear()
            add = getattr(self.container, "update", None) or self.container.extend
            add(content)

    def later(self) -> Any:
        """What is in it now, where that is another value than before; all of a list or set."""
        present = self.present()
        if not isinstance(present, dict):
            return present
        return {
            key: value
            for key, value in present.items()
            if not (key in self.content and is_same(self.content[key], value))
        }

    def add(self, later: Any) -> None:
        """Replace what `later` gave."""
        self.put(self.present() | later if isinstance(later, dict) else later)

    def path_of(self, key: Any) -> str:
        """The path of a value in it."""
        return f"{self.path}[{key!r}]" if self.kind == _Of.ITEMS else f"{self.path}.{key}"


class Snapshot:
    """Attributes of modules, and the containers and objects that they refer to.

    Plain values of the modules' classes and of the files that define them are part of it, unless
    they are PyTorch's.
    """

    def __init__(self, model: torch.nn.Module, *, with_values: bool = False) -> None:
        self._held: list[_Held] = []
        # By identity; what is held stays alive.
        self._seen: set[int] = set()
        # A trace writes to tensors that are no buffers, which `restore` undoes with their values.
        self._with_values = with_values
        self._tensors: list[tuple[torch.Tensor, int, torch.Tensor]] = []
        waiting: list[tuple[str, Any]] = []
        kinds: dict[type, None] = {}
        for name, module in model.named_modules():
            path = f"self.{name}" if name else "self"
            self._hold(_Held(path, _Of.MODULE, module, _attributes(module)), waiting)
            kinds |= dict.fromkeys(type(module).__mro__)
        while waiting and len(self._held) < MOST_CONTAINERS:
            self._visit(*waiting.pop(), waiting)
        for kind in kinds:
            if not is_of_library(kind):
                self._hold_namespaces(kind)

    def changes(self) -> list[Change]:
        """What is not as it was."""
        return [change for held in self._held for change in held.changes()]

    def later(self) -> list[tuple[int, Any]]:
        """What is in the containers that changed, for `add`."""
        return [
            (place, held.later())
            for place, held in enumerate(self._held)
            if next(held.changes(), None) is not None
        ]

    def add(self, later: Iterable[tuple[int, Any]]) -> None:
        """Replace what is in containers."""
        for place, content in later:
            self._held[place].add(content)

    def restore(self) -> None:
        """Set everything to what it was."""
        for held in self._held:
            if next(held.changes(), None) is not None:
                held.put(held.content)
        for tensor, version, values in self._tensors:
            if tensor._version != version:
                with torch.no_grad():
                    tensor.copy_(values)

    def _hold(self, held: _Held, waiting: list[tuple[str, Any]]) -> None:
        self._held.append(held)
        self._seen.add(id(held.container))
        waiting += [(held.path_of(key), each) for key, each in _items(held.content).items()]

    def _visit(self, path: str, value: Any, waiting: list[tuple[str, Any]]) -> None:
        """Hold a container or an object, unless it is held; add what it refers to."""
        if id(value) in self._seen:
            return
        if self._with_values and type(value) is torch.Tensor and not value.is_inference():
            self._seen.add(id(value))
            self._tensors.append((value, value._version, value.detach().clone()))
        if isinstance(value, OPAQUE):
            return
        if type(value) in CONTAINERS:
            if len(value) <= MOST_ENTRIES:
                self._hold(_Held(path, _Of.ITEMS, value, value.copy()), waiting)
        elif isinstance(value, tuple):
            waiting += [(f"{path}[{place}]", each) for place, each in enumerate(value)]
        elif not is_of_library(type(value)):
            attributes = getattr(value, "__dict__", None)
            if isinstance(attributes, dict) and id(attributes) not in self._seen:
                self._seen.add(id(value))
                self._hold(_Held(path, _Of.OBJECT, attributes, attributes.copy()), waiting)

    def _hold_namespaces(self, kind: type) -> None:
        self._hold(_Held(kind.__qualname__, _Of.CLASS, kind, _plain_values(vars(kind))), [])
        file = sys.modules.get(kind.__module__)
        if file is not None and id(file) not in self._seen:
            self._hold(_Held(file.__name__, _Of.GLOBALS, file, _plain_values(vars(file))), [])


def random_states() -> list[Any]:
    """The states of the generators of random numbers that are not PyTorch's."""
    states: list[Any] = [random.getstate()]
    if "numpy" in sys.modules:
        name, keys, *rest = sys.modules["numpy"].random.get_state()
        states.append((name, keys.tobytes(), *rest))
    return states


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of lists, tuples and dictionaries, with each value in them replaced."""
    if isinstance(value, (dict, OrderedDict, defaultdict)) and type(value) in CONTAINERS:
        copied = value.copy()
        for key, each in value.items():
            copied[key] = mapped(each, change)
        return copied
    if type(value) in (*CONTAINERS, tuple):
        return type(value)(mapped(each, change) for each in value)
    return change(value)


def _attributes(module: torch.nn.Module) -> dict[str, Any]:
    return {key: value for key, value in vars(module).items() if key not in OWN_ATTRIBUTES}


def _plain_values(namespace: Any) -> dict[str, Any]:
    # Others than those that Python itself sets.
    return {
        key: value
        for key, value in namespace.items()
        if type(value) in PLAIN and not (key.startswith("__") and key.endswith("__"))
    }


def _items(content: Any) -> dict[Any, Any]:
    """The values of a container, by what is written in brackets, or by their name."""
    if isinstance(content, dict):
        return content
    if isinstance(content, set):
        return dict(zip(content, content, strict=True))
    return dict(enumerate(content))
