"""Sets of integers: an interval with holes."""

from __future__ import annotations

import math
from dataclasses import dataclass

# Bounds are ints, or infinite floats.
Bound = float

# Unions of at most this many integers are exact, so that {1, 5} stays two values.
_SMALL = 64
_NO_HOLES: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Range:
    """The integers from `low` to `high`, both inclusive, without the `holes`."""

    low: Bound = -math.inf
    high: Bound = math.inf
    holes: frozenset[int] = _NO_HOLES

    @property
    def empty(self) -> bool:
        """Whether the range is empty."""
        return self.low > self.high

    @property
    def value(self) -> int | None:
        """The only integer, None if there are several."""
        return int(self.low) if self.low == self.high else None

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high and value not in self.holes

    def within(self, other: Range) -> bool:
        """Whether the range is a subset of `other`, conservatively."""
        return (
            other.low <= self.low
            and self.high <= other.high
            and all(hole not in self for hole in other.holes)
        )


ANY = Range()


def trimmed(low: Bound, high: Bound, holes: frozenset[int]) -> Range:
    """A range whose bounds are not holes."""
    while low in holes:
        low += 1
    while high in holes and high >= low:
        high -= 1
    return Range(low, high, frozenset(hole for hole in holes if low < hole < high))


def meet(left: Range, right: Range) -> Range:
    """The intersection."""
    if left is right or right == ANY:
        return left
    return trimmed(max(left.low, right.low), min(left.high, right.high), left.holes | right.holes)


def join(left: Range, right: Range) -> Range:
    """An over-approximation of the union: an interval with holes."""
    low, high = min(left.low, right.low), max(left.high, right.high)
    if high - low <= _SMALL:
        candidates = frozenset(range(int(low), int(high) + 1))
    else:
        candidates = left.holes | right.holes
    return Range(low, high, frozenset(v for v in candidates if v not in left and v not in right))


def times(bound: Bound, other: Bound) -> Bound:
    """The product of bounds; zero times infinity is zero, as every integer is finite."""
    return 0 if bound == 0 or other == 0 else bound * other


def product(left: Range, right: Range) -> Range:
    """Bounds of products."""
    corners = [times(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return Range(min(corners), max(corners))


def floor_quotient(number: Range, divisor: Range) -> Range:
    """Bounds of `number // divisor` for positive divisors; everything for others."""
    if divisor.low < 1:
        return ANY
    corners = [_floor(a, b) for a in (number.low, number.high) for b in (divisor.low, divisor.high)]
    return Range(min(corners), max(corners))


def _floor(number: Bound, divisor: Bound) -> Bound:
    if math.isinf(number):
        # An infinite divisor allows any quotient in between; zero is covered by the other corner.
        return number
    if math.isinf(divisor):
        return 0 if number >= 0 else -1
    return int(number) // int(divisor)


def modulus(number: Range, divisor: Range) -> Range:
    """Bounds of `number % divisor` for positive divisors; everything for others."""
    if divisor.low < 1:
        return ANY
    high = divisor.high - 1
    if number.low >= 0:
        high = min(high, number.high)
    return Range(0, high)
