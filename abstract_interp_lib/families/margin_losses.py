"""Losses of class scores by margins, `multi_margin_loss` and `multilabel_margin_loss`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.sizes import product


def check_scores(self: List[int]) -> None:
    """Raise unless scores are a vector or a matrix, with at least one class."""
    assert len(self) <= 2, f"scores must have at most 2 dimensions, got shape {self}"
    if len(self) > 0:
        classes = self[len(self) - 1]
        assert classes != 0, f"there must be scores for classes, got shape {self}"


def check_class_targets(self: List[int], target: List[int], weight: Optional[List[int]]) -> None:
    """Raise unless there is a target for each vector of scores, and a weight for each class."""
    check_scores(self)
    vectors = self[0] if len(self) == 2 else 1
    assert len(target) <= 1 and product(target) == vectors, (
        f"there must be a target for each of {vectors} vectors of scores, got shape {target}"
    )
    if weight is not None:
        classes = self[len(self) - 1] if len(self) > 0 else 1
        assert len(weight) <= 1 and product(weight) == classes, (
            f"there must be a weight for each of {classes} classes, got shape {weight}"
        )


def multi_margin_loss(
    self: List[int], target: List[int], weight: Optional[List[int]], reduction: int
) -> List[int]:
    """A loss for each vector of scores; one for a zero-dim target."""
    check_class_targets(self, target, weight)
    out: List[int] = []
    return target if reduction == 0 else out


def multi_margin_loss_backward(
    self: List[int], target: List[int], weight: Optional[List[int]]
) -> List[int]:
    """The shape of the scores."""
    check_class_targets(self, target, weight)
    return self


def scores_dtype(
    self: Tuple[int, int], target: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> int:
    """The dtype of the scores, which the weights have, too; classes are int64."""
    assert target[1] == torch.int64, f"classes must be int64, got dtype {target[1]}"
    if weight is not None:
        assert weight[1] == self[1], f"dtypes must match, got {self[1]} and {weight[1]}"
    return self[1]


_INT = {"dtype": torch.int64}
_F64 = {"dtype": torch.float64}
_CLASSES = T(2, dtype=torch.int64, values=[0, 1])
_CLASS = T(1, dtype=torch.int64, values=[0])
_ANY_CLASS = T(dtype=torch.int64, values=[0])

# The meta kernel gives a vector for a zero-dim target, and looks at no dtypes.
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
    scores_dtype,
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
    scores_dtype,
    "aten::multi_margin_loss_backward",
    error=[
        Invocation(T(), scores, target, 1, 1, weight, device="cpu")
        for scores, target, weight in _DTYPES_ERROR
    ],
)


def check_label_targets(self: List[int], target: List[int]) -> None:
    """Raise unless targets list labels: as many as there are scores."""
    check_scores(self)
    if len(self) == 2:
        check_same(target, self, "targets")
    else:
        assert len(target) <= 1 and product(target) == product(self), (
            f"targets must be as many as the scores of shape {self}, got shape {target}"
        )


def multilabel_margin_loss(self: List[int], target: List[int], reduction: int) -> List[int]:
    """A loss for each vector of scores."""
    check_label_targets(self, target)
    out: List[int] = []
    return self[:1] if reduction == 0 and len(target) > 1 else out


def multilabel_margin_loss_forward(
    self: List[int], target: List[int], reduction: int
) -> Tuple[List[int], List[int]]:
    """A loss for each vector of scores, and which classes are among the targets."""
    return multilabel_margin_loss(self, target, reduction), target


def multilabel_margin_loss_backward(
    self: List[int], target: List[int], is_target: List[int]
) -> List[int]:
    """The shape of the scores."""
    check_label_targets(self, target)
    check_same(is_target, target, "is_target")
    return self


def label_scores_dtype(self: Tuple[int, int], target: Tuple[int, int]) -> int:
    """The dtype of the scores; labels are int64."""
    assert target[1] == torch.int64, f"labels must be int64, got dtype {target[1]}"
    return self[1]


def label_scores_dtypes(self: Tuple[int, int], target: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the scores; labels are int64."""
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
