"""The combining operation of a reduction, and the bodies of generics."""

from __future__ import annotations

import math

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import Number, create_value, index_type, index_value
from torch_refine.dialect.structured_ops import (
    defining_op,
    iterators,
    maps,
    num_inputs,
    operation_of,
)

# The neutral element of each combining operation.
_NEUTRAL = {
    "arith.addf": 0.0,
    "arith.mulf": 1.0,
    "arith.maximumf": -math.inf,
    "arith.maxnumf": -math.inf,
    "arith.minimumf": math.inf,
    "arith.minnumf": math.inf,
    "arith.addi": 0,
    "arith.muli": 1,
    "arith.ori": 0,
    "arith.xori": 0,
    "arith.andi": -1,
    "arith.maxui": 0,
    "arith.minui": -1,
}
# Those whose neutral element is the least, or the greatest, signed integer.
_BOUNDS = {"arith.maxsi": -1, "arith.minsi": 1}

# The comparisons that find a greatest or least element, and that of floats with themselves.
_COMPARED = {
    "arith.maximumf": ("arith.cmpf", 9),
    "arith.minimumf": ("arith.cmpf", 11),
    "arith.maxsi": ("arith.cmpi", 4),
    "arith.minsi": ("arith.cmpi", 2),
    "arith.maxui": ("arith.cmpi", 8),
    "arith.minui": ("arith.cmpi", 6),
}
_ORDERED = 7


def combiner_of(op: ir.Operation) -> ir.Operation | None:
    """The op that combines an element with the result so far, if a generic has one such result."""
    if num_inputs(op) != len(op.operands) - 1:
        return None
    block = op.regions[0].blocks[0]
    combiner = defining_op(list(operations(block))[-1].operands[0])
    out = block.arguments[len(block.arguments) - 1]
    if combiner is None or combiner.block != block:
        return None
    if combiner.name not in _NEUTRAL and combiner.name not in _BOUNDS:
        return None
    users = [operation_of(use.owner) for use in out.uses]
    if users != [combiner] or sum(operand == out for operand in combiner.operands) != 1:
        return None
    return combiner


def finds_first(op: ir.Operation) -> bool:
    """Whether a generic reduces a row to its greatest or least element and the first index of it.

    For floats, NaN is greater, and less, than any number. Both results are also its state, so
    parts of a row may overlap.
    """
    block = op.regions[0].blocks[0]
    if num_inputs(op) != 1 or len(block.arguments) != 3:
        return False
    element, best, place = block.arguments
    index, cast, *ops, last = operations(block)
    if [index.name, cast.name] != ["linalg.index", "arith.index_cast"] or len(ops) < 3:
        return False
    extreme, compared, *rest, chosen = ops
    condition = compared.result
    if extreme.name.endswith("f") and len(rest) == 2:
        ordered, condition_op = rest
        if not _is(ordered, "arith.cmpf", [best, best], _ORDERED):
            return False
        if not _is(condition_op, "arith.andi", [condition, ordered.result]):
            return False
        condition = condition_op.result
    elif rest:
        return False
    name, predicate = _COMPARED.get(extreme.name, ("", 0))
    return (
        _is(extreme, extreme.name, [element, best])
        and _is(compared, name, [element, best], predicate)
        and _is(cast, cast.name, [index.result])
        and _is(chosen, "arith.select", [condition, cast.result, place])
        and list(last.operands) == [extreme.result, chosen.result]
    )


def _is(
    op: ir.Operation, name: str, operands: list[ir.Value], predicate: int | None = None
) -> bool:
    """Whether an op has a name, operands, and a predicate if it compares."""
    if op.name != name or list(op.operands) != operands:
        return False
    return predicate is None or ir.IntegerAttr(op.attributes["predicate"]).value == predicate


def neutral_element(combiner: ir.Operation) -> ir.Value:
    """The neutral element of a combining operation, as a constant."""
    type = combiner.result.type
    if combiner.name in _BOUNDS:
        half = 1 << (type.width - 1)
        bound = -half if _BOUNDS[combiner.name] < 0 else half - 1
        attribute: ir.Attribute = ir.IntegerAttr.get(type, bound)
    elif isinstance(type, ir.IntegerType):
        attribute = ir.IntegerAttr.get(type, int(_NEUTRAL[combiner.name]))
    else:
        attribute = ir.FloatAttr.get(type, _NEUTRAL[combiner.name])
    return create_value("arith.constant", type, [], {"value": attribute})


def combine(combiner: ir.Operation, a: ir.Value, b: ir.Value) -> ir.Value:
    """Combine two values."""
    copy = combiner.clone()
    copy.operands[0] = a
    copy.operands[1] = b
    return copy.result


def inline_body(
    op: ir.Operation,
    arguments: list[ir.Value],
    indices: list[ir.Value] | None = None,
    but: ir.Operation | None = None,
) -> dict[ir.Value, ir.Value]:
    """Inline the body of a generic for these elements, but one op; returns the copy of each value.

    `indices` are those of the iteration, for `linalg.index`.
    """
    block = op.regions[0].blocks[0]
    known = dict(zip(block.arguments, arguments, strict=True))
    for each in operations(block):
        if each.name == "linalg.yield":
            break
        if each.name == "linalg.index" and indices is not None:
            known[each.result] = indices[ir.IntegerAttr(each.attributes["dim"]).value]
            continue
        if but is not None and each == but:
            continue
        copy = each.clone()
        for inner in [copy, *walk(copy)]:
            for index, operand in enumerate(inner.operands):
                if operand in known:
                    inner.operands[index] = known[operand]
        for old, new in zip(each.results, copy.results, strict=True):
            known[old] = new
    return known


def extents_of(op: ir.Operation) -> list[Number]:
    """The trip counts of a generic on memrefs."""
    found: list[Number] = [1] * len(iterators(op))
    for operand, map in zip(op.operands, maps(op), strict=True):
        for position, result in enumerate(map.results):
            # Each loop is that of a plain dimension of some operand.
            if not isinstance(result, ir.AffineDimExpr):
                continue
            dim = result.position
            size = ir.MemRefType(operand.type).shape[position]
            if size >= 0:
                found[dim] = int(size)
                continue
            found[dim] = create_value("memref.dim", index_type(), [operand, index_value(position)])
    return found
