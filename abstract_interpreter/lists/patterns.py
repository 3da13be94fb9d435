"""The join of the elements of a list of lists of ints of unknown length."""

from __future__ import annotations

from typing import Any

from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.numbers.expressions import symbols_in
from torch_refine.abstract_interpreter.values import ListObject, Pattern, is_number

# The bottom element: the join of no elements.
NOTHING: Any = object()


def of_list(items: list[Any] | None, pattern: Pattern | None, known: PathCondition) -> Any:
    """The join of a list's elements: None if they have none, NOTHING for an empty list."""
    if items is None:
        return pattern
    found: Any = NOTHING
    for item in items:
        found = combine(found, of_element(item, known))
    return found


def of_element(item: Any, known: PathCondition) -> Pattern | None:
    """A list of ints as a pattern, None for any other value."""
    if not isinstance(item, ListObject) or item.items is None:
        return None
    if not all(map(is_number, item.items)):
        return None
    return tuple(known.resolve(size) for size in item.items)


def combine(one: Any, other: Any) -> Any:
    """The join of two patterns."""
    if one is NOTHING or other is NOTHING:
        return other if one is NOTHING else one
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))


def without_new(pattern: Any, since: int) -> Any:
    """A pattern without symbols that one iteration of a loop introduced.

    In another iteration the same symbol is another size. `since` is a serial number from before the
    loop.
    """
    if pattern is NOTHING or pattern is None:
        return pattern
    return tuple(
        None if size is None or any(s.key[1] >= since for s in symbols_in(size)) else size
        for size in pattern
    )
