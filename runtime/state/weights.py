"""The interface of a program to its weights; `model_weights.py` has those of a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Places:
    """What determines the current tensors, and may change."""

    owners: list[Any] = field(default_factory=list)
    """Objects, by their attributes."""
    dicts: list[dict[Any, Any]] = field(default_factory=list)
    lists: list[list[Any]] = field(default_factory=list)


class Weights(Protocol):
    """The tensors that a program is bound to."""

    def current(self) -> list[Any]:
        """The current tensors; raises WeightError."""

    def names(self) -> Sequence[str]:
        """Their names in messages."""

    def places(self) -> Places | None:
        """Where `current` looks; None if there are others, whose changes cannot be watched."""

    def has_conditions(self) -> bool:
        """Whether `current` may raise if there are no tensors."""

    def assigned(self) -> Collection[int]:
        """The indices of tensors that calls replace."""

    def assign(self, place: int, tensor: Any) -> list[dict[str, Any]]:
        """Replace a tensor; returns the dictionaries that this may have changed."""


class FixedWeights:
    """Tensors that cannot be replaced: those of an `ExportedProgram`, or of a graph."""

    def __init__(self, tensors: Sequence[Any], names: Sequence[str]) -> None:
        self._tensors = list(tensors)
        self._names = list(names)

    def current(self) -> list[Any]:
        """Always the same tensors; their contents may change."""
        return self._tensors

    def names(self) -> Sequence[str]:
        """The names in the program."""
        return self._names

    def places(self) -> Places | None:
        """Nowhere: their names are not looked up."""
        return Places()

    def has_conditions(self) -> bool:
        """No."""
        return False

    def assigned(self) -> Collection[int]:
        """None."""
        return ()

    def assign(self, place: int, tensor: Any) -> list[dict[str, Any]]:
        """Not possible."""
        raise AssertionError("weights that are fixed are written to")
