"""Division of 8-bit integers, where the wheel's conversions abort at scalars."""

from __future__ import annotations

from typing import Any

import torch

aten = torch.ops.aten
_BYTES = (torch.uint8, torch.int8)


def is_of_bytes(self: torch.Tensor, other: Any) -> bool:
    """Whether the result dtype of two operands has 8 bits."""
    return torch.result_type(self, other) in _BYTES


def divide_bytes(self: torch.Tensor, other: Any, rounding_mode: str) -> Any:
    """The quotient, computed in 32 bits; a scalar is converted as in the kernel."""
    kind = torch.result_type(self, other)
    wide = self.to(kind).to(torch.int32)
    if isinstance(other, torch.Tensor):
        divisor = other.to(kind).to(torch.int32)
        quotient = aten.div.Tensor_mode(wide, divisor, rounding_mode=rounding_mode)
    elif type(other) is int:
        number = other % 256 if kind == torch.uint8 else _wrapped(other)
        quotient = aten.div.Scalar_mode(wide, number, rounding_mode=rounding_mode)
    else:
        return NotImplemented
    return quotient.to(kind)


def _wrapped(number: Any) -> Any:
    """A scalar with the same lowest 8 bits; a symbolic one is returned as it is."""
    return (number + 128) % 256 - 128 if type(number) is int else number
