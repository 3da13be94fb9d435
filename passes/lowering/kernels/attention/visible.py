"""Which keys are visible to a query, as far as it follows from their indices."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.lowering.kernels.contractions.chain import Chain

# Predicates of `arith.cmpi`: the negated ones, and those with operands swapped.
_LESS, _AT_MOST, _GREATER, _AT_LEAST = 2, 3, 4, 5
_NEGATED = {_LESS: _AT_LEAST, _AT_MOST: _GREATER, _GREATER: _AT_MOST, _AT_LEAST: _LESS}
_SWAPPED = {_LESS: _GREATER, _AT_MOST: _AT_LEAST, _GREATER: _LESS, _AT_LEAST: _AT_MOST}
_MOST = 1 << 40
_DEEPEST = 8

_Line = tuple[int, int, int]
"""A linear expression of row and column: their coefficients, and a constant."""


def diagonal_of(scores: Chain) -> int | None:
    """The d for which the score of query i and key j is minus infinity where j > i + d.

    None if there is none, or if the mask does not follow from indices.
    """
    if scores.last is None:
        return None
    *_, end = operations(scores.last.regions[0].blocks[0])
    select = defining_op(end.operands[0])
    rank = ir.RankedTensorType(scores.root.results[0].type).rank
    return None if select is None else diagonal_of_select(select, rank)


def diagonal_of_select(select: ir.Operation, rank: int) -> int | None:
    """The same for an op that selects between minus infinity and something else."""
    if select.name != "arith.select":
        return None
    condition, *arms = select.operands
    unseen = [place for place, each in enumerate(arms) if _is_minus_infinity(each)]
    compared = defining_op(condition)
    if len(unseen) != 1 or compared is None or compared.name != "arith.cmpi":
        return None
    predicate = int(ir.IntegerAttr(compared.attributes["predicate"]).value)
    if predicate not in _NEGATED:
        return None
    left, right = (_linear_expression(each, rank, _DEEPEST) for each in compared.operands)
    if left is None or right is None:
        return None
    rows, columns, rest = (a - b for a, b in zip(left, right, strict=True))
    if unseen == [0]:
        predicate = _NEGATED[predicate]
    if (rows, columns) == (1, -1):
        rows, columns, rest, predicate = -rows, -columns, -rest, _SWAPPED[predicate]
    # Visible where column - row + constant is at most 0, or less than 0.
    if (rows, columns) != (-1, 1) or predicate not in (_LESS, _AT_MOST) or abs(rest) > _MOST:
        return None
    return -rest - (predicate == _LESS)


def _is_minus_infinity(value: ir.Value) -> bool:
    op = defining_op(value)
    if op is None or op.name != "arith.constant":
        return False
    attribute = op.attributes["value"]
    return isinstance(attribute, ir.FloatAttr) and bool(attribute.value == float("-inf"))


def _linear_expression(value: ir.Value, rank: int, depth: int) -> _Line | None:
    """A value as a linear expression of row and column, the last two of `depth` loops, or None."""
    op = defining_op(value)
    if op is None or not depth:
        return None
    if op.name == "arith.constant":
        attribute = op.attributes["value"]
        return (0, 0, int(attribute.value)) if isinstance(attribute, ir.IntegerAttr) else None
    if op.name == "linalg.index":
        dim = int(ir.IntegerAttr(op.attributes["dim"]).value)
        return {rank - 2: (1, 0, 0), rank - 1: (0, 1, 0)}.get(dim)
    if op.name == "arith.index_cast" and str(value.type) in ("i64", "index"):
        return _linear_expression(op.operands[0], rank, depth - 1)
    if op.name in ("arith.addi", "arith.subi") and str(value.type) in ("i64", "index"):
        left, right = (_linear_expression(each, rank, depth - 1) for each in op.operands)
        if left is None or right is None:
            return None
        sign = 1 if op.name == "arith.addi" else -1
        rows, columns, rest = (a + sign * b for a, b in zip(left, right, strict=True))
        return (rows, columns, rest) if abs(rest) <= _MOST else None
    return None
