"""Gradients of activations: `glu_backward`, `hardswish_backward`, and activations with a slope."""

from typing import Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral, promote_with_number


@decomposition("aten::hardshrink")
def hardshrink(self: torch.Tensor, lambd: Union[int, float, complex] = 0.5) -> torch.Tensor:
    """0 between two limits; NaN is not between them, nor is anything if `lambd` is negative."""
    limit = torch.full([], lambd, dtype=self.dtype)
    is_small = torch.logical_and(torch.ge(self, torch.neg(limit)), torch.le(self, limit))
    return torch.where(is_small, torch.zeros_like(self), self)


@decomposition("aten::glu_backward")
def glu_backward(grad_output: torch.Tensor, self: torch.Tensor, dim: int) -> torch.Tensor:
    """The gradients of the values, the first half of a dimension, and of their gates."""
    size = self.size(dim)
    dtype = computation_dtype(self.dtype)
    values = in_dtype(torch.ops.aten.slice(self, dim, 0, size // 2, 1), dtype)
    gates = torch.sigmoid(torch.ops.aten.slice(self, dim, size // 2, size, 1))
    open = in_dtype(gates, dtype)
    given = in_dtype(grad_output, dtype)
    slope = torch.mul(torch.mul(torch.mul(torch.rsub(open, 1), open), values), given)
    return torch.cat(
        [in_dtype(torch.mul(open, given), self.dtype), in_dtype(slope, self.dtype)], dim
    )


@decomposition("aten::hardswish_backward")
def hardswish_backward(grad_output: torch.Tensor, self: torch.Tensor) -> torch.Tensor:
    """0 up to -3, x / 3 + 1 / 2 up to 3, then 1."""
    assert self.dtype == grad_output.dtype, "dtypes must match"
    dtype = computation_dtype(self.dtype)
    wide, given = in_dtype(self, dtype), in_dtype(grad_output, dtype)
    sloped = torch.mul(given, torch.add(torch.div(wide, 3.0), 0.5))
    found = torch.where(torch.lt(wide, 3.0), sloped, given)
    found = torch.where(torch.le(wide, -3.0), torch.zeros_like(found), found)
    return in_dtype(found, self.dtype)


@decomposition("aten::infinitely_differentiable_gelu_backward")
def infinitely_differentiable_gelu_backward(grad: torch.Tensor, self: torch.Tensor) -> torch.Tensor:
    """The normal distribution's function, and x times its density."""
    assert not is_integral(self.dtype), "slopes of integers are rounded"
    below = torch.mul(torch.add(torch.erf(torch.mul(self, 0.7071067811865476)), 1.0), 0.5)
    density = torch.exp(torch.mul(torch.mul(self, -0.5), self))
    slope = torch.addcmul(below, self, density, value=0.3989422804014327)
    return in_dtype(torch.mul(slope, grad), self.dtype)


@decomposition("aten::log_sigmoid_backward")
def log_sigmoid_backward(
    grad_output: torch.Tensor, self: torch.Tensor, buffer: torch.Tensor
) -> torch.Tensor:
    """By exp(-|x|), which the CPU's kernel reads from a buffer."""
    assert self.dtype == buffer.dtype and self.dtype == grad_output.dtype, "dtypes must match"
    dtype = computation_dtype(self.dtype)
    power = in_dtype(buffer, dtype)
    part = torch.div(power, torch.add(power, 1.0))
    slope = torch.where(torch.lt(self, 0), torch.rsub(part, 1), part)
    return in_dtype(torch.mul(slope, in_dtype(grad_output, dtype)), self.dtype)


@decomposition("aten::logit_backward")
def logit_backward(
    grad_output: torch.Tensor, self: torch.Tensor, eps: Optional[float] = None
) -> torch.Tensor:
    """1 / (x (1 - x)) between the limits; outside 0 if they are given, else NaN."""
    assert self.dtype == grad_output.dtype, "dtypes must match"
    dtype = computation_dtype(self.dtype)
    wide = in_dtype(self, dtype)
    given, product = in_dtype(grad_output, dtype), torch.mul(wide, torch.rsub(wide, 1))
    # A negative 0 has the slope of a positive one.
    slope = torch.div(given, torch.abs(product))
    least, outside = 0.0, float("nan")
    if eps is not None and eps >= 0.0:
        least, outside = eps, 0.0
    low = torch.full([], least, dtype=dtype)
    is_outside = torch.logical_or(torch.lt(wide, low), torch.gt(wide, torch.rsub(low, 1)))
    found = torch.where(is_outside, torch.full([], outside, dtype=dtype), slope)
    return in_dtype(found, self.dtype)


@decomposition("aten::native_dropout_backward")
def native_dropout_backward(
    grad_output: torch.Tensor, mask: torch.Tensor, scale: float
) -> torch.Tensor:
    """What was kept, scaled."""
    kept = torch.mul(grad_output, mask)
    dtype = promote_with_number((kept.dim(), kept.dtype), scale)
    return torch.mul(in_dtype(kept, dtype), scale)


@decomposition("aten::_prelu_kernel")
def prelu_kernel(self: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Elements that are not positive times a weight."""
    assert self.dtype == weight.dtype, "dtypes must match"
    return torch.where(torch.gt(self, 0), self, torch.mul(weight, self))


@decomposition("aten::_prelu_kernel_backward")
def prelu_kernel_backward(
    grad_output: torch.Tensor, self: torch.Tensor, weight: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The gradients of the elements and of the weights."""
    assert self.dtype == weight.dtype and self.dtype == grad_output.dtype, "dtypes must match"
    is_positive = torch.gt(self, 0)
    slope = torch.where(is_positive, grad_output, torch.mul(weight, grad_output))
    product = torch.mul(self, grad_output)
    return slope, torch.where(is_positive, torch.zeros_like(product), product)
