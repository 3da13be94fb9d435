"""Match attention: scores, their softmax, and the sums of values weighted by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    in_order,
    iterators,
    maps,
    num_inputs,
    operation_of,
)
from torch_refine.passes.lowering.kernels.contractions.chain import Chain, chain_of
from torch_refine.passes.lowering.kernels.contractions.dot_products import group_loop

# The reductions over groups, and over the elements of one.
_OF_GROUPS = 2
_CONSTANT = "arith.constant"
_COMPARISONS = ("arith.cmpf", "arith.cmpi")
_EQUAL, _EQUAL_FLOATS = "arith.cmpi 0", "arith.cmpf 1"
_FALSE, _ZERO, _UNSEEN = (_CONSTANT, 0.0), (_CONSTANT, 0.0), (_CONSTANT, float("-inf"))

# The expression that a body yields, as nested tuples: the name of an op and its operands. A bare
# name is an argument of the body.

_Tree: TypeAlias = "str | tuple[object, ...]"


@dataclass(frozen=True)
class Attention:
    """Weights that are a softmax of scores along keys, and sums of values by these weights."""

    scores: Chain
    softmax: tuple[ir.Operation, ...]
    """The ops between: maximum, exponentials, sum, whether any key is visible, weights."""
    values: Chain
    is_safe: bool
    """Whether queries without visible keys yield zeros rather than NaN."""
    padding: tuple[ir.Operation, ...] = ()
    """The ops that pad the weights to whole groups."""

    @property
    def members(self) -> list[ir.Operation]:
        """All ops, in program order."""
        return in_order([*self.scores.members, *self.softmax, *self.padding, *self.values.members])


@dataclass(frozen=True)
class Softmax:
    """Weights that are a softmax of scores along the last dimension."""

    scores: ir.Operation
    members: tuple[ir.Operation, ...]
    """Maximum, exponentials, sum, whether any key is visible, weights."""
    is_safe: bool
    """Whether rows without visible keys yield zeros rather than NaN."""


def attention_of(root: ir.Operation) -> Attention | None:
    """The attention whose last op is `root`, or None."""
    values = chain_of(root)
    if values is None or not _is_plain(values.sums):
        return None
    has_groups = group_loop(values.sums) is not None
    if _element(values.memory) not in (("f32", "bf16") if has_groups else ("f32",)):
        return None
    weights, padding = defining_op(values.sums.operands[0]), ()
    if has_groups and weights is not None:
        weights, padding = _before_padding(weights)
    softmax = None if weights is None else softmax_of(weights, is_rounded=has_groups)
    chain = None if softmax is None else chain_of(softmax.scores)
    if softmax is None or chain is None or not _is_plain(chain.sums):
        return None
    if (group_loop(chain.sums) is not None) != has_groups:
        return None
    attention = Attention(chain, softmax.members, values, softmax.is_safe, padding)
    return attention if is_closed(attention.members, values.root) else None


def is_closed(members: list[ir.Operation], root: ir.Operation) -> bool:
    """Whether only members use the results of all members but the root, and all are in one
    block."""
    inside = set(members)
    uses = (use for op in inside - {root} for result in op.results for use in result.uses)
    is_used_inside = all(operation_of(use.owner) in inside for use in uses)
    return is_used_inside and len({each.block for each in inside}) == 1


def _before_padding(
    op: ir.Operation,
) -> tuple[ir.Operation | None, tuple[ir.Operation, ...]]:
    """What is padded along its last dimension to whole groups, and the ops that do."""
    pack = defining_op(op.operands[0]) if op.name == "tensor.collapse_shape" else None
    if pack is None or pack.name != "linalg.pack":
        return op, ()
    return defining_op(pack.operands[0]), (pack, op)


def softmax_of(weights: ir.Operation, is_rounded: bool = False) -> Softmax | None:
    """The softmax whose last op is `weights`, rounded to 16 bits if `is_rounded`; or None."""
    if not _is_generic(weights, reduces=False):
        return None
    weight = _yielded(weights)
    if is_rounded:
        cast = defining_op(weight)
        if cast is None or cast.name != "arith.truncf":
            return None
        weight = cast.operands[0]
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
    members = (maximum, exponentials, sum, weights)
    is_softmax = (
        _reduces(sum, exponentials, ("arith.addf", "new", "old"), _ZERO)
        and _reduces(maximum, scores, ("arith.maximumf", "new", "old"), _UNSEEN)
        and (not is_safe or _finds_any(made.get("any"), scores))
    )
    if not is_softmax:
        return None
    seen = made.get("any")
    return Softmax(scores, members if seen is None else (*members, seen), is_safe)


def _element(value: ir.Value) -> str:
    return str(ir.RankedTensorType(value.type).element_type)


def _is_plain(sums: ir.Operation) -> bool:
    """Whether a contraction has batches, rows and columns, and reduces the left's last dimension.

    Operands and sums must have the same width, or be groups of bfloat16 and sums of f32.
    """
    if group_loop(sums) is not None:
        kinds = [str(_element(each)) for each in sums.operands]
        return kinds == ["bf16", "bf16", "f32"] and iterators(sums).count("reduction") == _OF_GROUPS
    kinds = iterators(sums)
    left = dims_of(maps(sums)[0])
    summed = [loop for loop, kind in enumerate(kinds) if kind == "reduction"]
    is_whole = len({_element(each) for each in (sums.operands[0], sums.operands[2])}) == 1
    return is_whole and left is not None and len(summed) == 1 and left[-1] == summed[0]


def _is_generic(op: ir.Operation, reduces: bool) -> bool:
    """Whether an op is a generic with one result, with at most the last loop a reduction."""
    if op.name != GENERIC or len(op.results) != 1:
        return False
    *outer, last = iterators(op)
    return set(outer) <= {"parallel"} and last == ("reduction" if reduces else "parallel")


def _producer(op: ir.Operation, place: int, rank: int, is_of_rows: bool) -> ir.Operation | None:
    """The defining op of an operand whose map is the identity, or rows only."""
    loops = list(range(rank - 1 if is_of_rows else rank))
    return defining_op(op.operands[place]) if dims_of(maps(op)[place]) == loops else None


def _reduces(op: ir.Operation, source: ir.Operation, tree: _Tree, start: tuple[str, float]) -> bool:
    """Whether a generic reduces the op's result along the last dimension, with a given initial
    value."""
    if not _is_generic(op, reduces=True) or num_inputs(op) != 1:
        return False
    rank = len(iterators(op))
    first, last = maps(op)
    if dims_of(first) != list(range(rank)) or dims_of(last) != list(range(rank - 1)):
        return False
    names: dict[str, int] = {}
    is_tree = _matches(_yielded(op), tree, names) and names == {"new": 0, "old": 1}
    if not is_tree or defining_op(op.operands[0]) != source:
        return False
    fill = defining_op(op.operands[1])
    if fill is None or fill.name != "linalg.fill":
        return False
    return _matches(fill.operands[0], start, {})


def _finds_any(op: ir.Operation | None, scores: ir.Operation) -> bool:
    """Whether a generic computes for each row whether any score is not minus infinity."""
    if op is None:
        return False
    for score in ("new", ("arith.extf", "new")):
        is_seen = (_EQUAL, (_EQUAL_FLOATS, score, _UNSEEN), _FALSE)
        if _reduces(op, scores, ("arith.ori", is_seen, "old"), _FALSE):
            return True
    return False


def _yielded(op: ir.Operation) -> ir.Value:
    """The value that the body of a generic yields."""
    *_, end = operations(op.regions[0].blocks[0])
    return end.operands[0]


def _matches(value: ir.Value, wanted: object, found: dict[str, int]) -> bool:
    """Whether a value is computed by an expression tree; `found` maps names to argument numbers."""
    op = defining_op(value)
    if isinstance(wanted, str):
        if op is not None:
            return False
        place = int(ir.BlockArgument(value).arg_number)
        return found.setdefault(wanted, place) == place
    assert isinstance(wanted, tuple), "a tree must consist of names and tuples"
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
    """The name of an op, with its comparison predicate."""
    name = str(op.name)
    if name in _COMPARISONS:
        return f"{name} {ir.IntegerAttr(op.attributes['predicate']).value}"
    return name


def _number(op: ir.Operation) -> float | None:
    """The value of an `arith.constant`."""
    attribute = op.attributes["value"]
    if isinstance(attribute, (ir.BoolAttr, ir.FloatAttr, ir.IntegerAttr)):
        return float(attribute.value)
    return None
