"""Lists that change on one path, or are made where nobody else sees them."""

import pytest

from .calls import SOME, Some, check

BOOLS = [(False,), (True,)]
PAIRS = [(c, d) for c in (False, True) for d in (False, True)]


def _append_on_one_side(c: bool) -> list[int]:
    x = [1, 2]
    if c:
        x.append(3)
    return x


def test_a_list_that_one_side_appends_to():
    """Its length is one of two, not that of either side."""
    ran = check(_append_on_one_side, [SOME], BOOLS)
    assert ran.results.items is None


def _set_on_one_side(c: bool) -> list[int]:
    x = [1, 2]
    if c:
        x[0] = 5
    return x


def test_a_list_that_one_side_writes_to():
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


def test_a_list_that_both_sides_append_to():
    """Both leave a list of as many elements, so it stays a list of known length."""
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


def test_lists_made_inside_a_side_can_be_changed_after_it():
    """No other name is left of a list that each side makes: it is known element by element."""
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


def test_sides_within_sides():
    """Changes of inner sides are undone for the others, also where a side raises."""
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
    """Whatever is returned where, the join describes it."""
    lists = [[], [1, 2], [1, 2, 3], [4, 2], [0, 1, 2, 3]]
    check(_early_return, [wanted, SOME], [(x, n) for x in lists for n in range(4)])
