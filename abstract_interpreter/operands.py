"""The plan of how operands of a program become arguments of a library function, as data.

What a function takes for an operand follows from its parameter's type: for a tensor its sizes, its
rank and dtype, or its sizes and dtype (`abstract_interp_lib/declaration.py` has the table).
`adapting.py` applies the plan to values, `passes/reification.py` in IR.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache


class Conversion(Enum):
    """How an operand is converted."""

    SAME = "passed unchanged"
    WIDER = "passed under a wider type"
    NARROWER = "a number under the function's type"
    SIZES = "the sizes of a tensor"
    RANK_AND_DTYPE = "the rank and the dtype of a tensor"
    SIZES_AND_DTYPE = "the sizes and the dtype of a tensor"
    FLOAT = "a number as a float"
    INT = "a bool as an int"
    INT_THEN_FLOAT = "a bool as an int as a float"
    NUMBER = "a bool as a number"
    # As an int it would promote as an int; as a cast bool it would not.
    BOOL_OR_INT = "an int that may stand for a bool"
    ITEMS = "a list whose elements are converted"
    ABSENT = "None for an optional"
    PRESENT = "a value for an optional"
    EITHER = "an optional whose value is converted"


class NotAdaptable(Exception):
    """An op does not fit a function; the message says why, of the function: `takes int, …`."""


def check_count(parameters: int, operands: int) -> None:
    """Raise NotAdaptable where a function takes more or fewer arguments than an op has operands."""
    if parameters != operands:
        raise NotAdaptable(
            f"takes {_counted(parameters, 'argument')}, the op has {_counted(operands, 'operand')}"
        )


def check_results(given: int, tensors: int) -> None:
    """Raise NotAdaptable where a function gives more or fewer results than an op has tensors."""
    if given != tensors:
        raise NotAdaptable(
            f"gives {_counted(given, 'result')}, the op has {_counted(tensors, 'tensor result')}"
        )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


@dataclass(frozen=True)
class Misfit:
    """Why an operator does not fit its function, which may be one of an extra library."""

    operator: str
    kind: str
    reason: str
    is_extra: bool

    @property
    def function(self) -> str:
        """Which function it is."""
        return f"{self.kind} function{' of the extra library' if self.is_extra else ''}"

    def __str__(self) -> str:
        return f"{self.operator}: {self.function} {self.reason}"


# The kind of an operand that importers have cast from a bool: the dialect cannot pass a bool where
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
    """Whether a kind is a tensor type, of either semantics."""
    return kind.startswith(("vtensor", "tensor"))


@cache
def conversion(have: str, want: str) -> Conversion:
    """The conversion of an operand of one kind for a parameter of another; raises NotAdaptable."""
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
        raise NotAdaptable(f"takes {want}, the op has {'a tensor' if is_tensor(have) else have}")
    return found
