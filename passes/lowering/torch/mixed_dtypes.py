"""Operands of different dtypes for which the wheel's conversions are wrong or abort.

`torch-promote-operands` converts the operands of operators whose dtype functions say how they
promote; others are rejected here.
"""

from __future__ import annotations

from torch_refine.passes.lowering.torch.seen_ops import Seen

_BYTES = ("si8", "ui8")
# Operators that extend unsigned operands as signed.
PROMOTING = frozenset(
    {
        "add",
        "atan2",
        "bitwise_and",
        "bitwise_left_shift",
        "bitwise_or",
        "bitwise_right_shift",
        "bitwise_xor",
        "cat",
        "clamp",
        "div",
        "eq",
        "ge",
        "gt",
        "le",
        "lt",
        "maximum",
        "minimum",
        "mul",
        "ne",
        "pow",
        "remainder",
        "rsub",
        "sub",
        "where",
    }
)
ORDERINGS = frozenset({"clamp", "maximum", "minimum"})
OF_NUMBERS = frozenset({"div", "mul", "pow", "remainder", "rsub", "sub"})


def promotes_wrongly(seen: Seen) -> bool:
    """Whether unsigned operands are promoted to another dtype, or 8-bit ones for bitwise
    operators."""
    found = {each.element for each in seen.operands[1 if seen.base == "where" else 0 :]}
    is_wrong = "ui8" in found or (seen.base.startswith("bitwise_") and "si8" in found)
    return is_wrong and len(found) > 1


def has_byte_and_scalar(seen: Seen) -> bool:
    """Whether a scalar is converted to 8 bits where the wheel aborts at this."""
    if len(seen.operands) == 1:
        return seen.element_of_operands(*_BYTES) or seen.element_of_results(*_BYTES)
    if not seen.element_of_results(*_BYTES):
        return False
    if seen.base in ("rsub", "sub"):
        return bool(seen.constant(2) != 1)
    return seen.base in ("addcmul", "div", "floor_divide")


def selects_from_itself(seen: Seen) -> bool:
    """Whether a value is selected from itself, with other sizes than the result."""
    if len(seen.operands) != 3:
        return False
    first = seen.operands[1]
    [result] = seen.results
    values = list(seen.op.operands)
    return bool(values[1] == values[2]) and first.sizes != result.sizes
