"""Sizes of tensors as numbers that are compared at run time."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_value


def size_as_i64(tensor: ir.Value, dim: int) -> ir.Value:
    """A size of a torch tensor, as an i64; `dim` is not negative."""
    integer, number = ir.Type.parse("!torch.int"), ir.IntegerType.get_signless(64)
    place = create_value(
        "torch.constant.int", integer, [], {"value": ir.IntegerAttr.get(number, dim)}
    )
    size = create_value("torch.aten.size.int", integer, [tensor, place])
    return create_value("torch_c.to_i64", number, [size])
