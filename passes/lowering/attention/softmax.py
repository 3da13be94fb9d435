"""A softmax by blocks of columns: maximum, exponentials and sum of what came so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.building import (
    Number,
    add,
    divide,
    made,
    multiply,
)
from torch_refine.passes.lowering.contractions.nests import Span, for_each_with
from torch_refine.passes.lowering.contractions.tensors import extract, insert, read, write

# Vectors whose maxima and sums do not wait for each other.
_TOGETHER = 4
_GREATER, _EQUAL = 2, 1


@dataclass(frozen=True)
class Rows:
    """What is known of rows so far, as tensors; the sums are of exponentials less the maximum.

    `weights` are first the scores of a block, then their exponentials. `factors` are what sums from
    before are multiplied by, as the maximum grew.
    """

    weights: ir.Value
    maxima: ir.Value
    sums: ir.Value
    factors: ir.Value


def number(value: float, element: ir.Type) -> ir.Value:
    """A constant."""
    return made("arith.constant", element, [], {"value": ir.FloatAttr.get(element, value)})


def is_equal(value: ir.Value, to: ir.Value) -> ir.Value:
    """Whether two numbers are equal; NaN never is."""
    return _compared(_EQUAL, value, to)


def add_block(rows: Rows, row: Number, count: Number, lanes: int) -> Rows:
    """The rows with `count` more scores in a row, a multiple of `lanes`; NaN ends up in its sum."""
    element = ir.RankedTensorType(rows.maxima.type).element_type
    vector = ir.VectorType.get([lanes], element)
    unseen = number(-float("inf"), element)

    def largest(column: Number, found: ir.Value) -> ir.Value:
        return _larger(read(rows.weights, [row, column], lanes, True), found)

    lowest = made("vector.broadcast", vector, [unseen])
    maxima = _over(count, lanes, [lowest], lambda column, found: [largest(column, found[0])])
    before = extract(rows.maxima, [row])
    new = _larger(_reduced("maxnumf", _together(maxima, _larger)), before)
    # Where nothing was seen, exponentials of what is subtracted from itself would be NaN.
    base = _selected(is_equal(new, unseen), number(0.0, element), new)
    factor = made("math.exp", element, [made("arith.subf", element, [before, base])])
    spread = made("vector.broadcast", vector, [base])

    def weigh(column: Number, found: list[ir.Value]) -> list[ir.Value]:
        weights, sum = found
        score = read(weights, [row, column], lanes, True)
        weight = made("math.exp", vector, [made("arith.subf", vector, [score, spread])])
        weights = write(weight, weights, [row, column], True)
        return [weights, made("arith.addf", vector, [sum, weight])]

    zero = made("vector.broadcast", vector, [number(0.0, element)])
    weights, *sums = _over(count, lanes, [rows.weights, zero], weigh, shared=1)
    total = _reduced("add", _together(sums, _added))
    old = made("arith.mulf", element, [extract(rows.sums, [row]), factor])
    return Rows(
        weights,
        insert(new, rows.maxima, [row]),
        insert(made("arith.addf", element, [old, total]), rows.sums, [row]),
        insert(factor, rows.factors, [row]),
    )


def _over(
    count: Number,
    lanes: int,
    carried: Sequence[ir.Value],
    one: Callable[[Number, list[ir.Value]], list[ir.Value]],
    shared: int = 0,
) -> list[ir.Value]:
    """Vectors of a row, several together; the first `shared` values are carried from one to the
    next, of the last one there is one for each of those that are computed together."""
    step = _TOGETHER * lanes
    whole = multiply(divide(count, step), step)
    *first, last = carried

    def several(column: Number, inner: list[ir.Value]) -> list[ir.Value]:
        common, own = inner[:shared], inner[shared:]
        for place in range(_TOGETHER):
            *common, own[place] = one(add(column, place * lanes), [*common, own[place]])
        return [*common, *own]

    def single(column: Number, inner: list[ir.Value]) -> list[ir.Value]:
        *common, found = one(column, inner[: shared + 1])
        return [*common, found, *inner[shared + 1 :]]

    found = for_each_with(Span(0, whole, step), [*first, *[last] * _TOGETHER], several)
    return for_each_with(Span(whole, count, lanes), found, single)


def _together(
    vectors: Sequence[ir.Value], pair: Callable[[ir.Value, ir.Value], ir.Value]
) -> ir.Value:
    first, *others = vectors
    for each in others:
        first = pair(first, each)
    return first


def _added(a: ir.Value, b: ir.Value) -> ir.Value:
    return made("arith.addf", a.type, [a, b])


def _larger(new: ir.Value, old: ir.Value) -> ir.Value:
    """The larger one of two numbers; of NaN and a number, the old one. One instruction on x86."""
    return _selected(_compared(_GREATER, new, old), new, old)


def _selected(condition: ir.Value, a: ir.Value, b: ir.Value) -> ir.Value:
    return made("arith.select", a.type, [condition, a, b])


def _compared(predicate: int, a: ir.Value, b: ir.Value) -> ir.Value:
    bit = ir.IntegerType.get_signless(1)
    type = bit if not isinstance(a.type, ir.VectorType) else ir.VectorType.get(a.type.shape, bit)
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
    return made("arith.cmpf", type, [a, b], {"predicate": number})


def _reduced(kind: str, vector: ir.Value) -> ir.Value:
    """All elements of a vector as one."""
    kinds = {"kind": ir.Attribute.parse(f"#vector.kind<{kind}>")}
    return made("vector.reduction", vector.type.element_type, [vector], kinds)
