"""Online softmax over blocks of columns: running maximum, exponentials and running sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_value,
    divide,
    multiply,
)
from torch_refine.passes.lowering.kernels.contractions.nests import Span, for_each_with
from torch_refine.passes.lowering.kernels.contractions.tensors import extract, insert, read, write

NOT_POSITIVE = "torch_refine.not_positive"
"""On an exponential: its operand is not positive, or NaN."""

# Independent accumulators for maxima and sums, which hide the latency.
_TOGETHER = 4
_GREATER, _EQUAL = 2, 1


@dataclass(frozen=True)
class Rows:
    """The running state of rows, as tensors; sums are of exponentials of score minus maximum.

    `weights` are first the scores of a block, then their exponentials. `factors` are the correction
    factors of the previous sums, as the maximum grew. If there is a tensor for `rounded` weights,
    the exponentials are written there instead, in bfloat16.
    """

    weights: ir.Value
    maxima: ir.Value
    sums: ir.Value
    factors: ir.Value
    rounded: ir.Value | None = None

    @property
    def values(self) -> list[ir.Value]:
        """All tensors."""
        found = [self.weights, self.maxima, self.sums, self.factors]
        return found if self.rounded is None else [*found, self.rounded]


def number(value: float, element: ir.Type) -> ir.Value:
    """A constant."""
    return create_value("arith.constant", element, [], {"value": ir.FloatAttr.get(element, value)})


def is_equal(value: ir.Value, to: ir.Value) -> ir.Value:
    """Whether two numbers are equal; NaN never is."""
    return _compared(_EQUAL, value, to)


def add_block(
    rows: Rows, row: Number, count: Number, lanes: int, narrow: Callable[[ir.Value], ir.Value]
) -> Rows:
    """Add `count` more scores, a multiple of `lanes`, to a row; NaN propagates to its sum.

    `narrow` converts a vector of weights to the elements of the tensor of rounded ones.
    """
    element = ir.RankedTensorType(rows.maxima.type).element_type
    vector = ir.VectorType.get([lanes], element)
    unseen = number(-float("inf"), element)

    def largest(column: Number, found: ir.Value) -> ir.Value:
        return _larger(read(rows.weights, [row, column], lanes, True), found)

    lowest = create_value("vector.broadcast", vector, [unseen])
    maxima = _loop_over_vectors(
        count, lanes, [lowest], lambda column, found: [largest(column, found[0])]
    )
    before = extract(rows.maxima, [row])
    new = _larger(_reduced("maxnumf", _reduced_pairwise(maxima, _larger)), before)
    # A row without finite scores would compute minus infinity less itself, which is NaN.
    base = _selected(is_equal(new, unseen), number(0.0, element), new)
    factor = _exponential_below(before, base)
    broadcast = create_value("vector.broadcast", vector, [base])

    def weigh(column: Number, found: list[ir.Value]) -> list[ir.Value]:
        weights, sum = found
        score = read(weights if rows.rounded is None else rows.weights, [row, column], lanes, True)
        weight = _exponential_below(score, broadcast)
        stored = weight if rows.rounded is None else narrow(weight)
        weights = write(stored, weights, [row, column], True)
        return [weights, create_value("arith.addf", vector, [sum, weight])]

    zero = create_value("vector.broadcast", vector, [number(0.0, element)])
    memory = rows.weights if rows.rounded is None else rows.rounded
    weights, *sums = _loop_over_vectors(count, lanes, [memory, zero], weigh, shared=1)
    total = _reduced("add", _reduced_pairwise(sums, _added))
    old = create_value("arith.mulf", element, [extract(rows.sums, [row]), factor])
    return Rows(
        weights if rows.rounded is None else rows.weights,
        insert(new, rows.maxima, [row]),
        insert(create_value("arith.addf", element, [old, total]), rows.sums, [row]),
        insert(factor, rows.factors, [row]),
        None if rows.rounded is None else weights,
    )


def _exponential_below(value: ir.Value, most: ir.Value) -> ir.Value:
    """The exponential of a number less one that is not smaller."""
    less = create_value("arith.subf", value.type, [value, most])
    return create_value("math.exp", value.type, [less], {NOT_POSITIVE: ir.UnitAttr.get()})


def _loop_over_vectors(
    count: Number,
    lanes: int,
    carried: Sequence[ir.Value],
    one: Callable[[Number, list[ir.Value]], list[ir.Value]],
    shared: int = 0,
) -> list[ir.Value]:
    """Loop over the vectors of a row, unrolled; the first `shared` values are loop-carried between
    all of them, of the last one there is an accumulator for each unrolled step."""
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


def _reduced_pairwise(
    vectors: Sequence[ir.Value], pair: Callable[[ir.Value, ir.Value], ir.Value]
) -> ir.Value:
    first, *others = vectors
    for each in others:
        first = pair(first, each)
    return first


def _added(a: ir.Value, b: ir.Value) -> ir.Value:
    return create_value("arith.addf", a.type, [a, b])


def _larger(new: ir.Value, old: ir.Value) -> ir.Value:
    """The larger of two floats; if one is NaN, the old one. One instruction on x86."""
    return _selected(_compared(_GREATER, new, old), new, old)


def _selected(condition: ir.Value, a: ir.Value, b: ir.Value) -> ir.Value:
    return create_value("arith.select", a.type, [condition, a, b])


def _compared(predicate: int, a: ir.Value, b: ir.Value) -> ir.Value:
    bit = ir.IntegerType.get_signless(1)
    type = bit if not isinstance(a.type, ir.VectorType) else ir.VectorType.get(a.type.shape, bit)
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
    return create_value("arith.cmpf", type, [a, b], {"predicate": number})


def _reduced(kind: str, vector: ir.Value) -> ir.Value:
    """Reduce a vector to a scalar."""
    kinds = {"kind": ir.Attribute.parse(f"#vector.kind<{kind}>")}
    return create_value("vector.reduction", vector.type.element_type, [vector], kinds)
