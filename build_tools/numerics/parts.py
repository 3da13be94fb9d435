"""Parts of a sweep that are run one by one, such as on several machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


def part_of(items: Sequence[_Item], part: str) -> list[_Item]:
    """Every N-th of some items, from the K-th on, for the part `K/N`.

    Raises ValueError for another text.
    """
    number, _, of = part.partition("/")
    if not (number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise ValueError(f"--part is K/N with 1 <= K <= N, not {part!r}")
    return list(items[int(number) - 1 :: int(of)])
