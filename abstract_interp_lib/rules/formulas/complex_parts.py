"""The real and the imaginary parts of complex tensors.

A function whose assertion says "concerns only complex numbers" does not concern other operands, so
no remark is made about them.
"""

import torch
from torch_refine.abstract_interp_lib.rules.promotion import is_complex


def is_covered(self: torch.Tensor) -> bool:
    """Whether elements are complex; half precision has no complex type in MLIR."""
    return self.dtype == torch.complex64 or self.dtype == torch.complex128


def is_of_two(self: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether one operand is complex, and none in half precision."""
    some = is_covered(self) or is_covered(other)
    return some and self.dtype != torch.complex32 and other.dtype != torch.complex32


def real_dtype(dtype: int) -> int:
    """The dtype of the parts of a complex dtype."""
    return torch.float32 if dtype == torch.complex64 else torch.float64


def real_of(self: torch.Tensor) -> torch.Tensor:
    """The real parts; real numbers are their own."""
    return torch.select(torch.view_as_real(self), -1, 0) if is_covered(self) else self


def imag_of(self: torch.Tensor) -> torch.Tensor:
    """The imaginary parts; 0 for real numbers."""
    if is_covered(self):
        return torch.select(torch.view_as_real(self), -1, 1)
    return torch.zeros_like(self)


def complex_of(real: torch.Tensor, imag: torch.Tensor) -> torch.Tensor:
    """Complex numbers of their parts, which have the same shape."""
    return torch.view_as_complex(torch.stack([real, imag], -1))


def is_nonzero(self: torch.Tensor) -> torch.Tensor:
    """Whether a part is not 0."""
    if is_covered(self):
        return torch.logical_or(torch.ne(real_of(self), 0), torch.ne(imag_of(self), 0))
    return torch.ne(self, 0)


def divided(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, d: torch.Tensor) -> torch.Tensor:
    """(a + b i) / (c + d i) by the ratio of the divisor's parts, so that no square overflows."""
    right = torch.ge(torch.abs(c), torch.abs(d))
    large, small = torch.where(right, c, d), torch.where(right, d, c)
    ratio = torch.div(small, large)
    divisor = torch.add(large, torch.mul(small, ratio))
    scale = torch.div(torch.ones_like(divisor), divisor)
    ahead, aside = torch.mul(a, ratio), torch.mul(b, ratio)
    real = torch.mul(torch.where(right, torch.add(a, aside), torch.add(ahead, b)), scale)
    imag = torch.mul(torch.where(right, torch.sub(b, ahead), torch.sub(aside, a)), scale)
    nothing = torch.logical_and(torch.eq(c, 0), torch.eq(d, 0))
    real = torch.where(nothing, torch.div(a, torch.abs(c)), real)
    return complex_of(real, torch.where(nothing, torch.div(b, torch.abs(d)), imag))


def converted(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """Numbers in another dtype: the real parts of complex ones, and complex ones of real parts.

    Of complex numbers, those are true that are not 0.
    """
    if self.dtype == dtype:
        return self
    assert self.dtype != torch.complex32, "half precision has no complex type in MLIR"
    assert dtype != torch.complex32, "half precision has no complex type in MLIR"
    if is_complex(dtype):
        real = torch.ops.aten.to(real_of(self), real_dtype(dtype))
        if is_covered(self):
            return complex_of(real, torch.ops.aten.to(imag_of(self), real_dtype(dtype)))
        return complex_of(real, torch.zeros_like(real))
    if is_covered(self):
        if dtype == torch.bool:
            return is_nonzero(self)
        return torch.ops.aten.to(real_of(self), dtype)
    return torch.ops.aten.to(self, dtype)
