"""Constant folding of the operations of calculations.

One entry per op: a Python function over plain values. An entry that raises an arithmetic or index
error means that the operation itself would raise. `NotImplemented` means that the result is
unknown.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from torch_refine.abstract_interp_lib.promotion import promote_dtypes
from torch_refine.abstract_interp_lib.scalar_types import BOOL, COMPLEX128, FLOAT64, INT64, NAMES

_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1


class Overflow(Exception):
    """An int overflowed TorchScript's 64 bits; its value is unknown here."""


def _int64(value: int) -> int:
    if not _INT64_MIN <= value <= _INT64_MAX:
        raise Overflow
    return value


def _power(base: float, exponent: float) -> Any:
    try:
        value = float(base) ** float(exponent)
    except (OverflowError, ZeroDivisionError):
        return NotImplemented
    return value if isinstance(value, float) else NotImplemented


def _divide(left: float, right: float) -> Any:
    # Float division by zero gives infinity or NaN; it does not raise.
    return left / right if right else NotImplemented


def _floor_divide(left: float, right: float) -> Any:
    return left // right if right else NotImplemented


def _square_root(value: float) -> Any:
    return math.sqrt(value) if value >= 0 else NotImplemented


def _in_range(function: Callable[..., Any]) -> Callable[..., Any]:
    """Arithmetic on ints and floats, with ints limited to 64 bits."""

    def fold(*values: Any) -> Any:
        result = function(*values)
        return _int64(result) if type(result) is int else result

    return fold


def _to_int(value: float) -> int:
    return _rounded(int)(value)


def _rounded(function: Callable[[float], int]) -> Callable[[float], int]:
    """A conversion of a number to an int; that of infinity and NaN is unknown."""

    def fold(value: float) -> int:
        if isinstance(value, float) and not math.isfinite(value):
            raise Overflow
        return _int64(function(value))

    return fold


def format_message(template: str, *values: Any) -> str:
    """`aten::format`: fill each `{}` in turn, printing values as TorchScript does.

    In a message with the word dtype, ints are dtypes, and are shown by name: to TorchScript, a
    dtype is an int.
    """
    parts = template.split("{}")
    dtypes = "dtype" in template
    shown = [show(value, dtypes) for value in values[: len(parts) - 1]]
    filled = itertools.zip_longest(parts, shown, fillvalue="")
    return "".join(itertools.chain.from_iterable(filled))


def show(value: Any, dtypes: bool = False) -> str:
    """A value as printed in a message; an unknown one is a question mark."""
    if isinstance(value, list):
        return f"[{', '.join(show(each, dtypes) for each in value)}]"
    if isinstance(value, tuple):
        return f"({', '.join(show(each, dtypes) for each in value)})"
    if dtypes and type(value) is int and 0 <= value < len(NAMES):
        return NAMES[value]
    return "?" if value is NotImplemented else str(value)


def dtype_of_number(value: Any) -> Any:
    """The number of the dtype of a Python scalar, before promotion."""
    return dtype_of_kind({bool: "bool", int: "int", float: "float"}.get(type(value), ""))


def dtype_of_kind(kind: str) -> Any:
    """The number of the dtype of scalars of a type: `float64` for `float`."""
    table = {"bool": BOOL, "int": INT64, "float": FLOAT64, "complex": COMPLEX128}
    return table.get(kind, NotImplemented)


def promote(ranks: Sequence[Any], dtypes: Sequence[Any]) -> Any:
    """Fold `torch.promote_dtypes`; an entry of NotImplemented is unknown.

    An unknown rank may not matter: zero and one are both tried, as promotion distinguishes only
    zero from other ranks.
    """
    if any(dtype is NotImplemented for dtype in dtypes):
        return NotImplemented
    unknown = [index for index, rank in enumerate(ranks) if rank is NotImplemented]
    if len(unknown) > 6:
        return NotImplemented
    results = set()
    for choice in itertools.product((0, 1), repeat=len(unknown)):
        chosen = list(ranks)
        for index, rank in zip(unknown, choice, strict=True):
            chosen[index] = rank
        results.add(promote_dtypes(chosen, dtypes))
    if len(results) != 1 or None in results:
        return NotImplemented
    return results.pop()


def _remainder(left: Any, right: Any) -> Any:
    return left % right if right else NotImplemented


def _identity(value: Any) -> Any:
    return value


def _isinstance(value: Any, types: str) -> Any:
    if isinstance(value, bool):
        # A bool passed as a number: TorchScript may or may not treat it as an int.
        return NotImplemented
    return type(value).__name__ in types.split("|")


_COMPARISONS = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}

FOLDS: dict[str, Callable[..., Any]] = {
    **{
        f"torch.aten.{name}.{kind}": function
        for name, function in _COMPARISONS.items()
        for kind in ("int", "float", "str", "bool", "int_float", "float_int", "int_list", "device")
    },
    "torch.aten.eq": operator.eq,
    "torch.aten.ne": operator.ne,
    "torch.aten.lt": operator.lt,
    "torch.aten.le": operator.le,
    "torch.aten.gt": operator.gt,
    "torch.aten.ge": operator.ge,
    "torch.aten.add.int": _in_range(operator.add),
    "torch.aten.sub.int": _in_range(operator.sub),
    "torch.aten.mul.int": _in_range(operator.mul),
    "torch.aten.floordiv.int": _in_range(operator.floordiv),
    "torch.aten.remainder.int": _remainder,
    "torch.aten.neg.int": lambda value: _int64(-value),
    "torch.aten.add.float": operator.add,
    "torch.aten.add.int_float": operator.add,
    "torch.aten.add.float_int": operator.add,
    "torch.aten.sub.float": operator.sub,
    "torch.aten.sub.int_float": operator.sub,
    "torch.aten.sub.float_int": operator.sub,
    "torch.aten.mul.float": operator.mul,
    "torch.aten.mul.int_float": operator.mul,
    "torch.aten.mul.float_int": operator.mul,
    "torch.aten.div.int": _divide,
    "torch.aten.div.float": _divide,
    "torch.aten.div.int_float": _divide,
    "torch.aten.div.float_int": _divide,
    "torch.aten.floordiv.float": _floor_divide,
    "torch.aten.floordiv.int_float": _floor_divide,
    "torch.aten.floordiv.float_int": _floor_divide,
    "torch.aten.neg.float": operator.neg,
    "torch.aten.add": _in_range(operator.add),
    "torch.aten.sub": _in_range(operator.sub),
    "torch.aten.mul": _in_range(operator.mul),
    "torch.aten.div": _divide,
    "torch.aten.pow.int": _power,
    "torch.aten.pow.int_float": _power,
    "torch.aten.pow.float": _power,
    "torch.aten.ceil.float": _rounded(math.ceil),
    "torch.aten.ceil.int": _identity,
    "torch.aten.ceil.Scalar": _rounded(math.ceil),
    "torch.aten.floor.float": _rounded(math.floor),
    "torch.aten.floor.int": _identity,
    "torch.aten.floor.Scalar": _rounded(math.floor),
    "torch.aten.sqrt.int": _square_root,
    "torch.aten.sqrt.float": _square_root,
    "torch.aten.Int.float": _to_int,
    "torch.aten.Int.Scalar": _to_int,
    "torch.aten.Int.bool": int,
    "torch.aten.Int.int": _identity,
    "torch.aten.Float.int": float,
    "torch.aten.Float.Scalar": float,
    "torch.aten.Float.float": _identity,
    "torch.aten.Bool.int": bool,
    "torch.aten.Bool.float": bool,
    "torch.aten.__not__": operator.not_,
    "torch.aten.__and__.bool": lambda left, right: left and right,
    "torch.aten.__or__.bool": lambda left, right: left or right,
    "torch.aten.__is__": lambda left, right: left is right,
    "torch.aten.__isnot__": lambda left, right: left is not right,
    "torch.prim.min.int": min,
    "torch.prim.max.int": max,
    "torch.prim.min.float": min,
    "torch.prim.max.float": max,
    "torch.prim.abs.int": lambda value: _int64(abs(value)),
    "torch.prim.min.self_int": min,
    "torch.prim.max.self_int": max,
    "torch.prim.min.bool_list": min,
    "torch.prim.max.bool_list": max,
    "torch.aten.all.int": all,
    "torch.aten.all.bool": all,
    "torch.aten.any.int": any,
    "torch.aten.any.bool": any,
    "torch.aten.__contains__.int_list": lambda items, item: item in items,
    "torch.aten.__contains__.str_list": lambda items, item: item in items,
    "torch.aten.__contains__.float_list": lambda items, item: item in items,
    "torch.aten.count.int": lambda items, item: items.count(item),
    "torch.aten.index.list_int": lambda items, item: items.index(item),
    "torch.aten.add.str": operator.add,
    "torch.aten.__contains__.str": lambda text, part: part in text,
    "torch.aten.startswith": lambda text, part, start=0, end=-1: (
        # The schema's default end, -1, is the end of the text.
        text.startswith(part, start, len(text) if end == -1 else end)
    ),
    "torch.aten.format": format_message,
    "torch.aten.__range_length": lambda low, high, step: len(range(low, high, step)),
    "torch.aten.__derive_index": lambda index, start, step: start + index * step,
    "torch.derefine": _identity,
    "torch.prim.unchecked_cast": _identity,
    "torch.prim.NumToTensor.Scalar": lambda value: NotImplemented,
    "torch_refine.dtype_of_number": dtype_of_number,
    "torch_refine.isinstance": _isinstance,
}

# These errors of a fold mean that the operation raises, with such a message.
RAISING = (ZeroDivisionError, IndexError, ValueError)
