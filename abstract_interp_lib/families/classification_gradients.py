"""Gradients of `nll_loss` and of `binary_cross_entropy`: they have the shape of the input."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.classification_losses import check_targets
from torch_refine.abstract_interp_lib.families.loss_gradients import one_dtype
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.sizes import product


def check_loss_gradient(
    grad_output: List[int],
    self: List[int],
    target: List[int],
    weight: Optional[List[int]],
    reduction: int,
    total_weight: List[int],
) -> None:
    """Raise unless targets, weights and gradient fit scores that have a batch dimension or none."""
    check_targets(self, target)
    if len(self) > 1 and reduction == 0:
        check_same(grad_output, target, "the gradient")
    else:
        assert product(grad_output) == 1, f"the gradient must be one number, got {grad_output}"
    if weight is not None:
        classes = self[1] if len(self) > 1 else self[0]
        assert product(weight) == classes, (
            f"there must be a weight for each of {classes} classes, got shape {weight}"
        )
    assert product(total_weight) == 1, f"total_weight must be one number, got {total_weight}"


def nll_loss_backward(
    grad_output: List[int],
    self: List[int],
    target: List[int],
    weight: Optional[List[int]],
    reduction: int,
    total_weight: List[int],
) -> List[int]:
    """The shape of the scores, a vector or a matrix."""
    assert len(self) == 1 or len(self) == 2, f"scores must have 1 or 2 dimensions, got {self}"
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
    """The shape of the scores, which are those of pixels."""
    assert len(self) == 4, f"scores must have 4 dimensions, got shape {self}"
    check_loss_gradient(grad_output, self, target, weight, reduction, total_weight)
    return self


def scores_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> int:
    """Scores, gradient and weights have one dtype."""
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


# The CPU lays the result out like the input, whatever the other shapes; the meta kernel broadcasts.
@shape_function(
    "aten::binary_cross_entropy_backward",
    ok=[
        Invocation(T(), T(2, 3), T(2, 3)),
        Invocation(T(2, 3), T(2, 3), T(2, 3), T(3), 0),
        Invocation(T(2, 3), T(2, 3), T(3), None, 0),
        Invocation(T(), T(3), T(2, 3), device="cpu"),
        Invocation(T(), T(), T(), None, 2),
        Invocation(T(), T(0, 3), T(0, 3)),
        *[Invocation(*[T(2, dtype=dtype)] * 3, reduction=0) for dtype in _FLOATS],
        Invocation(T(), T(2, 3), T(2, 3), T(3, **_F64), device="cpu"),
    ],
)
def binary_cross_entropy_backward(
    grad_output: List[int],
    self: List[int],
    target: List[int],
    weight: Optional[List[int]] = None,
    reduction: int = 1,
) -> List[int]:
    """The shape of the input."""
    return self


dtype_family(
    one_dtype,
    "aten::binary_cross_entropy_backward",
    error=[
        Invocation(T(), T(2, 3), T(2, 3, **_F64), device="cpu"),
        Invocation(T(**_F64), T(2, 3), T(2, 3), device="cpu"),
    ],
)
