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
        stirling = torch.where(torch.le(target, 1), torch.zeros_like(stirling), stirling)
        # It is added in place.
        loss = in_dtype(torch.add(loss, stirling), loss.dtype)
    return reduced(loss, reduction)


@decomposition("aten::log_softmax.int")
def log_softmax_int(self: torch.Tensor, dim: int, dtype: Optional[int] = None) -> torch.Tensor:
    """`_log_softmax` of converted elements."""
    wide = self
    if dtype is not None:
        wide = in_dtype(self, dtype)
    return torch.ops.aten._log_softmax(wide, dim, False)


def distance(
    x1: torch.Tensor, x2: torch.Tensor, p: float, eps: float, keepdim: bool
) -> torch.Tensor:
    """The norm of a difference, of which each element is moved from 0."""
    away = torch.add(torch.sub(x1, x2), eps)
    return torch.ops.aten.linalg_vector_norm(away, p, [-1], keepdim)


@decomposition("aten::pairwise_distance")
def pairwise_distance(
    x1: torch.Tensor,
    x2: torch.Tensor,
    p: float = 2.0,
    eps: float = 1e-06,
    keepdim: bool = False,
) -> torch.Tensor:
    """The norm of the difference in the last dimension."""
    return distance(x1, x2, p, eps, keepdim)


@decomposition("aten::triplet_margin_loss")
def triplet_margin_loss(
    anchor: torch.Tensor,
    positive: torch.Tensor,
    negative: torch.Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-06,
    swap: bool = False,
    reduction: int = 1,
) -> torch.Tensor:
    """What lacks to a margin between the distances of a like and an unlike sample."""
    far = distance(anchor, negative, p, eps, False)
    if swap:
        far = torch.minimum(far, distance(positive, negative, p, eps, False))
    loss = torch.sub(torch.add(distance(anchor, positive, p, eps, False), margin), far)
    return reduced(torch.clamp_min(loss, 0), reduction)


@decomposition("aten::smooth_l1_loss")
def smooth_l1_loss(
    self: torch.Tensor, target: torch.Tensor, reduction: int = 1, beta: float = 1.0
) -> torch.Tensor:
    """Quadratic up to `beta`, then linear."""
    assert self.dtype == target.dtype, "PyTorch does not promote them"
    wide = computation_dtype(self.dtype)
    away = torch.abs(torch.sub(in_dtype(self, wide), in_dtype(target, wide)))
    loss = away
    if beta > 0.0:
        near = torch.div(torch.mul(torch.mul(away, away), 0.5), beta)
        loss = torch.where(torch.lt(away, beta), near, torch.sub(away, 0.5 * beta))
    return reduced(in_dtype(loss, self.dtype), reduction)
