"""How the operands of an operator promote, as one property that its functions share.

    @promotes("int-to-float")
    def float_of_tensors(self: Tuple[int, int], other: Tuple[int, int]) -> int:
        return int_to_float(promote_two(self, other))

A dtype function, or the rule of a family, declares the kind; `torch-promote-operands` converts the
operands to the dtype in which such an operator computes. A test compares the dtype functions with
their kinds, for every pair of dtypes.

| kind | the operator computes in | and returns |
| --- | --- | --- |
| `default` | the promoted dtype | the promoted dtype |
| `no-opmath` | the same, also for 16-bit floats | the promoted dtype |
| `int-to-float` | the promoted dtype, or f32 for integers | the same |
| `always-bool` | the promoted dtype | bool |
| `complex-to-float` | the promoted dtype | the dtype of its real part |
| `bool-to-long` | the promoted dtype, or int64 for bool | the same |

The names are those of PyTorch's `ELEMENTWISE_TYPE_PROMOTION_KIND`. Operators that compute 16-bit
floats in f32 round once; `torch-compute-in-f32` does this for those of several steps.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

PROMOTIONS = Path(__file__).with_name("exported") / "promotions.json"
PromotionKind = Literal[
    "default", "no-opmath", "int-to-float", "always-bool", "complex-to-float", "bool-to-long"
]
_PROPERTY = "__promotion__"
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Promotion:
    """A kind, and the names of the arguments that promote: tensors, lists of them, and scalars."""

    kind: PromotionKind
    operands: tuple[str, ...]


def promotes(kind: PromotionKind, *operands: str) -> Callable[[Function], Function]:
    """Declare how the operators of a dtype function promote.

    `operands` are the names of the arguments that take part; without any, they are the parameters
    of the function. Raises ValueError for an unknown kind.
    """
    if kind not in get_args(PromotionKind):
        raise ValueError(f"{kind!r} is no kind of promotion: {', '.join(get_args(PromotionKind))}")

    def declare(function: Function) -> Function:
        names = operands or tuple(inspect.signature(function).parameters)
        setattr(function, _PROPERTY, Promotion(kind, names))
        return function

    return declare


def promotion_of(function: Callable[..., Any]) -> Promotion | None:
    """How the operators of a dtype function promote; None if it does not say."""
    return getattr(function, _PROPERTY, None)


def exported_promotions(promotions: Mapping[str, Promotion]) -> str:
    """The promotions of operators as the text of `promotions.json`."""
    lines = [
        f"{json.dumps(operator)}: {json.dumps([each.kind, *each.operands])}"
        for operator, each in sorted(promotions.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_promotions() -> dict[str, Promotion]:
    """The promotions of the library's operators, by name."""
    found = json.loads(PROMOTIONS.read_text(encoding="utf-8"))
    return {name: Promotion(kind, tuple(operands)) for name, (kind, *operands) in found.items()}
