"""Refining a value's type where it is used, with casts for the users that do not allow it."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import BODY_YIELDS, OP_NAMES, body, terminator
from torch_refine.dialect.tensor_type import TensorType, Types

CAST = "torch.tensor_static_info_cast"

# Users whose other types are tied to their operands', so that they do not take a refined value.
_TIED = {
    "torch.prim.If.yield",
    "torch.prim.Loop",
    "torch.prim.Loop.condition",
    "torch.prim.TupleConstruct",
    "torch.prim.CallMethod",
    "torch.prim.SetAttr",
    "torch.copy.to_tensor",
    "torch.copy.to_vtensor",
    "torch.overwrite.tensor.contents",
    "torch.initialize.global_slots",
}
_FREE = ("torch.aten.", "torch.prim.", "torch.prims.", "torch.valsem.", "torch.quantized.")


def allows_refinement(op: ir.Operation) -> bool:
    """Whether an op stays valid when an operand's type becomes more precise."""
    return is_free(op.name)


def is_free(name: str) -> bool:
    """Whether ops of a name stay valid when an operand's type becomes more precise."""
    if name in _TIED:
        return False
    return name.startswith(_FREE) or name in (
        "torch.operator",
        "torch.derefine",
        "torch.bind_symbolic_shape",
        CAST,
    )


def refine_value(value: ir.Value, type: ir.Type, types: Types) -> None:
    """Give a calculate op's result a more precise type, inside the op and for its users.

    A calculate op and its body agree on types, so the body's value changes too, and an enclosing
    calculate op of the other kind with it. Users that need the old type get a cast.
    """
    old = value.type
    set_inside(value, type)
    while True:
        outer = None
        for use in value.uses:
            if use.owner.operation.name in BODY_YIELDS:
                calculate = use.owner.operation.parent
                assert calculate is not None
                outer = calculate.results[use.operand_number]
        if outer is None:
            break
        value = outer
        value.set_type(type)
    tied = [
        (use.owner.operation, use.operand_number)
        for use in value.uses
        if not allows_refinement(use.owner.operation)
        or _is_impossible(use.owner.operation, type, types)
    ]
    if not tied:
        return
    owner = value.owner.operation
    cast = ir.Operation.create(
        CAST,
        results=[old],
        operands=[value],
        loc=owner.location,
        ip=ir.InsertionPoint.after(owner),
    )
    for user, index in tied:
        user.operands[index] = cast.result


def _is_impossible(op: ir.Operation, type: ir.Type, types: Types) -> bool:
    """Whether an op would cast a type to another that no value can have too, as no run does."""
    if op.name != CAST:
        return False
    have, want = types.tensor(type), types.tensor(op.result.type)
    return have is not None and want is not None and not have.allows(want)


def set_inside(value: ir.Value, type: ir.Type) -> None:
    """Set a value's type, and that of the value which a calculate op's body yields for it."""
    value.set_type(type)
    owner = value.owner
    if not isinstance(owner, ir.Block) and owner.operation.name in OP_NAMES:
        calculate = owner.operation
        index = [result == value for result in calculate.results].index(True)
        set_inside(terminator(body(calculate)).operands[index], type)


def bypass(cast: ir.Operation, types: Types) -> bool:
    """Have all users of a cast that may use its operand do so; whether none is left."""
    operand, result = cast.operands[0], cast.result
    source, target = types.tensor(operand.type), types.tensor(result.type)
    # In a block to which nothing leads, a cast may be its own operand.
    if source is None or target is None or operand == result:
        return False
    if source == target:
        result.replace_all_uses_with(operand)
    elif source.refines(target):
        for user, index in [(use.owner.operation, use.operand_number) for use in result.uses]:
            if _takes(user, source, types):
                user.operands[index] = operand
    else:
        return False
    return next(iter(result.uses), None) is None


def _takes(op: ir.Operation, type: TensorType, types: Types) -> bool:
    """Whether an op stays valid when an operand becomes one of a more precise type."""
    if op.name == CAST:
        target = types.tensor(op.result.type)
        return target is None or type.allows(target)
    return allows_refinement(op)
