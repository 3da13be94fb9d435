"""Reference evaluation of expressions and conditions for given values of symbols.

Written independently, so that it does not share mistakes with the tested code.
"""

from torch_refine.abstract_interpreter.conditions import conditions
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Symbol

OPERATIONS = {
    "floordiv": lambda left, right: left // right,
    "remainder": lambda left, right: left % right,
    "min": min,
    "max": max,
}


def value_of(number, valuation):
    """The value of an expression under `valuation`.

    Raises KeyError for a symbol without a value, ZeroDivisionError if undefined.
    """
    if not isinstance(number, Expression):
        return number
    total = number.constant
    for atoms, factor in number.terms:
        for atom in atoms:
            factor *= atom_value(atom, valuation)
        total += factor
    return total


def atom_value(atom, valuation):
    """The value of an atom."""
    if isinstance(atom, Symbol):
        return valuation[atom]
    return OPERATIONS[atom.operation](*(value_of(each, valuation) for each in atom.operands))


def truth_of(condition, valuation):
    """Whether a condition holds; a named one is in the valuation, too."""
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, conditions.Opaque):
        return valuation[condition]
    if isinstance(condition, conditions.Zero):
        return value_of(condition.expression, valuation) == 0
    if isinstance(condition, conditions.NonNegative):
        return value_of(condition.expression, valuation) >= 0
    if isinstance(condition, conditions.Not):
        return not truth_of(condition.operand, valuation)
    both = [truth_of(each, valuation) for each in (condition.left, condition.right)]
    return all(both) if isinstance(condition, conditions.And) else any(both)
