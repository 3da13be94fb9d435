"""Lists that may alias: a change through one name must not leave another name wrong."""

import pytest

from .calls import SOME, Ran, check

BOOLS = [(False,), (True,)]
PAIRS = [(c, d) for c in (False, True) for d in (False, True)]


def _alias(c: bool) -> tuple[list[int], list[int]]:
    x, y = [1], [2, 3]
    a = x if c else y
    a.append(4)
    return x, y


def _alias_made_inside(c: bool) -> tuple[list[int], list[int]]:
    if c:
        made = [1]
        a = made
        b = made
    else:
        a = [2]
        b = [3]
    a.append(4)
    return a, b


def _alias_in_a_list(c: bool) -> tuple[list[int], list[list[int]]]:
    inner = [1]
    outer: list[list[int]] = []
    if c:
        outer.append(inner)
    inner.append(2)
    return inner, outer


def _alias_of_an_element(c: bool) -> list[list[int]]:
    inner = [1]
    outer = [inner, [5, 6]]
    if c:
        outer[1] = inner
    inner.append(2)
    return outer


def _alias_as_an_element(c: bool, i: int) -> list[list[int]]:
    outer = [[1], [2]]
    outer[0 if c else 1].append(i)
    return outer


def _alias_joined_twice(c: bool) -> tuple[list[int], list[int]]:
    x = [1]
    y = [2]
    a = x if c else y
    b = y if c else x
    a[0] = 7
    return a, b


def _alias_in_a_tuple(c: bool) -> tuple[list[int], list[int]]:
    x = [1]
    y = [2]
    pair = (x, y) if c else (y, x)
    pair[0].append(8)
    return pair[0], x


def _alias_joined_within_a_side(c: bool, d: bool) -> tuple[list[int], list[int], list[int]]:
    x = [1]
    y = [2]
    a = (x if d else y) if c else [5]
    a.append(4)
    return x, y, a


def _alias_found_by_an_index(c: bool) -> tuple[int, int, list[list[int]]]:
    rows = [[5], [6, 7]]
    row = rows[1 if c else 0]
    before = len(row)
    rows[0].append(8)
    return before, len(row), rows


def _alias_or_none(c: bool) -> tuple[list[int], list[int] | None]:
    b: list[int] | None = None
    if c:
        a = [1]
        b = a
    else:
        a = [2]
    a.append(4)
    return a, b


def _alias_out_of_a_side(c: bool) -> tuple[list[int], list[list[int]]]:
    outer: list[list[int]] = []
    if c:
        a = [1]
        outer.append(a)
    else:
        a = [2]
        outer.append([3])
    a.append(4)
    return a, outer


ALIASES = [
    _alias,
    _alias_made_inside,
    _alias_in_a_list,
    _alias_of_an_element,
    _alias_joined_twice,
    _alias_in_a_tuple,
    _alias_found_by_an_index,
    _alias_or_none,
    _alias_out_of_a_side,
]


@pytest.mark.parametrize("function", ALIASES, ids=lambda function: function.__name__)
def test_aliased_lists_are_sound(function):
    """A list that may have an alias is given up on, or correct under both names."""
    check(function, [SOME], BOOLS)


def test_an_alias_by_an_unknown_index():
    """An element that may be one of several lists is not changed in place."""
    calls = [(c, i) for c in (False, True) for i in (0, 4)]
    check(_alias_as_an_element, [SOME, SOME], calls)


def test_an_alias_of_an_alias():
    """A list with several names in one branch has several names after it."""
    check(_alias_joined_within_a_side, [SOME, SOME], PAIRS)


def test_writes_to_uncertain_aliases_give_up():
    """The diagnostic gives the reason."""
    assert "may be aliased" in Ran(_alias, SOME).gave_up


def _alias_after_a_loop(x: list[int], y: list[int], n: int) -> list[int]:
    z = x
    for _ in range(n):
        z = y
    z.append(7)
    return x


def test_a_list_that_a_loop_replaces_has_an_uncertain_name():
    """After the loop it is one of two lists, so a change of it may be one of either."""
    calls = [([1, 2], [3], n) for n in range(3)]
    assert "may be aliased" in check(_alias_after_a_loop, [SOME, SOME, SOME], calls).gave_up


def _length_after_a_loop(x: list[int], y: list[int], n: int) -> int:
    z = x
    for _ in range(n):
        z = y
    return len(z)


def test_a_list_that_a_loop_replaces_has_either_length():
    calls = [([1, 2], [3], n) for n in range(3)]
    assert check(_length_after_a_loop, [SOME, SOME, SOME], calls).gave_up is None
