"""What attention is made of: scores, their softmax, and the values weighted by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.contractions.chain import Chain, chain_of
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    dims_of,
    in_order,
    iterators,
    maker_of,
    maps,
    number_of_inputs,
    operation_of,
)

_CONSTANT = "arith.constant"
_COMPARISONS = ("arith.cmpf", "arith.cmpi")
_EQUAL, _EQUAL_FLOATS = "arith.cmpi 0", "arith.cmpf 1"
_FALSE, _ZERO, _UNSEEN = (_CONSTANT, 0.0), (_CONSTANT, 0.0), (_CONSTANT, float("-inf"))

# What a body yields, as nested tuples: the name of an op and its operands. A name alone stands for
# an argument of the body.

_Tree: TypeAlias = "str | tuple[object, ...]"


@dataclass(frozen=True)
class Attention:
    """Weights that are a softmax of scores along keys, and sums of values by these weights."""

    scores: Chain
    softmax: tuple[ir.Operation, ...]
    """The ops between: maximum, exponentials, sum, whether any key is seen, weights."""
    values: Chain
    is_safe: bool
    """Whether queries that see no key get zeros, rather than NaN."""

    @property
    def members(self) -> list[ir.Operation]:
        """All ops, in order."""
        return in_order([*self.scores.members, *self.softmax, *self.values.members])


def attention_of(root: ir.Operation) -> Attention | None:
    """The attention that ends with an op; None if it ends none."""
    values = chain_of(root)
    if values is None or not _is_plain(values.sums) or _element(values.memory) != "f32":
        return None
    weights = maker_of(values.sums.operands[0])
    if weights is None or not _is_generic(weights, reduces=False):
        return None
    weight = _yielded(weights)
    found: dict[str, int] = {}
    quotient = ("arith.divf", "exponential", "sum")
    is_unseen = (_EQUAL, "any", _FALSE)
    is_safe = _matches(weight, ("arith.select", is_unseen, _ZERO, quotient), found)
    if not is_safe and not _matches(weight, quotient, found := {}):
        return None
    rank = len(iterators(weights))
    made = {name: _producer(weights, place, rank, name != "exponential")
            for name, place in found.items()}  # fmt: skip
    exponentials, sum = made["exponential"], made["sum"]
    if exponentials is None or sum is None or not _is_generic(exponentials, reduces=False):
        return None
    if not _matches(
        _yielded(exponentials), ("math.exp", ("arith.subf", "score", "maximum")), found := {}
    ):
        return None
    scores = _producer(exponentials, found["score"], rank, False)
    maximum = _producer(exponentials, found["maximum"], rank, True)
    if scores is None or maximum is None:
        return None
    softmax = (maximum, exponentials, sum, weights)
    chain = chain_of(scores)
    is_softmax = (
        _reduces(sum, exponentials, ("arith.addf", "new", "old"), _ZERO)
        and _reduces(maximum, scores, ("arith.maximumf", "new", "old"), _UNSEEN)
        and (not is_safe or _finds_any(made.get("any"), scores))
    )
    if chain is None or not is_softmax or not _is_plain(chain.sums):
        return None
    seen = made.get("any")
    attention = Attention(chain, (*softmax, seen) if seen is not None else softmax, values, is_safe)
    inside = set(attention.members)
    is_closed = all(
        operation_of(use.owner) in inside
        for op in inside - {values.root}
        for result in op.results
        for use in result.uses
    )
    return attention if is_closed and len({each.block for each in inside}) == 1 else None


def _element(value: ir.Value) -> str:
    return str(ir.RankedTensorType(value.type).element_type)


def _is_plain(sums: ir.Operation) -> bool:
    """Whether a contraction has some batches, rows and columns, and sums along the left's last.

    Its operands are as wide as its sums: those of pairs are not, which have loops of their own.
    """
    kinds = iterators(sums)
    left = dims_of(maps(sums)[0])
    summed = [loop for loop, kind in enumerate(kinds) if kind == "reduction"]
    is_whole = len({_element(each) for each in (sums.operands[0], sums.operands[2])}) == 1
    return is_whole and left is not None and len(summed) == 1 and left[-1] == summed[0]


def _is_generic(op: ir.Operation, reduces: bool) -> bool:
    """Whether an op is a generic of one result, that goes over its last loop at most."""
    if op.name != GENERIC or len(op.results) != 1:
        return False
    *outer, last = iterators(op)
    return set(outer) <= {"parallel"} and last == ("reduction" if reduces else "parallel")


def _producer(op: ir.Operation, place: int, rank: int, is_of_rows: bool) -> ir.Operation | None:
    """What makes an operand that is read as it is, or by rows."""
    loops = list(range(rank - 1 if is_of_rows else rank))
    return maker_of(op.operands[place]) if dims_of(maps(op)[place]) == loops else None


def _reduces(op: ir.Operation, source: ir.Operation, tree: _Tree, start: tuple[str, float]) -> bool:
    """Whether a generic reduces what an op makes along the last dimension, from a number on."""
    if not _is_generic(op, reduces=True) or number_of_inputs(op) != 1:
        return False
    rank = len(iterators(op))
    first, last = maps(op)
    if dims_of(first) != list(range(rank)) or dims_of(last) != list(range(rank - 1)):
        return False
    names: dict[str, int] = {}
    is_tree = _matches(_yielded(op), tree, names) and names == {"new": 0, "old": 1}
    if not is_tree or maker_of(op.operands[0]) != source:
        return False
    fill = maker_of(op.operands[1])
    if fill is None or fill.name != "linalg.fill":
        return False
    return _matches(fill.operands[0], start, {})


def _finds_any(op: ir.Operation | None, scores: ir.Operation) -> bool:
    """Whether a generic says for each row whether any of its scores is not minus infinity."""
    if op is None:
        return False
    for score in ("new", ("arith.extf", "new")):
        is_seen = (_EQUAL, (_EQUAL_FLOATS, score, _UNSEEN), _FALSE)
        if _reduces(op, scores, ("arith.ori", is_seen, "old"), _FALSE):
            return True
    return False


def _yielded(op: ir.Operation) -> ir.Value:
    """What the body of a generic yields."""
    *_, end = operations(op.regions[0].blocks[0])
    return end.operands[0]


def _matches(value: ir.Value, wanted: object, found: dict[str, int]) -> bool:
    """Whether a number is computed like a tree; `found` gets the places of its arguments."""
    op = maker_of(value)
    if isinstance(wanted, str):
        if op is not None:
            return False
        place = int(ir.BlockArgument(value).arg_number)
        return found.setdefault(wanted, place) == place
    assert isinstance(wanted, tuple), "a tree is made of names and tuples"
    name, *operands = wanted
    if op is None or _name_of(op) != name:
        return False
    if name == _CONSTANT:
        return bool(_number(op) == operands[0])
    return len(op.operands) == len(operands) and all(
        _matches(value, operand, found)
        for value, operand in zip(op.operands, operands, strict=True)
    )


def _name_of(op: ir.Operation) -> str:
    """The name of an op, with what it compares by."""
    name = str(op.name)
    if name in _COMPARISONS:
        return f"{name} {ir.IntegerAttr(op.attributes['predicate']).value}"
    return name


def _number(op: ir.Operation) -> float | None:
    """The number that an `arith.constant` is."""
    attribute = op.attributes["value"]
    if isinstance(attribute, (ir.BoolAttr, ir.FloatAttr, ir.IntegerAttr)):
        return float(attribute.value)
    return None
