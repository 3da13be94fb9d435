"""Gradients of losses that compare the scores of classes."""

from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype


@decomposition(
    "aten::multi_margin_loss_backward",
    ok=[
        Invocation(T(3), T(3, 4), T(3, dtype=torch.int64, values=[0, 3, 1]), 2, 1, T(4), 0),
        Invocation(T(), T(4), T(dtype=torch.int64, values=[2]), 1, 0.5, None, 1),
        Invocation(T(), T(3, 4), T(3, dtype=torch.int64, values=[0, 3, 1]), 1, 1, None, 2),
    ],
)
def multi_margin_loss_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    target: torch.Tensor,
    p: Union[int, float, complex],
    margin: Union[int, float, complex],
    weight: Optional[torch.Tensor] = None,
    reduction: int = 1,
) -> torch.Tensor:
    """What each class lacks to a margin is taken from the target, and given to the class."""
    rows = self.size(0) if self.dim() == 2 else 1
    classes = self.size(self.dim() - 1) if self.dim() > 0 else 1
    scores = torch.reshape(self, [rows, classes])
    chosen = torch.reshape(target, [rows, 1])
    lacking = torch.add(torch.sub(scores, torch.gather(scores, 1, chosen)), margin)
    is_other = torch.ne(torch.arange(classes, dtype=torch.int64), chosen)
    slope = torch.ones_like(lacking) if p == 1 else torch.mul(lacking, 2)
    if weight is not None:
        flat = torch.reshape(weight, [1, classes]).expand([rows, classes])
        slope = torch.mul(slope, torch.gather(flat, 1, chosen))
    slope = torch.div(slope, rows * classes if reduction == 1 else classes)
    is_active = torch.logical_and(is_other, torch.gt(lacking, 0))
    none = torch.zeros_like(slope)
    slope = torch.where(is_active, slope, none)
    total = torch.sum(slope, [1], True)
    found = torch.sub(slope, torch.where(is_other, none, total.expand([rows, classes])))
    given = grad_output
    if reduction == 0:
        given = torch.reshape(grad_output, [rows, 1])
    return torch.reshape(torch.mul(found, given), self.size())


@decomposition(
    "aten::multilabel_margin_loss_backward",
    ok=[
        Invocation(
            T(2),
            T(2, 3),
            T(2, 3, dtype=torch.int64, values=[1, -1, 0, 2, 0, -1]),
            0,
            T(2, 3, values=[0, 1, 0, 1, 0, 1]),
        ),
        Invocation(T(), T(3), T(3, dtype=torch.int64, values=[1, 0, 2]), 1, T(3, values=[1, 1, 1])),
    ],
)
def multilabel_margin_loss_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    target: torch.Tensor,
    reduction: int,
    is_target: torch.Tensor,
) -> torch.Tensor:
    """What each other class lacks to the margin of each target; the first -1 ends the targets."""
    rows = self.size(0) if self.dim() == 2 else 1
    classes = self.size(self.dim() - 1) if self.dim() > 0 else 1
    scores = torch.reshape(self, [rows, classes])
    labels = torch.reshape(target, [rows, classes])
    ended = torch.cumsum(in_dtype(torch.eq(labels, -1), torch.int64), 1)
    # Other negative labels are no indices.
    places = torch.where(torch.eq(labels, -1), torch.zeros_like(labels), labels)
    chosen = torch.unsqueeze(torch.gather(scores, 1, places), 2)
    lacking = torch.add(torch.sub(torch.unsqueeze(scores, 1), chosen), 1)
    is_label = torch.unsqueeze(torch.eq(ended, 0), 2)
    is_flag = torch.logical_and(torch.ge(is_target, 0), torch.le(is_target, 1))
    flags = asserted(is_target, is_flag, "argument #5 'is_target' is out of range")
    is_other = torch.eq(torch.reshape(flags, [rows, 1, classes]), 0)
    is_active = torch.logical_and(torch.gt(lacking, 0), torch.logical_and(is_label, is_other))
    active = in_dtype(is_active, self.dtype)
    taken = torch.neg(torch.sum(active, [2]))
    found = torch.scatter_add(torch.sum(active, [1]), 1, places, taken)
    found = torch.div(found, rows * classes if reduction == 1 else classes)
    given = grad_output
    if reduction == 0:
        given = torch.reshape(grad_output, [rows, 1])
    return torch.reshape(torch.mul(found, given), self.size())
