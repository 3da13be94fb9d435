"""Losses of class scores against class numbers or probabilities."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import is_integral, promote_dtypes


def loss_shape(self: List[int], reduction: int) -> List[int]:
    """The scores' shape without the dimension of the classes, or one loss for all."""
    out: List[int] = []
    if len(self) > 1 and reduction != 1 and reduction != 2:
        out = self[:1] + self[2:]
    return out


def check_classes(self: List[int], weight: Optional[List[int]]) -> None:
    """Raise unless weights, where there are any, are one for each class."""
    if weight is not None:
        classes = self[1] if len(self) > 1 else self[0]
        assert len(weight) == 1 and weight[0] == classes, (
            f"there must be a weight for each of {classes} classes, got shape {weight}"
        )


def check_targets(self: List[int], target: List[int]) -> None:
    """Raise unless there is a target for each vector of scores."""
    if len(self) > 1:
        check_same(target, self[:1] + self[2:], "targets")


def nll_loss(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """A loss for each vector of scores."""
    assert len(self) == 1 or len(self) == 2, f"scores must have 1 or 2 dimensions, got shape {self}"
    check_targets(self, target)
    check_classes(self, weight)
    return loss_shape(self, reduction)


def nll_loss_forward(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> Tuple[List[int], List[int]]:
    """A loss for each vector of scores, and the sum of the weights."""
    total: List[int] = []
    return nll_loss(self, target, weight, reduction), total


def nll_loss2d(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """A loss for each pixel."""
    assert len(self) == 4, f"scores must have 4 dimensions, got shape {self}"
    check_targets(self, target)
    check_classes(self, weight)
    return loss_shape(self, reduction)


def nll_loss2d_forward(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> Tuple[List[int], List[int]]:
    """A loss for each pixel, and the sum of the weights."""
    total: List[int] = []
    return nll_loss2d(self, target, weight, reduction), total


def nll_loss_nd(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """A loss for each vector of scores, of any number of dimensions."""
    assert len(self) > 0, f"scores must have a dimension, got shape {self}"
    check_targets(self, target)
    check_classes(self, weight)
    return loss_shape(self, reduction)


def loss_and_weight_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the scores."""
    return self[1], self[1]


INT = {"dtype": torch.int64}
NLL_OK = [
    Invocation(T(4, 5), T(4, **INT), None, 1, -100),
    Invocation(T(4, 5), T(4, **INT), T(5), 0, -100),
    Invocation(T(5), T(**INT), None, 0, -100),
    Invocation(T(0, 5), T(0, **INT), None, 2, -100),
    Invocation(T(4, 5, dtype=torch.bfloat16), T(4, **INT), None, 0, -100),
    Invocation(T(4, 5, dtype=torch.float64), T(4, **INT), None, 1, -100),
]
NLL_ERROR = [
    Invocation(T(4, 5, 6), T(4, **INT), None, 1, -100),
    Invocation(T(4, 5), T(3, **INT), None, 1, -100),
    Invocation(T(4, 5), T(4, 1, **INT), None, 1, -100),
    Invocation(T(4, 5), T(4, **INT), T(4), 1, -100),
    Invocation(T(4, 5), T(4, **INT), T(5, 1), 1, -100),
]
# The meta kernel of `nll_loss2d_forward` checks less.
NLL2D_OK = [
    Invocation(T(4, 5, 6, 7), T(4, 6, 7, **INT), None, 0, -100),
    Invocation(T(4, 5, 6, 7), T(4, 6, 7, **INT), T(5), 1, -100),
    Invocation(T(0, 5, 6, 7), T(0, 6, 7, **INT), None, 0, -100),
    Invocation(T(4, 5, 6, 7, dtype=torch.float16), T(4, 6, 7, **INT), None, 0, -100),
]
NLL2D_ERROR = [
    Invocation(T(4, 5, 6), T(4, 6, **INT), None, 1, -100, device="cpu"),
    Invocation(T(4, 5, 6, 7), T(4, 6, 6, **INT), None, 1, -100, device="cpu"),
]

shape_family(nll_loss, "aten::nll_loss", ok=NLL_OK, error=NLL_ERROR)
shape_family(nll_loss_forward, "aten::nll_loss_forward", ok=NLL_OK, error=NLL_ERROR)
shape_family(nll_loss2d, "aten::nll_loss2d", ok=NLL2D_OK, error=NLL2D_ERROR)
shape_family(nll_loss2d_forward, "aten::nll_loss2d_forward", ok=NLL2D_OK, error=NLL2D_ERROR)
shape_family(
    nll_loss_nd,
    "aten::nll_loss_nd",
    ok=[
        *NLL_OK,
        *NLL2D_OK,
        Invocation(T(4, 5, 6), T(4, 6, **INT), T(5), 0),
        Invocation(T(4, 5, 2, 3, 6), T(4, 2, 3, 6, **INT), None, 0),
    ],
    error=[
        Invocation(T(), T(**INT)),
        Invocation(T(4, 5, 6), T(4, 5, **INT)),
        Invocation(T(4, 5), T(4, **INT), T(4)),
    ],
)
dtype_family(dtype_of_self, "aten::nll_loss", "aten::nll_loss2d", "aten::nll_loss_nd")
dtype_family(loss_and_weight_dtype, "aten::nll_loss_forward", "aten::nll_loss2d_forward")


def cross_entropy_loss(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """A loss for each vector of scores, whose targets are classes or probabilities of classes."""
    if len(target) != len(self):
        check_targets(self, target)
    if len(self) > 1:
        assert target[0] == self[0], f"batch sizes must match, got {self[0]} and {target[0]}"
    check_classes(self, weight)
    return loss_shape(self, reduction)


def cross_entropy_loss_dtype(
    self: Tuple[int, int], target: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> int:
    """The dtype of the scores; probabilities, and the weights with them, promote with it."""
    out = self[1]
    if not is_integral(target[1]):
        weight_dtype = self[1]
        if weight is not None:
            weight_dtype = weight[1]
        ranks: List[Optional[int]] = [1, 1, 1]
        out = promote_dtypes(ranks, [self[1], target[1], weight_dtype])
    return out


shape_family(
    cross_entropy_loss,
    "aten::cross_entropy_loss",
    ok=[
        Invocation(T(4, 5), T(4, **INT)),
        Invocation(T(4, 5), T(4, **INT), T(5), 0),
        Invocation(T(5), T(**INT), None, 0),
        Invocation(T(4, 5, 6), T(4, 6, **INT), None, 0, -100, 0.1),
        Invocation(T(4, 5, 6, 7), T(4, 6, 7, **INT), T(5), 2),
        Invocation(T(0, 5), T(0, **INT), None, 0),
        # Probabilities of classes.
        Invocation(T(4, 5), T(4, 5), None, 0),
        Invocation(T(5), T(5), None, 0),
        Invocation(T(4, 5, 6), T(4, 5, 6), T(5), 1, label_smoothing=0.1),
        Invocation(T(4, 5, dtype=torch.float16), T(4, 5), None, 0),
        Invocation(T(4, 5), T(4, 5), T(5, dtype=torch.float64), 0),
        Invocation(T(4, 5, dtype=torch.bfloat16), T(4, **INT)),
    ],
    error=[
        Invocation(T(4, 5), T(3, **INT)),
        Invocation(T(4, 5, 6), T(4, **INT)),
        Invocation(T(4, 5), T(5, 4)),
        Invocation(T(4, 5), T(4, **INT), T(4)),
    ],
)
dtype_family(cross_entropy_loss_dtype, "aten::cross_entropy_loss")
