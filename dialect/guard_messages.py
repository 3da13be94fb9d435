"""The message of a guard's assertion: text that passes preserve, and that a failed call reports.

`cf.assert` carries only a string, so the fields of a guard are encoded in it as JSON.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

_MARK = "torch_refine.guard "


@dataclass(frozen=True)
class GuardMessage:
    """A condition as users read it, the sizes it constrains, and the source line that requires it.

    A size is a name with its function argument and dimension; the dimension is None for a scalar
    argument. `source` is `file:line`, or None if unknown. `parts` are the message of an operator
    that would raise: texts, and expressions over `arg0.size(1)` as tuples of one text; empty for an
    assumption of the export.
    """

    guard: str
    sizes: tuple[tuple[str, int, int | None], ...]
    source: str | None = None
    parts: tuple[str | tuple[str], ...] = ()

    def encode(self) -> str:
        """The text of an assertion."""
        fields: dict[str, object] = {"guard": self.guard, "sizes": self.sizes, "at": self.source}
        if self.parts:
            fields["parts"] = self.parts
        return _MARK + json.dumps(fields)


def decode_guard(text: str) -> GuardMessage | None:
    """Decode the message of a guard's assertion; None for any other assertion."""
    if not text.startswith(_MARK):
        return None
    try:
        # Lowering appends the location of the assertion to the text.
        found, _ = json.JSONDecoder().raw_decode(text, len(_MARK))
        sizes = tuple(
            (str(name), int(place), _dimension(dim)) for name, place, dim in found["sizes"]
        )
        at = found["at"]
        parts = tuple(
            part if isinstance(part, str) else (str(part[0]),) for part in found.get("parts", ())
        )
        return GuardMessage(str(found["guard"]), sizes, None if at is None else str(at), parts)
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        # Another assertion with the same prefix.
        return None


def _dimension(dim: object) -> int | None:
    return dim if isinstance(dim, int) else None
