"""Softmax of what a mask leaves, and its gradient; and softmax itself."""

from typing import Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    computed_in,
    in_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


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


def less_maximum(self: torch.Tensor, dim: int, dtype: int) -> torch.Tensor:
    """Elements less the maximum of their dimension, in the dtype that a result is computed in."""
    assert not is_integral(dtype) and not is_complex(dtype), "the kernel takes floats"
    wide = computed_in(self, dtype)
    if self.dim() == 0:
        return torch.sub(wide, wide)
    return torch.sub(wide, torch.amax(wide, [dim], True))


def is_nothing(self: torch.Tensor, dim: int) -> bool:
    """Whether a dimension is known to be empty, and has no maximum."""
    found = False
    if self.dim() > 0 and is_known(self.size(dim)):
        found = self.size(dim) == 0
    return found


def softmax_along(self: torch.Tensor, dim: int, dtype: Optional[int]) -> torch.Tensor:
    """Exponentials over their sum; NaN if the maximum is infinite."""
    result = self.dtype if dtype is None else dtype
    if is_nothing(self, dim):
        return in_dtype(self, result)
    powers = torch.exp(less_maximum(self, dim, result))
    if self.dim() == 0:
        return in_dtype(powers, result)
    return in_dtype(torch.div(powers, torch.sum(powers, [dim], True)), result)


def log_softmax_along(self: torch.Tensor, dim: int, dtype: Optional[int]) -> torch.Tensor:
    """Elements less the logarithm of the sum of exponentials; NaN if the maximum is infinite."""
    result = self.dtype if dtype is None else dtype
    if is_nothing(self, dim):
        return in_dtype(self, result)
    rest = less_maximum(self, dim, result)
    if self.dim() == 0:
        return in_dtype(rest, result)
    total = torch.log(torch.sum(torch.exp(rest), [dim], True))
    return in_dtype(torch.sub(rest, total), result)


def kernel_softmax(self: torch.Tensor, dim: int, half_to_float: bool) -> torch.Tensor:
    """The same of the kernel."""
    return softmax_along(self, dim, torch.float32 if half_to_float else self.dtype)


def kernel_log_softmax(self: torch.Tensor, dim: int, half_to_float: bool) -> torch.Tensor:
    """The same of the kernel."""
    return log_softmax_along(self, dim, torch.float32 if half_to_float else self.dtype)


decomposition_family(softmax_along, "aten::softmax.int", ok=[Invocation(T(), -1)])
decomposition_family(kernel_softmax, "aten::_softmax", ok=[Invocation(T(), -1, False)])
decomposition_family(kernel_log_softmax, "aten::_log_softmax", ok=[Invocation(T(), 0, False)])


@decomposition(
    "aten::_safe_softmax",
    ok=[Invocation(T(2, 2, values=[-float("inf"), -float("inf"), 1.0, 2.0]), 1)],
)
def safe_softmax(self: torch.Tensor, dim: int, dtype: Optional[int] = None) -> torch.Tensor:
    """0 where all elements of the dimension are -inf."""
    found = softmax_along(self, dim, dtype)
    is_masked = torch.all(torch.eq(self, -float("inf")), dim, True)
    return torch.where(is_masked, torch.zeros_like(found), found)
