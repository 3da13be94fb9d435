"""Loops over spans of indices, and the values of affine expressions in an iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_value,
    divide,
    finish,
    for_loop,
    index_type,
    index_value,
    multiply,
    subtract,
)
from torch_refine.passes.lowering.kernels.contractions.tiles import regions


@dataclass(frozen=True)
class Span:
    """Indices in whole tiles of `step`; dynamic bounds are SSA values."""

    start: Number
    stop: Number
    step: int


def spans(size: Number, most: int) -> list[Span]:
    """Split a size into tiles of at most `most`.

    The remainder of a dynamic size is in tiles of 4 and 1: code is generated for each tile size.
    """
    if isinstance(size, int):
        return [Span(*each) for each in regions(size, most)]
    whole = multiply(divide(size, most), most)
    found = [Span(0, whole, most)]
    start: Number = whole
    for step in (4, 1):
        if step >= most:
            continue
        count = divide(subtract(size, start), step)
        stop = add(start, multiply(count, step))
        found.append(Span(start, stop, step))
        start = stop
    return found


def least(a: Number, b: Number) -> Number:
    """The smaller of two indices."""
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    return create_value("arith.minui", index_type(), [index_value(a), index_value(b)])


def for_each(
    span: Span, memory: ir.Value, body: Callable[[Number, ir.Value], ir.Value]
) -> ir.Value:
    """A loop that carries a tensor."""
    (result,) = for_each_with(span, [memory], lambda index, inner: [body(index, inner[0])])
    return result


def for_each_with(
    span: Span,
    carried: Sequence[ir.Value],
    body: Callable[[Number, list[ir.Value]], list[ir.Value]],
) -> list[ir.Value]:
    """A loop with iteration arguments; omitted if its trip count is 0 or 1."""
    if isinstance(span.start, int) and isinstance(span.stop, int):
        if span.start >= span.stop:
            return list(carried)
        if span.start + span.step >= span.stop:
            return body(span.start, list(carried))
    loop, block = for_loop(span.start, span.stop, span.step, carried)
    with ir.InsertionPoint(block):
        results = body(block.arguments[0], list(block.arguments)[1:])
    finish(block, results)
    return list(loop.results)


def evaluated(expression: ir.AffineExpr, at: dict[int, Number]) -> Number:
    """Evaluate an affine expression at given induction variables."""
    if isinstance(expression, ir.AffineDimExpr):
        return at[expression.position]
    if isinstance(expression, ir.AffineConstantExpr):
        return int(expression.value)
    left, right = (evaluated(each, at) for each in (expression.lhs, expression.rhs))
    if isinstance(expression, ir.AffineAddExpr):
        return add(left, right)
    assert isinstance(expression, ir.AffineMulExpr), "unsupported affine expression in a window"
    return multiply(left, right)


def loops_in(expression: ir.AffineExpr) -> set[int]:
    """The loops that an affine expression depends on."""
    if isinstance(expression, ir.AffineDimExpr):
        return {expression.position}
    if isinstance(expression, ir.AffineConstantExpr):
        return set()
    return loops_in(expression.lhs) | loops_in(expression.rhs)
