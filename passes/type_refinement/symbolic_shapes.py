"""Names that a program gives to its unknown sizes: `torch.bind_symbolic_shape`.

    %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 64} : !torch.int
    torch.bind_symbolic_shape %arg0, [%s0], affine_map<()[s0] -> (s0, s0 * 2, 3)>

A program that was exported with dynamic shapes says this way which sizes of its inputs are equal,
and within which bounds they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from torch_refine.abstract_interpreter.facts import Fact, Tensor
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Number
from torch_refine.dialect.bindings import ir

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

_MAP = re.compile(r"affine_map<\(\)\[(?P<names>[^\]]*)\] -> \((?P<sizes>.*)\)>")

_OPERATIONS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: expressions.add,
    ast.Sub: expressions.subtract,
    ast.Mult: expressions.multiply,
    ast.FloorDiv: expressions.floor_divide,
    ast.Mod: expressions.remainder,
}


def argument_sizes(sweep: Sweep, function: ir.Operation) -> tuple[Fact, ...]:
    """What a function declares of its arguments, with one symbol for sizes of one name."""
    symbols: dict[str, Number] = {}
    facts = []
    for argument in function.regions[0].blocks[0].arguments:
        fact = sweep.declared.fact(argument.type)
        if isinstance(fact, Tensor) and fact.symbols:
            bound = _binding(argument)
            if bound is not None:
                fact = _bound(sweep, fact, bound, symbols)
        facts.append(fact)
    return tuple(facts)


def _binding(value: ir.Value) -> ir.Operation | None:
    """The op that names the sizes of a value."""
    for use in value.uses:
        if use.owner.operation.name == "torch.bind_symbolic_shape":
            return use.owner.operation
    return None


def _bound(sweep: Sweep, fact: Tensor, op: ir.Operation, symbols: dict[str, Number]) -> Fact:
    """A tensor with the sizes that an op gives it, where its type does not know them."""
    match = _MAP.fullmatch(str(op.attributes["shape_expressions"]))
    assert fact.sizes is not None
    if match is None:
        return fact
    names = [name.strip() for name in match["names"].split(",") if name.strip()]
    values = [_symbol(value, symbols) for value in list(op.operands)[1:]]
    if len(names) != len(values) or None in values:
        return fact
    known = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    sizes = [_size(text, known) for text in match["sizes"].split(",")]
    if len(sizes) != len(fact.sizes):
        return fact
    met = tuple(
        one if isinstance(one, int) or other is None else other
        for one, other in zip(fact.sizes, sizes, strict=True)
    )
    return sweep.facts.tensor(met, fact.dtype)


def _symbol(value: ir.Value, symbols: dict[str, Number]) -> Number | None:
    """The symbol of a `torch.symbolic_int`."""
    if isinstance(value.owner, ir.Block) or value.owner.operation.name != "torch.symbolic_int":
        return None
    attributes = value.owner.operation.attributes
    name = ir.StringAttr(attributes["symbol_name"]).value
    if name not in symbols:
        low = ir.IntegerAttr(attributes["min_val"]).value
        high = ir.IntegerAttr(attributes["max_val"]).value
        symbols[name] = expressions.fresh(max(low, 0), max(high, low, 0))
    return symbols[name]


def _size(text: str, symbols: dict[str, Number]) -> Number | None:
    """The size that a result of an affine map is, None for one that is not understood."""
    source = text.strip().replace("floordiv", "//").replace("mod", "%")
    try:
        return _evaluate(ast.parse(source, mode="eval").body, symbols)
    except (SyntaxError, ValueError, KeyError, ZeroDivisionError, RecursionError):
        return None


def _evaluate(node: ast.expr, symbols: dict[str, Number]) -> Number:
    if isinstance(node, ast.Name):
        return symbols[node.id]
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _evaluate(node.left, symbols), _evaluate(node.right, symbols)
        return _OPERATIONS[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return expressions.negate(_evaluate(node.operand, symbols))
    raise ValueError(ast.dump(node))
