"""Names for the sizes of a program's inputs: `main:0=[batch,seq%8,?];main:1=[batch]`.

Each entry is a function, the position of an argument, and its sizes: a number, `?` for an unnamed
size, or a name. Equal names are equal sizes. Behind a name come a divisor and bounds, if any:
`seq%8>=16<=512`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MOST = 10_000
_MOST_DIGITS = 18
_INPUT = re.compile(r"(?P<function>[\w.$\-]+):(?P<argument>\d{1,6})=\[(?P<sizes>[^\[\]]*)\]")
_SIZE = re.compile(
    r"(?P<name>[A-Za-z_]\w*)(?:%(?P<divisor>\d+))?(?:>=(?P<low>\d+))?(?:<=(?P<high>\d+))?"
)


class InvalidNamesError(ValueError):
    """The text does not name sizes."""


@dataclass(frozen=True)
class NamedSize:
    """A named size: a multiple of `divisor`, from `low` to `high` if these are given."""

    name: str
    divisor: int = 1
    low: int | None = None
    high: int | None = None

    def met(self, other: NamedSize) -> NamedSize:
        """What two entries say of one name; raises InvalidNamesError if they differ."""
        if self.divisor != other.divisor and 1 not in (self.divisor, other.divisor):
            raise InvalidNamesError(
                f"{self.name} is a multiple of {self.divisor}, and of {other.divisor}"
            )
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        return NamedSize(
            self.name,
            max(self.divisor, other.divisor),
            max(lows, default=None),
            min(highs, default=None),
        )


@dataclass(frozen=True)
class NamedInput:
    """The sizes of one argument of a function: numbers, names, and None for unnamed ones."""

    function: str
    argument: int
    sizes: tuple[int | NamedSize | None, ...]


def parse_inputs(text: str) -> tuple[NamedInput, ...]:
    """The inputs that a text names; raises InvalidNamesError."""
    entries = [entry for entry in "".join(text.split()).split(";") if entry]
    if not entries or len(entries) > _MOST:
        raise InvalidNamesError("expected entries such as main:0=[batch,seq%8]")
    found = [_input(entry) for entry in entries]
    places = [(each.function, each.argument) for each in found]
    for place in places:
        if places.count(place) > 1:
            raise InvalidNamesError(f"argument {place[1]} of {place[0]} is named twice")
    return tuple(found)


def _input(entry: str) -> NamedInput:
    match = _INPUT.fullmatch(entry)
    if match is None:
        raise InvalidNamesError(f"expected an entry such as main:0=[batch,seq%8], not {entry!r}")
    texts = match["sizes"].split(",") if match["sizes"] else []
    sizes = tuple(_size(text, entry) for text in texts)
    return NamedInput(match["function"], int(match["argument"]), sizes)


def _size(text: str, entry: str) -> int | NamedSize | None:
    if text == "?":
        return None
    if text.isascii() and text.isdecimal():
        return _int(text)
    match = _SIZE.fullmatch(text)
    if match is None:
        raise InvalidNamesError(
            f"{entry!r}: expected a number, ? or a name such as seq, seq%8 or seq>=2<=64, "
            f"not {text!r}"
        )
    divisor = _int(match["divisor"] or "1")
    low, high = (None if match[key] is None else _int(match[key]) for key in ("low", "high"))
    if divisor < 1:
        raise InvalidNamesError(f"{entry!r}: a size is no multiple of {divisor}")
    if low is not None and high is not None and low > high:
        raise InvalidNamesError(f"{entry!r}: no size is at least {low} and at most {high}")
    return NamedSize(match["name"], divisor, low, high)


def _int(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise InvalidNamesError(f"{text[:_MOST_DIGITS]}… is too large for a size")
    return int(text)
