"""Expressions from text, in the Python syntax that `printing` writes."""

from __future__ import annotations

import ast
from collections.abc import Callable

from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Number

_MOST_CHARACTERS = 20_000

_BINARY: dict[type[ast.operator], Callable[[Number, Number], Number | None]] = {
    ast.Add: expressions.add,
    ast.Sub: expressions.subtract,
    ast.Mult: expressions.multiply,
    ast.FloorDiv: lambda a, b: expressions.derive("floordiv", (a, b)),
    ast.Mod: lambda a, b: expressions.derive("remainder", (a, b)),
}

Lookup = Callable[[str], "Number | None"]


def parsed(text: str) -> ast.expr:
    """The syntax tree of an expression; raises ValueError."""
    if len(text) > _MOST_CHARACTERS:
        raise ValueError("it is too long")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(str(error)) from None


def parse_number(text: str, find: Lookup) -> Number:
    """The number that a text gives; `find` has the numbers of names, such as `n` and `x.size(0)`.

    Raises ValueError for other text, for a name that `find` does not know, for a division by zero,
    and for an expression of too many terms.
    """
    try:
        return number_of_tree(parsed(text), find)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def number_of_tree(node: ast.expr, find: Lookup) -> Number:
    """The number that a syntax tree gives; see `parse_number`."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return expressions.negate(number_of_tree(node.operand, find))
    found: Number | None = None
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left, right = number_of_tree(node.left, find), number_of_tree(node.right, find)
        found = _BINARY[type(node.op)](left, right)
    elif _is_extreme(node):
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        found, *others = (number_of_tree(each, find) for each in node.args)
        for other in others:
            found = expressions.extreme(node.func.id, found, other)
    elif isinstance(node, ast.Name | ast.Call):
        found = find(ast.unparse(node))
    if found is None:
        raise ValueError(f"{ast.unparse(node)} is not a number")
    if expressions.too_large(found):
        # Products of sums would take time and memory without bound.
        raise ValueError("its terms are too many")
    return found


def _is_extreme(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("min", "max")
        and len(node.args) > 1
        and not node.keywords
    )
