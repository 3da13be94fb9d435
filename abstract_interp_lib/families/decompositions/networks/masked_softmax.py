"""Softmax of what a mask leaves, and its gradient; and of tensors of rank 0."""

from typing import Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype


@decomposition(
    "aten::_masked_softmax",
    ok=[
        Invocation(T(2, 3), T(2, 3, dtype=torch.bool, values=[0, 1, 0, 1, 1, 1])),
        Invocation(T(2, 3), T(2, 3, dtype=torch.bool, values=[0, 1, 0, 0, 1, 1]), 0, 2),
        Invocation(
            T(2, 3, 2, 2), T(2, 2, dtype=torch.bool, values=[0, 1, 0, 0]), 3, 1
        ),
        Invocation(
            T(2, 3, 2, 2), T(2, 2, dtype=torch.bool, values=[0, 1, 0, 0]), 3, 0
        ),
    ],
)  # fmt: skip
def masked_softmax(
    self: torch.Tensor, mask: torch.Tensor, dim: Optional[int] = None, mask_type: Optional[int] = None
) -> torch.Tensor:  # fmt: skip
    """Masked elements are 0, or NaN if all are; a mask of keys (1) or pairs (0) is for all heads."""
    along = self.dim() - 1 if dim is None else dim
    chosen = mask
    if mask_type is not None and mask_type == 1 and self.dim() == 4 and mask.dim() == 2:
        chosen = torch.reshape(mask, [mask.size(0), 1, 1, mask.size(1)])
    wide = in_dtype(self, computation_dtype(self.dtype))
    least = torch.full_like(wide, -float("inf"))
    return in_dtype(torch.softmax(torch.where(chosen, least, wide), along), self.dtype)


@decomposition(
    "aten::_masked_softmax_backward",
    ok=[
        Invocation(
            *(T(2, 3), T(2, 3, values=[0.5, 0, 0.5, 0, 0, 0])),
            T(2, 3, dtype=torch.bool, values=[0, 1, 0, 1, 1, 1]),
        )
    ],
)
def masked_softmax_backward(
    grad_output: torch.Tensor, output: torch.Tensor, mask: torch.Tensor, dim: Optional[int] = None
) -> torch.Tensor:
    """The gradient of a softmax, without that of masked elements."""
    along = output.dim() - 1 if dim is None else dim
    wide = computation_dtype(output.dtype)
    grad, value = in_dtype(grad_output, wide), in_dtype(output, wide)
    zero = torch.zeros_like(value)
    part = torch.where(mask, zero, torch.mul(grad, value))
    total = part if output.dim() == 0 else torch.sum(part, [along], True)
    found = torch.mul(value, torch.sub(grad, total))
    return in_dtype(torch.where(mask, zero, found), output.dtype)


# The conversion of these does not end for tensors of rank 0.
def softmax_of_scalar(self: torch.Tensor, dim: int, dtype: Optional[int]) -> torch.Tensor:
    """1, or NaN if the element is not finite."""
    return torch.add(log_softmax_of_scalar(self, dim, dtype), 1)


def log_softmax_of_scalar(self: torch.Tensor, dim: int, dtype: Optional[int]) -> torch.Tensor:
    """0, or NaN if the element is not finite."""
    assert self.dim() == 0, "others have a conversion"
    wide = self if dtype is None else in_dtype(self, dtype)
    return torch.sub(wide, wide)


def kernel_softmax_of_scalar(self: torch.Tensor, dim: int, half_to_float: bool) -> torch.Tensor:
    """The same of the kernel."""
    return softmax_of_scalar(self, dim, torch.float32 if half_to_float else self.dtype)


def kernel_log_softmax_of_scalar(self: torch.Tensor, dim: int, half_to_float: bool) -> torch.Tensor:
    """The same of the kernel."""
    return log_softmax_of_scalar(self, dim, torch.float32 if half_to_float else self.dtype)


decomposition_family(softmax_of_scalar, "aten::softmax.int", ok=[Invocation(T(), -1)])
decomposition_family(kernel_softmax_of_scalar, "aten::_softmax", ok=[Invocation(T(), -1, False)])
decomposition_family(
    kernel_log_softmax_of_scalar, "aten::_log_softmax", ok=[Invocation(T(), 0, False)]
)
