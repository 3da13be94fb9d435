"""Declare element functions: operators that are computed one element at a time.

    @element_function("aten::gcd")
    def gcd(self: int, other: int) -> int:
        while self != 0:
            self, other = other % self, self
        return other

An element function is Python that TorchScript compiles. It takes an element of each tensor operand,
broadcast, and scalar operands as they are, in the order of the operator's schema, and returns an
element of the result. Its loops may depend on the elements, which no operator on tensors can
express.

A float is a number of the computation dtype: float64 for tensors of float64, else float32. An int
has 64 bits; `wrapped` tells what an overflow in the dtype of the result makes of it. Operands are
converted to the dtype of the result before, as in PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_declared: dict[str, Callable[..., Any]] = {}


def element_function(*operators: str) -> Callable[[Function], Function]:
    """Declare the element function of operators, all overloads of which have it.

    Names have no overload. Raises ValueError if one has an element function already.
    """

    def declare(function: Function) -> Function:
        for operator in operators:
            if operator in _declared:
                raise ValueError(f"{operator}: an element function is declared twice")
            _declared[operator] = function
        return function

    return declare


def element_functions() -> dict[str, Callable[..., Any]]:
    """The element functions declared so far, by operator."""
    return dict(_declared)


def wrapped(value: int) -> int:
    """An integer as the dtype of the result holds it, modulo a power of two."""
    # The lowering knows the dtype. In Python it is int64.
    return value
