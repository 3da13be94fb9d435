"""What the assertion of a guard says: text that passes carry, and that a failed call is told by.

`cf.assert` keeps nothing but its text, so what belongs to a guard is written into it as JSON.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

_MARK = "torch_refine.guard "


@dataclass(frozen=True)
class GuardMessage:
    """A condition as a reader knows it, the sizes that it is about, and who asked for it.

    A size is a name with the argument of the function and the dimension that it stands for, None
    for an argument that is a number. `source` is `file:line`; None where it is not known.
    """

    guard: str
    sizes: tuple[tuple[str, int, int | None], ...]
    source: str | None = None

    def encode(self) -> str:
        """The text of an assertion."""
        return _MARK + json.dumps({"guard": self.guard, "sizes": self.sizes, "at": self.source})


def decode_guard(text: str) -> GuardMessage | None:
    """What an assertion's text says of a guard; None for the text of any other assertion."""
    if not text.startswith(_MARK):
        return None
    try:
        # What lowers assertions adds their location behind the text.
        found, _ = json.JSONDecoder().raw_decode(text, len(_MARK))
        sizes = tuple(
            (str(name), int(place), _dimension(dim)) for name, place, dim in found["sizes"]
        )
        at = found["at"]
        return GuardMessage(str(found["guard"]), sizes, None if at is None else str(at))
    except (ValueError, KeyError, TypeError, RecursionError):
        # Someone else's text that starts alike.
        return None


def _dimension(dim: object) -> int | None:
    return dim if isinstance(dim, int) else None
