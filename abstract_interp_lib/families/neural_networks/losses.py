"""Losses between input and target, their gradients, and losses of pairs and triplets."""

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
from torch_refine.abstract_interp_lib.families.linear_algebra.distances import (
    pairwise_distance,
    pairwise_distance_dtype,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import (
    bool_to_int,
    int_to_float,
    is_integral,
    promote_dtypes,
    promote_two,
    real_dtype,
)


def reduced(loss: List[int], reduction: int) -> List[int]:
    """One loss per element, or 0-dim if reduced."""
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
    """Input and target promote; the absolute value is real, and sums of integers are int64."""
    dtype = real_dtype(promote_two(self, target))
    return bool_to_int(dtype) if reduction == 2 else dtype


def kl_div_dtype(self: Tuple[int, int], target: Tuple[int, int]) -> int:
    """Input and target, which must be floating-point, promote."""
    assert not is_integral(self[1]) and not is_integral(target[1]), (
        f"aten::kl_div: input and target must be floating-point, got dtypes {self[1]} and {target[1]}"
    )
    return promote_two(self, target)


dtype_family(
    kl_div_dtype,
    "aten::kl_div",
    ok=[Invocation(T(2, 3), T(2, 3), 2, log_target=True)],
    error=[Invocation(T(2, 3), T(2, 3, dtype=torch.int64))],
)

# The meta kernel promotes, unlike every device.
shape_family(
    pointwise_loss,
    "aten::huber_loss",
    ok=[*POINTWISE_OK, Invocation(T(2, 3), T(2, 3, dtype=torch.float64), 0, 0.5, device="cpu")],
    error=POINTWISE_ERROR,
)
dtype_family(dtype_of_self, "aten::huber_loss")


# The meta kernel broadcasts the input.
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


# The CPU allocates the result with the shape of the input, regardless of the target.
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
    """All operands expand to the target, which is updated in place."""
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
    """The dtype of the target, which is updated in place."""
    return target[1]


# Gradients of elementwise losses.

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)


def pointwise_gradient(grad_output: List[int], self: List[int], target: List[int]) -> List[int]:
    """Gradient, input and target broadcast."""
    return broadcast_three(grad_output, self, target)


_SHAPES = [
    (T(), T(2, 3), T(2, 3)),
    (T(2, 3), T(2, 3), T(3)),
    (T(), T(3), T(2, 3)),
    (T(), T(), T()),
]
# The meta kernels divide by numel.
_EMPTY = (T(), T(0, 3), T(0, 3))
_BROADCAST_UP = [(T(4, 2, 3), T(2, 1), T(3))]
_DTYPES = [
    *[(T(dtype=dtype), T(2, dtype=dtype), T(2, dtype=dtype)) for dtype in _FLOATS],
]
_MIXED = [
    (T(dtype=torch.float64), T(2), T(2)),
    (T(), T(2, dtype=torch.float16), T(2)),
    (T(), T(2), T(2, dtype=torch.int64)),
]
_MISMATCHED = [(T(), T(2), T(3)), (T(3), T(2), T(2))]

# The meta kernels promote, the CPU returns the dtype of the input.
_NUMBERS = {
    "aten::mse_loss_backward": [1],
    "aten::smooth_l1_loss_backward": [1, 1.0],
}
for _operator, _rest in _NUMBERS.items():
    shape_family(
        pointwise_gradient,
        _operator,
        ok=[
            *[Invocation(*operands, *_rest) for operands in [*_SHAPES, *_BROADCAST_UP]],
            Invocation(*_EMPTY, *_rest, device="cpu"),
        ],
        error=[Invocation(*operands, *_rest) for operands in _MISMATCHED],
    )
    dtype_family(
        dtype_of_self,
        _operator,
        ok=[
            *[Invocation(*operands, *_rest) for operands in _DTYPES],
            *[Invocation(*operands, *_rest, device="cpu") for operands in _MIXED],
            Invocation(*[T(2, dtype=torch.int64)] * 3, *_rest, device="cpu"),
        ],
    )


def one_dtype(grad_output: Tuple[int, int], self: Tuple[int, int], target: Tuple[int, int]) -> int:
    """Gradient, input and target have the same dtype."""
    assert self[1] == target[1] and self[1] == grad_output[1], (
        f"dtypes must match, got {grad_output[1]}, {self[1]} and {target[1]}"
    )
    return self[1]


shape_family(
    pointwise_gradient,
    "aten::huber_loss_backward",
    ok=[
        *[Invocation(*operands, 1, 1.0) for operands in [*_SHAPES, *_BROADCAST_UP]],
        Invocation(*_EMPTY, 1, 1.0, device="cpu"),
    ],
    error=[Invocation(*operands, 1, 1.0) for operands in _MISMATCHED],
)
dtype_family(
    one_dtype,
    "aten::huber_loss_backward",
    ok=[Invocation(*operands, 1, 1.0) for operands in _DTYPES],
    error=[Invocation(*operands, 1, 1.0, device="cpu") for operands in _MIXED],
)


def soft_margin_gradient(grad_output: List[int], self: List[int], target: List[int]) -> List[int]:
    """Input and target broadcast; the gradient expands to their shape."""
    out = broadcast_two(self, target)
    check_expands(grad_output, out)
    return out


# The meta kernel also broadcasts the gradient.
shape_family(
    soft_margin_gradient,
    "aten::soft_margin_loss_backward",
    ok=[
        *[Invocation(*operands, 1) for operands in _SHAPES],
        Invocation(*_EMPTY, 1, device="cpu"),
    ],
    error=[
        *[Invocation(*operands, 1) for operands in _MISMATCHED],
        *[Invocation(*operands, 0, device="cpu") for operands in _BROADCAST_UP],
    ],
)
dtype_family(
    dtype_of_self,
    "aten::soft_margin_loss_backward",
    ok=[
        *[Invocation(*operands, 1) for operands in _DTYPES],
        *[Invocation(*operands, 1, device="cpu") for operands in _MIXED],
    ],
)


# The CPU allocates the result with the shape of the input; the meta kernel broadcasts.
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
        Invocation(T(), T(2, 3), T(2, 3), T(3, dtype=torch.float64), device="cpu"),
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
        Invocation(T(), T(2, 3), T(2, 3, dtype=torch.float64), device="cpu"),
        Invocation(T(dtype=torch.float64), T(2, 3), T(2, 3), device="cpu"),
    ],
)


# Composite losses: of pairs, of triplets, of counts.

_INT = {"dtype": torch.int64}


@shape_function(
    "aten::cosine_embedding_loss",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(2)),
        Invocation(T(2, 3), T(1, 3), T(2, **_INT), 0.5, 0),
        Invocation(T(3), T(3), T(), 0.0, 0),
        Invocation(T(2, 3), T(2, 3), T(1), reduction=0),
        Invocation(T(1, 3), T(1, 3), T(4), reduction=0),
        Invocation(T(0, 3), T(0, 3), T(0), reduction=2),
    ],
    error=[
        Invocation(T(2, 3), T(2, 3), T(2, 1)),
        Invocation(T(2, 3), T(2, 3), T()),
        Invocation(T(3), T(3), T(3)),
        Invocation(T(2, 3), T(3), T(2)),
        Invocation(T(2, 3), T(2, 4), T(2)),
        Invocation(T(2, 3), T(2, 3), T(3)),
    ],
)
def cosine_embedding_loss(
    input1: List[int],
    input2: List[int],
    target: List[int],
    margin: float = 0.0,
    reduction: int = 1,
) -> List[int]:
    """One loss per pair of vectors; inputs have one dimension more than the target."""
    rank = len(target) + 1
    assert rank <= 2, f"aten::cosine_embedding_loss: target must be 1-D, got shape {target}"
    assert len(input1) == rank and len(input2) == rank, (
        f"aten::cosine_embedding_loss: inputs must have {rank} dimensions, got {input1} and {input2}"
    )
    pairs = broadcast_two(input1, input2)[:-1]
    return reduced(broadcast_two(pairs, target), reduction)


@dtype_function(
    "aten::cosine_embedding_loss",
    ok=[
        *[Invocation(*[T(2, 3, dtype=dtype)] * 2, T(2, dtype=dtype)) for dtype in _FLOATS],
        Invocation(T(2, 3, dtype=torch.float16), T(2, 3, **_INT), T(2), 0.0, 0),
        Invocation(T(2, 3, **_INT), T(2, 3, dtype=torch.bool), T(2), 0.0, 2),
        Invocation(T(3, dtype=torch.float16), T(3), T(dtype=torch.float64)),
    ],
)
def cosine_embedding_loss_dtype(
    input1: Tuple[int, int],
    input2: Tuple[int, int],
    target: Tuple[int, int],
    margin: float = 0.0,
    reduction: int = 1,
) -> int:
    """The inputs promote, integers and bool as float32."""
    ranks: List[Optional[int]] = [1, 1]
    return promote_dtypes(ranks, [int_to_float(input1[1]), int_to_float(input2[1])])


shape_family(
    pointwise_loss,
    "aten::hinge_embedding_loss",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 1), T(3), 0.5, 0),
        Invocation(T(), T(2, 3), reduction=2),
        Invocation(T(0, 3), T(0, 3), 1.0, 0),
    ],
    error=[Invocation(T(2, 3), T(2, 2))],
)


def hinge_dtype(self: Tuple[int, int], reduction: int) -> int:
    """The dtype of the input, to which the margin is cast; integers have no mean."""
    assert self[1] != torch.bool, f"subtraction of bool is not supported, got dtype {self[1]}"
    assert reduction != 1 or not is_integral(self[1]), (
        f"the dtype of a mean must be floating-point or complex, got {self[1]}"
    )
    return bool_to_int(self[1]) if reduction == 2 else self[1]


dtype_family(
    hinge_dtype,
    "aten::hinge_embedding_loss",
    ok=[
        *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype)) for dtype in _FLOATS],
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.float64), 1.0, 0),
        Invocation(T(2, **_INT), T(2), 1.0, 2),
        Invocation(T(dtype=torch.uint8), T(2, **_INT), 1.0, 0),
    ],
    error=[Invocation(T(2, dtype=torch.bool), T(2), 1.0, 0), Invocation(T(2, **_INT), T(2))],
)


@shape_function(
    "aten::margin_ranking_loss",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(2, 3)),
        Invocation(T(2, 1), T(3), T(4, 1, 1), 0.5, 0),
        Invocation(T(), T(), T(), reduction=0),
        Invocation(T(0), T(0), T(0), reduction=2),
    ],
    error=[Invocation(T(2), T(3), T(2)), Invocation(T(2), T(2), T(3))],
)
def margin_ranking_loss(
    input1: List[int],
    input2: List[int],
    target: List[int],
    margin: float = 0.0,
    reduction: int = 1,
) -> List[int]:
    """Inputs and target broadcast."""
    return reduced(broadcast_three(input1, input2, target), reduction)


@dtype_function(
    "aten::margin_ranking_loss",
    ok=[
        *[Invocation(*[T(2, dtype=dtype)] * 3) for dtype in _FLOATS],
        Invocation(T(2, **_INT), T(2, dtype=torch.int32), T(2, dtype=torch.uint8), 0.0, 0),
        Invocation(T(2, dtype=torch.float16), T(2, **_INT), T(2, **_INT), 0.0, 0),
        Invocation(T(2, dtype=torch.float16), T(), T(dtype=torch.float64), 0.0, 0),
        Invocation(T(2, **_INT), T(), T(2, dtype=torch.float16), 0.0, 0),
        Invocation(T(**_INT), T(), T(2, dtype=torch.float16), 0.0, 0),
    ],
    error=[
        Invocation(T(2), T(2), T(2, dtype=torch.bool)),
        Invocation(T(2), T(2, dtype=torch.bool), T(2), device="cpu"),
    ],
)
def margin_ranking_loss_dtype(
    input1: Tuple[int, int],
    input2: Tuple[int, int],
    target: Tuple[int, int],
    margin: float = 0.0,
    reduction: int = 1,
) -> int:
    """The difference of the inputs promotes with the target, integers with float32."""
    dtypes = [input1[1], input2[1], target[1]]
    assert torch.bool not in dtypes, (
        f"aten::margin_ranking_loss: inputs and target must not be bool, got dtypes {dtypes}"
    )
    difference = (max(input1[0], input2[0]), promote_two(input1, input2))
    return int_to_float(promote_two(target, difference))


@shape_function(
    "aten::triplet_margin_loss",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(2, 3)),
        Invocation(T(4, 1, 3), T(4, 2, 1), T(1, 2, 3), 1.0, 2.0, 1e-6, False, 0),
        Invocation(T(1, 3), T(2, 3), T(2, 3), 0.5, 1.0, 1e-6, True, 0),
        Invocation(T(3), T(3), T(3), reduction=0),
        Invocation(T(), T(), T(), swap=True, reduction=0),
        Invocation(T(0, 3), T(0, 3), T(0, 3), reduction=2),
    ],
    error=[
        Invocation(T(2, 3), T(3), T(2, 3)),
        Invocation(T(2, 3), T(2, 3), T(3)),
        Invocation(T(2, 3), T(2, 4), T(2, 3)),
        Invocation(T(1, 3), T(2, 3), T(4, 3)),
    ],
)
def triplet_margin_loss(
    anchor: List[int],
    positive: List[int],
    negative: List[int],
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = 1,
) -> List[int]:
    """One loss per vector; all operands have the same rank."""
    assert len(anchor) == len(positive) and len(positive) == len(negative), (
        f"aten::triplet_margin_loss: ranks must match, got {anchor}, {positive} and {negative}"
    )
    near = pairwise_distance(anchor, positive)
    far = pairwise_distance(anchor, negative)
    if swap:
        far = broadcast_two(far, pairwise_distance(positive, negative))
    return reduced(broadcast_two(near, far), reduction)


@dtype_function(
    "aten::triplet_margin_loss",
    ok=[
        *[Invocation(*[T(2, 3, dtype=dtype)] * 3) for dtype in _FLOATS],
        Invocation(T(2, 3, **_INT), T(2, 3, dtype=torch.int32), T(2, 3, **_INT), reduction=0),
        Invocation(T(2, 3, dtype=torch.float16), T(2, 3, **_INT), T(2, 3), reduction=0),
        Invocation(T(3, dtype=torch.float16), *[T(3, **_INT)] * 2, swap=True, reduction=0),
    ],
)
def triplet_margin_loss_dtype(
    anchor: Tuple[int, int],
    positive: Tuple[int, int],
    negative: Tuple[int, int],
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = 1,
) -> int:
    """The distances promote."""
    near = pairwise_distance_dtype(anchor, positive)
    dtypes = [near, pairwise_distance_dtype(anchor, negative), near]
    if swap:
        dtypes[2] = pairwise_distance_dtype(positive, negative)
    ranks: List[Optional[int]] = [1, 1, 1]
    return promote_dtypes(ranks, dtypes)


def poisson_loss(input: List[int], target: List[int], reduction: int) -> List[int]:
    """Input and target broadcast."""
    return reduced(broadcast_two(input, target), reduction)


def poisson_dtype(input: Tuple[int, int], target: Tuple[int, int], log_input: bool) -> int:
    """`exp(input) - target * input`, or `input - target * log(input)`, promotes."""
    rank = max(input[0], target[0])
    transformed = (input[0], int_to_float(input[1]))
    if log_input:
        return promote_two(transformed, (rank, promote_two(target, input)))
    else:
        return promote_two(input, (rank, promote_two(target, transformed)))


# The target is followed by log_input, full, eps, reduction.
shape_family(
    poisson_loss,
    "aten::poisson_nll_loss",
    ok=[
        Invocation(T(2, 3), T(2, 3), True, False, 1e-8, 1),
        Invocation(T(2, 1), T(3), False, True, 1e-8, 0),
        Invocation(T(), T(2, 3), True, True, 1e-8, 2),
        Invocation(T(0, 3), T(3), True, False, 1e-8, 0),
    ],
    error=[Invocation(T(2, 3), T(2, 2), True, False, 1e-8, 1)],
)
_HALF = {"dtype": torch.float16}
dtype_family(
    poisson_dtype,
    "aten::poisson_nll_loss",
    ok=[
        Invocation(*pair, log_input, False, 1e-8, 0)
        for pair in [
            *[(T(2, dtype=dtype), T(2, dtype=dtype)) for dtype in _FLOATS],
            (T(2, **_INT), T(2, **_INT)),
            (T(2, **_HALF), T(2, **_INT)),
            (T(2, **_INT), T(2, **_HALF)),
            (T(**_INT), T(2, **_HALF)),
            (T(2, **_INT), T(dtype=torch.float64)),
            (T(2, dtype=torch.complex64), T(2)),
        ]
        for log_input in (False, True)
    ],
)
