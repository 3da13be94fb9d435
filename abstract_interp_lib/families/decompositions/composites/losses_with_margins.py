"""Losses with margins: `multi_margin_loss`, `multilabel_margin_loss`, `cosine_embedding_loss`."""

from typing import Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype, reduced


@decomposition(
    "aten::multi_margin_loss",
    ok=[
        Invocation(T(3, 4), T(3, dtype=torch.int64, values=[0, 3, 1]), 2, 1, T(4), 0),
        Invocation(T(4), T(dtype=torch.int64, values=[2]), 1, 0.5, None, 1),
        Invocation(T(3, 4), T(3, dtype=torch.int64, values=[0, 3, 1]), 1, 1, None, 2),
    ],
)
def multi_margin_loss(
    self: torch.Tensor,
    target: torch.Tensor,
    p: Union[int, float, complex] = 1,
    margin: Union[int, float, complex] = 1,
    weight: Optional[torch.Tensor] = None,
    reduction: int = 1,
) -> torch.Tensor:
    """What each other class lacks to a margin from the target, or its square."""
    rows = self.size(0) if self.dim() == 2 else 1
    classes = self.size(self.dim() - 1) if self.dim() > 0 else 1
    scores = torch.reshape(self, [rows, classes])
    chosen = torch.reshape(target, [rows, 1])
    lacking = torch.add(torch.rsub(torch.gather(scores, 1, chosen), margin), scores)
    loss = lacking if p == 1 else torch.mul(lacking, lacking)
    if weight is not None:
        flat = torch.reshape(weight, [1, classes]).expand([rows, classes])
        loss = torch.mul(loss, torch.gather(flat, 1, chosen))
    is_other = torch.ne(torch.arange(classes, dtype=torch.int64), chosen)
    is_active = torch.logical_and(is_other, torch.gt(lacking, 0))
    loss = torch.where(is_active, loss, torch.zeros_like(loss))
    found = torch.div(torch.sum(loss, [1]), classes)
    return torch.reshape(found, target.size()) if reduction == 0 else reduced(found, reduction)


@decomposition(
    "aten::multilabel_margin_loss_forward",
    ok=[
        Invocation(T(2, 3), T(2, 3, dtype=torch.int64, values=[1, -1, 0, 2, 0, -1]), 0),
        Invocation(T(3), T(3, dtype=torch.int64, values=[1, 0, 2]), 1),
        Invocation(T(3), T(3, dtype=torch.int64, values=[1, -1, 2]), 0),
    ],
)
def multilabel_margin_loss_forward(
    self: torch.Tensor, target: torch.Tensor, reduction: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """What each other class lacks to the margin of each target; the first -1 ends the targets."""
    rows = self.size(0) if self.dim() == 2 else 1
    classes = self.size(self.dim() - 1) if self.dim() > 0 else 1
    scores = torch.reshape(self, [rows, classes])
    is_class = torch.logical_and(torch.ge(target, -1), torch.lt(target, classes))
    labels = asserted(target, is_class, "argument #3 'target' is out of range")
    labels = torch.reshape(labels, [rows, classes])
    ended = torch.cumsum(in_dtype(torch.eq(labels, -1), torch.int64), 1)
    is_label = torch.unsqueeze(torch.eq(ended, 0), 2)
    places = torch.where(torch.eq(labels, -1), torch.zeros_like(labels), labels)
    is_place = torch.eq(torch.unsqueeze(places, 2), torch.arange(classes, dtype=torch.int64))
    is_target = torch.any(torch.logical_and(is_place, is_label), 1)
    chosen = torch.unsqueeze(torch.gather(scores, 1, places), 2)
    lacking = torch.add(torch.rsub(chosen, 1), torch.unsqueeze(scores, 1))
    is_other = torch.unsqueeze(torch.logical_not(is_target), 1)
    is_active = torch.logical_and(torch.gt(lacking, 0), torch.logical_and(is_label, is_other))
    loss = torch.where(is_active, lacking, torch.zeros_like(lacking))
    loss = torch.div(torch.sum(loss, [1, 2]), classes)
    flags = torch.reshape(in_dtype(is_target, self.dtype), target.size())
    if reduction == 0 and self.dim() < 2:
        return torch.reshape(loss, []), flags
    return reduced(loss, reduction), flags


@decomposition(
    "aten::multilabel_margin_loss",
    ok=[
        Invocation(T(2, 3), T(2, 3, dtype=torch.int64, values=[1, -1, 0, 2, 0, -1]), 0),
        Invocation(T(3), T(3, dtype=torch.int64, values=[1, 0, 2]), 1),
    ],
)
def multilabel_margin_loss(
    self: torch.Tensor, target: torch.Tensor, reduction: int = 1
) -> torch.Tensor:
    """The first result of `multilabel_margin_loss_forward`."""
    return multilabel_margin_loss_forward(self, target, reduction)[0]


@decomposition("aten::cosine_embedding_loss")
def cosine_embedding_loss(
    input1: torch.Tensor,
    input2: torch.Tensor,
    target: torch.Tensor,
    margin: float = 0.0,
    reduction: int = 1,
) -> torch.Tensor:
    """1 - cos of two vectors if the target is 1, cos less the margin if it is -1."""
    dims = [target.dim()]
    product = torch.sum(torch.mul(input1, input2), dims)
    square1 = torch.add(torch.sum(torch.mul(input1, input1), dims), 1e-12)
    square2 = torch.add(torch.sum(torch.mul(input2, input2), dims), 1e-12)
    length = torch.sqrt(torch.mul(square1, square2))
    cosine = torch.div(product, length)
    zeros = torch.zeros_like(cosine)
    near = torch.where(torch.eq(target, 1), torch.rsub(cosine, 1), zeros)
    far = torch.clamp_min(torch.sub(cosine, margin), 0)
    far = torch.where(torch.eq(target, -1), far, zeros)
    return reduced(torch.add(near, far), reduction)


@decomposition("aten::binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    self: torch.Tensor,
    target: torch.Tensor,
    weight: Optional[torch.Tensor] = None,
    pos_weight: Optional[torch.Tensor] = None,
    reduction: int = 1,
) -> torch.Tensor:
    """(1 - target) x - log(sigmoid(x)), each step in the dtype that PyTorch's kernels write."""
    logarithm = torch.ops.aten.log_sigmoid(self)
    if pos_weight is not None:
        factor = torch.add(torch.mul(torch.sub(pos_weight, 1), target), 1)
        logarithm = in_dtype(torch.mul(logarithm, factor), self.dtype)
    loss = in_dtype(torch.mul(torch.rsub(target, 1), self), target.dtype)
    loss = in_dtype(torch.sub(loss, logarithm), target.dtype)
    if weight is not None:
        loss = in_dtype(torch.mul(loss, weight), target.dtype)
    return reduced(loss, reduction)
