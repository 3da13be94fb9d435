"""Python arithmetic on symbolic sizes as operators of the dialect.

With dynamic shapes an exported graph computes sizes with Python functions: `n % 8` is
`operator.mod`, `max(n, 3)` is `torch.sym_max`. The importer supports some of them, not all, and not
all of them correctly (`%` rounds towards zero, `1 < x` becomes `x < 1`). Here each becomes the
equivalent TorchScript operator, which is imported like any other.

This module loads PyTorch; `import_model` loads it on first use.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node
from torch_refine.passes.lowering.exported.inlining import is_control_flow

_ATEN, _PRIM = torch.ops.aten, torch.ops.prim
# PyTorch creates the `_sym_…` functions dynamically; type checkers miss them.
_SQUARE_ROOT: Any = vars(torch)["_sym_sqrt"]
_SELECT: Any = torch.sym_ite
_FLOAT: Any = torch.sym_float

_OPERATORS: dict[Any, Any] = {
    operator.add: _ATEN.add,
    operator.sub: _ATEN.sub,
    operator.mul: _ATEN.mul,
    operator.truediv: _ATEN.div,
    operator.floordiv: _ATEN.floordiv,
    operator.mod: _ATEN.remainder,
    operator.pow: _ATEN.pow,
    operator.neg: _ATEN.neg,
    operator.eq: _ATEN.eq,
    operator.ne: _ATEN.ne,
    operator.lt: _ATEN.lt,
    operator.le: _ATEN.le,
    operator.gt: _ATEN.gt,
    operator.ge: _ATEN.ge,
    operator.and_: _ATEN.__and__,
    operator.or_: _ATEN.__or__,
    operator.lshift: _ATEN.__lshift__,
    operator.rshift: _ATEN.__rshift__,
    math.ceil: _ATEN.ceil,
    math.floor: _ATEN.floor,
    math.trunc: _ATEN.Int,
    torch.sym_not: _ATEN.__not__,
    torch.sym_max: _PRIM.max,
    torch.sym_min: _PRIM.min,
    torch.sym_int: _ATEN.Int,
    torch.sym_float: _ATEN.Float,
    _SQUARE_ROOT: _ATEN.sqrt,
}
_MAGNITUDES = (abs, operator.abs)
_EVALUATED: dict[Any, Any] = {
    _ATEN.neg.int: operator.neg,
    _ATEN.neg.float: operator.neg,
    _PRIM.max.int: torch.sym_max,
    _PRIM.max.float: torch.sym_max,
    _ATEN.round.float: lambda number: _FLOAT(round(number)),
    _ATEN.Int.float: torch.sym_int,
    _ATEN.Int.bool: lambda condition: _SELECT(condition, 1, 0),
    _ATEN.sub.int: operator.sub,
    _ATEN.mul.int: operator.mul,
    _ATEN.add.int: operator.add,
}
_READS = (_ATEN.item.default, _ATEN._local_scalar_dense.default)
# Overloads whose names do not follow from the argument kinds.
_OVERLOADS: dict[tuple[Any, str], str] = {
    (torch.sym_float, "int"): "Scalar",
    (torch.sym_not, "bool"): "default",
}


def use_operators_on_sizes(graph: Graph) -> None:
    """Replace, in place, functions on symbolic scalars by the equivalent operators.

    A function without an equivalent operator is left for the importer to accept or reject.
    """
    for node in list(graph.nodes):
        if node.target is _SELECT:
            _select_by_arithmetic(graph, node)
        elif node.target is torch.sym_sum:
            _add_one_by_one(graph, node)
        elif node.target in _MAGNITUDES:
            _take_the_larger(graph, node)
        elif node.target is round:
            _round(graph, node)
        elif node.target in _READS and _kind(node) == "bool":
            # The importer reads an int.
            node.target = _ATEN.Bool.Tensor
        elif node.op == "call_function" and node.target in _OPERATORS:
            overload = _overload(node)
            if overload is not None:
                node.target = overload


def drop_unused_sizes(module: GraphModule) -> None:
    """Remove sizes that graphs of control flow take and do not use.

    Tracing such a program again gives one that PyTorch rejects.
    """
    uses = Counter(
        str(each.target)
        for node in module.graph.nodes
        for each in node.all_input_nodes
        if each.op == "get_attr"
    )
    for node in module.graph.nodes:
        operands = node.args[-1] if is_control_flow(node) else None
        names = [str(each.target) for each in node.all_input_nodes if each.op == "get_attr"]
        graphs = [getattr(module, name, None) for name in names if uses[name] == 1]
        if not isinstance(operands, (tuple, list)) or len(graphs) < len(names):
            continue
        taken = [
            [each for each in graph.graph.nodes if each.op == "placeholder"][-len(operands) :]
            for graph in graphs
            if isinstance(graph, GraphModule)
        ]
        unused = {
            place
            for place, (operand, *own) in enumerate(zip(operands, *taken, strict=False))
            if own and _kind(operand) == "int" and not any(each.users for each in own)
        }
        kept = [each for place, each in enumerate(operands) if place not in unused]
        node.args = (*node.args[:-1], type(operands)(kept))
        for own in taken:
            for place in unused:
                own[place].graph.erase_node(own[place])
        for graph in graphs:
            if unused and isinstance(graph, GraphModule):
                graph.recompile()


def _select_by_arithmetic(graph: Graph, node: Node) -> None:
    """Replace `sym_ite(b, x, y)` of ints by `y + int(b) * (x - y)`."""
    condition, chosen, other = node.args
    if _kind(condition) != "bool" or not _kind(chosen) == _kind(other) == "int":
        return
    with graph.inserting_before(node):
        found = _call(graph, node, _ATEN.Int.bool, condition)
        if (chosen, other) != (1, 0):
            difference = _call(graph, node, _ATEN.sub.int, chosen, other)
            product = _call(graph, node, _ATEN.mul.int, found, difference)
            found = _call(graph, node, _ATEN.add.int, other, product)
    node.replace_all_uses_with(found)
    graph.erase_node(node)


def _add_one_by_one(graph: Graph, node: Node) -> None:
    """Replace `sym_sum((a, b, c))` of ints by `(a + b) + c`."""
    terms: Any = node.args[0]
    first, *others = terms
    if any(_kind(each) != "int" for each in (first, *others)):
        return
    with graph.inserting_before(node):
        for each in others:
            first = _call(graph, node, _ATEN.add.int, first, each)
    node.replace_all_uses_with(first)
    graph.erase_node(node)


def _take_the_larger(graph: Graph, node: Node) -> None:
    """Replace `abs(x)` by `max(x, -x)`."""
    number, kind = node.args[0], _kind(node.args[0])
    if kind not in ("int", "float"):
        return
    with graph.inserting_before(node):
        negated = _call(graph, node, getattr(_ATEN.neg, kind), number)
        found = _call(graph, node, getattr(_PRIM.max, kind), number, negated)
    node.replace_all_uses_with(found)
    graph.erase_node(node)


def _round(graph: Graph, node: Node) -> None:
    """Replace `round(x)` of a float, to no digits, by two operators."""
    number, digits = (*node.args, None)[:2]
    if _kind(number) != "float" or digits is not None or node.kwargs.get("ndigits") is not None:
        return
    with graph.inserting_before(node):
        whole = _call(graph, node, _ATEN.round.float, number)
        found = _call(graph, node, _ATEN.Int.float, whole)
    node.replace_all_uses_with(found)
    graph.erase_node(node)


def _call(graph: Graph, node: Node, operator: Any, *operands: Any) -> Node:
    """An operation on numbers in place of a node, with its source line."""
    values = [each.meta["val"] if isinstance(each, Node) else each for each in operands]
    made = graph.call_function(operator, operands)
    made.meta = {**node.meta, "val": _EVALUATED[operator](*values)}
    return made


def _overload(node: Node) -> Any:
    kinds = [_kind(argument) for argument in node.args]
    if None in kinds:
        return None
    if node.target is operator.pow and isinstance(node.meta.get("val"), (int, torch.SymInt)):
        name = "int_to_int"
    else:
        name = "_".join(dict.fromkeys(str(kind) for kind in kinds))
        name = _OVERLOADS.get((node.target, name), name)
    packet = _OPERATORS[node.target]
    return getattr(packet, name) if name in packet.overloads() else None


def _kind(argument: Any) -> str | None:
    """`int`, `float` or `bool` for a scalar of Python or of the graph, else None."""
    value = argument.meta.get("val") if isinstance(argument, Node) else argument
    if isinstance(value, (bool, torch.SymBool)):
        return "bool"
    if isinstance(value, (int, torch.SymInt)):
        return "int"
    if isinstance(value, (float, torch.SymFloat)):
        return "float"
    return None
