"""Loops of unknown trip count: what is inferred after them holds for any number of iterations."""

import pytest
from torch_refine.abstract_interpreter.values import is_number

from .calls import SOME, Ran, Some, check

LISTS = [[], [3], [0, 0], [1, 4], [2, -1], [5, 0, 2], [9, 1, 1, 1]]
EACH_LIST = [(x,) for x in LISTS]
SIZES = Some(0)


def _double(x: list[int]) -> list[int]:
    out: list[int] = []
    for size in x:
        out.append(size * 2)
    return out


def _append_to_a_copy(x: list[int]) -> list[int]:
    out = x[1:]
    for size in x:
        out.append(size)
    return out


def _length_before_and_after(x: list[int]) -> tuple[int, int]:
    out = x[1:]
    before = len(out)
    for size in x:
        out.append(size)
    return before, len(out)


def _append_in_later_turns(x: list[int]) -> list[int]:
    out = [0]
    done = 0
    for size in x:
        if done > 0:
            out.append(size)
        else:
            out[0] = size
        done += 2
    return out


def _set_items(x: list[int]) -> list[int]:
    out = [1, 2, 3]
    for i in range(len(x)):
        out[i % 3] = x[i]
    return out


def _set_items_of_a_copy(x: list[int]) -> list[int]:
    out = x + [1]  # noqa: RUF005
    for i in range(len(x)):
        out[i] = -x[i]
    return out


def _nested_lists(x: list[int]) -> list[list[int]]:
    out: list[list[int]] = []
    for size in x:
        out.append([size, 2])
    return out


def _change_what_was_appended(x: list[int]) -> list[list[int]]:
    out: list[list[int]] = []
    for _ in x:
        out.append([1, 2])
    last = [1, 2]
    out.append(last)
    last.append(3)
    return out


def _change_what_a_turn_appended(x: list[int]) -> tuple[list[int], list[list[int]]]:
    row = [1]
    out = [row]
    for size in x:
        row = [size]
        out.append(row)
        row[0] = 7
    return row, out


def _replace_rows(x: list[int]) -> tuple[int, int, list[int]]:
    row = [5]
    rows = [row]
    for size in x:
        rows = [[size]]
    before = len(rows[0])
    row.append(1)
    return before, len(rows[0]), row


def _swap(x: list[int]) -> tuple[int, int]:
    a, b = 1, 2
    for _ in x:
        a, b = b, a
    return a, b


def _swap_lists(x: list[int]) -> tuple[list[int], list[int]]:
    a, b = [1], [2, 3]
    for _ in x:
        a, b = b, a
    return a, b


def _swap_and_append(x: list[int]) -> tuple[list[int], list[int]]:
    a, b = [1], [2]
    for size in x:
        a.append(size)
        a, b = b, a
    return a, b


def _extremes(x: list[int]) -> tuple[int, int, int]:
    low, high, total = 3, 3, 0
    for size in x:
        low, high, total = min(low, size), max(high, size), total + size
    return low, high, total


def _raise_in_a_turn(x: list[int]) -> int:
    product = 1
    for i in range(len(x)):
        assert x[i] > 0, f"dimension {i} of {x} is not positive"
        product *= x[i]
    return product


def _return_from_a_turn(x: list[int]) -> int:
    for i in range(len(x)):
        if x[i] == 0:
            return i
    return -1


def _stop_early(x: list[int]) -> tuple[int, bool]:
    found = False
    count = 0
    for size in x:
        if found:
            break
        found = size > 2
        count += 1
    return count, found


def _none_until_found(x: list[int]) -> int | None:
    found: int | None = None
    for size in x:
        if size > 2:
            found = size
    return found


def _last_of_three(x: list[int]) -> tuple[int, int, int]:
    a, b, c = 0, 1, 2
    for size in x:
        a, b, c = b, c, size
    return a, b, c


def _loop_in_a_loop(x: list[int]) -> list[int]:
    out: list[int] = []
    for i in range(len(x)):
        row = [i]
        for size in x:
            row.append(size)
        out.append(len(row))
    return out


def _pop_all(x: list[int]) -> list[int]:
    left = [1, 2, 3, 4, 5]
    for _ in x:
        left.pop()
    return left


def _extend(x: list[int]) -> list[int]:
    out = [7]
    for size in x:
        out.extend([size, 1])
    return out


def _insert(x: list[int]) -> list[int]:
    out = [7]
    for size in x:
        out.insert(0, size)
    return out


LOOPS = [
    _double, _append_to_a_copy, _length_before_and_after, _append_in_later_turns, _set_items,
    _set_items_of_a_copy, _nested_lists, _change_what_was_appended, _change_what_a_turn_appended,
    _replace_rows, _swap, _swap_lists, _swap_and_append, _extremes, _raise_in_a_turn,
    _return_from_a_turn, _stop_early, _none_until_found, _last_of_three, _loop_in_a_loop, _pop_all,
    _extend, _insert,
]  # fmt: skip


@pytest.mark.parametrize("wanted", [SIZES, SOME, [SOME, SOME], [SOME], []], ids=str)
@pytest.mark.parametrize("function", LOOPS, ids=lambda function: function.__name__)
@pytest.mark.seeded_part(12)
def test_a_loop_over_a_list(function, wanted):
    """What is inferred after a loop over a list holds for known and unknown lengths."""
    check(function, [wanted], EACH_LIST)


def test_loop_invariants_stay_known():
    """Lengths and elements that no iteration changes stay known."""
    assert Ran(_set_items, SIZES).results.length == 3
    assert Ran(_double, [SOME, 3]).results.items[1] == 6
    rows = Ran(_nested_lists, SIZES).results
    assert rows.pattern == (None, 2)
    swapped = Ran(_swap, SIZES)
    assert swapped.gave_up is None and Ran(_extremes, SIZES).gave_up is None


@pytest.mark.parametrize("function", [_return_from_a_turn, _stop_early])
def test_loop_carried_flags_converge(function):
    """A bool that a loop carries, as for a return or a break, does not end inference."""
    assert Ran(function, SIZES).gave_up is None


def _append_to_new_ones(x: list[int]) -> list[int]:
    made = [1]
    for _ in x:
        made = made + x
    return made


def test_lists_of_sizes_that_a_loop_makes_have_sizes():
    assert check(_append_to_new_ones, [Some(0)], [([],), ([2],), ([2, 3],)]).results.nonnegative


def _shifted(a: int | None, b: int | None, x: list[int]) -> int | None:
    for _ in x:
        a = b
    return a


def _pairs(n: int, x: list[int]) -> tuple[int, int] | None:
    first: tuple[int, int] | None = None
    second: tuple[int, int] | None = None
    if n > 0:
        first, second = (n, 2), (3, n)
    for _ in x:
        first = second
    return first


def test_an_optional_that_a_loop_replaces_keeps_its_type():
    """The value in it, if there is one, is of the same type."""
    calls = [(a, b, x) for a in (None, 1) for b in (None, 2) for x in ([], [5])]
    shifted = check(_shifted, [SOME, SOME, SOME], calls).results
    assert is_number(shifted.value)
    pairs = check(_pairs, [SOME, SOME], [(n, x) for n in (0, 1) for x in ([], [5])]).results
    assert len(pairs.value) == 2 and all(map(is_number, pairs.value))
