"""Lists that change in one branch, or are created where they have no alias."""

import pytest

from .calls import SOME, Some, check

BOOLS = [(False,), (True,)]
PAIRS = [(c, d) for c in (False, True) for d in (False, True)]


def _append_on_one_side(c: bool) -> list[int]:
    x = [1, 2]
    if c:
        x.append(3)
    return x


def test_append_in_one_branch():
    """Its length is one of two, not that of either branch."""
    ran = check(_append_on_one_side, [SOME], BOOLS)
    assert ran.results.items is None


def _set_on_one_side(c: bool) -> list[int]:
    x = [1, 2]
    if c:
        x[0] = 5
    return x


def test_write_in_one_branch():
    """The element is one of two values, the others stay known."""
    ran = check(_set_on_one_side, [SOME], BOOLS)
    assert ran.results.items[1] == 2


def _append_on_both_sides(n: int) -> list[int]:
    x = [1]
    if n > 3:
        x.append(n)
    else:
        x.append(7)
        x[0] = n
    x.append(9)
    return x


def test_append_in_both_branches():
    """In both branches the list has the same length, so its length stays known."""
    ran = check(_append_on_both_sides, [SOME], [(n,) for n in range(7)])
    assert len(ran.results.items) == 3 and ran.results.items[2] == 9


def _made_inside(c: bool, n: int) -> list[int]:
    if c:
        x = [n]
        x.append(1)
    else:
        x = [2, n]
    x.append(n)
    x[0] = x[0] + 1
    return x


def test_lists_created_in_a_branch_can_change_later():
    """A list that each branch creates has no alias: its elements are known."""
    calls = [(c, n) for c in (False, True) for n in (-1, 0, 3)]
    ran = check(_made_inside, [SOME, SOME], calls)
    assert len(ran.results.items) == 3


def _changed_in_nested_sides(c: bool, d: bool) -> list[int]:
    x = [1]
    if c:
        x.append(2)
        if d:
            x[0] = 5
        else:
            x.append(3)
    elif d:
        x[0] = 6
    return x


def _changed_where_one_side_raises(c: bool, n: int) -> list[int]:
    x = [1]
    if c:
        x.append(2)
        assert n > 3, "not more than 3"
        x.append(n)
    else:
        x[0] = 9
        assert n < 3, "not less than 3"
    return x


def test_nested_branches():
    """Changes of inner branches are undone for the other branches, also if a branch raises."""
    check(_changed_in_nested_sides, [SOME, SOME], PAIRS)
    calls = [(c, n) for c in (False, True) for n in range(6)]
    check(_changed_where_one_side_raises, [SOME, SOME], calls)
    ran = check(_changed_where_one_side_raises, [SOME, 4], [(True, 4), (False, 4)])
    assert ran.results.items == [1, 2, 4]


def _early_return(x: list[int], n: int) -> list[int]:
    if n == 0:
        return [0]
    if len(x) > 2:
        x[0] = n
        return x
    assert n > 1, f"aten::f: {n} is not more than 1"
    return x[1:] + [n]  # noqa: RUF005


@pytest.mark.parametrize("wanted", [Some(0), [SOME, 2], [1, SOME, 3], []], ids=str)
def test_early_returns(wanted):
    """The join describes the returned values of all paths."""
    lists = [[], [1, 2], [1, 2, 3], [4, 2], [0, 1, 2, 3]]
    check(_early_return, [wanted, SOME], [(x, n) for x in lists for n in range(4)])


def _compared(n: int, m: int) -> int:
    if [n, 2] == [3, m]:
        return n + m
    return 5


def _compared_otherwise(n: int, m: int) -> int:
    if [n, 2] != [3, m]:
        return 5
    return n + m


@pytest.mark.parametrize("function", [_compared, _compared_otherwise])
def test_lists_that_are_compared(function):
    """Where lists are equal, so are their elements."""
    ran = check(function, [SOME, SOME], [(n, m) for n in range(5) for m in range(4)])
    assert ran.results == 5


def _compared_with_sizes(x: list[int], n: int) -> int:
    return 1 if x == [n, 2] else 2


def test_a_list_of_unknown_length_that_is_compared():
    lists = [[], [1, 2], [1, 2, 3], [3, 2]]
    ran = check(_compared_with_sizes, [SOME, SOME], [(x, n) for x in lists for n in range(4)])
    assert ran.gave_up is None
