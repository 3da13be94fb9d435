"""Values in the objects, lists and dictionaries of a model that a program was compiled for."""

from __future__ import annotations

from typing import Any

import torch
from torch_refine.importer.python_state.kinds import (
    CONTAINERS,
    MOST_CONTAINERS,
    MOST_ENTRIES,
    OPAQUE,
    PLAIN,
    is_of_library,
    is_same,
)
from torch_refine.importer.python_state.reads import Reads
from torch_refine.runtime.refusals import WeightError

_ABSENT = object()


class ModelObjects:
    """Detects changes of plain values in what the trace read of attributes.

    What a call changes itself is not compared: eager calls change it, too.
    """

    def __init__(self, model: torch.nn.Module, reads: Reads) -> None:
        self._model = model
        self._names = reads.containers
        self._changed = reads.changed
        self._written = {place for place, _ in reads.changed}
        self._values = self._walk()

    def __bool__(self) -> bool:
        return bool(self._names)

    def check(self) -> None:
        """Check that all are as they were; raises WeightError."""
        now = self._walk()
        for path in {**self._values, **now}:
            before, after = self._values.get(path, _ABSENT), now.get(path, _ABSENT)
            # Nothing reads a new attribute of an object.
            is_new_attribute = before is _ABSENT and not path.endswith("]")
            if not (is_same(before, after) or is_new_attribute):
                raise WeightError(
                    f"self.{path} was {_shown(before)} when the program was compiled, and is "
                    f"{_shown(after)} now; compile again"
                )

    def owners(self) -> list[Any]:
        """The objects, as of the last check."""
        return self._objects

    def dicts(self) -> list[dict[Any, Any]]:
        """The dictionaries, as of the last check."""
        return self._dicts

    def lists(self) -> list[list[Any]]:
        """The lists, as of the last check."""
        return self._lists

    def is_watchable(self) -> bool:
        """Whether there are only those; others have no versions."""
        return self._is_watchable

    def _walk(self) -> dict[str, Any]:
        """All plain values, by what `forward` writes after `self.`."""
        self._objects: list[Any] = []
        self._dicts: list[dict[Any, Any]] = []
        self._lists: list[list[Any]] = []
        self._is_watchable = True
        found: dict[str, Any] = {}
        seen: set[int] = set()
        modules = dict(self._model.named_modules(remove_duplicate=False))
        waiting: list[tuple[str, Any]] = []
        for name in self._names:
            owner, _, attribute = name.rpartition(".")
            value = vars(modules[owner]).get(attribute) if owner in modules else None
            waiting.append((name, value))
        while waiting and len(seen) < MOST_CONTAINERS:
            path, value = waiting.pop()
            if type(value) in PLAIN:
                found[path] = value
            elif not isinstance(value, OPAQUE) and id(value) not in seen:
                seen.add(id(value))
                waiting += self._within(path, value)
        return found

    def _within(self, path: str, value: Any) -> list[tuple[str, Any]]:
        """What is in a container or an object; nothing if it is not compared."""
        if isinstance(value, tuple):
            return [(f"{path}[{place}]", each) for place, each in enumerate(value)]
        if type(value) not in CONTAINERS:
            attributes = getattr(value, "__dict__", None)
            if not isinstance(attributes, dict) or is_of_library(type(value)):
                return []
            self._objects.append(value)
            return [
                (f"{path}.{key}", each)
                for key, each in {**_plain_of_class(type(value)), **attributes}.items()
                if (id(attributes), key) not in self._changed
            ]
        if len(value) > MOST_ENTRIES or id(value) in self._written:
            return []
        if isinstance(value, dict):
            self._dicts.append(value)
            return [(f"{path}[{key!r}]", each) for key, each in value.items()]
        if isinstance(value, set):
            self._is_watchable = False
            return [(f"{path}[{each!r}]", each) for each in value]
        if isinstance(value, list):
            self._lists.append(value)
        else:
            self._is_watchable = False
        return [(f"{path}[{place}]", each) for place, each in enumerate(value)]


def _plain_of_class(kind: type) -> dict[str, Any]:
    """The plain attributes of an object's class, which its own ones replace."""
    return {
        key: value
        for each in reversed(kind.__mro__)
        if not is_of_library(each)
        for key, value in vars(each).items()
        if type(value) in PLAIN and not key.startswith("__")
    }


def _shown(value: object) -> str:
    return "absent" if value is _ABSENT else repr(value)
