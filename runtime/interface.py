"""How a model is called: what it takes and returns is nested, and it may write to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from torch_refine.runtime.nesting import Nesting
from torch_refine.runtime.overlaps import refuse_overlaps, refuse_shared_state, refuse_unwritable
from torch_refine.runtime.state import Held
from torch_refine.runtime.tensors import ArrayKind


class Differentiation(Protocol):
    """What becomes of the gradients that a model has in eager mode."""

    def are_lost(self, inputs: Sequence[Any], held: Held | None, names: Sequence[str]) -> bool:
        """Whether results must be marked; raises GradientError where that is not enough."""

    def marked(self, results: Sequence[Any]) -> list[Any]:
        """The results of a call, those with a gradient as tensors whose backward pass raises."""


class Interface:
    """Between the caller's arguments and results and those of a program.

    Args:
        nesting: how the inputs are nested.
        build: makes what the model returns of the leaves.
        gradients: what becomes of them.
        constant_results: the leaves of the results that no program computes, by their places.
        changed: the arguments of the program whose new values are its last results.
        whole: the inputs that must be contiguous, and whether from the start of their storage.
        state_names: the names of the program's first arguments.
    """

    def __init__(
        self,
        nesting: Nesting,
        build: Callable[[list[Any]], Any],
        gradients: Differentiation,
        *,
        constant_results: Mapping[int, Any],
        changed: Sequence[int],
        whole: Mapping[int, bool],
        state_names: Sequence[str],
    ) -> None:
        self.gradients = gradients
        self.result_spec: Any = None
        self.nesting = nesting
        self.constant_results = dict(sorted(constant_results.items()))
        self.changed = list(changed)
        self.whole = dict(whole)
        self._build = build
        self._names = list(state_names)
        self._first = len(self._names)
        self._checked = 0

    def flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The inputs that are no constants, in the order of the program's parameters."""
        return self.nesting.leaves(inputs, keywords)

    def check(self, values: Sequence[Any], held: Held | None) -> None:
        """See whether what is written to can be, before anything is.

        Raises:
            OverlapError: it is where something else is, or two of its elements are one.
            ValueError: it is read-only; or the program reads the memory of an input that is not
                contiguous.
        """
        for place, from_start in self.whole.items():
            _refuse_parts(values[place], from_start, place)
        if not self.changed:
            return
        for place in self.changed:
            if place >= self._first:
                refuse_unwritable(values[place - self._first], f"input {place - self._first}")
        if held is None:
            refuse_overlaps([], values, self.changed)
            return
        if held.serial != self._checked:
            refuse_shared_state(held.extents, self._names, self.changed)
            self._checked = held.serial
        refuse_overlaps(held.extents, values, self.changed)

    def finish(
        self, results: list[Any], values: Sequence[Any], arrays: ArrayKind, held: Held | None
    ) -> Any:
        """What the model returns, of the program's results; it is written to what it writes to."""
        own = len(results) - len(self.changed)
        for place, new in zip(self.changed, results[own:], strict=True):
            if place < self._first:
                assert held is not None, "there is state"
                self._write_state(held.tensors[place], new, arrays)
            else:
                arrays.write(values[place - self._first], new)
        leaves = results[:own]
        for place, value in self.constant_results.items():
            leaves.insert(place, value)
        return self._build(leaves)

    def _write_state(self, tensor: Any, new: Any, arrays: ArrayKind) -> None:
        arrays.write(tensor, new)


def _refuse_parts(value: Any, from_start: bool, place: int) -> None:
    """Raise ValueError for an input that is a part of its storage, or in another order."""
    if type(value).__module__ == "numpy":
        is_whole = value.flags.c_contiguous
    else:
        is_whole = value.is_contiguous() and not (from_start and value.storage_offset())
    if not is_whole:
        raise ValueError(
            f"input {place} must be contiguous, from the start of its storage: `as_strided` "
            "reads it"
        )
