"""Losses, computed by other operators."""

from typing import Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    reduced,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


@decomposition("aten::hinge_embedding_loss")
def hinge_embedding_loss(
    self: torch.Tensor, target: torch.Tensor, margin: float = 1.0, reduction: int = 1
) -> torch.Tensor:
    """The operand where the target is 1, what lacks to the margin where it is -1."""
    assert not is_integral(self.dtype), "a margin is a float"
    zeros = torch.zeros_like(self)
    hinge = torch.clamp_min(torch.add(torch.neg(self), margin), 0)
    far = torch.where(torch.ne(target, 1), hinge, zeros)
    near = torch.where(torch.ne(target, -1), self, zeros)
    return reduced(torch.add(far, near), reduction)


@decomposition("aten::margin_ranking_loss")
def margin_ranking_loss(
    input1: torch.Tensor,
    input2: torch.Tensor,
    target: torch.Tensor,
    margin: float = 0.0,
    reduction: int = 1,
) -> torch.Tensor:
    """What lacks to a margin between two ranks."""
    loss = torch.add(torch.mul(torch.neg(target), torch.sub(input1, input2)), margin)
    return reduced(torch.clamp_min(loss, 0), reduction)


@decomposition("aten::huber_loss")
def huber_loss(
    self: torch.Tensor, target: torch.Tensor, reduction: int = 1, delta: float = 1.0
) -> torch.Tensor:
    """Quadratic up to `delta`, then linear."""
    assert self.dtype == target.dtype, "PyTorch does not promote them"
    dtype = self.dtype
    wide = computation_dtype(dtype)
    away = torch.abs(torch.sub(in_dtype(self, wide), in_dtype(target, wide)))
    near = torch.mul(torch.mul(away, away), 0.5)
    far = torch.mul(torch.sub(away, 0.5 * delta), delta)
    return reduced(in_dtype(torch.where(torch.le(away, delta), near, far), dtype), reduction)


@decomposition("aten::soft_margin_loss")
def soft_margin_loss(self: torch.Tensor, target: torch.Tensor, reduction: int = 1) -> torch.Tensor:
    """log(1 + exp(-target x))."""
    return reduced(torch.log1p(torch.exp(torch.mul(torch.neg(target), self))), reduction)


@decomposition("aten::poisson_nll_loss")
def poisson_nll_loss(
    input: torch.Tensor,
    target: torch.Tensor,
    log_input: bool,
    full: bool,
    eps: float,
    reduction: int,
) -> torch.Tensor:
    """The likelihood of counts, with the approximation of their factorials if `full`."""
    if log_input:
        loss = torch.sub(torch.exp(input), torch.mul(target, input))
    else:
        loss = torch.sub(input, torch.mul(target, torch.log(torch.add(input, eps))))
    if full:
        stirling = torch.sub(torch.mul(target, torch.log(target)), target)
        stirling = torch.add(
            stirling, torch.mul(torch.log(torch.mul(target, 6.283185307179586)), 0.5)
        )
        loss = torch.add(
            loss, torch.where(torch.le(target, 1), torch.zeros_like(stirling), stirling)
        )
    return reduced(loss, reduction)


@decomposition("aten::log_softmax.int")
def log_softmax_int(self: torch.Tensor, dim: int, dtype: Optional[int] = None) -> torch.Tensor:
    """`_log_softmax` of converted elements."""
    wide = self
    if dtype is not None:
        wide = in_dtype(self, dtype)
    return torch.ops.aten._log_softmax(wide, dim, False)
