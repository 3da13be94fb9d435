"""Narrow the accumulators of integer contractions whose upper bits are unused."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.structured_ops import defining_op, only_op, operation_of
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    constant,
    empty,
    filled,
    is_zero,
    sizes_of,
)
from torch_refine.passes.lowering.fusion.images.order import type_of

_NARROW, _WIDE = 32, 64


def narrow(op: ir.Operation) -> ir.Operation:
    """Compute a 64-bit integer matmul in 32 bits if all users truncate it.

    Sums wrap around: the lower bits of the result depend on the lower bits of the operands only.
    The conversions compute all integer matmuls in 64 bits; 32-bit multiplications are faster.
    """
    memory = op.operands[2]
    element = type_of(memory).element_type
    if not isinstance(element, ir.IntegerType) or element.width != _WIDE:
        return op
    if any(type_of(each).element_type.width > _NARROW for each in list(op.operands)[:2]):
        return op
    if not is_zero(memory):
        return op
    users = [operation_of(use.owner) for use in op.results[0].uses]
    if not users or not all(only_truncates(each) for each in users):
        return op
    with op.context, ir.Location.unknown():
        number = ir.IntegerType.get_signless(_NARROW)
        type = ir.RankedTensorType.get(type_of(memory).shape, number)
    sums = filled(op, constant(op, 0, number), empty(op, type, sizes_of(op, memory)))
    left, right, _ = op.operands
    text = (
        f"{op.name} indexing_maps = {op.attributes['indexing_maps']} "
        f"ins(%a0, %a1 : {left.type}, {right.type}) outs(%a2 : {type}) -> {type}"
    )
    result = built(op, text, [left, right, sums], type)
    for user in users:
        user.results[0].replace_all_uses_with(truncated(user, result))
        user.erase()
    op.erase()
    made = defining_op(result)
    assert made is not None, "it was created here"
    return made


def only_truncates(op: ir.Operation) -> bool:
    """Whether a generic only truncates its operand."""
    inner = only_op(op)
    if inner is None or inner.name != "arith.trunci":
        return False
    return int(type_of(op.results[0]).element_type.width) <= _NARROW


def truncated(user: ir.Operation, value: ir.Value) -> ir.Value:
    """The result of a truncating generic, of an operand that is narrow already."""
    type = type_of(user.results[0])
    element = type.element_type
    if element.width == _NARROW:
        return value
    rank = type.rank
    loops = ", ".join(f"d{dim}" for dim in range(rank))
    same = f"affine_map<({loops}) -> ({loops})>"
    kinds = ", ".join(['"parallel"'] * rank)
    text = f"""linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{kinds}]}}
      ins(%a0 : {value.type}) outs(%a1 : {type}) {{
      ^bb0(%x: i32, %out: {element}):
        %y = arith.trunci %x : i32 to {element}
        linalg.yield %y : {element}
      }} -> {type}"""
    return built(user, text, [value, user.operands[1]], type)
