"""What a call raises whose sizes break a guard of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch_refine.passes.lowering.guard_messages import GuardMessage


class GuardError(ValueError):
    """Sizes or numbers that the export of a program assumed to be others.

    Attributes:
        guard: the condition that does not hold, such as `x.size(0) > y.size(0)`.
        sizes: what the condition speaks of, by name, as the call gave it.
        location: the line of the model that asked for it, as `file:line`; None where the export did
            not keep it, or a bound of the caller's own asked.
    """

    def __init__(self, guard: str, sizes: dict[str, int], location: str | None = None) -> None:
        """Compose the message from the parts."""
        self.guard = guard
        self.sizes = sizes
        self.location = location
        given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
        asked = f" (asked at {location})" if location else ""
        super().__init__(f"the program was compiled for {guard}{asked}, got {given}")

    def __reduce__(self) -> tuple[Any, ...]:
        return GuardError, (self.guard, self.sizes, self.location)


class BrokenGuardError(Exception):
    """A guard does not hold; the compiled code knows no more than which."""

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
