"""The error raised by a call that violates a guard of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch_refine.dialect.guard_messages import GuardMessage


class GuardError(ValueError):
    """Sizes or scalars violate an assumption made when the program was exported.

    Attributes:
        guard: the condition that does not hold, such as `x.size(0) > y.size(0)`.
        sizes: the values of the sizes in the condition, by name.
        location: the line of the model that required it, as `file:line`; None if the export did
            not record it, or the bound was given by the caller.
    """

    def __init__(self, guard: str, sizes: dict[str, int], location: str | None = None) -> None:
        """Compose the message from its parts."""
        self.guard = guard
        self.sizes = sizes
        self.location = location
        given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
        asked = f" (asked at {location})" if location else ""
        super().__init__(f"the program was compiled for {guard}{asked}, got {given}")

    def __reduce__(self) -> tuple[Any, ...]:
        return GuardError, (self.guard, self.sizes, self.location)


class BrokenGuardError(Exception):
    """A guard does not hold; compiled code knows only which."""

    def __init__(self, message: GuardMessage) -> None:
        super().__init__(message.guard)
        self.message = message

    def explain(self, inputs: Sequence[Any], first: int) -> GuardError:
        """The error for inputs that are the arguments of the program from `first` on."""
        sizes = {
            name: inputs[argument - first] if dim is None else inputs[argument - first].shape[dim]
            for name, argument, dim in self.message.sizes
        }
        return GuardError(self.message.guard, sizes, self.message.source)
