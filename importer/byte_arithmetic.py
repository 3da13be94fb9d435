"""Quotients of integers of 8 bits, where the wheel's conversions abort at numbers."""

from __future__ import annotations

from typing import Any

import torch

aten = torch.ops.aten
_BYTES = (torch.uint8, torch.int8)


def is_of_bytes(self: torch.Tensor, other: Any) -> bool:
    """Whether what two are computed to has 8 bits."""
    return torch.result_type(self, other) in _BYTES


def divide_bytes(self: torch.Tensor, other: Any, rounding_mode: str) -> Any:
    """The quotient in 32 bits; a number is what the kernel makes of it."""
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
    """A number with the same lowest 8 bits; a symbolic one stays as it is."""
    return (number + 128) % 256 - 128 if type(number) is int else number
