"""Ranges are sound: they contain every integer that they should."""

import math

from hypothesis import assume, given, strategies
from torch_refine.abstract_interpreter.numbers import ranges

from .examples import seeded

small = strategies.integers(-6, 9)
FAR = 100


@strategies.composite
def ranges_with_a_member(draw):
    """A range, with or without bounds and holes, and an integer in it."""
    value = draw(small | strategies.integers(-FAR, FAR))
    low = draw(strategies.just(-math.inf) | strategies.integers(value - 10, value))
    high = draw(strategies.just(math.inf) | strategies.integers(value, value + 10))
    holes = draw(strategies.frozensets(small, max_size=4)) - {value}
    return ranges.trimmed(low, high, holes), value


@seeded(200)
@given(ranges_with_a_member(), ranges_with_a_member(), small)
def test_meet_is_the_intersection(one, other, value):
    """An integer is in the meet if and only if it is in both ranges."""
    left, right = one[0], other[0]
    met = ranges.meet(left, right)
    for each in (value, one[1], other[1]):
        assert (each in met) == (each in left and each in right)
    if met.empty:
        assert not any(each in left and each in right for each in range(-FAR, FAR))


@seeded(200)
@given(ranges_with_a_member(), ranges_with_a_member())
def test_join_contains_both(one, other):
    """An integer of either range is in the join, whose bounds are those of the two."""
    joined = ranges.join(one[0], other[0])
    assert one[1] in joined and other[1] in joined
    assert joined.low == min(one[0].low, other[0].low)
    assert joined.high == max(one[0].high, other[0].high)
    assert one[0].within(joined) and other[0].within(joined)


@seeded(200)
@given(ranges_with_a_member(), ranges_with_a_member(), small)
def test_within_is_sound(one, other, value):
    """A range reported to be within another contains no integer that the other lacks."""
    if one[0].within(other[0]):
        assert one[1] in other[0]
        assert value not in one[0] or value in other[0]


@seeded(200)
@given(ranges_with_a_member(), ranges_with_a_member())
def test_product_contains_every_product(one, other):
    """The product of members is in the product of ranges."""
    assert one[1] * other[1] in ranges.product(one[0], other[0])


@seeded(300)
@given(ranges_with_a_member(), ranges_with_a_member())
def test_division_contains_quotient_and_remainder(one, other):
    """Quotient and remainder of members are in the result ranges, for divisors of either sign."""
    assume(other[1] != 0)
    assert one[1] // other[1] in ranges.floor_quotient(one[0], other[0])
    assert one[1] % other[1] in ranges.modulus(one[0], other[0])


@seeded(200)
@given(ranges_with_a_member())
def test_value_of_singleton_ranges(one):
    """`value` is set only for ranges of one integer; the bounds of a trimmed range are members."""
    found, member = one
    assert not found.empty
    assert found.value in (None, member)
    for bound in (found.low, found.high):
        assert math.isinf(bound) or bound in found
