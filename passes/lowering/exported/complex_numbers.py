"""Complex numbers that are no tensors, as tensors of rank 0.

The torch dialect has no complex scalars. Operators on complex tensors are decomposed by their
functions (`abstract_interp_lib/families/decompositions/complex_operators.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch._ops import OpOverload

aten = torch.ops.aten


def complex_decompositions() -> Mapping[OpOverload, Callable[..., Any]]:
    """Decompositions that return NotImplemented unless an operand is a complex number."""
    found: dict[OpOverload, Callable[..., Any]] = {}
    for operator in (aten.mul, aten.add, aten.sub, aten.div, aten.eq, aten.ne):
        decompose = partial(_with_tensor, operator.Tensor)
        found[operator.Tensor] = found[operator.Scalar] = decompose
    found[aten.rsub.Scalar] = _rsub
    found[aten.scalar_tensor.default] = _scalar_tensor
    found[aten.full.default] = _full
    found[aten.full_like.default] = _full_like
    found[aten.new_full.default] = _new_full
    found[aten.fill.Scalar] = _fill
    found[aten.index_fill.int_Scalar] = _index_fill
    found[aten.masked_fill.Scalar] = _masked_fill
    found[aten.scatter.value] = _scatter
    found[aten.pow.Tensor_Scalar] = _pow
    found[aten.pow.Scalar] = _pow_of_number
    return found


def _is_covered(value: Any, dtype: torch.dtype | None) -> bool:
    """Whether a number is complex, and its parts are in a dtype that MLIR has complex numbers
    of."""
    return isinstance(value, complex) and dtype in (torch.complex64, torch.complex128)


def _number(value: complex, dtype: torch.dtype) -> torch.Tensor:
    """A complex number as a tensor of rank 0."""
    real = dtype.to_real()
    parts = [aten.full.default([], each, dtype=real) for each in (value.real, value.imag)]
    found: torch.Tensor = aten.view_as_complex.default(aten.stack.default(parts, -1))
    return found


def _filled(size: Any, value: complex, dtype: torch.dtype) -> torch.Tensor:
    found: torch.Tensor = aten.clone.default(aten.expand.default(_number(value, dtype), size))
    return found


def _rsub(self: torch.Tensor, other: Any, alpha: Any = 1) -> Any:
    if not isinstance(other, complex) or isinstance(alpha, complex):
        return NotImplemented
    kind = torch.result_type(self, other)
    if not _is_covered(other, kind):
        return NotImplemented
    return aten.sub.Tensor(_number(other, kind), self, alpha=alpha)


def _scalar_tensor(s: Any, *, dtype: torch.dtype | None = None, **kwargs: Any) -> Any:
    # Without a dtype, it is that of the number.
    kind = _default_dtype() if dtype is None else dtype
    return _number(s, kind) if _is_covered(s, kind) else NotImplemented


def _full(size: Any, fill_value: Any, *, dtype: torch.dtype | None = None, **kwargs: Any) -> Any:
    kind = _default_dtype() if dtype is None else dtype
    return _filled(size, fill_value, kind) if _is_covered(fill_value, kind) else NotImplemented


def _default_dtype() -> torch.dtype:
    """The complex dtype of the default dtype."""
    found: torch.dtype = torch.get_default_dtype().to_complex()
    return found


def _full_like(
    self: torch.Tensor, fill_value: Any, *, dtype: torch.dtype | None = None, **kwargs: Any
) -> Any:
    kind = self.dtype if dtype is None else dtype
    covered = _is_covered(fill_value, kind)
    return _filled(self.shape, fill_value, kind) if covered else NotImplemented


def _new_full(
    self: torch.Tensor,
    size: Any,
    fill_value: Any,
    *,
    dtype: torch.dtype | None = None,
    **kwargs: Any,
) -> Any:
    kind = self.dtype if dtype is None else dtype
    return _filled(size, fill_value, kind) if _is_covered(fill_value, kind) else NotImplemented


def _fill(self: torch.Tensor, value: Any) -> Any:
    covered = _is_covered(value, self.dtype)
    return _filled(self.shape, value, self.dtype) if covered else NotImplemented


def _index_fill(self: torch.Tensor, dim: int, index: torch.Tensor, value: Any) -> Any:
    if not _is_covered(value, self.dtype):
        return NotImplemented
    return aten.index_fill.int_Tensor(self, dim, index, _number(value, self.dtype))


def _masked_fill(self: torch.Tensor, mask: torch.Tensor, value: Any) -> Any:
    if not _is_covered(value, self.dtype):
        return NotImplemented
    return aten.masked_fill.Tensor(self, mask, _number(value, self.dtype))


def _scatter(self: torch.Tensor, dim: int, index: torch.Tensor, value: Any) -> Any:
    if not _is_covered(value, self.dtype):
        return NotImplemented
    return aten.scatter.src(self, dim, index, _filled(index.shape, value, self.dtype))


def _pow(self: torch.Tensor, exponent: Any) -> Any:
    if not isinstance(exponent, complex):
        return NotImplemented
    kind = torch.result_type(self, exponent)
    if not _is_covered(exponent, kind):
        return NotImplemented
    base = self if self.dtype == kind else aten.to.dtype(self, kind)
    if exponent.imag == 0:
        # Some powers have kernels of their own, also where they are complex numbers.
        return aten.pow.Tensor_Scalar(base, exponent.real)
    return aten.pow.Tensor_Tensor(base, _number(exponent, kind))


def _pow_of_number(self: Any, exponent: torch.Tensor) -> Any:
    if not isinstance(self, complex):
        return NotImplemented
    kind = torch.result_type(self, exponent)
    if not _is_covered(self, kind):
        return NotImplemented
    power = exponent if exponent.dtype == kind else aten.to.dtype(exponent, kind)
    if self == 1:
        return aten.ones_like.default(power)
    return aten.pow.Tensor_Tensor(_number(self, kind), power)


def _with_tensor(operator: OpOverload, self: torch.Tensor, other: Any, alpha: Any = 1) -> Any:
    if not isinstance(other, complex) or isinstance(alpha, complex):
        return NotImplemented
    kind = torch.result_type(self, other)
    if not _is_covered(other, kind):
        # Parts in half precision have no complex type in MLIR.
        return NotImplemented
    number = _number(other, kind)
    return operator(self, number) if alpha == 1 else operator(self, number, alpha=alpha)
