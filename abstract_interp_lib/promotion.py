"""PyTorch's type promotion: the semantics of the op `torch.promote_dtypes`.

Follows `torch.result_type` and `torch.promote_types`. Does not import PyTorch, because refinement
uses it to fold constants; a test compares it with PyTorch for every pair of dtypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from torch_refine.abstract_interp_lib.scalar_types import BOOL, COMPLEX64, FLOAT32, NAMES, NUMBERS

_SIGNED = ("int8", "int16", "int32", "int64")
_UNSIGNED = ("uint16", "uint32", "uint64")
_FLOATS = ("float16", "bfloat16", "float32", "float64")
_COMPLEX = ("complex32", "complex64", "complex128")
# The complex dtype of each floating-point dtype, and its inverse.
_TO_COMPLEX = {
    "float16": "complex32",
    "bfloat16": "complex64",
    "float32": "complex64",
    "float64": "complex128",
}
_PARTS = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}


def is_floating(dtype: int) -> bool:
    """Whether a dtype is floating-point (complex dtypes are not)."""
    return NAMES[dtype] in _FLOATS or NAMES[dtype].startswith("float")


def is_complex(dtype: int) -> bool:
    """Whether a dtype is complex."""
    return NAMES[dtype] in _COMPLEX


@cache
def promote_types(left: int, right: int) -> int | None:
    """The promoted dtype of two dtypes, or None where PyTorch defines none."""
    if left == right:
        return left
    name = _promote_names(NAMES[left], NAMES[right]) or _promote_names(NAMES[right], NAMES[left])
    return None if name is None else NUMBERS[name]


def _promote_names(low: str, high: str) -> str | None:
    """The promoted dtype of two dtypes, `high` being of the higher category, or None."""
    integers = ("bool", "uint8", *_SIGNED)
    if high in _COMPLEX:
        if low in integers:
            return high
        part = low if low in _FLOATS else _PARTS.get(low)
        if part is None:
            return None
        wider = _promote_floats(part, _PARTS[high])
        return _TO_COMPLEX[wider]
    if high in _FLOATS:
        if low in _FLOATS:
            return _promote_floats(low, high)
        return high if low in integers or low in _UNSIGNED else None
    if low == "bool":
        return high if high in integers else None
    if low == "uint8":
        # No signed 8-bit type represents all of uint8.
        return {"int8": "int16"}.get(high, high) if high in _SIGNED else None
    if low in _SIGNED and high in _SIGNED:
        return max(low, high, key=_SIGNED.index)
    return None


def _promote_floats(left: str, right: str) -> str:
    if left == right:
        return left
    if {left, right} == {"float16", "bfloat16"}:
        return "float32"
    return max(left, right, key=_FLOATS.index)


def promote_dtypes(ranks: Sequence[int | None], dtypes: Sequence[int]) -> int | None:
    """The promoted dtype of operands of these ranks and dtypes; None where PyTorch defines none.

    A rank of None stands for a Python scalar. Dimensioned tensors have priority over 0-dim tensors,
    and these over scalars; an operand of lower priority matters only if its category (bool,
    integer, float, complex) is higher.
    """
    dimensioned = zero_dim = number = None
    for rank, dtype in zip(ranks, dtypes, strict=True):
        if rank is None:
            # A Python float or complex promotes as the default dtype of its category.
            if is_complex(dtype):
                dtype = COMPLEX64
            elif is_floating(dtype):
                dtype = FLOAT32
            number = _join(number, dtype)
        elif rank > 0:
            dimensioned = _join(dimensioned, dtype)
        else:
            zero_dim = _join(zero_dim, dtype)
        if -1 in (dimensioned, zero_dim, number):
            return None
    result = _by_category(dimensioned, _by_category(zero_dim, number))
    return None if result == -1 else result


def _join(left: int | None, right: int) -> int:
    """`promote_types`, where None stands for no operand yet and -1 for no common dtype."""
    if left is None:
        return right
    promoted = promote_types(left, right)
    return -1 if promoted is None else promoted


def _by_category(higher: int | None, lower: int | None) -> int | None:
    """Combine two priorities: the lower one counts only if its category is higher."""
    if higher is None or lower is None or -1 in (higher, lower):
        return higher if lower is None else lower if higher is None else -1
    if is_complex(higher):
        return higher
    if is_floating(higher):
        if is_complex(lower):
            return NUMBERS.get(_TO_COMPLEX.get(NAMES[higher], ""), -1)
        return higher
    if higher == BOOL or is_floating(lower) or is_complex(lower):
        return _join(higher, lower)
    return higher
