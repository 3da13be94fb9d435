"""Integers in IR: what is known of them, and comparing them."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.building import made
from torch_refine.passes.lowering.kernels.indexing import maker_of

_PREDICATES = {"eq": 0, "ne": 1, "slt": 2, "sge": 5, "ult": 6, "ule": 7}
_CASTS = ("arith.index_cast", "arith.extsi")


def integer_constant(type: ir.Type, value: int) -> ir.Value:
    """A constant of an integer type, or an index."""
    return made("arith.constant", type, [], {"value": ir.IntegerAttr.get(type, value)})


def known_integer(value: ir.Value) -> int | None:
    """The signed value of a constant; None if it is not known."""
    maker = maker_of(value)
    while maker is not None and maker.name in _CASTS:
        maker = maker_of(maker.operands[0])
    if maker is None or maker.name != "arith.constant":
        return None
    attribute = maker.attributes["value"]
    return int(attribute.value) if isinstance(attribute, ir.IntegerAttr) else None


def compare(predicate: str, a: ir.Value, b: ir.Value) -> ir.Value:
    """Whether a predicate of `arith.cmpi` holds for two integers."""
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _PREDICATES[predicate])
    return made("arith.cmpi", ir.IntegerType.get_signless(1), [a, b], {"predicate": number})
