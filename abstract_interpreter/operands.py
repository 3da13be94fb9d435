"""How an operand of a program becomes an argument of a library function: the plan, as data.

What a function wants for an operand follows from its parameter's type: for a tensor its sizes, its
rank and dtype, or its sizes and dtype (`abstract_interp_lib/declaration.py` has the table). The two
forms of an argument, a value and IR, are made by `adapting.py` and `passes/reification.py`.
"""

from __future__ import annotations

from enum import Enum
from functools import cache


class Conversion(Enum):
    """What is done to an operand."""

    SAME = "it is passed as it is"
    WIDER = "it is passed under a wider type"
    NARROWER = "a number is what the function says it is"
    SIZES = "the sizes of a tensor"
    RANK_AND_DTYPE = "the rank and the dtype of a tensor"
    SIZES_AND_DTYPE = "the sizes and the dtype of a tensor"
    FLOAT = "a number as a float"
    INT = "a bool as an int"
    INT_THEN_FLOAT = "a bool as an int as a float"
    NUMBER = "a bool as a number"
    # As an int it would promote as an int; as a bool that was cast it would not.
    BOOL_OR_INT = "an int that may stand for a bool"
    ITEMS = "a list whose elements are converted"
    ABSENT = "None for an optional"
    PRESENT = "what it is for an optional"
    EITHER = "an optional, of which what it holds is converted"


class NotAdaptable(Exception):
    """An operand cannot be given to a function's parameter; the message says why."""


# What an operand is that importers have cast from a bool: the dialect cannot pass a bool where
# PyTorch takes a number.
BOOL_OR_INT = "bool or int"

_OF_TENSORS = {
    "list<int>": Conversion.SIZES,
    "tuple<int, int>": Conversion.RANK_AND_DTYPE,
    "tuple<list<int>, int>": Conversion.SIZES_AND_DTYPE,
    "any": Conversion.WIDER,
}
_OF_SCALARS = {
    ("int", "number"): Conversion.WIDER,
    ("float", "number"): Conversion.WIDER,
    ("bool", "number"): Conversion.NUMBER,
    ("int", "float"): Conversion.FLOAT,
    ("number", "float"): Conversion.FLOAT,
    ("bool", "float"): Conversion.INT_THEN_FLOAT,
    ("bool", "int"): Conversion.INT,
    ("number", "int"): Conversion.NARROWER,
}


def is_tensor(kind: str) -> bool:
    """Whether a kind is that of a tensor, of either semantics."""
    return kind.startswith(("vtensor", "tensor"))


@cache
def conversion(have: str, want: str) -> Conversion:
    """How an operand of one kind is given to a parameter of another; raises NotAdaptable."""
    found: Conversion | None = None
    if want.startswith("optional<"):
        if have == "none":
            return Conversion.ABSENT
        if have == want and "tensor" not in have:
            return Conversion.SAME
        return Conversion.EITHER if have.startswith("optional<") else Conversion.PRESENT
    if have == BOOL_OR_INT:
        return Conversion.BOOL_OR_INT if want == "number" else conversion("int", want)
    if have == want:
        found = Conversion.SAME
    elif is_tensor(have):
        found = _OF_TENSORS.get(want)
    elif want == "any":
        found = Conversion.WIDER
    elif have.startswith("list<") and want.startswith("list<"):
        found = Conversion.ITEMS
    elif want.startswith("union<") and have in want[len("union<") : -1].split(", "):
        found = Conversion.WIDER
    else:
        found = _OF_SCALARS.get((have, want))
    if found is None:
        raise NotAdaptable(f"{'a tensor' if is_tensor(have) else have} for {want}")
    return found
