"""What a program is told of its weights; `model_weights.py` has those of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Weights(Protocol):
    """The tensors that a program is bound to."""

    def current(self) -> list[Any]:
        """The tensors as they are now; raises WeightError."""

    def names(self) -> Sequence[str]:
        """What to call them in messages."""

    def owners(self) -> list[Any]:
        """The objects of which attributes change before other tensors are the current ones."""

    def dicts(self) -> list[dict[str, Any]]:
        """What else changes before."""


class FixedWeights:
    """Tensors that nobody can replace: those of an `ExportedProgram`, or of a graph."""

    def __init__(self, tensors: Sequence[Any], names: Sequence[str]) -> None:
        self._tensors = list(tensors)
        self._names = list(names)

    def current(self) -> list[Any]:
        """The same tensors as ever; what they hold may change."""
        return self._tensors

    def names(self) -> Sequence[str]:
        """As the program names them."""
        return self._names

    def owners(self) -> list[Any]:
        """None: their names are not looked up."""
        return []

    def dicts(self) -> list[dict[str, Any]]:
        """None."""
        return []
