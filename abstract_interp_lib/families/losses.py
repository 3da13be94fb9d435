"""Losses of predictions against targets; `reduction` is 0 for none, 1 for the mean, 2 for the sum."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import (
    bool_to_int,
    is_integral,
    promote_two,
)


def reduced(loss: List[int], reduction: int) -> List[int]:
    """The loss of each entry, or one for all of them."""
    scalar: List[int] = []
    return scalar if reduction == 1 or reduction == 2 else loss


def pointwise_loss(self: List[int], target: List[int], reduction: int) -> List[int]:
    """Input and target broadcast."""
    return reduced(broadcast_two(self, target), reduction)


def promoted_dtype(self: Tuple[int, int], target: Tuple[int, int]) -> int:
    """Input and target promote."""
    return promote_two(self, target)


POINTWISE_OK = [
    Invocation(T(2, 3), T(2, 3)),
    Invocation(T(2, 1), T(3), 0),
    Invocation(T(), T(2, 3), 2),
    Invocation(T(0, 3), T(0, 3), reduction=1),
    Invocation(*[T(2, 3, dtype=torch.bfloat16)] * 2, 0),
    Invocation(*[T(2, 3, dtype=torch.float64)] * 2, 2),
]
PROMOTED_OK = [
    Invocation(T(2, 3, dtype=torch.float16), T(2, 3), 0),
    Invocation(T(2, 3, dtype=torch.float16), T(dtype=torch.float64)),
]
POINTWISE_ERROR = [Invocation(T(2, 3), T(2, 2)), Invocation(T(2, 3), T(2), 0)]

shape_family(
    pointwise_loss,
    "aten::mse_loss",
    "aten::smooth_l1_loss",
    "aten::l1_loss",
    "aten::kl_div",
    ok=POINTWISE_OK + PROMOTED_OK,
    error=POINTWISE_ERROR,
)
dtype_family(
    promoted_dtype,
    "aten::mse_loss",
    "aten::smooth_l1_loss",
    ok=[Invocation(T(2, 3, dtype=torch.int64), T(2, 3), 0)],
)


@dtype_function(
    "aten::l1_loss",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), T(2, 3), 0),
        Invocation(T(2, 3, dtype=torch.int32), T(2, 3, dtype=torch.int32), 0),
        Invocation(T(2, 3, dtype=torch.int32), T(2, 3, dtype=torch.int32), 2),
    ],
)
def l1_loss_dtype(self: Tuple[int, int], target: Tuple[int, int], reduction: int = 1) -> int:
    """Input and target promote; a distance is real, and a sum of integers is int64."""
    dtype = real_dtype(promote_two(self, target))
    return bool_to_int(dtype) if reduction == 2 else dtype


def kl_div_dtype(self: Tuple[int, int], target: Tuple[int, int]) -> int:
    """Input and target, which must be floats, promote."""
    assert not is_integral(self[1]) and not is_integral(target[1]), (
        f"aten::kl_div: input and target must be floating, got dtypes {self[1]} and {target[1]}"
    )
    return promote_two(self, target)


dtype_family(
    kl_div_dtype,
    "aten::kl_div",
    ok=[Invocation(T(2, 3), T(2, 3), 2, log_target=True)],
    error=[Invocation(T(2, 3), T(2, 3, dtype=torch.int64))],
)

# The meta kernel promotes, which no device does.
shape_family(
    pointwise_loss,
    "aten::huber_loss",
    ok=[*POINTWISE_OK, Invocation(T(2, 3), T(2, 3, dtype=torch.float64), 0, 0.5, device="cpu")],
    error=POINTWISE_ERROR,
)
dtype_family(dtype_of_self, "aten::huber_loss")


# The meta kernel broadcasts the input up.
@shape_function(
    "aten::soft_margin_loss",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 3), T(3), 0),
        Invocation(T(2, 3), T(), 2),
        Invocation(*[T(2, 3, dtype=torch.bfloat16)] * 2, 0),
    ],
    error=[
        Invocation(T(2, 3), T(2, 2)),
        Invocation(T(3), T(2, 3), 0, device="cpu"),
    ],
)
def soft_margin_loss(self: List[int], target: List[int], reduction: int = 1) -> List[int]:
    """The target expands to the input."""
    check_expands(target, self)
    return reduced(self, reduction)


dtype_family(dtype_of_self, "aten::soft_margin_loss")


# The CPU lays the result out like the input, whatever the target's shape is.
@shape_function(
    "aten::binary_cross_entropy",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 3), T(2, 3), T(3), 0),
        Invocation(T(), T(), None, 2),
        Invocation(T(0, 3), T(0, 3)),
        Invocation(*[T(2, 3, dtype=torch.float16)] * 2, reduction=0),
    ],
)
def binary_cross_entropy(
    self: List[int],
    target: List[int],
    weight: Optional[List[int]] = None,
    reduction: int = 1,
) -> List[int]:
    """The shape of the input."""
    return reduced(self, reduction)


@dtype_function(
    "aten::binary_cross_entropy",
    error=[Invocation(T(2, 3), T(2, 3, dtype=torch.float64), device="cpu")],
)
def binary_cross_entropy_dtype(
    self: Tuple[int, int],
    target: Tuple[int, int],
    weight: Optional[Tuple[int, int]] = None,
    reduction: int = 1,
) -> int:
    """Input and target have one dtype, which the loss keeps."""
    assert self[1] == target[1], (
        f"aten::binary_cross_entropy: dtypes must match, got {self[1]} and {target[1]}"
    )
    return self[1]


@shape_function(
    "aten::binary_cross_entropy_with_logits",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(3), T(2, 3), T(2, 1), T(3), 0),
        Invocation(T(), T(), None, None, 2),
        Invocation(*[T(2, 3, dtype=torch.bfloat16)] * 2, reduction=0),
        Invocation(T(2, 3), T(2, 3, dtype=torch.float16), reduction=0),
    ],
    error=[
        Invocation(T(2, 3), T(2, 2)),
        Invocation(T(2, 3), T(3), None, None, 0, device="cpu"),
        Invocation(T(3), T(3), T(2, 3), None, 0, device="cpu"),
        Invocation(T(3), T(3), None, T(2, 3), 0, device="cpu"),
    ],
)
def binary_cross_entropy_with_logits(
    self: List[int],
    target: List[int],
    weight: Optional[List[int]] = None,
    pos_weight: Optional[List[int]] = None,
    reduction: int = 1,
) -> List[int]:
    """All operands expand to the target, whose values are updated in place."""
    check_expands(self, target)
    if weight is not None:
        check_expands(weight, target)
    if pos_weight is not None:
        check_expands(pos_weight, target)
    return reduced(target, reduction)


@dtype_function("aten::binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits_dtype(
    self: Tuple[int, int],
    target: Tuple[int, int],
    weight: Optional[Tuple[int, int]] = None,
    pos_weight: Optional[Tuple[int, int]] = None,
    reduction: int = 1,
) -> int:
    """The dtype of the target, whose values are updated in place."""
    return target[1]
