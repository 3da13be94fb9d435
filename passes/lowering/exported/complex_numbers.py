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
    return found


def _with_tensor(operator: OpOverload, self: torch.Tensor, other: Any, alpha: Any = 1) -> Any:
    if not isinstance(other, complex) or isinstance(alpha, complex):
        return NotImplemented
    kind = torch.result_type(self, other)
    if kind not in (torch.complex64, torch.complex128):
        # Parts in half precision have no complex type in MLIR.
        return NotImplemented
    parts = [aten.full.default([], each, dtype=kind.to_real()) for each in (other.real, other.imag)]
    number = aten.view_as_complex.default(aten.stack.default(parts, -1))
    return operator(self, number) if alpha == 1 else operator(self, number, alpha=alpha)
