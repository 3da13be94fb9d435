"""Path conditions are sound.

Symbols and bools have values, and a path assumes conditions that hold for these values: everything
concluded from them must hold as well.
"""

from hypothesis import given, strategies
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING, join

from .examples import seeded
from .trees import (
    BOUNDS,
    CHOICES,
    built,
    by_atom,
    meaning,
    names,
    trees_of_conditions,
    trees_of_numbers,
    values_within,
)
from .valuations import atom_value, truth_of, value_of

CONDITION, SIMPLE = trees_of_conditions(3), trees_of_conditions(1)
PATH = strategies.lists(CONDITION, min_size=1, max_size=4)
PROBES = strategies.lists(CONDITION, max_size=3)
NUMBERS = strategies.lists(trees_of_numbers(4), max_size=3)


def _follow(known, path, names, values):
    """The path condition after assuming that conditions have their values; never None."""
    for tree in path:
        truth = meaning(tree, values)
        known = known.assume(built(tree, names), truth)
        assert known is not None, f"{tree} is {truth}, and is said to be impossible"
    return known


def _check(known, names, values, conditions, numbers):
    """Everything in the path condition holds for the values."""
    valuation = by_atom(values, names)
    expected = [meaning(tree, values) for tree in (*conditions, *numbers)]
    for tree, truth in zip(conditions, expected, strict=False):
        assert known.evaluate(built(tree, names)) in (None, truth), tree
    for tree, value in zip(numbers, expected[len(conditions) :], strict=True):
        resolved = known.resolve(built(tree, names))
        assert value_of(resolved, valuation) == value, (tree, resolved)
        assert value in known.range_of(resolved), (tree, resolved)
    for atom, number in known.bindings.items():
        assert atom_value(atom, valuation) == value_of(number, valuation), (atom, number)
    for atom in known.ranges:
        assert atom_value(atom, valuation) in known.range_of_atom(atom), atom
    for truth, value in known.truths.items():
        assert truth_of(truth, valuation) == value, truth


@seeded(400)
@given(BOUNDS, CHOICES, PATH, PROBES, NUMBERS)
def test_conclusions_are_sound(bounds, choice, path, probes, numbers):
    """Bindings, ranges and truth values hold, also for other conditions and expressions."""
    found, values = names(bounds), values_within(bounds, choice)
    _check(_follow(NOTHING, path, found, values), found, values, [*path, *probes], numbers)


@seeded(300)
@given(BOUNDS, CHOICES, CHOICES, PATH, PATH, PATH, PROBES, NUMBERS)
def test_join_is_sound(bounds, choice, other, shared, left, right, probes, numbers):
    """The join of two paths is correct for the values on either, as are later assumptions."""
    found = names(bounds)
    one, two = values_within(bounds, choice), values_within(bounds, other)
    common = [tree for tree in shared if meaning(tree, one) == meaning(tree, two)]
    start = _follow(NOTHING, common, found, one)
    joined = join(_follow(start, left, found, one), _follow(start, right, found, two))
    for values in (one, two):
        _check(joined, found, values, [*common, *left, *right, *probes], numbers)
        later = _follow(joined, probes, found, values)
        _check(later, found, values, [*left, *right, *probes], numbers)


def test_join_with_an_impossible_path():
    """A join with it is the other path."""
    assert join(NOTHING, None) is NOTHING and join(None, NOTHING) is NOTHING
    assert join(None, None) is None


@seeded(200)
@given(BOUNDS, SIMPLE, SIMPLE)
def test_assumed_conditions_are_known(bounds, first, second):
    """An assumed comparison or bool, or its negation, is known."""
    found = names(bounds)
    start = NOTHING.assume(built(first, found))
    if start is None:
        return
    for truth in (True, False):
        known = start.assume(built(second, found), truth)
        if known is not None:
            assert known.evaluate(built(second, found)) is truth


@seeded(200)
@given(BOUNDS, CONDITION)
def test_condition_or_its_negation_is_possible(bounds, tree):
    """A condition and its negation are not both impossible."""
    condition = built(tree, names(bounds))
    assert NOTHING.assume(condition) is not None or NOTHING.assume(condition, False) is not None
