"""Which keys a query sees, as far as that follows from their indices."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.contractions.chain import Chain
from torch_refine.passes.lowering.kernels.indexing import maker_of

# Predicates of `arith.cmpi`: which ones hold where the others do not, and with operands swapped.
_LESS, _AT_MOST, _GREATER, _AT_LEAST = 2, 3, 4, 5
_NEGATED = {_LESS: _AT_LEAST, _AT_MOST: _GREATER, _GREATER: _AT_MOST, _AT_LEAST: _LESS}
_SWAPPED = {_LESS: _GREATER, _AT_MOST: _AT_LEAST, _GREATER: _LESS, _AT_LEAST: _AT_MOST}
_MOST = 1 << 40
_DEEPEST = 8

_Line = tuple[int, int, int]
"""A number that is some rows, some columns, and a constant."""


def diagonal_of(scores: Chain) -> int | None:
    """The number d for which the score of query i and key j is minus infinity where j > i + d.

    None where there is no such number, or the scores do not say so by indices.
    """
    if scores.last is None:
        return None
    *_, end = operations(scores.last.regions[0].blocks[0])
    select = maker_of(end.operands[0])
    if select is None or select.name != "arith.select":
        return None
    condition, *arms = select.operands
    unseen = [place for place, each in enumerate(arms) if _is_minus_infinity(each)]
    compared = maker_of(condition)
    if len(unseen) != 1 or compared is None or compared.name != "arith.cmpi":
        return None
    predicate = int(ir.IntegerAttr(compared.attributes["predicate"]).value)
    if predicate not in _NEGATED:
        return None
    rank = ir.RankedTensorType(scores.root.results[0].type).rank
    left, right = (_line(each, rank, _DEEPEST) for each in compared.operands)
    if left is None or right is None:
        return None
    rows, columns, rest = (a - b for a, b in zip(left, right, strict=True))
    if unseen == [0]:
        predicate = _NEGATED[predicate]
    if (rows, columns) == (1, -1):
        rows, columns, rest, predicate = -rows, -columns, -rest, _SWAPPED[predicate]
    # Seen where column - row + rest is at most 0, or less.
    if (rows, columns) != (-1, 1) or predicate not in (_LESS, _AT_MOST) or abs(rest) > _MOST:
        return None
    return -rest - (predicate == _LESS)


def _is_minus_infinity(value: ir.Value) -> bool:
    op = maker_of(value)
    if op is None or op.name != "arith.constant":
        return False
    attribute = op.attributes["value"]
    return isinstance(attribute, ir.FloatAttr) and bool(attribute.value == float("-inf"))


def _line(value: ir.Value, rank: int, depth: int) -> _Line | None:
    """A number in rows and columns, the last loops of so many; None if it is none."""
    op = maker_of(value)
    if op is None or not depth:
        return None
    if op.name == "arith.constant":
        attribute = op.attributes["value"]
        return (0, 0, int(attribute.value)) if isinstance(attribute, ir.IntegerAttr) else None
    if op.name == "linalg.index":
        dim = int(ir.IntegerAttr(op.attributes["dim"]).value)
        return {rank - 2: (1, 0, 0), rank - 1: (0, 1, 0)}.get(dim)
    if op.name == "arith.index_cast" and str(value.type) in ("i64", "index"):
        return _line(op.operands[0], rank, depth - 1)
    if op.name in ("arith.addi", "arith.subi") and str(value.type) in ("i64", "index"):
        left, right = (_line(each, rank, depth - 1) for each in op.operands)
        if left is None or right is None:
            return None
        sign = 1 if op.name == "arith.addi" else -1
        rows, columns, rest = (a + sign * b for a, b in zip(left, right, strict=True))
        return (rows, columns, rest) if abs(rest) <= _MOST else None
    return None
