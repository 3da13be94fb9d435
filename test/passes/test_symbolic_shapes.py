"""Sizes as affine expressions, and back."""

import random

from hypothesis import given, settings, strategies
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Symbol, of_atom
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.passes.symbolic_shapes.affine import AffineWriter, named_atoms, number_of_affine

_VALUES = 20


def _value(number, values):
    """The value of a number, computed apart from the tested code."""
    if isinstance(number, int):
        return number
    total = number.constant
    for atoms, factor in number.terms:
        for atom in atoms:
            factor *= values[atom] if isinstance(atom, Symbol) else _applied(atom, values)
        total += factor
    return total


def _applied(atom, values):
    left, right = (_value(each, values) for each in atom.operands)
    return {
        "floordiv": lambda: left // right,
        "remainder": lambda: left % right,
        "min": lambda: min(left, right),
        "max": lambda: max(left, right),
    }[atom.operation]()


@strategies.composite
def _numbers(draw, symbols, depth=3):
    if depth == 0 or draw(strategies.booleans()):
        return draw(
            strategies.one_of(
                strategies.sampled_from([of_atom(each) for each in symbols]),
                strategies.integers(-4, 9),
            )
        )
    operation = draw(strategies.sampled_from(["add", "mul", "div", "mod", "min", "max", "by"]))
    left = draw(_numbers(symbols, depth - 1))
    if operation in ("div", "mod"):
        apply = expressions.floor_divide if operation == "div" else expressions.remainder
        return apply(left, draw(strategies.integers(1, 6)))
    if operation == "by":
        # The last symbol is positive.
        return expressions.floor_divide(left, of_atom(symbols[-1]))
    right = draw(_numbers(symbols, depth - 1))
    if operation in ("min", "max"):
        return expressions.extreme(operation, left, right)
    return (expressions.add if operation == "add" else expressions.multiply)(left, right)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(strategies.data())
def test_affine_expressions_have_the_values_of_numbers(data):
    """Written and read back, also through text, a number has the same values."""
    symbols = [Symbol(0), Symbol(0), Symbol(1)]
    number = data.draw(_numbers(symbols))
    if expressions.too_large(number):
        return
    atoms = named_atoms(number)
    context = new_context()
    expression = AffineWriter(atoms.index, context).write(number)
    map = ir.AffineMap.get(0, len(atoms), [expression], context)
    parsed = ir.AffineMapAttr(ir.Attribute.parse(str(ir.AffineMapAttr.get(map)), context)).value
    again = number_of_affine(parsed.results[0], [of_atom(each) for each in atoms])
    if again is None:
        # What is read back may be too large in another order of its terms.
        return
    chance = random.Random(0)
    for _ in range(_VALUES):
        values = {each: chance.randint(max(each.low, 0), 30) for each in symbols}
        assert _value(number, values) == _value(again, values), (number, str(parsed))
