"""Gradients of activations that leave elements as they are, or set them to zero."""

from typing import Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype, promoted_dtype


def where_outside(
    gradient: torch.Tensor, self: torch.Tensor, lambd: Union[int, float, complex]
) -> torch.Tensor:
    """The gradient, and zero where the input is in the interval around 0; a NaN is not."""
    assert gradient.dtype == self.dtype, "PyTorch's kernels take operands of one dtype"
    inside = torch.logical_and(torch.le(torch.neg(self), lambd), torch.le(self, lambd))
    given = in_dtype(gradient, promoted_dtype(gradient, self))
    return torch.where(inside, torch.zeros_like(given), given)


@decomposition("aten::hardshrink_backward")
def hardshrink_backward(
    grad_out: torch.Tensor, self: torch.Tensor, lambd: Union[int, float, complex]
) -> torch.Tensor:
    """The elements in the interval became zero."""
    return where_outside(grad_out, self, lambd)


@decomposition("aten::softshrink_backward")
def softshrink_backward(
    grad_output: torch.Tensor, self: torch.Tensor, lambd: Union[int, float, complex]
) -> torch.Tensor:
    """The elements in the interval became zero; others were moved towards it."""
    return where_outside(grad_output, self, lambd)
