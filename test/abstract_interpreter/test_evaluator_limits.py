"""Calculations over the limits end as unknown; functions that always raise give the message."""

import time

import pytest
from torch_refine.abstract_interpreter.running.errors import CALL_LIMIT, STEP_LIMIT

from .calls import SOME, Ran, Some, check, programs


def _count(n: int) -> int:
    i = 0
    while i < n:
        i += 1
    return i


def test_infinite_loops_reach_the_step_limit():
    """A calculation that does not terminate ends at the step limit, quickly."""
    start = time.perf_counter()
    ran = Ran(_count, 10 * STEP_LIMIT)
    assert str(STEP_LIMIT) in ran.gave_up
    assert time.perf_counter() - start < 20


def _nested(x: list[int]) -> int:
    total = 0
    for a in x:
        for b in x:
            for c in x:
                for d in x:
                    total += a * b * c * d
    return total


def _many_conditions(x: list[int]) -> int:
    total = 0
    for a in x:
        for b in x:
            if a > b:
                total += a
            elif b % 3 == 2:
                total -= b
            else:
                total += 1
    return total


@pytest.mark.parametrize("function", [_nested, _many_conditions])
@pytest.mark.parametrize("wanted", [Some(0), [SOME] * 4], ids=["list", "elements"])
def test_nested_loops_terminate(function, wanted):
    """Nested loops over unknown values end, with a correct or an unknown result."""
    start = time.perf_counter()
    check(function, [wanted], [([1, 2, 3, 0],), ([7, 0, 0, 1],), ([],), ([2],)])
    assert time.perf_counter() - start < 20


def _callee(n: int) -> int:
    return n


def _caller(n: int) -> int:
    if n > 0:
        return _callee(n - 1) + 1
    return 0


def _calling_itself():
    """The functions of `_caller`, with its callee replaced by itself."""
    found = dict(programs(_caller))
    return {symbol: found["f"] for symbol in found}


def test_recursion_limit():
    """TorchScript has no recursion, but a handwritten library may."""
    assert Ran(_caller, CALL_LIMIT // 2, functions=_calling_itself()).results == CALL_LIMIT // 2
    ran = Ran(_caller, 10 * CALL_LIMIT, functions=_calling_itself())
    assert "is recursive" in ran.gave_up
    assert "is recursive" in Ran(_caller, SOME, functions=_calling_itself()).gave_up


def test_missing_callee_is_unknown():
    """The result is unknown, and the caller continues."""
    only = {"f": programs(_caller)["f"]}
    ran = Ran(_caller, 3, functions=only)
    assert ran.gave_up is None and ran.raised is None and not isinstance(ran.results, int)
    assert Ran(_caller, -3, functions=only).results == 0


def _huge(n: int) -> list[int]:
    return [1] * n


def _grow(n: int) -> int:
    for _ in range(200):
        n = n * n + 1
    return n


def _wrap(n: int) -> int:
    return n * 4


def test_large_values_are_not_created():
    """Neither very long lists nor very large ints are created."""
    assert Ran(_huge, STEP_LIMIT + 1).gave_up is not None
    assert len(Ran(_huge, 5).results.items) == 5
    assert check(_huge, [SOME], [(n,) for n in range(4)]).results.items is None
    start = time.perf_counter()
    Ran(_grow, SOME)
    Ran(_grow, 3)
    assert time.perf_counter() - start < 20
    assert not isinstance(Ran(_wrap, 2**62).results, int)


def _always_raises(x: list[int], n: int) -> int:
    if n > 0:
        assert n < 0, f"aten::f: {n} is not negative, in {x}"
    else:
        assert n > 0, f"aten::f: {n} is not positive"
    return n


def _counts_before_it_raises(n: int) -> int:
    if n > 5:
        i = 0
        while i >= 0:
            i += 1
        raise AssertionError("aten::f: too many")
    return n


def test_a_side_that_raises_is_not_run_to_know_the_result():
    """A loop without an end is in the way only of the side that it is in."""
    ran = Ran(_counts_before_it_raises, SOME)
    assert ran.gave_up is None and ran.raised is None
    assert ran.evaluator.assumptions.range_of(ran.results).high == 5


def _of_a_pair(n: int) -> int:
    pair = (n, 2)
    assert n < 0, f"aten::f: got {pair}"
    return n


def _mismatch(x: list[int], y: list[int]) -> list[int]:
    assert x[0] == y[0], f"aten::f: sizes must match, got {x[0]} and {y[0]} of {x}"
    return y


def _empty(x: list[int]) -> int:
    return x[0]


def _divided(n: int) -> tuple[int, int]:
    return 7 // n, 7 % n


def test_function_that_always_raises_gives_the_message():
    """The message is that of one path, with question marks for unknown values."""
    assert Ran(_always_raises, [1, SOME], SOME).raised == "aten::f: ? is not negative, in [1, ?]"
    assert Ran(_always_raises, [1, 2], 3).raised == "aten::f: 3 is not negative, in [1, 2]"
    assert Ran(_of_a_pair, 3).raised == "aten::f: got (3, 2)"
    message = Ran(_mismatch, [3, SOME], [4]).raised
    assert message == "aten::f: sizes must match, got 3 and 4 of [3, ?]"
    assert "out of range" in Ran(_empty, []).raised
    assert "zero" in Ran(_divided, 0).raised


def test_checks_refine_later_values():
    """After a check, its condition is known."""
    ran = check(_mismatch, [[SOME, 2], [3, SOME]], [([3, 2], [3, 9]), ([4, 2], [3, 9])])
    assert ran.raised is None and ran.results.items[0] == 3
    (checked,) = (ran.evaluator.assumptions.resolve(size) for size in ran.given[0][0][:1])
    assert checked == 3
    ran = check(_divided, [Some(0)], [(n,) for n in range(9)])
    assert ran.evaluator.assumptions.range_of(ran.given[0]).low == 1
