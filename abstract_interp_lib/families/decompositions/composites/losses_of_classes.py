"""Losses that compare the scores of classes with a target: `nll_loss`, `cross_entropy_loss`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    of_sizes,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral
from torch_refine.abstract_interp_lib.rules.unknown import require_sizes


def class_dim(self: torch.Tensor) -> int:
    """The dimension of classes: the second one, or the only one."""
    return 0 if self.dim() == 1 else 1


def per_class(weight: torch.Tensor, self: torch.Tensor) -> torch.Tensor:
    """One weight per class, which broadcasts to the scores."""
    shape: List[int] = []
    for dim in range(self.dim()):
        shape.append(weight.numel() if dim == class_dim(self) else 1)
    return torch.reshape(weight, shape)


def of_targets(self: torch.Tensor, target: torch.Tensor, is_ignored: torch.Tensor) -> torch.Tensor:
    """The elements at the target classes, and 0 where the target is ignored."""
    dim = class_dim(self)
    places = torch.where(is_ignored, torch.zeros_like(target), target)
    chosen = torch.squeeze(torch.gather(self, dim, torch.unsqueeze(places, dim)), dim)
    return torch.where(is_ignored, torch.zeros_like(chosen), chosen)


def weights_of_targets(
    self: torch.Tensor,
    target: torch.Tensor,
    is_ignored: torch.Tensor,
    weight: Optional[torch.Tensor],
    dtype: int,
) -> torch.Tensor:
    """The weights of the target classes, 1 by default, and 0 where the target is ignored."""
    if weight is None:
        return in_dtype(torch.logical_not(is_ignored), dtype)
    wide = in_dtype(per_class(weight, self), dtype)
    return of_targets(wide.expand(self.size()), target, is_ignored)


def losses_and_weight(
    self: torch.Tensor,
    target: torch.Tensor,
    weight: Optional[torch.Tensor],
    reduction: int,
    ignore_index: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Negated scores of target classes, times their weights, and the sum of these weights."""
    assert self.dim() > 1 or target.dim() == 0, "the kernel reads a single target"
    if self.dim() > 1:
        require_sizes(self.size()[:1] + self.size()[2:], target.size())
    if weight is not None:
        require_sizes(weight.size(), [self.size(class_dim(self))])
    dtype = computation_dtype(self.dtype)
    places = in_dtype(target, torch.int64)
    is_ignored = torch.eq(places, ignore_index)
    weights = weights_of_targets(self, places, is_ignored, weight, dtype)
    losses = torch.neg(of_targets(in_dtype(self, dtype), places, is_ignored))
    if weight is not None:
        losses = torch.mul(losses, weights)
    if reduction == 0 and self.dim() > 1:
        return in_dtype(losses, self.dtype), torch.zeros([], dtype=self.dtype)
    # The kernels add in a cascade, which rounds less than one sum after the other.
    total = in_dtype(torch.sum(in_dtype(weights, torch.float64)), dtype)
    loss = in_dtype(torch.sum(in_dtype(losses, torch.float64)), dtype)
    if reduction == 1:
        loss = torch.div(loss, total)
    return in_dtype(loss, self.dtype), in_dtype(total, self.dtype)


_ROW = T(4, dtype=torch.int64, values=[1, 2, 0, -100])
_PLANE = T(1, 2, 2, dtype=torch.int64, values=[1, 2, 0, -100])
_ONE = T(dtype=torch.int64, values=[1])
decomposition_family(
    losses_and_weight,
    "aten::nll_loss_forward",
    ok=[
        Invocation(T(4, 3), _ROW, None, 1, -100),
        Invocation(T(4, 3), _ROW, T(3), 0, 2),
        Invocation(T(4, 3, dtype=torch.float16), _ROW, None, 2, 2),
        Invocation(T(3), _ONE, T(3), 0, -100),
        Invocation(T(3), _ONE, T(3), 1, 1),
    ],
)
decomposition_family(
    losses_and_weight,
    "aten::nll_loss2d_forward",
    ok=[
        Invocation(T(1, 3, 2, 2), _PLANE, T(3), 1, -100),
        Invocation(T(1, 3, 2, 2), _PLANE, None, 0, 2),
        Invocation(T(0, 3, 2, 2), T(0, 2, 2, dtype=torch.int64), None, 1, 2),
    ],
)


def losses(
    self: torch.Tensor,
    target: torch.Tensor,
    weight: Optional[torch.Tensor] = None,
    reduction: int = 1,
    ignore_index: int = -100,
) -> torch.Tensor:
    """Negated scores of target classes, times their weights."""
    return losses_and_weight(self, target, weight, reduction, ignore_index)[0]


decomposition_family(
    losses,
    "aten::nll_loss",
    "aten::nll_loss_nd",
    ok=[Invocation(T(4, 3), _ROW, T(3), 1), Invocation(T(4, 3), _ROW, None, 0, 2)],
)
decomposition_family(
    losses,
    "aten::nll_loss2d",
    ok=[Invocation(T(1, 3, 2, 2), _PLANE, T(3), 1), Invocation(T(1, 3, 2, 2), _PLANE, None, 0, 2)],
)


def loss_of_probabilities(
    scores: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: int
) -> torch.Tensor:
    """Negated scores, weighted by the probabilities of the classes; a mean is one per sample."""
    product = torch.mul(scores, target)
    if weight is not None:
        product = torch.mul(product, per_class(weight, scores))
    dim = class_dim(scores)
    if reduction == 0:
        return torch.neg(torch.sum(product, [dim]))
    loss = torch.neg(torch.sum(product))
    if reduction == 2:
        return loss
    # Without elements, 0 / 0 is NaN.
    return torch.div(loss, scores.numel() // max(scores.size(dim), 1))


def smooth_loss(
    scores: torch.Tensor,
    target: torch.Tensor,
    weight: Optional[torch.Tensor],
    reduction: int,
    ignore_index: int,
) -> torch.Tensor:
    """The loss of a target that is every class."""
    weighted = scores
    if weight is not None:
        weighted = torch.mul(scores, per_class(weight, scores))
    is_ignored = torch.eq(target, ignore_index)
    loss = torch.neg(torch.sum(weighted, [class_dim(scores)]))
    loss = torch.where(is_ignored, torch.zeros_like(loss), loss)
    if reduction == 0:
        return loss
    if reduction == 2:
        return torch.sum(loss)
    dtype = computation_dtype(scores.dtype)
    total = torch.sum(weights_of_targets(scores, target, is_ignored, weight, dtype))
    return torch.div(torch.sum(loss), in_dtype(total, scores.dtype))


@decomposition(
    "aten::cross_entropy_loss",
    ok=[
        Invocation(T(4, 3), _ROW),
        Invocation(T(4, 3), _ROW, T(3), 1, 2, 0.1),
        Invocation(T(4, 3), _ROW, None, 1, 2, 0.1),
        Invocation(T(1, 3, 2, 2), _PLANE, T(3), 0, -100, 0.1),
        Invocation(T(4, 3), T(4, 3), T(3), 1, -100, 0.1),
        Invocation(T(3), T(3), None, 2),
    ],
)
def cross_entropy_loss(
    self: torch.Tensor,
    target: torch.Tensor,
    weight: Optional[torch.Tensor] = None,
    reduction: int = 1,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> torch.Tensor:
    """The loss of logarithmic probabilities, by classes or by their probabilities.

    Smoothing gives each class a part of the target.
    """
    scores = torch.log_softmax(self, class_dim(self), self.dtype)
    classes = self.size(class_dim(self))
    if target.dim() == self.dim():
        assert not is_integral(target.dtype), "probabilities are floats"
        assert ignore_index < 0, "a probability is no class to ignore"
        wanted = of_sizes(target, self.size())
        if label_smoothing > 0.0:
            kept = torch.mul(wanted, 1.0 - label_smoothing)
            wanted = torch.add(kept, label_smoothing / classes)
        return loss_of_probabilities(scores, wanted, weight, reduction)
    loss = losses(scores, target, weight, reduction, ignore_index)
    if label_smoothing > 0.0:
        places = in_dtype(target, torch.int64)
        smooth = smooth_loss(scores, places, weight, reduction, ignore_index)
        smooth = torch.mul(smooth, label_smoothing / classes)
        loss = torch.add(torch.mul(loss, 1.0 - label_smoothing), smooth)
    return loss
