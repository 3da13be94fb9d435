"""Expressions and conditions as text, which is read back as the same ones."""

import pytest
from hypothesis import given, strategies
from torch_refine.abstract_interpreter.conditions import conditions
from torch_refine.abstract_interpreter.conditions.parsing import parse_condition
from torch_refine.abstract_interpreter.conditions.printing import condition_text
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Symbol, of_atom
from torch_refine.abstract_interpreter.numbers.parsing import parse_number
from torch_refine.abstract_interpreter.numbers.printing import expression_text

from .examples import seeded

NAMES = ("n", "x.size(0)", "arg2")
SYMBOLS = {name: Symbol(0) for name in NAMES}
NUMBERS = {name: of_atom(symbol) for name, symbol in SYMBOLS.items()}
NAME = {symbol: name for name, symbol in SYMBOLS.items()}.__getitem__


def _combined(pairs):
    operations = (expressions.add, expressions.subtract, expressions.multiply)
    divisions = (expressions.floor_divide, expressions.remainder)
    extremes = (
        lambda a, b: expressions.extreme("min", a, b),
        lambda a, b: expressions.extreme("max", a, b),
    )
    return strategies.one_of(
        strategies.builds(
            lambda op, a, b: op(a, b), strategies.sampled_from(operations + extremes), pairs, pairs
        ),
        strategies.builds(
            lambda op, a, b: op(a, b),
            strategies.sampled_from(divisions),
            pairs,
            strategies.integers(2, 5),
        ),
    )


EXPRESSIONS = strategies.recursive(
    strategies.one_of(strategies.sampled_from(list(NUMBERS.values())), strategies.integers(-4, 9)),
    _combined,
    max_leaves=5,
).filter(lambda number: not expressions.too_large(number))
CONDITIONS = strategies.recursive(
    strategies.builds(
        lambda op, a, b: op(a, b),
        strategies.sampled_from([conditions.equal, conditions.at_least]),
        EXPRESSIONS,
        EXPRESSIONS,
    ),
    lambda inner: strategies.one_of(
        strategies.builds(conditions.both, inner, inner),
        strategies.builds(conditions.either, inner, inner),
        strategies.builds(conditions.invert, inner),
    ),
    max_leaves=5,
)


@seeded(200)
@given(EXPRESSIONS)
def test_an_expression_is_read_back(number):
    assert parse_number(expression_text(number, NAME), NUMBERS.get) == number


@seeded(200)
@given(CONDITIONS, strategies.fixed_dictionaries({n: strategies.integers(0, 6) for n in NAMES}))
def test_a_condition_is_read_back(condition, values):
    """The condition that is read has the value of the one that was written."""
    read = parse_condition(condition_text(condition, NAME), NUMBERS.get)
    one, other = (
        parse_condition(condition_text(each, NAME), values.get) for each in (condition, read)
    )
    assert one is other


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m", "m is not a number"),
        ("n.real", "n.real is not a number"),
        ("n ** 2", "is not a number"),
        ("n // 0", "is not a number"),
        ("min(n)", "is not a number"),
        ("n +", "invalid syntax"),
        ("1" * 30_000, "too long"),
        ("*".join(["(n + arg2)"] * 40), "too many"),
        ("-" * 5_000 + "n", "too many nested|nested too deeply|recursion|too complex"),
    ],
)
def test_other_text(text, message):
    with pytest.raises(ValueError, match=message):
        parse_number(text, NUMBERS.get)


def test_an_opaque_condition_has_no_text():
    with pytest.raises(ValueError, match="opaque"):
        condition_text(conditions.Opaque(), NAME)
