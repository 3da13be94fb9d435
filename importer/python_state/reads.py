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

PLAIN = (bool, int, float, complex, str, bytes, type(None), torch.dtype, torch.device)


@dataclass
class Reads:
    """The modules that a call uses, by name, and the plain values of their attributes."""

    modules: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    """By the name of a module and that of the attribute, `layers.0.training`."""


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

    def read(module: torch.nn.Module, attribute: str) -> Any:
        value = object.__getattribute__(module, attribute)
        name = names.get(id(module))
        if name is not None:
            used.setdefault(id(module), name)
            if type(value) in PLAIN and attribute in object.__getattribute__(module, "__dict__"):
                found.values.setdefault(f"{name}.{attribute}" if name else attribute, value)
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
        found.modules = list(used.values())
