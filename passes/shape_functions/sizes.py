"""The public forms of symbols, shapes and errors of shape functions."""

from __future__ import annotations

from dataclasses import dataclass


class ShapeError(ValueError):
    """Sizes that the program does not take, or that have no answer.

    Attributes:
        guard: the condition that does not hold, such as `arg0.size(1) == arg1.size(0)`; None if
            the sizes are not those of the arguments, or out of bounds.
        reason: what requires it: the operator's message with the sizes, or the bound.
        location: the source line that requires it, as `file:line:column`, None if unknown.
    """

    def __init__(self, reason: str, guard: str | None = None, location: str | None = None) -> None:
        """Compose the message from its parts."""
        self.guard = guard
        self.reason = reason
        self.location = location
        asked = f" (asked at {location})" if location else ""
        required = "" if guard is None else f"; it requires {guard}"
        super().__init__(f"{reason}{asked}{required}")


@dataclass(frozen=True)
class SizeSymbol:
    """A symbol of a program's sizes, from `low` to `high`, both inclusive.

    `source` tells how it is read from an argument, `(arg0.size(1) // 8)` for a size `8*_seq`; None
    if no size determines it alone.
    """

    name: str
    low: int
    high: int
    source: str | None

    def __str__(self) -> str:
        return f"{self.name} = {self.source or '?'}, from {self.low} to {self.high}"


@dataclass(frozen=True)
class SymbolicShape:
    """An argument or result: `x: [batch, 8*_seq] float32`.

    `sizes` are expressions, None for a tensor of unknown rank and for an argument that is none;
    `dtype` is None if unknown, and the type of an argument that is no tensor.
    """

    name: str
    sizes: tuple[str, ...] | None
    dtype: str | None

    def __str__(self) -> str:
        sizes = "" if self.sizes is None else f" [{', '.join(self.sizes)}]"
        return f"{self.name}:{sizes} {self.dtype or 'unknown'}"


@dataclass(frozen=True)
class UnknownSize:
    """A size of a result that the sizes of the arguments do not determine.

    It depends on data, or is not inferred. `dim` is None if the rank is unknown; `operator` decides
    the size, at `location`.
    """

    result: int
    dim: int | None
    operator: str | None
    location: str | None

    def __str__(self) -> str:
        what = "the rank" if self.dim is None else f"size {self.dim}"
        place = f" at {self.location}" if self.location else ""
        decided = f" is decided by {self.operator}{place}" if self.operator else " is unknown"
        return f"{what} of result {self.result}{decided}"


@dataclass(frozen=True)
class LiveBytes:
    """The peak of live bytes for given sizes.

    `tensors` are the bytes of tensors that the program computes, live at `operator`, where they are
    the most; `inputs` and `weights` are live throughout.
    """

    inputs: int
    weights: int
    tensors: int
    operator: str | None
    location: str | None

    @property
    def total(self) -> int:
        """All bytes."""
        return self.inputs + self.weights + self.tensors
