"""What the call of a model reads of its modules.

This module loads PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

PLAIN = (bool, int, float, complex, str, bytes, type(None), torch.dtype, torch.device)


@dataclass
class Reads:
    """The modules that a call uses, by name, and the plain values of their attributes."""

    modules: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    """By the name of a module and that of the attribute, `layers.0.training`."""


@contextmanager
def recorded_reads(model: torch.nn.Module) -> Iterator[Reads]:
    """Record what is read of the modules of a model meanwhile."""
    found = Reads()
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

    # A class without such a method gets one, which all modules inherit.
    kind: Any = torch.nn.Module
    kind.__getattribute__ = read
    try:
        yield found
    finally:
        del kind.__getattribute__
        found.modules = list(used.values())
