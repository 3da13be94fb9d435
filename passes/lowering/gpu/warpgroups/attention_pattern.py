"""Attention of 16-bit floats that warpgroups can compute in one kernel."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    is_contraction,
    iterators,
    maps,
    num_inputs,
    operation_of,
    reassociation_of,
)
from torch_refine.passes.lowering.gpu.warpgroups.plan import DEPTH, WIDTH
from torch_refine.passes.lowering.kernels.attention.pattern import Softmax, is_closed, softmax_of
from torch_refine.passes.lowering.kernels.attention.visible import diagonal_of_select
from torch_refine.passes.lowering.kernels.outlining import CLONED

QUERY, KEY, ELEMENT, UNIT = -1, -2, -3, -4
"""The loops of attention besides those of the batch, which are numbered from 0; dimensions of size
1 follow none."""

MOST_ELEMENTS = 2 * DEPTH
"""The largest size of a head: its sums must fit into registers."""
_LEAST_KEYS = 64
_TRANSPOSE = "linalg.transpose"


@dataclass(frozen=True)
class Source:
    """A 16-bit operand with its layout: the loop of each dimension, and the ops after it."""

    value: ir.Value
    loops: tuple[int, ...]
    scale: float
    members: tuple[ir.Operation, ...]


@dataclass(frozen=True)
class WarpgroupAttention:
    """Attention, with all ops that one kernel replaces."""

    query: Source
    key: Source
    value: Source
    root: ir.Operation
    result_loops: tuple[int, ...]
    members: tuple[ir.Operation, ...]
    scores: ir.Operation
    mask: ir.Operation | None
    """The elementwise op on scores, if it does more than to multiply them by constants."""
    scale: float
    """What queries, keys, and scores in the mask are multiplied by."""
    diagonal: int | None
    """The d for which keys behind i + d are invisible to query i, and all others visible."""
    is_safe: bool


def attention_at(values: ir.Operation) -> WarpgroupAttention | None:
    """The attention whose values a contraction sums, or None."""
    if not is_contraction(values) or not _starts_at_zero(values):
        return None
    weights = defining_op(values.operands[0])
    softmax = None if weights is None else softmax_of(weights)
    if softmax is None:
        return None
    scores, mask = _unmasked(softmax.scores)
    if scores is None or not _starts_at_zero(scores) or not _is_single(softmax.scores):
        return None
    batch = maps(values)[0].n_dims - 3
    loops = _loops_of_values(values, batch)
    own = _loops_of_scores(scores, batch)
    if loops is None or own is None:
        return None
    query = _source(scores.operands[0], own[0])
    key = _source(scores.operands[1], own[1])
    value = _source(values.operands[1], loops)
    factor = 1.0
    if mask is not None:
        place = list(mask.operands).index(scores.results[0])
        score, factor = score_of(mask, place)
        if num_inputs(mask) == 1 and _inside(mask)[-1].operands[0] == score:
            mask = None
    # The greatest score is that of the greatest product.
    scale = query.scale * key.scale * factor
    if not _fit([query, key, value]) or not 0 < scale < math.inf or not math.isfinite(value.scale):
        return None
    root, result_loops, after = _result(values, batch)
    # Weights are rounded to 16 bits, which must not be seen in f32.
    if not _is_short(root.results[0]):
        return None
    members = _members(softmax, scores, values, (query, key, value), after)
    if not is_closed(list(members), root) or _reads_members(mask, scores, members):
        return None
    diagonal = None if mask is None else _diagonal(mask, batch)
    return WarpgroupAttention(
        query,
        key,
        value,
        root,
        result_loops,
        members,
        scores,
        mask,
        scale,
        diagonal,
        softmax.is_safe,
    )


def score_of(mask: ir.Operation, place: int) -> tuple[ir.Value, float]:
    """A score in a mask after its multiplications by constants, and the product of these.

    The score is the operand of the mask at a place.
    """
    score, factor = mask.regions[0].blocks[0].arguments[place], 1.0
    while True:
        users = [operation_of(use.owner) for use in score.uses]
        if len(users) != 1 or users[0].name != "arith.mulf":
            return score, factor
        constants = [each for each in map(_constant, users[0].operands) if each is not None]
        if len(constants) != 1 or not 0 < factor * constants[0] < math.inf:
            return score, factor
        score, factor = users[0].results[0], factor * constants[0]


def _members(
    softmax: Softmax,
    scores: ir.Operation,
    values: ir.Operation,
    sources: Sequence[Source],
    after: Sequence[ir.Operation],
) -> tuple[ir.Operation, ...]:
    found = [each for source in sources for each in source.members]
    # The scores of the softmax are those of the product, or a mask's.
    found += [scores, softmax.scores, *softmax.members, values, *after]
    return tuple(dict.fromkeys(found))


def _reads_members(
    mask: ir.Operation | None, scores: ir.Operation, members: Sequence[ir.Operation]
) -> bool:
    """Whether a mask reads what is not in memory: results of members besides the scores."""
    if mask is None:
        return False
    inputs = [defining_op(each) for each in list(mask.operands)[: num_inputs(mask)]]
    read = [each for each in inputs if each is not None and each in members]
    # Scores may be read only once: elsewhere, they would be transposed.
    return read != [scores]


def _fit(sources: Sequence[Source]) -> bool:
    """Whether all operands are of one 16-bit type, and of a size that fits."""
    types = [ir.RankedTensorType(source.value.type) for source in sources]
    elements = {str(type.element_type) for type in types}
    if len(elements) != 1 or not isinstance(types[0].element_type, (ir.F16Type, ir.BF16Type)):
        return False
    if any(source.loops[-1] != ELEMENT or _is_cloned(source.value) for source in sources):
        return False
    sizes = {type.shape[-1] for type in types}
    keys = types[1].shape[sources[1].loops.index(KEY)]
    (size, *others) = sizes
    return (
        not others
        and 0 < size <= MOST_ELEMENTS
        and not size % WIDTH
        and (keys < 0 or keys >= _LEAST_KEYS)
    )


def _is_cloned(value: ir.Value) -> bool:
    """Whether a kernel has its own copy of a value, instead of an argument."""
    op = defining_op(value)
    return op is not None and op.name in CLONED


def _is_short(value: ir.Value) -> bool:
    return isinstance(ir.RankedTensorType(value.type).element_type, (ir.F16Type, ir.BF16Type))


def _is_single(op: ir.Operation) -> bool:
    """Whether an op has one result, in f32."""
    types = [ir.RankedTensorType(result.type).element_type for result in op.results]
    return len(types) == 1 and isinstance(types[0], ir.F32Type)


def _starts_at_zero(product: ir.Operation) -> bool:
    fill = defining_op(product.operands[2])
    if fill is None or fill.name != "linalg.fill":
        return False
    return _constant(fill.operands[0]) == 0


def _unmasked(scores: ir.Operation) -> tuple[ir.Operation | None, ir.Operation | None]:
    """The contraction of scores, and the elementwise op on it, if any."""
    if is_contraction(scores):
        return scores, None
    if scores.name != GENERIC or set(iterators(scores)) != {"parallel"}:
        return None, None
    rank = len(iterators(scores))
    identity = list(range(rank))
    found = None
    for place, operand in enumerate(list(scores.operands)[: num_inputs(scores)]):
        producer = defining_op(operand)
        dims = dims_of(maps(scores)[place])
        if dims is None:
            return None, None
        if producer is not None and is_contraction(producer) and dims == identity:
            if found is not None:
                return None, None
            found = producer
        elif _is_cloned(operand):
            # It would be a tensor of the kernel, which has no memory for any.
            return None, None
    last = list(scores.regions[0].blocks[0].arguments)[-1]
    is_plain = not any(True for _ in last.uses) and all(map(_is_scalar, _inside(scores)))
    if dims_of(maps(scores)[-1]) != identity or not is_plain:
        return None, None
    return found, scores


def _inside(op: ir.Operation) -> list[ir.Operation]:
    return list(operations(op.regions[0].blocks[0]))


def _is_scalar(op: ir.Operation) -> bool:
    return not len(op.regions) and op.name.startswith(
        ("arith.", "math.", "linalg.index", "linalg.y")
    )


def _loops_of_values(values: ir.Operation, batch: int) -> tuple[int, ...] | None:
    """The loops of the values; None if the others are not in order."""
    left, right, out = (dims_of(map) for map in maps(values))
    names = [*range(batch), QUERY, ELEMENT, KEY]
    if left is None or right is None or out is None or batch < 0:
        return None
    by_name = [names[each] for each in left], [names[each] for each in out]
    wanted = [*range(batch), QUERY, KEY], [*range(batch), QUERY, ELEMENT]
    found = tuple(names[each] for each in right)
    return (
        found if by_name == wanted and set(found) >= {KEY, ELEMENT} and QUERY not in found else None
    )


def _loops_of_scores(
    scores: ir.Operation, batch: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    left, right, out = (dims_of(map) for map in maps(scores))
    if left is None or right is None or out is None or maps(scores)[0].n_dims != batch + 3:
        return None
    names = [*range(batch), QUERY, KEY, ELEMENT]
    if [names[each] for each in out] != [*range(batch), QUERY, KEY]:
        return None
    query, key = (tuple(names[each] for each in dims) for dims in (left, right))
    has_own = {QUERY, ELEMENT} <= set(query) and {KEY, ELEMENT} <= set(key)
    return (query, key) if has_own and KEY not in query and QUERY not in key else None


def _source(value: ir.Value, loops: tuple[int, ...]) -> Source:
    """The tensor behind transposes, extensions and factors."""
    scale = 1.0
    members: list[ir.Operation] = []
    while True:
        op = defining_op(value)
        if op is None:
            break
        before: list[int] | None
        if op.name == _TRANSPOSE:
            order = list(ir.DenseI64ArrayAttr(op.attributes["permutation"]))
            before = [0] * len(order)
            for place, dim in enumerate(order):
                before[dim] = loops[place]
        elif op.name == "tensor.collapse_shape":
            before = _before_collapse(op, loops)
            if before is None:
                break
        else:
            factor, dims = _factor(op)
            if factor is None or dims is None or len(dims) != len(loops):
                break
            scale *= factor
            before = [loops[dim] for dim in dims]
        loops = tuple(before)
        members.append(op)
        value = op.operands[0]
    return Source(value, loops, scale, tuple(members))


def _before_collapse(op: ir.Operation, loops: tuple[int, ...]) -> list[int] | None:
    """The loops before dimensions of size 1 were dropped; None if others were collapsed."""
    sizes = ir.RankedTensorType(op.operands[0].type).shape
    before = [UNIT] * len(sizes)
    for dims, loop in zip(reassociation_of(op), loops, strict=True):
        large = [dim for dim in dims if sizes[dim] != 1]
        if len(large) > 1:
            return None
        before[large[0] if large else dims[-1]] = loop
    return before


def _is_elementwise(op: ir.Operation) -> bool:
    """Whether an op is a generic of one operand with one result, without reductions."""
    if op.name != GENERIC or num_inputs(op) != 1 or len(op.results) != 1:
        return False
    return set(iterators(op)) == {"parallel"}


def _factor(op: ir.Operation) -> tuple[float | None, list[int] | None]:
    """What an op multiplies its input by after its extension, and its input's dimensions."""
    if not _is_elementwise(op):
        return None, None
    rank = len(iterators(op))
    first, last = (dims_of(map) for map in maps(op))
    if last != list(range(rank)) or first is None or sorted(first) != last:
        return None, None
    body = op.regions[0].blocks[0]
    *_, end = operations(body)
    value, factor = end.operands[0], 1.0
    while value != body.arguments[0]:
        inner = defining_op(value)
        if inner is None or inner.block != body:
            return None, None
        if inner.name == "arith.mulf":
            constants = [_constant(operand) for operand in inner.operands]
            known = [each for each in constants if each is not None]
            if len(known) != 1 or not isinstance(value.type, ir.F32Type):
                return None, None
            factor *= known[0]
            value = inner.operands[constants.index(None)]
        elif inner.name == "arith.extf" and isinstance(value.type, ir.F32Type):
            value = inner.operands[0]
        else:
            return None, None
    return factor, first


def _constant(value: ir.Value) -> float | None:
    """The value of a float constant, perhaps rounded to f32."""
    op = defining_op(value)
    if op is not None and op.name == "arith.truncf" and isinstance(value.type, ir.F32Type):
        number = _constant(op.operands[0])
        return None if number is None else float(struct.unpack("f", struct.pack("f", number))[0])
    if op is None or op.name != "arith.constant":
        return None
    attribute = op.attributes["value"]
    return float(attribute.value) if isinstance(attribute, ir.FloatAttr) else None


def _result(
    values: ir.Operation, batch: int
) -> tuple[ir.Operation, tuple[int, ...], list[ir.Operation]]:
    """The last op of attention: a rounding and a transpose of its results belong to it."""
    loops = (*range(batch), QUERY, ELEMENT)
    root, after = values, []
    user = _only_user(root)
    if user is not None and _rounds(user):
        root = user
        after.append(user)
    user = _only_user(root)
    if user is not None and user.name == _TRANSPOSE and user.operands[0] == root.results[0]:
        order = list(ir.DenseI64ArrayAttr(user.attributes["permutation"]))
        if order[-1] == len(order) - 1:
            root, loops = user, tuple(loops[dim] for dim in order)
            after.append(user)
    return root, loops, after


def _rounds(op: ir.Operation) -> bool:
    if not _is_elementwise(op):
        return False
    identity = list(range(len(iterators(op))))
    names = [each.name for each in _inside(op)]
    return names == ["arith.truncf", "linalg.yield"] and all(
        dims_of(map) == identity for map in maps(op)
    )


def _only_user(op: ir.Operation) -> ir.Operation | None:
    users = [operation_of(use.owner) for use in op.results[0].uses]
    return users[0] if len(users) == 1 and users[0].block == op.block else None


def _diagonal(mask: ir.Operation, batch: int) -> int | None:
    """The diagonal of a mask that only hides keys: the score, or the score plus 0 or infinity."""
    if num_inputs(mask) != 1:
        return None
    body = mask.regions[0].blocks[0]
    *_, end = operations(body)
    select = defining_op(end.operands[0])
    score, _ = score_of(mask, 0)
    if select is not None and select.name == "arith.addf":
        others = [operand for operand in select.operands if operand != score]
        if len(others) != 1:
            return None
        select = defining_op(others[0])
        if select is None or 0.0 not in [_constant(each) for each in list(select.operands)[1:]]:
            return None
    elif select is None or score not in list(select.operands)[1:]:
        return None
    return None if select is None else diagonal_of_select(select, batch + 2)
