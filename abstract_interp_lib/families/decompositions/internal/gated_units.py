"""Derivatives of gated linear units: `x1 * sigmoid(x2)` of the halves of a dimension.

With s = sigmoid(x2), the derivative in a direction (d1, d2) is s d1 + x1 s (1 - s) d2; the gradient
is (g s, g x1 s (1 - s)), and its derivative that of the products.
"""

from typing import Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.sizes import wrap_existing


def halves(self: torch.Tensor, dim: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """Both halves of a dimension."""
    size = self.size(dim) // 2
    return torch.narrow(self, dim, 0, size), torch.narrow(self, dim, size, size)


def without(self: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    """x (1 - s), as x - x s: NaN for infinite x, as in PyTorch's kernels."""
    return torch.sub(self, torch.mul(self, gate))


@decomposition("aten::glu_jvp")
def glu_jvp(glu: torch.Tensor, x: torch.Tensor, dx: torch.Tensor, dim: int) -> torch.Tensor:
    """The derivative in the direction `dx`; `glu` is the result of the unit."""
    at = wrap_existing(dim, x.dim())
    gate = torch.sigmoid(halves(x, at)[1])
    along, of_gate = halves(dx, at)
    return torch.add(torch.mul(along, gate), torch.mul(glu, without(of_gate, gate)))


@decomposition("aten::glu_backward_jvp")
def glu_backward_jvp(
    grad_x: torch.Tensor,
    grad_glu: torch.Tensor,
    x: torch.Tensor,
    dgrad_glu: torch.Tensor,
    dx: torch.Tensor,
    dim: int,
) -> torch.Tensor:
    """The derivative of the gradient `grad_x`; its second half is the first times x1 (1 - s).

    `grad_glu` is read in the first half alone.
    """
    at = wrap_existing(dim, x.dim())
    value, before = halves(x, at)
    gate = torch.sigmoid(before)
    along, of_gate = halves(dx, at)
    # g s is the first half of the gradient, so its change by the gate is that times 1 - s.
    grad = halves(grad_x, at)[0]
    slope = without(of_gate, gate)
    first = torch.add(torch.mul(dgrad_glu, gate), torch.mul(grad, slope))
    outer = torch.sub(without(along, gate), torch.mul(torch.mul(value, gate), slope))
    second = torch.add(torch.mul(first, without(value, gate)), torch.mul(grad, outer))
    return torch.cat([first, second], at)
