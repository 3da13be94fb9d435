"""Expressions agree with Python's ints for all values of their symbols."""

import pytest
from hypothesis import assume, given, strategies
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    add,
    floor_divide,
    fresh,
    mentions,
    multiply,
    negate,
    of_atom,
    remainder,
    single_atom,
    substitute,
    subtract,
    symbols_in,
)

from .examples import seeded
from .trees import (
    BOUNDS,
    CHOICES,
    SYMBOLS,
    built,
    by_atom,
    meaning,
    trees_of_numbers,
    values_within,
)
from .trees import names as names_within
from .valuations import value_of

LARGE, SMALL = trees_of_numbers(10), trees_of_numbers(3)

situations = strategies.builds(
    lambda bounds, choice: (names_within(bounds), values_within(bounds, choice)), BOUNDS, CHOICES
)


@seeded(300)
@given(situations, LARGE)
def test_arithmetic_agrees_with_python(situation, tree):
    """Any tree of operations, simplified or not, has the value that Python computes."""
    names, values = situation
    expected = meaning(tree, values)
    assert value_of(built(tree, names), by_atom(values, names)) == expected


@seeded(300)
@given(situations, LARGE, strategies.dictionaries(strategies.sampled_from(SYMBOLS), SMALL))
def test_substitution_is_evaluation(situation, tree, replaced):
    """Replacing symbols by equal numbers, known or not, changes no value."""
    names, values = situation
    expected = meaning(tree, values)
    others = {
        single_atom(names[name]): add(built(other, names), values[name] - meaning(other, values))
        for name, other in replaced.items()
    }
    result = substitute(built(tree, names), others)
    assert value_of(result, by_atom(values, names)) == expected


@seeded(200)
@given(situations, LARGE)
def test_substituting_all_symbols_gives_an_int(situation, tree):
    """With a value for every symbol, no symbolic part remains."""
    names, values = situation
    expected = meaning(tree, values)
    assert substitute(built(tree, names), by_atom(values, names)) == expected


@seeded(200)
@given(situations, SMALL, SMALL, SMALL)
def test_polynomials_have_a_canonical_form(situation, first, second, third):
    """A polynomial has one expression, in any notation."""
    one, two, three = (built(tree, situation[0]) for tree in (first, second, third))
    assert add(one, two) == add(two, one)
    assert multiply(one, two) == multiply(two, one)
    assert add(add(one, two), three) == add(one, add(two, three))
    assert multiply(multiply(one, two), three) == multiply(one, multiply(two, three))
    assert multiply(one, add(two, three)) == add(multiply(one, two), multiply(one, three))
    assert subtract(one, one) == 0
    assert negate(negate(one)) == one
    assert hash(add(one, two)) == hash(add(two, one))


@seeded(200)
@given(situations, SMALL, trees_of_numbers(2))
def test_products_divide_exactly(situation, tree, by):
    """Dividing a product by a factor of one term gives the other factor."""
    number, divisor = built(tree, situation[0]), built(by, situation[0])
    assume(divisor != 0)
    assume(not isinstance(divisor, Expression) or not divisor.constant)
    assume(not isinstance(divisor, Expression) or len(divisor.terms) == 1)
    assert floor_divide(multiply(number, divisor), divisor) == number
    assert remainder(multiply(number, divisor), divisor) == 0


@seeded(200)
@given(situations, LARGE)
def test_symbols_are_found(situation, tree):
    """A symbol is listed if and only if it occurs, and only listed symbols affect the value."""
    names, values = situation
    expected = meaning(tree, values)
    number = built(tree, names)
    listed = set(symbols_in(number))
    assert listed <= set(map(single_atom, (names[name] for name in SYMBOLS)))
    for name in SYMBOLS:
        symbol = single_atom(names[name])
        assert mentions(number, symbol) == (symbol in listed)
    valuation = {atom: value for atom, value in by_atom(values, names).items() if atom in listed}
    assert value_of(number, valuation) == expected


def test_a_known_divisor_of_zero_raises():
    """Callers test for zero first."""
    for operation in (floor_divide, remainder):
        with pytest.raises(ZeroDivisionError):
            operation(fresh(), 0)


def test_division_by_zero_is_not_folded():
    """Substitution never computes a division by zero."""
    one, other = fresh(), fresh()
    quotient = floor_divide(one, other)
    assert substitute(quotient, {single_atom(other): 0}) == quotient


def test_large_expressions_are_reported():
    """Sums of many terms and nested divisions are reported as large; small ones are not."""
    few, many, deep = fresh(), 0, fresh()
    for _ in range(20):
        many = add(many, fresh())
        deep = floor_divide(add(multiply(deep, 3), 1), 2)
    assert not expressions.too_large(few) and not expressions.too_large(3)
    assert expressions.too_large(many) and expressions.too_large(deep)


def test_symbols_are_distinct():
    """Two new symbols are never the same expression; one symbol is equal to itself."""
    one, other = fresh(), fresh()
    assert one != other and subtract(one, other) != 0
    assert one == of_atom(single_atom(one)) and hash(one) == hash(of_atom(single_atom(one)))
