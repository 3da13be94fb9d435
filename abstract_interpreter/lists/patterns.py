"""What the elements of a list of lists of ints have in common, where their number is unknown."""

from __future__ import annotations

from typing import Any

from torch_refine.abstract_interpreter.conditions.assumptions import Assumptions
from torch_refine.abstract_interpreter.numbers.expressions import symbols_in
from torch_refine.abstract_interpreter.values import ListObject, Pattern, is_number

# Stands for no elements at all, which have anything in common.
NOTHING: Any = object()


def of_list(items: list[Any] | None, pattern: Pattern | None, known: Assumptions) -> Any:
    """The pattern of a list's elements: None where they have none, NOTHING where there are none."""
    if items is None:
        return pattern
    found: Any = NOTHING
    for item in items:
        found = combine(found, of_element(item, known))
    return found


def of_element(item: Any, known: Assumptions) -> Pattern | None:
    """A list of ints as a pattern, None for anything else."""
    if not isinstance(item, ListObject) or item.items is None:
        return None
    if not all(map(is_number, item.items)):
        return None
    return tuple(known.resolve(size) for size in item.items)


def combine(one: Any, other: Any) -> Any:
    """What two patterns have in common."""
    if one is NOTHING or other is NOTHING:
        return other if one is NOTHING else one
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))


def without_new(pattern: Any, since: int) -> Any:
    """A pattern without sizes that one turn of a loop gave names to.

    In another turn the same name is another size. `since` is a symbol's serial number from before
    the loop.
    """
    if pattern is NOTHING or pattern is None:
        return pattern
    return tuple(
        None if size is None or any(s.key[1] >= since for s in symbols_in(size)) else size
        for size in pattern
    )
