"""Which users of a value accept a more precise type, and redundant casts."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.tensor_type import TensorType, Types

CAST = "torch.tensor_static_info_cast"

# Users that tie other types to those of their operands, so that they do not accept a refined value.
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


def bypass(cast: ir.Operation, types: Types) -> bool:
    """Replace the uses of a cast by its operand where users accept it; whether no use is left."""
    operand, result = cast.operands[0], cast.result
    source, target = types.tensor(operand.type), types.tensor(result.type)
    # In an unreachable block, a cast may be its own operand.
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
    """Whether an op stays valid when an operand gets a more precise type."""
    if op.name == CAST:
        target = types.tensor(op.result.type)
        return target is None or type.allows(target)
    return allows_refinement(op)
