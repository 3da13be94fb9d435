"""Operators whose kernels reject elements that are no probabilities."""

from typing import Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    asserted,
    computation_dtype,
    in_dtype,
    promoted_dtype,
    reduced,
)


def probabilities(values: torch.Tensor, message: str) -> torch.Tensor:
    """Elements, each of which is asserted to be in [0, 1], and not NaN."""
    is_right = torch.logical_and(torch.ge(values, 0), torch.le(values, 1))
    return asserted(values, is_right, message)


@decomposition(
    "aten::binary_cross_entropy",
    ok=[
        Invocation(
            T(2, 2, values=[0.0, 1.0, 0.25, 0.5]), T(2, 2, values=[0.0, 0.0, 1.0, 0.75]), T(2), 0
        ),
        Invocation(T(2, values=[0.1, 0.9]), T(2, values=[1.0, 0.0]), reduction=1),
        Invocation(T(0), T(0), reduction=2),
    ],
)
def binary_cross_entropy(
    self: torch.Tensor,
    target: torch.Tensor,
    weight: Optional[torch.Tensor] = None,
    reduction: int = 1,
) -> torch.Tensor:
    """-target log(p) - (1 - target) log(1 - p), of which logarithms are -100 at least."""
    result = promoted_dtype(self, target)
    wide = computation_dtype(result)
    said = "all elements of input should be between 0 and 1"
    chance = in_dtype(probabilities(self, said), wide)
    said = "all elements of target should be between 0 and 1"
    wanted = in_dtype(probabilities(target, said), wide)
    of_none = torch.clamp_min(torch.log1p(torch.neg(chance)), -100.0)
    of_one = torch.clamp_min(torch.log(chance), -100.0)
    loss = torch.sub(torch.mul(torch.sub(wanted, 1.0), of_none), torch.mul(wanted, of_one))
    if weight is not None:
        loss = torch.mul(loss, in_dtype(weight, wide))
    if reduction == 0:
        return in_dtype(loss, result)
    return in_dtype(reduced(loss, reduction), result)
