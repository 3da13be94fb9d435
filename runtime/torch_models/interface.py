"""The calling interface of a model: nested arguments and results, and in-place writes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from torch_refine.runtime.calls.overlaps import (
    refuse_overlaps,
    refuse_shared_state,
    refuse_unwritable,
)
from torch_refine.runtime.calls.tensors import ArrayKind
from torch_refine.runtime.state.state import StateSnapshot
from torch_refine.runtime.torch_models.nesting import Nesting

UPDATED = object()
"""In place of a result that the program wrote to its argument."""


class Differentiation(Protocol):
    """Handles the gradients that a model has in eager mode."""

    def are_lost(
        self, inputs: Sequence[Any], held: StateSnapshot | None, names: Sequence[str]
    ) -> bool:
        """Whether results must be marked; raises GradientError if that does not suffice."""

    def marked(self, results: Sequence[Any]) -> list[Any]:
        """The results of a call; the backward pass of those with a gradient raises."""


class Interface:
    """Converts between the caller's arguments and results and those of a program.

    Args:
        nesting: how the inputs are nested.
        build: makes the model's results from the leaves.
        gradients: handles gradients.
        constant_results: the result leaves that are not computed, by index.
        changed: the arguments of the program whose new values are its last results.
        whole: the inputs that must be contiguous, and whether from the start of their storage.
        state_names: the names of the program's first arguments.
        assigned: the arguments whose new values replace their tensors.
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
        assigned: Collection[int] = (),
    ) -> None:
        self.gradients = gradients
        self.result_spec: Any = None
        self.nesting = nesting
        self.constant_results = dict(sorted(constant_results.items()))
        self.changed = list(changed)
        self.whole = dict(whole)
        self._assigned = frozenset(assigned)
        self._written = [place for place in self.changed if place not in self._assigned]
        last = range(-len(self.changed), 0)
        self.copied = [
            result
            for result, place in zip(last, self.changed, strict=True)
            if place not in self._assigned
        ]
        """The results, counted from the last, that are only copied to arguments."""
        self._build = build
        self._names = list(state_names)
        self._first = len(self._names)
        self._checked = 0

    def flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The non-constant inputs, in the order of the program's parameters."""
        return self.nesting.leaves(inputs, keywords)

    def check(self, values: Sequence[Any], held: StateSnapshot | None) -> None:
        """Check that the tensors to be written to are writable, before any write.

        Raises:
            OverlapError: one aliases another tensor, or two of its elements are one.
            ValueError: one is read-only; or the program reads the storage of an input that is not
                contiguous.
        """
        for place, from_start in self.whole.items():
            _refuse_parts(values[place], from_start, place)
        if not self._written:
            return
        for place in self._written:
            if place >= self._first:
                refuse_unwritable(values[place - self._first], f"input {place - self._first}")
        if held is None:
            refuse_overlaps([], values, self._written)
            return
        if held.serial != self._checked:
            refuse_shared_state(held.extents, self._names, self._written)
            self._checked = held.serial
        refuse_overlaps(held.extents, values, self._written)

    def finish(
        self,
        results: list[Any],
        values: Sequence[Any],
        passed: Sequence[Any],
        arrays: ArrayKind,
        held: StateSnapshot | None,
        assign: Callable[[int, Any], None],
    ) -> Any:
        """Write the new values of inputs and buffers, and build the model's results.

        `passed` are the values or their copies, to which the program has written results that are
        `UPDATED`.
        """
        own = len(results) - len(self.changed)
        for place, new in zip(self.changed, results[own:], strict=True):
            if place in self._assigned:
                assign(place, new)
            elif new is UPDATED:
                self._note_update(place, values, passed, arrays, held)
            elif place < self._first:
                assert held is not None, "there is state"
                self._write_state(held.tensors[place], new, arrays)
            else:
                arrays.write(values[place - self._first], new)
        leaves = results[:own]
        for place, value in self.constant_results.items():
            leaves.insert(place, value)
        return self._build(leaves)

    def _note_update(
        self,
        place: int,
        values: Sequence[Any],
        passed: Sequence[Any],
        arrays: ArrayKind,
        held: StateSnapshot | None,
    ) -> None:
        """Write the copy of an argument that the program has written to, if it is not the value."""
        if place >= self._first:
            value = values[place - self._first]
            copy = passed[place - self._first]
            if copy is not value:
                arrays.write(value, copy)
            else:
                arrays.has_written(value)
            return
        assert held is not None, "there is state"
        if place in held.copies:
            self._write_state(held.tensors[place], held.copies[place], arrays)
        else:
            self._note_written_state(held.tensors[place], arrays)

    def _note_written_state(self, tensor: Any, arrays: ArrayKind) -> None:
        arrays.has_written(tensor)

    def _write_state(self, tensor: Any, new: Any, arrays: ArrayKind) -> None:
        arrays.write(tensor, new)


def _refuse_parts(value: Any, from_start: bool, place: int) -> None:
    """Raise ValueError for an input that is not contiguous, or does not start its storage."""
    if type(value).__module__ == "numpy":
        is_whole = value.flags.c_contiguous
    else:
        is_whole = value.is_contiguous() and not (from_start and value.storage_offset())
    if not is_whole:
        raise ValueError(
            f"input {place} must be contiguous, from the start of its storage: `as_strided` "
            "reads it"
        )
