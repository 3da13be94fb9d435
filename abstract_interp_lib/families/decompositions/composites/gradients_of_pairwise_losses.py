"""Gradients of losses of pairs of elements: `mse_loss_backward`, `huber_loss_backward`."""

from typing import Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    of_sizes,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


def factor_of_mean(self: torch.Tensor, reduction: int) -> float:
    """What a mean divides by, as a factor; 1 for other reductions."""
    return 1.0 / max(self.numel(), 1) if reduction == 1 else 1.0


@decomposition("aten::mse_loss_backward")
def mse_loss_backward(
    grad_output: torch.Tensor, self: torch.Tensor, target: torch.Tensor, reduction: int
) -> torch.Tensor:
    """Twice the difference."""
    assert self.dtype == target.dtype and self.dtype == grad_output.dtype, "dtypes must match"
    dtype = computation_dtype(self.dtype)
    away = torch.sub(in_dtype(self, dtype), in_dtype(target, dtype))
    slope = torch.mul(away, 2.0 * factor_of_mean(self, reduction))
    return in_dtype(torch.mul(slope, in_dtype(grad_output, dtype)), self.dtype)


@decomposition("aten::huber_loss_backward")
def huber_loss_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    target: torch.Tensor,
    reduction: int,
    delta: float,
) -> torch.Tensor:
    """The difference up to `delta`, then its sign times that."""
    assert self.dtype == target.dtype and self.dtype == grad_output.dtype, "dtypes must match"
    dtype = computation_dtype(self.dtype)
    away = torch.sub(in_dtype(self, dtype), in_dtype(target, dtype))
    slope = torch.where(torch.ge(away, delta), torch.full([], delta, dtype=dtype), away)
    slope = torch.where(torch.le(away, -delta), torch.full([], -delta, dtype=dtype), slope)
    slope = torch.mul(slope, factor_of_mean(self, reduction))
    return in_dtype(torch.mul(slope, in_dtype(grad_output, dtype)), self.dtype)


@decomposition("aten::smooth_l1_loss_backward")
def smooth_l1_loss_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    target: torch.Tensor,
    reduction: int,
    beta: float,
) -> torch.Tensor:
    """The difference over `beta`, between -1 and 1."""
    assert not is_integral(self.dtype), "slopes of integers are rounded"
    assert self.dtype == target.dtype and self.dtype == grad_output.dtype, "dtypes must match"
    dtype = computation_dtype(self.dtype)
    away = torch.sub(in_dtype(self, dtype), in_dtype(target, dtype))
    slope = torch.div(away, beta)
    slope = torch.where(torch.ge(away, beta), torch.full([], 1.0, dtype=dtype), slope)
    slope = torch.where(torch.le(away, -beta), torch.full([], -1.0, dtype=dtype), slope)
    slope = torch.mul(slope, factor_of_mean(self, reduction))
    return in_dtype(torch.mul(slope, in_dtype(grad_output, dtype)), self.dtype)


@decomposition("aten::soft_margin_loss_backward")
def soft_margin_loss_backward(
    grad_output: torch.Tensor, self: torch.Tensor, target: torch.Tensor, reduction: int
) -> torch.Tensor:
    """-target z / (1 + z) for z = exp(-target x), which is NaN where z overflows, as in PyTorch."""
    power = torch.exp(torch.mul(torch.neg(target), self))
    slope = in_dtype(torch.mul(target, power), self.dtype)
    slope = torch.mul(slope, -factor_of_mean(self, reduction))
    slope = in_dtype(torch.div(slope, torch.add(power, 1.0)), self.dtype)
    return in_dtype(torch.mul(slope, grad_output), self.dtype)


@decomposition("aten::binary_cross_entropy_backward")
def binary_cross_entropy_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    target: torch.Tensor,
    weight: Optional[torch.Tensor] = None,
    reduction: int = 1,
) -> torch.Tensor:
    """(x - target) / (x (1 - x)), with a divisor of at least 1e-12, which is 0 in float16."""
    assert self.dtype == target.dtype and self.dtype == grad_output.dtype, "dtypes must match"
    # The kernel has a constant of float32.
    least = 0.0 if self.dtype == torch.float16 else 9.999999960041972e-13
    divisor = torch.clamp(torch.mul(torch.rsub(self, 1), self), least)
    slope = torch.div(torch.mul(grad_output, torch.sub(self, target)), divisor)
    assert slope.dim() == self.dim(), "the gradient has the shape of the operand"
    slope = of_sizes(slope, self.size())
    if weight is not None:
        slope = in_dtype(torch.mul(slope, weight), self.dtype)
    return torch.div(slope, max(self.numel(), 1)) if reduction == 1 else slope
