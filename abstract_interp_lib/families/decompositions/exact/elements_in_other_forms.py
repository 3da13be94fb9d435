"""Operators on elements, in forms that are converted correctly."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computed_in,
    in_dtype,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    is_of_two,
    real_dtype,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, is_integral


@decomposition(
    "aten::abs",
    ok=[Invocation(T(2, 3, dtype=torch.complex64)), Invocation(T(2, dtype=torch.uint8))],
)
def abs(self: torch.Tensor) -> torch.Tensor:
    """The distance of a complex number from 0; unsigned numbers are their own."""
    if self.dtype == torch.uint8:
        return torch.clone(self)
    assert is_covered(self), "concerns only complex and unsigned numbers"
    return torch.hypot(real_of(self), imag_of(self))


@decomposition(
    "aten::atan2", ok=[Invocation(T(3, values=[0.0, -0.0, 1.0]), T(3, values=[0.0] * 3))]
)
def atan2(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Of two zeros, the angle to a 1 of the sign of the other: MLIR folds that of zeros to NaN."""
    dtype = int_to_float(promoted_dtype(self, other))
    left, right = in_dtype(self, dtype), in_dtype(other, dtype)
    is_zero = torch.logical_and(torch.eq(left, 0), torch.eq(right, 0))
    one = torch.copysign(torch.ones_like(right), right)
    return torch.atan2(left, torch.where(is_zero, one, right))


def is_finite(self: torch.Tensor) -> torch.Tensor:
    """Whether a float is neither infinite nor NaN."""
    return torch.lt(torch.abs(self), float("inf"))


@decomposition("aten::isfinite")
def isfinite(self: torch.Tensor) -> torch.Tensor:
    """Every integer is; infinities and NaNs are not, nor are numbers with such a part."""
    if is_integral(self.dtype):
        return torch.ones_like(self, dtype=torch.bool)
    if is_covered(self):
        return torch.logical_and(is_finite(real_of(self)), is_finite(imag_of(self)))
    return is_finite(self)


@decomposition(
    "aten::where.self",
    ok=[
        Invocation(T(2, 3, dtype=torch.bool), T(3, dtype=torch.complex64), T(2, 1)),
        Invocation(T(2, 3, dtype=torch.bool), T(3), T(3)),
        Invocation(T(dtype=torch.bool), T(3), T()),
        Invocation(T(dtype=torch.bool), T(), T(2, 3)),
    ],
)
def where(condition: torch.Tensor, self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Of complex numbers, the parts of either; of operands without a dimension of the condition,
    expanded ones; of a number and a tensor, by an expanded condition.

    The conversion returns equal operands without broadcasting them, and folds a number that a
    constant selects to a literal without sizes.
    """
    if is_of_two(self, other):
        dtype = real_dtype(promoted_dtype(self, other))
        real = torch.where(
            condition, in_dtype(real_of(self), dtype), in_dtype(real_of(other), dtype)
        )
        imag = torch.where(
            condition, in_dtype(imag_of(self), dtype), in_dtype(imag_of(other), dtype)
        )
        return complex_of(real, imag)
    if condition.dim() == 0 and (self.dim() == 0) != (other.dim() == 0):
        shape = other.size() if self.dim() == 0 else self.size()
        return torch.where(condition.expand(shape), self, other)
    is_alike = self.dim() == other.dim() and self.dim() < condition.dim()
    assert is_alike, "concerns only operands of fewer dimensions than the condition"
    sizes: List[int] = []
    for dim in range(condition.dim()):
        place = dim + self.dim() - condition.dim()
        size = self.size(place) if place >= 0 else 1
        sizes.append(condition.size(dim) if size == 1 else size)
    return torch.where(condition, self.expand(sizes), other)


@decomposition(
    "aten::silu_backward",
    ok=[Invocation(T(2, 3), T(2, 3)), Invocation(T(dtype=torch.float16), T(dtype=torch.float16))],
)
def silu_backward(grad_output: torch.Tensor, self: torch.Tensor) -> torch.Tensor:
    """The gradient of x sigmoid(x)."""
    dtype = promoted_dtype(grad_output, self)
    gradient = computed_in(grad_output, dtype)
    wide = computed_in(self, dtype)
    sigmoid = torch.sigmoid(wide)
    slope = torch.add(torch.mul(wide, torch.rsub(sigmoid, 1)), 1)
    return in_dtype(torch.mul(torch.mul(gradient, sigmoid), slope), dtype)


@decomposition(
    "aten::mish_backward",
    ok=[Invocation(T(2, 3), T(2, 3)), Invocation(T(dtype=torch.float16), T(dtype=torch.float16))],
)
def mish_backward(grad_output: torch.Tensor, self: torch.Tensor) -> torch.Tensor:
    """The gradient of x tanh(softplus(x))."""
    dtype = promoted_dtype(grad_output, self)
    gradient = computed_in(grad_output, dtype)
    wide = computed_in(self, dtype)
    turned = torch.tanh(torch.nn.functional.softplus(wide))
    slope = torch.mul(
        torch.mul(wide, torch.sigmoid(wide)), torch.rsub(torch.mul(turned, turned), 1)
    )
    return in_dtype(torch.mul(gradient, torch.add(turned, slope)), self.dtype)


@decomposition("aten::_is_all_true")
def _is_all_true(self: torch.Tensor) -> torch.Tensor:
    """Whether all are true."""
    return torch.all(self)


@decomposition("aten::_is_any_true")
def _is_any_true(self: torch.Tensor) -> torch.Tensor:
    """Whether any is true."""
    return torch.any(self)
