"""Advice for models that PyTorch cannot export."""

from __future__ import annotations

import linecache
import re

from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch_refine.importer.frames import Frame

_SPLIT = (
    'or let torch.compile(model, backend="torch_refine") split the program here and leave the '
    "decision to Python"
)
# Parts of PyTorch's messages that address developers of PyTorch.
_NOISE = ("\n\nThe error above occurred when calling", "\n\nFor more information", "\nCaused by:")
_UNKNOWN_TYPE = re.compile(r"(?:Unsupported input type|Found) <class '([^']+)'>")


def why_not_exported(error: Exception, place: Frame | None) -> str:
    """Why PyTorch could not export a model; `place` is the line of the model at which it failed."""
    if not isinstance(error, GuardOnDataDependentSymNode):
        unknown = _UNKNOWN_TYPE.search(str(error))
        if unknown is not None:
            return (
                f"PyTorch does not know what is in a {unknown[1]}: {_how_to_register(unknown[1])}"
            )
        return f"{type(error).__name__}: {_first_part(str(error))}"
    line = "" if place is None else linecache.getline(place.file, place.line).strip()
    shown = f" in `{line}`" if line else ""
    if "specialized integer" in str(error):
        return (
            f"Python needs a data-dependent number{shown}: the values of a tensor decide it, and "
            "an export has none. Keep it a tensor, use torch.nonzero or a boolean mask instead of "
            f"a loop or a slice, {_SPLIT}"
        )
    return (
        f"a data-dependent branch{shown}: Python decides it by the values of a tensor, and an "
        "exported program has one way through. Write it as torch.cond or torch.while_loop, choose "
        f"with torch.where, promise the outcome with torch._check, {_SPLIT}"
    )


def _how_to_register(name: str) -> str:
    """How to register a class whose instances a model takes or returns."""
    if name.startswith("transformers."):
        return (
            "call transformers.integrations.executorch.register_dynamic_cache_export_support(), or "
            "torch.utils._pytree.register_pytree_node for another class, before the model is "
            "exported. A cache that is only returned goes away with use_cache=False"
        )
    last = name.rpartition(".")[2]
    return (
        f"call torch.export.register_dataclass({last}) if it is a dataclass, else "
        f"torch.utils._pytree.register_pytree_node({last}, ...), before the model is exported"
    )


def _first_part(message: str) -> str:
    """The message without the advice for developers of PyTorch, or for callers of the exporter."""
    for noise in _NOISE:
        message, _, _ = message.partition(noise)
    return message.strip()
