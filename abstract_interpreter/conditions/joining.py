"""Joins of values where two paths merge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from torch_refine.abstract_interpreter.conditions.conditions import (
    SYMBOLIC_CONDITIONS,
    Opaque,
    SymbolicCondition,
    choose,
    invert,
)
from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.lists import patterns
from torch_refine.abstract_interpreter.numbers import ranges
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    INT_MIN,
    Atom,
    Expression,
    Number,
    Symbol,
    of_atom,
)
from torch_refine.abstract_interpreter.outcomes import snapshot
from torch_refine.abstract_interpreter.values import (
    ListObject,
    Maybe,
    Unknown,
    Value,
    freeze,
    is_condition,
    is_number,
    kind_of,
    unknown,
)
from torch_refine.dialect.kinds import element_kind


@dataclass
class Join:
    """Joins values of two paths, each with its path condition.

    `condition` holds on the left path and not on the right one; None if no condition separates
    them. `narrowed` collects the ranges of fresh symbols. Lists made before `since`, and those that
    occur more than once in `left_names` or `right_names`, have aliases; their join is frozen.
    """

    left: PathCondition
    right: PathCondition
    condition: SymbolicCondition | None
    since: int
    left_names: Counter[int]
    right_names: Counter[int]
    narrowed: dict[Atom, ranges.Range] = field(default_factory=dict)
    # The fresh values that stand for one of two, in the order of their creation.
    made: list[tuple[Value, Value, Value, str]] = field(default_factory=list)
    lists_made: dict[tuple[int, int], ListObject] = field(default_factory=dict)

    def values(self, one: Value, other: Value, kind: str) -> Value:
        """The join of two values."""
        if one is other:
            return one
        if is_number(one) and is_number(other):
            return self.numbers(one, other)  # type: ignore[arg-type]
        if is_condition(one) and is_condition(other):
            return self.conditions(one, other)
        if one is None or other is None:
            return self.maybe(one, other, kind)
        if isinstance(one, Maybe) or isinstance(other, Maybe):
            return self.maybes(one, other, kind)
        if isinstance(one, ListObject) and isinstance(other, ListObject):
            return self.lists(one, other)
        if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            return tuple(
                self.values(a, b, _narrower(a, b, kind)) for a, b in zip(one, other, strict=True)
            )
        if type(one) is type(other) and isinstance(one, float | str) and repr(one) == repr(other):
            return one
        freeze((one, other))
        narrower = _narrower(one, other, kind)
        return self.noted(unknown(narrower), one, other, narrower)

    def numbers(self, one: Number, other: Number) -> Number:
        """The join of two ints: an expression that is right on both paths, or a fresh symbol."""
        left, right = self.left.resolve(one), self.right.resolve(other)
        if left == right:
            return left
        if self.right.resolve(one) == right:
            return one
        if self.left.resolve(other) == left:
            return other
        hull = ranges.join(self.left.range_of(left), self.right.range_of(right))
        symbol = Symbol(int(max(hull.low, INT_MIN)), int(min(hull.high, INT_MAX)))
        if hull.holes:
            self.narrowed[symbol] = hull
        return self.noted(of_atom(symbol), one, other, "int")  # type: ignore[return-value]

    def conditions(self, one: Value, other: Value) -> Value:
        """The join of two bools."""
        assert isinstance(one, (bool, *SYMBOLIC_CONDITIONS)) and isinstance(
            other, (bool, *SYMBOLIC_CONDITIONS)
        )
        if one == other:
            return one
        found = Opaque() if self.condition is None else choose(self.condition, one, other)
        new = isinstance(found, Opaque) and found is not one and found is not other
        return self.noted(found, one, other, "bool") if new else found

    def noted(self, value: Value, one: Value, other: Value, kind: str) -> Value:
        """Record a fresh value that is `one` on the left path and `other` on the right one."""
        self.made.append((value, snapshot(one), snapshot(other), kind))
        return value

    def maybe(self, one: Value, other: Value, kind: str) -> Value:
        """The join of a value and None."""
        value = other if one is None else one
        freeze([value])
        if isinstance(value, Maybe):
            value = value.value
            absent: SymbolicCondition = Opaque()
            self.noted(absent, absent_of(one), absent_of(other), "bool")
        elif self.condition is None:
            absent = Opaque()
        else:
            found = self.condition if one is None else invert(self.condition)
            assert not isinstance(found, bool)
            absent = found
        return self.noted(Maybe(absent, value), one, other, kind)

    def maybes(self, one: Value, other: Value, kind: str) -> Value:
        """The join of two values of which at least one may be None."""
        freeze((one, other))
        left = one.value if isinstance(one, Maybe) else one
        right = other.value if isinstance(other, Maybe) else other
        absent = Opaque()
        self.noted(absent, absent_of(one), absent_of(other), "bool")
        joined = Maybe(absent, self.values(left, right, element_kind(kind)))
        return self.noted(joined, one, other, kind)

    def lists(self, one: ListObject, other: ListObject) -> ListObject:
        """The join of two lists."""
        pair = (one.serial, other.serial)
        if pair in self.lists_made:
            return self.lists_made[pair]
        alone = (
            min(pair) >= self.since
            and self.left_names[one.serial] == 1
            and self.right_names[other.serial] == 1
            and not (one.frozen or other.frozen)
        )
        joined = ListObject(_narrower(one, other, one.kind), [], frozen=not alone)
        one.frozen = other.frozen = True
        self.lists_made[pair] = joined
        before = snapshot(one), snapshot(other)
        self.contents(joined, one, other)
        if joined.items is None:
            self.made.append((joined, *before, joined.kind))
        return joined

    def contents(self, joined: ListObject, one: ListObject, other: ListObject) -> None:
        """Set the contents of `joined` to the join of the two lists' contents."""
        if one.items is None or other.items is None or len(one.items) != len(other.items):
            freeze([*(one.items or ()), *(other.items or ())])
            common = patterns.combine(
                patterns.of_list(one.items, one.pattern, self.left),
                patterns.of_list(other.items, other.pattern, self.right),
            )
            joined.forget(
                self.numbers(length(one), length(other)),
                _only_sizes(one, self.left) and _only_sizes(other, self.right),
                None if common is patterns.NOTHING else common,
            )
        else:
            items = zip(one.items, other.items, strict=True)
            joined.items = [self.values(a, b, _narrower(a, b, "any")) for a, b in items]

    def assumptions(self, joined: PathCondition) -> PathCondition:
        """The joined path condition, with the ranges of fresh symbols."""
        if not self.narrowed:
            return joined
        return PathCondition(joined.bindings, {**joined.ranges, **self.narrowed}, joined.truths)


def absent_of(value: Value) -> Value:
    """The condition that a value is None."""
    return value.absent if isinstance(value, Maybe) else value is None


def length(value: ListObject) -> Number:
    """The number of elements."""
    return value.length if value.items is None else len(value.items)


def _only_sizes(value: ListObject, assumptions: PathCondition) -> bool:
    """Whether all elements of a list of ints are non-negative."""
    if value.items is None:
        return value.nonnegative
    return all(
        isinstance(item, int | Expression)
        and assumptions.range_of(assumptions.resolve(item)).low >= 0
        for item in value.items
    )


def _narrower(one: Value, other: Value, kind: str) -> str:
    """The kind of the join of two values, at most as wide as `kind`."""
    left, right = kind_of(one), kind_of(other)
    if left == right:
        return left
    if "any" in (left, right) or isinstance(one, Unknown) or isinstance(other, Unknown):
        return "any" if kind in (left, right) else kind
    return kind
