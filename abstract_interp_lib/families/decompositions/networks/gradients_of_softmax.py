"""Gradients of softmax and of its logarithm.

The kernels of CPUs do not read the dtype of the input.
"""

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype


def summed_along(self: torch.Tensor, dim: int) -> torch.Tensor:
    """The sums along a dimension, which remains with size 1; a scalar is its own sum."""
    return self if self.dim() == 0 else torch.sum(self, [dim], True)


@decomposition("aten::_softmax_backward_data")
def _softmax_backward_data(
    grad_output: torch.Tensor, output: torch.Tensor, dim: int, input_dtype: int
) -> torch.Tensor:
    """The result times the gradient without its mean, which the result weights."""
    assert grad_output.dtype == output.dtype, "the kernel takes operands of one dtype"
    wide = computation_dtype(output.dtype)
    result = in_dtype(output, wide)
    gradient = in_dtype(grad_output, wide)
    away = torch.sub(gradient, summed_along(torch.mul(gradient, result), dim))
    return in_dtype(torch.mul(away, result), output.dtype)


@decomposition("aten::_log_softmax_backward_data")
def _log_softmax_backward_data(
    grad_output: torch.Tensor, output: torch.Tensor, dim: int, input_dtype: int
) -> torch.Tensor:
    """The gradient without the softmax of its sum."""
    assert grad_output.dtype == output.dtype, "the kernel takes operands of one dtype"
    wide = computation_dtype(output.dtype)
    gradient = in_dtype(grad_output, wide)
    shares = torch.mul(torch.exp(in_dtype(output, wide)), summed_along(gradient, dim))
    return in_dtype(torch.sub(gradient, shares), output.dtype)
