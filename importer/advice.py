"""Advice for models that PyTorch cannot export."""

from __future__ import annotations

import linecache
import re
from typing import Any

from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch_refine.importer.frames import Frame

# Operators that hold subgraphs and are not imported, with the names users know.
_CONTROL_FLOW = {
    "map_impl": "torch.map",
    "scan": "torch.scan",
    "associative_scan": "torch.associative_scan",
    "flex_attention": "flex_attention",
}
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
        "exported program has one way through. Compute both sides and choose with torch.where, "
        f"promise the outcome with torch._check, {_SPLIT}"
    )


def why_not_imported(error: Exception, target: Any) -> str:
    """Why an exported operator cannot be imported."""
    name = _CONTROL_FLOW.get(getattr(target, "__name__", str(target)))
    if name is None:
        return f"{type(error).__name__}: {error}"
    return (
        f"control flow inside of a program ({name}) is not imported. Compute both sides and choose "
        f"with torch.where, unroll the loop, {_SPLIT}"
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
