"""Arithmetic of complex tensors, as that of their real and imaginary parts.

The wheel's conversions are wrong, or missing, for complex element types, so
`passes/lowering/torch/refusals.py` rejects what is not decomposed here. Operands that are real are
converted to complex ones first, as PyTorch's kernels do, so that NaN and infinities propagate
alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

import torch
from torch._ops import OpOverload

aten = torch.ops.aten
Parts = tuple[Any, Any]
# The kernels multiply the second operand of a sum by `alpha`, also by 1: infinities become NaN.
_ONE: Parts = (1.0, 0.0)
# Parts in half precision have no complex type in MLIR.
_KINDS = (torch.complex64, torch.complex128)


def complex_decompositions() -> Mapping[OpOverload, Callable[..., Any]]:
    """Decompositions that return NotImplemented unless the result is complex."""
    found: dict[OpOverload, Callable[..., Any]] = {
        aten.polar.default: _polar,
        aten.complex.default: _complex,
        aten.conj_physical.default: _of_one(lambda real, imag: (real, -imag)),
        aten._conj_physical.default: _of_one(lambda real, imag: (real, -imag)),
        aten._conj.default: _of_one(lambda real, imag: (real, -imag)),
        aten.neg.default: _of_one(lambda real, imag: (-real, -imag)),
        **{each: _of_dims(each) for each in (aten.sum.dim_IntList, aten.mean.dim)},
    }
    for operator, rule in ((aten.mul, _product), (aten.add, _sum_of), (aten.sub, _difference)):
        found[operator.Tensor] = found[operator.Scalar] = _of_two(rule)
    return found


def _parts(value: Any, kind: torch.dtype) -> Parts:
    """The real and the imaginary part of a tensor or a number, converted to a complex dtype."""
    if not isinstance(value, torch.Tensor):
        number = complex(value)
        return number.real, number.imag
    if not value.is_complex():
        real = value.to(kind.to_real())
        return real, torch.zeros_like(real)
    pair = torch.view_as_real(value.to(kind))
    return pair.select(-1, 0), pair.select(-1, 1)


def _joined(real: torch.Tensor, imag: torch.Tensor) -> torch.Tensor:
    return torch.view_as_complex(torch.stack([real, imag], -1))


def _of_one(rule: Callable[[Any, Any], Parts]) -> Callable[..., Any]:
    """The decomposition of an operator of one operand."""

    def decompose(self: torch.Tensor) -> Any:
        if self.dtype not in _KINDS:
            return NotImplemented
        return _joined(*rule(*_parts(self, self.dtype)))

    return decompose


def _of_two(rule: Callable[[Parts, Parts], Parts]) -> Callable[..., Any]:
    """The decomposition of an operator of two operands, of which one may be a number."""

    @wraps(rule)
    def decompose(self: torch.Tensor, other: Any, alpha: Any = 1) -> Any:
        if isinstance(other, torch.SymInt | torch.SymFloat) or alpha != 1:
            return NotImplemented
        kind = torch.result_type(self, other)
        if kind not in _KINDS:
            return NotImplemented
        return _joined(*rule(_parts(self, kind), _parts(other, kind)))

    return decompose


def _product(one: Parts, other: Parts) -> Parts:
    (a, b), (c, d) = one, other
    return a * c - b * d, a * d + b * c


def _sum_of(one: Parts, other: Parts) -> Parts:
    real, imag = _product(other, _ONE)
    return one[0] + real, one[1] + imag


def _difference(one: Parts, other: Parts) -> Parts:
    real, imag = _product(other, _ONE)
    return one[0] - real, one[1] - imag


def _polar(abs: torch.Tensor, angle: torch.Tensor) -> Any:
    return _joined(abs * torch.cos(angle), abs * torch.sin(angle))


def _complex(real: torch.Tensor, imag: torch.Tensor) -> Any:
    return _joined(*aten.broadcast_tensors.default([real, imag]))


def _of_dims(operator: OpOverload) -> Callable[..., Any]:
    """The decomposition of a linear reduction of some dimensions."""

    def decompose(
        self: torch.Tensor,
        dim: Sequence[int] | None,
        keepdim: bool = False,
        *,
        dtype: torch.dtype | None = None,
    ) -> Any:
        if self.dtype not in _KINDS or dtype not in (None, self.dtype):
            return NotImplemented
        return _joined(*(operator(each, dim, keepdim) for each in _parts(self, self.dtype)))

    return decompose
