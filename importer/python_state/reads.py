"""What the call of a model reads of its modules.

This module loads PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch._dynamo.callback import callback_handler
from torch_refine.importer.python_state.kinds import (
    OPAQUE,
    OWN_ATTRIBUTES,
    PLAIN,
    is_of_library,
)


@dataclass
class Reads:
    """The modules that a call uses, by name, and what it reads of their attributes.

    Attributes are named by their module's name and their own, `layers.0.training`.
    """

    modules: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    """Plain values, also those of classes."""
    containers: list[str] = field(default_factory=list)
    """The attributes that are objects, lists or dictionaries."""
    changed: frozenset[tuple[int, Any]] = frozenset()
    """The identities of containers and the keys in them that a call changes itself."""


@contextmanager
def recorded_reads(model: torch.nn.Module) -> Iterator[Reads]:
    """Record what is read of the modules of a model meanwhile.

    What Dynamo traces, the bodies of `torch.cond` and of loops, may read anything: all modules and
    values count as read then.
    """
    found = Reads()
    has_hidden = False
    names = {id(module): name for name, module in model.named_modules()}
    used: dict[int, str] = {}
    containers: dict[str, None] = {}

    def read(module: torch.nn.Module, attribute: str) -> Any:
        value = object.__getattribute__(module, attribute)
        name = names.get(id(module))
        if name is not None:
            used.setdefault(id(module), name)
            path = f"{name}.{attribute}" if name else attribute
            if attribute in object.__getattribute__(module, "__dict__"):
                if type(value) in PLAIN:
                    found.values.setdefault(path, value)
                elif attribute not in OWN_ATTRIBUTES and not isinstance(value, OPAQUE):
                    containers[path] = None
            elif type(value) in PLAIN and is_in_class(type(module), attribute):
                found.values.setdefault(path, value)
        return value

    def start(_: object = None) -> None:
        # The class has no such method, so that all modules inherit this one.
        torch.nn.Module.__getattribute__ = read  # type: ignore[assignment]

    def hide(_: object) -> None:
        nonlocal has_hidden
        has_hidden = True
        stop()

    def stop() -> None:
        # Another thread may export a model, too.
        if vars(torch.nn.Module).get("__getattribute__") is read:
            del torch.nn.Module.__getattribute__

    # Dynamo cannot trace it.
    callback_handler.register_start_callback(hide)
    callback_handler.register_end_callback(start)
    start()
    try:
        yield found
    finally:
        stop()
        callback_handler.remove_start_callback(hide)
        callback_handler.remove_end_callback(start)
        if has_hidden:
            for module in model.modules():
                for attribute in vars(module):
                    read(module, attribute)
        found.modules, found.containers = list(used.values()), list(containers)


def is_in_class(kind: type, attribute: str) -> bool:
    """Whether a plain attribute of a module's class is one of the model, and not PyTorch's."""
    for each in kind.__mro__:
        if attribute in vars(each):
            return type(vars(each)[attribute]) in PLAIN and not is_of_library(each)
    return False
