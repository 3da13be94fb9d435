"""Conditions of numbers of which something is known, on the paths where they hold."""

from .calls import SOME, check


def _at_least_itself(n: int) -> bool:
    return n >= n


def test_a_number_is_at_least_itself():
    assert check(_at_least_itself, [SOME], [(n,) for n in range(-2, 3)]).results is True


def _bounded_beside_an_equal(n: int, m: int) -> int:
    if m < 0:
        m = 0
    if n == 4:
        return 1 if m >= 0 else 2
    return 1


def test_a_bound_stays_where_another_number_becomes_known():
    calls = [(n, m) for n in range(3, 6) for m in range(-2, 2)]
    assert check(_bounded_beside_an_equal, [SOME, SOME], calls).results == 1


def _asserted_beside_an_equal(n: int, m: int) -> int:
    assert m > 2
    if n == 4:
        return 1 if m > 1 else 2
    return 1


def test_what_is_asserted_stays_where_another_number_becomes_known():
    calls = [(n, m) for n in range(3, 6) for m in range(3, 6)]
    assert check(_asserted_beside_an_equal, [SOME, SOME], calls).results == 1


def _of_optional(n: int | None) -> int:
    return -1 if n is None else n


def test_an_unknown_optional_may_be_none():
    ran = check(_of_optional, [SOME], [(None,), (-1,), (3,)])
    assert not isinstance(ran.results, int)


def _of_given(n: int | None, m: int | None) -> int:
    if n is None:
        return 0
    if m is not None:
        return n
    return n + 1


def test_each_of_two_optionals_may_be_none():
    calls = [(n, m) for n in (None, 3) for m in (None, 4)]
    assert check(_of_given, [SOME, SOME], calls).gave_up is None
    assert check(_of_given, [5, SOME], [(5, None), (5, 4)]).gave_up is None
    assert check(_of_given, [None, SOME], [(None, None), (None, 4)]).results == 0


def _less_an_equal(n: int, m: int) -> int:
    if n == m:
        return 2 * n - 2 * m
    return 0


def test_one_of_two_equal_numbers_is_the_other():
    calls = [(n, m) for n in range(3) for m in range(3)]
    assert check(_less_an_equal, [SOME, SOME], calls).results == 0


def _one_of_two_floats(c: bool) -> float:
    if c:
        return 1.5
    return 2.5


def _one_of_two_words(c: bool) -> str:
    return "sum" if c else "mean"


def test_floats_and_strings_of_two_paths_differ():
    for function in (_one_of_two_floats, _one_of_two_words):
        assert check(function, [SOME], [(False,), (True,)]).gave_up is None
