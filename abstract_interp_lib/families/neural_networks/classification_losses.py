"""Classification losses, by probability and by margin, and their gradients."""

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
from torch_refine.abstract_interp_lib.rules.sizes import product


def loss_shape(self: List[int], reduction: int) -> List[int]:
    """The shape of the input without the class dimension, or 0-dim if reduced."""
    out: List[int] = []
    if len(self) > 1 and reduction != 1 and reduction != 2:
        out = self[:1] + self[2:]
    return out


def check_classes(self: List[int], weight: Optional[List[int]]) -> None:
    """Raise unless the weight, if given, has one element per class."""
    if weight is not None:
        classes = self[1] if len(self) > 1 else self[0]
        assert len(weight) == 1 and weight[0] == classes, (
            f"weight must have {classes} elements, one per class, got shape {weight}"
        )


def check_targets(self: List[int], target: List[int]) -> None:
    """Raise unless there is one target per sample."""
    if len(self) > 1:
        check_same(target, self[:1] + self[2:], "targets")


def nll_loss(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """One loss per sample."""
    assert len(self) == 1 or len(self) == 2, (
        f"the input must have 1 or 2 dimensions, got shape {self}"
    )
    check_targets(self, target)
    check_classes(self, weight)
    return loss_shape(self, reduction)


def nll_loss_forward(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> Tuple[List[int], List[int]]:
    """One loss per sample, and the total weight."""
    total: List[int] = []
    return nll_loss(self, target, weight, reduction), total


def nll_loss2d(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """One loss per pixel."""
    assert len(self) == 4, f"the input must have 4 dimensions, got shape {self}"
    check_targets(self, target)
    check_classes(self, weight)
    return loss_shape(self, reduction)


def nll_loss2d_forward(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> Tuple[List[int], List[int]]:
    """One loss per pixel, and the total weight."""
    total: List[int] = []
    return nll_loss2d(self, target, weight, reduction), total


def nll_loss_nd(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """One loss per sample, for inputs of any rank."""
    assert len(self) > 0, f"the input must have at least 1 dimension, got shape {self}"
    check_targets(self, target)
    check_classes(self, weight)
    return loss_shape(self, reduction)


def loss_and_weight_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the input."""
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
    """One loss per sample; targets are class indices or class probabilities."""
    if len(target) != len(self):
        check_targets(self, target)
    if len(self) > 1:
        assert target[0] == self[0], f"batch sizes must match, got {self[0]} and {target[0]}"
    check_classes(self, weight)
    return loss_shape(self, reduction)


def cross_entropy_loss_dtype(
    self: Tuple[int, int], target: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> int:
    """The dtype of the input; class probabilities, and the weight with them, promote with it."""
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
        # Class probabilities.
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


# Gradients of `nll_loss`, which have the shape of the input.


def check_loss_gradient(
    grad_output: List[int],
    self: List[int],
    target: List[int],
    weight: Optional[List[int]],
    reduction: int,
    total_weight: List[int],
) -> None:
    """Raise unless target, weight and gradient match an input with or without a batch dimension."""
    check_targets(self, target)
    if len(self) > 1 and reduction == 0:
        check_same(grad_output, target, "the gradient")
    else:
        assert product(grad_output) == 1, f"the gradient must have one element, got {grad_output}"
    if weight is not None:
        classes = self[1] if len(self) > 1 else self[0]
        assert product(weight) == classes, (
            f"weight must have {classes} elements, one per class, got shape {weight}"
        )
    assert product(total_weight) == 1, f"total_weight must have one element, got {total_weight}"


def nll_loss_backward(
    grad_output: List[int],
    self: List[int],
    target: List[int],
    weight: Optional[List[int]],
    reduction: int,
    total_weight: List[int],
) -> List[int]:
    """The shape of the input, 1-D or 2-D."""
    assert len(self) == 1 or len(self) == 2, f"the input must have 1 or 2 dimensions, got {self}"
    if len(self) == 1 and len(target) > 0:
        check_same(target, self, "targets")
    check_loss_gradient(grad_output, self, target, weight, reduction, total_weight)
    return self


def nll_loss2d_backward(
    grad_output: List[int],
    self: List[int],
    target: List[int],
    weight: Optional[List[int]],
    reduction: int,
    total_weight: List[int],
) -> List[int]:
    """The shape of the input, which is 4-D."""
    assert len(self) == 4, f"the input must have 4 dimensions, got shape {self}"
    check_loss_gradient(grad_output, self, target, weight, reduction, total_weight)
    return self


def scores_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> int:
    """Input, gradient and weight have the same dtype."""
    assert grad_output[1] == self[1], f"dtypes must match, got {grad_output[1]} and {self[1]}"
    if weight is not None:
        assert weight[1] == self[1], f"dtypes must match, got {weight[1]} and {self[1]}"
    return self[1]


_INT = {"dtype": torch.int64}
_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_REST = (-100, T())
_F64 = {"dtype": torch.float64}

shape_family(
    nll_loss_backward,
    "aten::nll_loss_backward",
    ok=[
        Invocation(T(), T(4, 5), T(4, **_INT), None, 1, *_REST),
        Invocation(T(4), T(4, 5), T(4, **_INT), T(5), 0, *_REST),
        Invocation(T(1), T(4, 5), T(4, **_INT), None, 2, -100, T(1)),
        Invocation(T(), T(5), T(**_INT), T(5), 0, *_REST),
        Invocation(T(), T(5), T(5, **_INT), None, 1, *_REST),
        Invocation(T(), T(0, 5), T(0, **_INT), None, 2, *_REST),
        *[
            Invocation(
                *(T(dtype=dtype), T(4, 5, dtype=dtype), T(4, **_INT), None, 1, -100),
                T(dtype=dtype),
            )
            for dtype in _FLOATS
        ],
    ],
    error=[
        Invocation(T(), T(), T(**_INT), None, 1, *_REST),
        Invocation(T(), T(4, 5, 6), T(4, 6, **_INT), None, 1, *_REST),
        Invocation(T(), T(4, 5), T(3, **_INT), None, 1, *_REST),
        Invocation(T(), T(5), T(1, **_INT), None, 1, *_REST),
        Invocation(T(), T(4, 5), T(4, **_INT), T(4), 1, *_REST),
        Invocation(T(3), T(4, 5), T(4, **_INT), None, 0, *_REST),
        Invocation(T(4), T(4, 5), T(4, **_INT), None, 1, *_REST),
        Invocation(T(), T(4, 5), T(4, **_INT), None, 1, -100, T(2)),
    ],
)
shape_family(
    nll_loss2d_backward,
    "aten::nll_loss2d_backward",
    ok=[
        Invocation(T(), T(4, 5, 6, 7), T(4, 6, 7, **_INT), None, 1, *_REST),
        Invocation(T(4, 6, 7), T(4, 5, 6, 7), T(4, 6, 7, **_INT), T(5), 0, *_REST),
        Invocation(T(), T(0, 5, 6, 7), T(0, 6, 7, **_INT), None, 2, *_REST),
        *[
            Invocation(
                *(T(dtype=dtype), T(4, 5, 2, 2, dtype=dtype), T(4, 2, 2, **_INT), None, 1, -100),
                T(dtype=dtype),
            )
            for dtype in _FLOATS
        ],
    ],
    error=[
        Invocation(T(), T(4, 5, 6), T(4, 6, **_INT), None, 1, *_REST),
        Invocation(T(), T(4, 5, 6, 7), T(4, 6, 6, **_INT), None, 1, *_REST),
        Invocation(T(), T(4, 5, 6, 7), T(4, 6, 7, **_INT), T(4), 1, *_REST),
        Invocation(T(4, 6, 6), T(4, 5, 6, 7), T(4, 6, 7, **_INT), None, 0, *_REST),
        Invocation(T(4), T(4, 5, 6, 7), T(4, 6, 7, **_INT), None, 1, *_REST),
    ],
)
# The meta kernels promote.
dtype_family(
    scores_dtype,
    "aten::nll_loss_backward",
    error=[
        Invocation(T(**_F64), T(4, 5), T(4, **_INT), None, 1, *_REST, device="cpu"),
        Invocation(T(), T(4, 5), T(4, **_INT), T(5, **_F64), 1, *_REST, device="cpu"),
    ],
)
dtype_family(
    scores_dtype,
    "aten::nll_loss2d_backward",
    error=[
        Invocation(T(**_F64), T(4, 5, 2, 2), T(4, 2, 2, **_INT), None, 1, *_REST, device="cpu"),
        Invocation(T(), T(4, 5, 2, 2), T(4, 2, 2, **_INT), T(5, **_F64), 1, *_REST, device="cpu"),
    ],
)


# Margin losses of class scores: `multi_margin_loss` and `multilabel_margin_loss`.


def check_scores(self: List[int]) -> None:
    """Raise unless the input is 1-D or 2-D, with at least one class."""
    assert len(self) <= 2, f"the input must have at most 2 dimensions, got shape {self}"
    if len(self) > 0:
        classes = self[len(self) - 1]
        assert classes != 0, f"the input must have at least one class, got shape {self}"


def check_class_targets(self: List[int], target: List[int], weight: Optional[List[int]]) -> None:
    """Raise unless there is one target per sample, and one weight per class."""
    check_scores(self)
    vectors = self[0] if len(self) == 2 else 1
    assert len(target) <= 1 and product(target) == vectors, (
        f"target must have {vectors} elements, got shape {target}"
    )
    if weight is not None:
        classes = self[len(self) - 1] if len(self) > 0 else 1
        assert len(weight) <= 1 and product(weight) == classes, (
            f"weight must have {classes} elements, one per class, got shape {weight}"
        )


def multi_margin_loss(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """One loss per sample; 0-dim for a 0-dim target."""
    check_class_targets(self, target, weight)
    out: List[int] = []
    return target if reduction == 0 else out


def multi_margin_loss_backward(
    self: List[int], target: List[int], weight: Optional[List[int]]
) -> List[int]:
    """The shape of the input."""
    check_class_targets(self, target, weight)
    return self


def margin_scores_dtype(
    self: Tuple[int, int], target: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> int:
    """The dtype of the input, which the weight also has; targets are int64."""
    assert target[1] == torch.int64, f"target must be int64, got dtype {target[1]}"
    if weight is not None:
        assert weight[1] == self[1], f"dtypes must match, got {self[1]} and {weight[1]}"
    return self[1]


_CLASSES = T(2, dtype=torch.int64, values=[0, 1])
_CLASS = T(1, dtype=torch.int64, values=[0])
_ANY_CLASS = T(dtype=torch.int64, values=[0])

# The meta kernel returns a vector for a 0-dim target, and does not check dtypes.
_CLASSES_ERROR = [
    (T(2, 3, 4), _CLASSES, None),
    (T(2, 0), _CLASSES, None),
    (T(0), _CLASS, None),
    (T(3, 3), _CLASSES, None),
    (T(2, 3), T(2, 1, **_INT), None),
    (T(2, 3), _CLASSES, T(2)),
    (T(2, 3), _CLASSES, T(3, 1)),
    (T(3), _CLASS, T(2)),
]
_DTYPES_ERROR = [
    (T(2, 3), T(2, dtype=torch.int32), None),
    (T(2, 3), _CLASSES, T(3, **_F64)),
]
shape_family(
    multi_margin_loss,
    "aten::multi_margin_loss",
    ok=[
        Invocation(T(2, 3), _CLASSES, device="cpu"),
        Invocation(T(2, 3), _CLASSES, 2, 0.5, T(3), 0, device="cpu"),
        Invocation(T(2, 3), _CLASSES, 1, 1, None, 2, device="cpu"),
        Invocation(T(3), _CLASS, 1, 1, None, 0, device="cpu"),
        Invocation(T(3), _ANY_CLASS, 1, 1, T(3), 0, device="cpu"),
        Invocation(T(), _CLASS, 1, 1, None, 0, device="cpu"),
        Invocation(T(), _ANY_CLASS, 1, 1, None, 0, device="cpu"),
        Invocation(T(0, 3), T(0, **_INT), 1, 1, None, 0),
        Invocation(T(2, 3, **_F64), _CLASSES, 1, 1, T(3, **_F64), 0, device="cpu"),
        Invocation(T(2, 3, dtype=torch.float16), T(2, **_INT)),
        Invocation(T(2, 3, dtype=torch.bfloat16), T(2, **_INT), reduction=0),
    ],
    error=[
        Invocation(scores, target, 1, 1, weight, device="cpu")
        for scores, target, weight in _CLASSES_ERROR
    ],
)
dtype_family(
    margin_scores_dtype,
    "aten::multi_margin_loss",
    error=[
        Invocation(scores, target, 1, 1, weight, device="cpu")
        for scores, target, weight in _DTYPES_ERROR
    ],
)

# There is no meta kernel.
shape_family(
    multi_margin_loss_backward,
    "aten::multi_margin_loss_backward",
    ok=[
        Invocation(T(), T(2, 3), _CLASSES, 1, 1, device="cpu"),
        Invocation(T(2), T(2, 3), _CLASSES, 2, 0.5, T(3), 0, device="cpu"),
        Invocation(T(), T(3), _CLASS, 1, 1, None, 2, device="cpu"),
        Invocation(T(), T(), _ANY_CLASS, 1, 1, device="cpu"),
        Invocation(T(), T(0, 3), T(0, **_INT), 1, 1, device="cpu"),
        Invocation(T(**_F64), T(2, 3, **_F64), _CLASSES, 1, 1, device="cpu"),
    ],
    error=[
        Invocation(T(), scores, target, 1, 1, weight, device="cpu")
        for scores, target, weight in _CLASSES_ERROR
    ],
)
dtype_family(
    margin_scores_dtype,
    "aten::multi_margin_loss_backward",
    error=[
        Invocation(T(), scores, target, 1, 1, weight, device="cpu")
        for scores, target, weight in _DTYPES_ERROR
    ],
)


def check_label_targets(self: List[int], target: List[int]) -> None:
    """Raise unless the target has the shape of the input."""
    check_scores(self)
    if len(self) == 2:
        check_same(target, self, "targets")
    else:
        assert len(target) <= 1 and product(target) == product(self), (
            f"target must match the input of shape {self}, got shape {target}"
        )


def multilabel_margin_loss(self: List[int], target: List[int], reduction: int) -> List[int]:
    """One loss per sample."""
    check_label_targets(self, target)
    out: List[int] = []
    return self[:1] if reduction == 0 and len(target) > 1 else out


def multilabel_margin_loss_forward(
    self: List[int], target: List[int], reduction: int
) -> Tuple[List[int], List[int]]:
    """One loss per sample, and a mask of the target classes."""
    return multilabel_margin_loss(self, target, reduction), target


def multilabel_margin_loss_backward(
    self: List[int], target: List[int], is_target: List[int]
) -> List[int]:
    """The shape of the input."""
    check_label_targets(self, target)
    check_same(is_target, target, "is_target")
    return self


def label_scores_dtype(self: Tuple[int, int], target: Tuple[int, int]) -> int:
    """The dtype of the input; targets are int64."""
    assert target[1] == torch.int64, f"target must be int64, got dtype {target[1]}"
    return self[1]


def label_scores_dtypes(self: Tuple[int, int], target: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the input, twice; targets are int64."""
    dtype = label_scores_dtype(self, target)
    return dtype, dtype


_LABELS = T(2, 3, dtype=torch.int64, values=[0, 2, -1, 1, -1, 0])
_LABEL = T(3, dtype=torch.int64, values=[0, 2, -1])
_LABELS_OK = [
    Invocation(T(2, 3), _LABELS, 1),
    Invocation(T(2, 3), _LABELS, 0, device="cpu"),
    Invocation(T(3), _LABEL, 0, device="cpu"),
    Invocation(T(3), _LABEL, 2, device="cpu"),
    Invocation(T(), _ANY_CLASS, 1, device="cpu"),
    Invocation(T(1), _ANY_CLASS, 0, device="cpu"),
    Invocation(T(0, 3), T(0, 3, **_INT), 0),
    Invocation(T(2, 3, **_F64), _LABELS, 0, device="cpu"),
    Invocation(T(2, 3, dtype=torch.float16), T(2, 3, **_INT), 1),
    Invocation(T(2, 3, dtype=torch.bfloat16), T(2, 3, **_INT), 1),
]
_LABELS_ERROR = [
    (T(2, 3, 4), T(2, 3, 4, **_INT)),
    (T(2, 0), T(2, 0, **_INT)),
    (T(2, 3), T(3, **_INT)),
    (T(2, 3), T(2, 4, **_INT)),
    (T(3), T(1, 3, **_INT)),
]
_LABELS_DTYPE_ERROR = (T(2, 3), T(2, 3, dtype=torch.int32))

shape_family(
    multilabel_margin_loss,
    "aten::multilabel_margin_loss",
    ok=_LABELS_OK,
    error=[Invocation(*pair, 1) for pair in _LABELS_ERROR],
)
shape_family(
    multilabel_margin_loss_forward,
    "aten::multilabel_margin_loss_forward",
    ok=_LABELS_OK,
    error=[Invocation(*pair, 1) for pair in _LABELS_ERROR],
)
dtype_family(
    label_scores_dtype,
    "aten::multilabel_margin_loss",
    error=[Invocation(*_LABELS_DTYPE_ERROR, 1, device="cpu")],
)
dtype_family(
    label_scores_dtypes,
    "aten::multilabel_margin_loss_forward",
    error=[Invocation(*_LABELS_DTYPE_ERROR, 1, device="cpu")],
)
shape_family(
    multilabel_margin_loss_backward,
    "aten::multilabel_margin_loss_backward",
    ok=[
        Invocation(T(), T(2, 3), _LABELS, 1, T(2, 3), device="cpu"),
        Invocation(T(2), T(2, 3), _LABELS, 0, T(2, 3), device="cpu"),
        Invocation(T(), T(3), _LABEL, 2, T(3), device="cpu"),
        Invocation(T(), T(0, 3), T(0, 3, **_INT), 1, T(0, 3), device="cpu"),
        Invocation(T(**_F64), T(2, 3, **_F64), _LABELS, 1, T(2, 3, **_F64), device="cpu"),
    ],
    error=[
        *[Invocation(T(), *pair, 1, pair[1], device="cpu") for pair in _LABELS_ERROR],
        Invocation(T(), T(2, 3), _LABELS, 1, T(2, 4), device="cpu"),
    ],
)
dtype_family(
    label_scores_dtype,
    "aten::multilabel_margin_loss_backward",
    error=[Invocation(T(), *_LABELS_DTYPE_ERROR, 1, T(2, 3), device="cpu")],
)
