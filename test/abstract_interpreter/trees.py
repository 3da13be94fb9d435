"""Calculations on ints and bools as trees, with their values in Python and in the interpreter.

A number is an int, the name of a symbol, or `(operation, left, right)`; a condition is the name of
a bool, a comparison of two numbers, or a combination of conditions.
"""

from hypothesis import assume, strategies
from torch_refine.abstract_interpreter.conditions import conditions
from torch_refine.abstract_interpreter.conditions.conditions import Opaque
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Symbol, of_atom

SYMBOLS = ("a", "b", "c")
BOOLS = ("p", "q")

# Each operation in Python, and in the interpreter.
_NUMBERS = {
    "+": (lambda left, right: left + right, expressions.add),
    "-": (lambda left, right: left - right, expressions.subtract),
    "*": (lambda left, right: left * right, expressions.multiply),
    "//": (lambda left, right: left // right, expressions.floor_divide),
    "%": (lambda left, right: left % right, expressions.remainder),
    "min": (min, lambda left, right: expressions.extreme("min", left, right)),
    "max": (max, lambda left, right: expressions.extreme("max", left, right)),
}
_COMPARISONS = {
    "==": (lambda left, right: left == right, conditions.equal),
    ">=": (lambda left, right: left >= right, conditions.at_least),
}


def _choose(condition, then, otherwise):
    if isinstance(condition, bool):
        return then if condition else otherwise
    return conditions.choose(condition, then, otherwise)


_LOGIC = {
    "and": (lambda left, right: left and right, conditions.both),
    "or": (lambda left, right: left or right, conditions.either),
    "not": (lambda condition: not condition, conditions.invert),
    "if": (lambda condition, then, otherwise: then if condition else otherwise, _choose),
}
_ALL = {**_NUMBERS, **_COMPARISONS, **_LOGIC}


def meaning(tree, values):
    """The Python value of a tree. An example that divides by zero is discarded."""
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return values[tree]
    operands = [meaning(operand, values) for operand in tree[1:]]
    if tree[0] in ("//", "%"):
        assume(operands[1] != 0)
    return _ALL[tree[0]][0](*operands)


def built(tree, names):
    """The interpreter's form of a tree, where `names` maps its symbols and bools."""
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return names[tree]
    operands = [built(operand, names) for operand in tree[1:]]
    assume(not (tree[0] in ("//", "%") and operands[1] == 0))
    return _ALL[tree[0]][1](*operands)


def trees_of_numbers(leaves):
    """Numbers with at most this many symbols and constants."""
    leaf = strategies.sampled_from((*SYMBOLS, *SYMBOLS, *range(-4, 7)))
    return strategies.recursive(
        leaf,
        lambda smaller: strategies.tuples(
            strategies.sampled_from(list(_NUMBERS)), smaller, smaller
        ),
        max_leaves=leaves,
    )


def trees_of_conditions(leaves):
    """Conditions with at most this many comparisons and bools."""
    comparison = strategies.sampled_from(list(_COMPARISONS))
    number = trees_of_numbers(3)
    leaf = strategies.tuples(comparison, number, number)
    leaf |= leaf | strategies.sampled_from(BOOLS)
    return strategies.recursive(
        leaf,
        lambda smaller: strategies.one_of(
            strategies.tuples(strategies.sampled_from(("and", "or")), smaller, smaller),
            strategies.tuples(strategies.just("not"), smaller),
            strategies.tuples(strategies.just("if"), smaller, smaller, smaller),
        ),
        max_leaves=leaves,
    )


def names(bounds):
    """A symbol for each pair of bounds, each of which may be None, and the bools, by name."""
    limits = (expressions.INT_MIN, expressions.INT_MAX)
    found = {
        name: of_atom(
            Symbol(
                *(at if bound is None else bound for bound, at in zip(pair, limits, strict=True))
            )
        )
        for name, pair in zip(SYMBOLS, bounds, strict=True)
    }
    return {**found, **{name: Opaque() for name in BOOLS}}


def by_atom(values, names):
    """The values of symbols and bools by atom."""
    return {expressions.single_atom(names[name]) or names[name]: value
            for name, value in values.items()}  # fmt: skip


LOWEST, HIGHEST = -3, 6

# Bounds of the symbols, if any, each with an int between them.
BOUNDS = strategies.tuples(
    *[
        strategies.sampled_from(
            ((None, None), (0, None), (1, None), (None, 4), (-2, 5), (0, 3), (2, 6))
        )
    ]
    * len(SYMBOLS)
)
_SHARES = strategies.tuples(*[strategies.integers(0, HIGHEST - LOWEST)] * len(SYMBOLS))
_TRUTHS = strategies.tuples(*[strategies.booleans()] * len(BOOLS))
CHOICES = strategies.tuples(_SHARES, _TRUTHS)


def values_within(bounds, choice):
    """Values of symbols and bools by name, within the symbols' bounds."""
    shares, truths = choice
    found = dict(zip(BOOLS, truths, strict=True))
    for name, (low, high), share in zip(SYMBOLS, bounds, shares, strict=True):
        low, high = LOWEST if low is None else low, HIGHEST if high is None else high
        found[name] = low + share % (high - low + 1)
    return found
