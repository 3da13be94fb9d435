"""Expressions are what Python's ints would be, whatever values their symbols have."""

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
def test_arithmetic_is_pythons(situation, tree):
    """Any nest of operations, simplified or not, has the value that Python computes."""
    names, values = situation
    expected = meaning(tree, values)
    assert value_of(built(tree, names), by_atom(values, names)) == expected


@seeded(300)
@given(situations, LARGE, strategies.dictionaries(strategies.sampled_from(SYMBOLS), SMALL))
def test_substitution_is_evaluation(situation, tree, replaced):
    """Replacing symbols by numbers of the same value, known or not, changes no value."""
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
def test_all_values_make_an_int(situation, tree):
    """With a value for every symbol, nothing symbolic is left."""
    names, values = situation
    expected = meaning(tree, values)
    assert substitute(built(tree, names), by_atom(values, names)) == expected


@seeded(200)
@given(situations, SMALL, SMALL, SMALL)
def test_sums_and_products_have_one_form(situation, first, second, third):
    """However a polynomial is written, it is one expression."""
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
def test_a_product_divides_exactly(situation, tree, by):
    """What was multiplied by a number of one term comes back when it is divided by it."""
    number, divisor = built(tree, situation[0]), built(by, situation[0])
    assume(divisor != 0)
    assume(not isinstance(divisor, Expression) or not divisor.constant)
    assume(not isinstance(divisor, Expression) or len(divisor.terms) == 1)
    assert floor_divide(multiply(number, divisor), divisor) == number
    assert remainder(multiply(number, divisor), divisor) == 0


@seeded(200)
@given(situations, LARGE)
def test_symbols_are_found(situation, tree):
    """A symbol is mentioned if and only if it is listed, and only those matter to the value."""
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


def test_a_division_by_zero_stays_as_it_was():
    """A substitution never computes one."""
    one, other = fresh(), fresh()
    quotient = floor_divide(one, other)
    assert substitute(quotient, {single_atom(other): 0}) == quotient


def test_what_grows_too_large_is_told():
    """Sums of many terms and nests of divisions are to be named; small ones are not."""
    few, many, deep = fresh(), 0, fresh()
    for _ in range(20):
        many = add(many, fresh())
        deep = floor_divide(add(deep, 1), 2)
    assert not expressions.too_large(few) and not expressions.too_large(3)
    assert expressions.too_large(many) and expressions.too_large(deep)


def test_symbols_are_told_apart():
    """Two new symbols are never one number; one symbol is."""
    one, other = fresh(), fresh()
    assert one != other and subtract(one, other) != 0
    assert one == of_atom(single_atom(one)) and hash(one) == hash(of_atom(single_atom(one)))
