"""Conditions from text, in the Python syntax that `printing` writes."""

from __future__ import annotations

import ast

from torch_refine.abstract_interpreter.conditions.conditions import (
    Condition,
    at_least,
    both,
    either,
    equal,
    invert,
)
from torch_refine.abstract_interpreter.numbers.expressions import Number
from torch_refine.abstract_interpreter.numbers.parsing import Lookup, number_of_tree, parsed


def parse_condition(text: str, find: Lookup) -> Condition:
    """The condition that a text states; `find` has the numbers of names.

    Raises ValueError for other text.
    """
    try:
        return _condition(parsed(text), find)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _condition(node: ast.expr, find: Lookup) -> Condition:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return invert(_condition(node.operand, find))
    if isinstance(node, ast.BoolOp):
        combine = both if isinstance(node.op, ast.And) else either
        found = _condition(node.values[0], find)
        for each in node.values[1:]:
            found = combine(found, _condition(each, find))
        return found
    if isinstance(node, ast.Compare):
        sides = [number_of_tree(each, find) for each in (node.left, *node.comparators)]
        result: Condition = True
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            result = both(result, _comparison(op, left, right))
        return result
    raise ValueError(f"{ast.unparse(node)} is not a condition")


def _comparison(op: ast.cmpop, left: Number, right: Number) -> Condition:
    if isinstance(op, ast.Eq):
        return equal(left, right)
    if isinstance(op, ast.NotEq):
        return invert(equal(left, right))
    if isinstance(op, ast.GtE):
        return at_least(left, right)
    if isinstance(op, ast.LtE):
        return at_least(right, left)
    if isinstance(op, ast.Gt):
        return invert(at_least(right, left))
    if isinstance(op, ast.Lt):
        return invert(at_least(left, right))
    raise ValueError(f"{type(op).__name__} is not a comparison of numbers")
