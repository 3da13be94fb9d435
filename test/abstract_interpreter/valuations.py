"""What expressions and formulas are once their symbols have values: what they must go on to be.

Written anew, so that it does not share mistakes with the code that it judges.
"""

from torch_refine.abstract_interpreter.conditions import formulas
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Symbol

OPERATIONS = {
    "floordiv": lambda left, right: left // right,
    "remainder": lambda left, right: left % right,
    "min": min,
    "max": max,
}


def value_of(number, valuation):
    """The int that a number is where its symbols are what `valuation` says.

    Raises KeyError for a symbol without a value, ZeroDivisionError where there is no such int.
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
    """The int that an atom is."""
    if isinstance(atom, Symbol):
        return valuation[atom]
    return OPERATIONS[atom.operation](*(value_of(each, valuation) for each in atom.operands))


def truth_of(condition, valuation):
    """Whether a condition holds; a named one is in the valuation, too."""
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, formulas.Opaque):
        return valuation[condition]
    if isinstance(condition, formulas.Zero):
        return value_of(condition.expression, valuation) == 0
    if isinstance(condition, formulas.NonNegative):
        return value_of(condition.expression, valuation) >= 0
    if isinstance(condition, formulas.Not):
        return not truth_of(condition.operand, valuation)
    both = [truth_of(each, valuation) for each in (condition.left, condition.right)]
    return all(both) if isinstance(condition, formulas.And) else any(both)
