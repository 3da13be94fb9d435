"""The error raised by a call that violates a guard of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch_refine.dialect.guard_messages import GuardMessage


class GuardError(ValueError):
    """Sizes or scalars violate an assumption of the export, or a precondition of an operator.

    Attributes:
        guard: the condition that does not hold, such as `x.size(0) > y.size(0)`.
        sizes: the values of the sizes in the condition, by name.
        location: the line of the model that required it, as `file:line`; None if the export did
            not record it, or the bound was given by the caller.
        reason: the operator and its message, `aten::mm: inner dimensions must match, got 3 and 4`;
            None for an assumption of the export.
    """

    def __init__(
        self,
        guard: str,
        sizes: dict[str, int],
        location: str | None = None,
        reason: str | None = None,
    ) -> None:
        """Compose the message from its parts."""
        self.guard = guard
        self.sizes = sizes
        self.location = location
        self.reason = reason
        given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
        asked = f" (asked at {location})" if location else ""
        if reason is None:
            text = f"the program was compiled for {guard}{asked}, got {given}"
        else:
            text = f"{reason}{asked}; it requires {guard}, got {given}"
        super().__init__(text)

    def __reduce__(self) -> tuple[Any, ...]:
        return GuardError, (self.guard, self.sizes, self.location, self.reason)


class BrokenGuardError(Exception):
    """A guard does not hold; compiled code knows only which."""

    def __init__(self, message: GuardMessage) -> None:
        super().__init__(message.guard)
        self.message = message

    def explain(self, inputs: Sequence[Any], first: int) -> GuardError:
        """The error for inputs that are the arguments of the program from `first` on."""
        given = {
            (argument, dim): inputs[argument - first]
            if dim is None
            else inputs[argument - first].shape[dim]
            for _, argument, dim in self.message.sizes
        }
        sizes = {name: given[argument, dim] for name, argument, dim in self.message.sizes}
        reason = _reason(self.message, given) if self.message.parts else None
        return GuardError(self.message.guard, sizes, self.message.source, reason)


def _reason(message: GuardMessage, given: dict[tuple[int, int | None], int]) -> str:
    """The message of the operator that would raise, with the sizes filled in."""
    # Imported for failed calls only.
    from torch_refine.abstract_interpreter.numbers.parsing import parse_number

    known = {
        f"arg{argument}" if dim is None else f"arg{argument}.size({dim})": size
        for (argument, dim), size in given.items()
    }
    texts = []
    for part in message.parts:
        try:
            texts.append(part if isinstance(part, str) else str(parse_number(part[0], known.get)))
        except ValueError:
            texts.append("?")
    return "".join(texts)
