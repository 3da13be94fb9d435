"""`while` loops: the values that an iteration changes determine the trip count."""

import pytest

from .calls import SOME, Some, check


def _count_up(n: int) -> int:
    i = 0
    while i < n:
        i += 2
    return i


def _collatz(n: int) -> tuple[int, list[int]]:
    seen = [n]
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        seen.append(n)
    return n, seen


def _while_with_two_conditions(n: int) -> list[int]:
    out = [0]
    while len(out) < 4 and n > 0:
        out.append(n)
        n -= 1
    return out


def _grow_and_shrink(n: int) -> list[int]:
    out: list[int] = []
    for i in range(n):
        out.append(i)
    while len(out) > 2:
        out.pop()
    return out


def _for_ever_if_positive(n: int) -> int:
    while n > 100:
        assert n < 0, "never"
    return n


WHILES = [
    _count_up,
    _collatz,
    _while_with_two_conditions,
    _grow_and_shrink,
    _for_ever_if_positive,
]


@pytest.mark.parametrize("wanted", [SOME, Some(0), 3], ids=["any", "size", "three"])
@pytest.mark.parametrize("function", WHILES, ids=lambda function: function.__name__)
def test_a_while_loop(function, wanted):
    """What is inferred holds after any number of iterations, including none."""
    check(function, [wanted], [(n,) for n in range(6)])
