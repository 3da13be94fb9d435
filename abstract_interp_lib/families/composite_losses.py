"""Losses made of other operators: of pairs, of triplets, of counts."""

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
from torch_refine.abstract_interp_lib.families.distances import (
    pairwise_distance,
    pairwise_distance_dtype,
)
from torch_refine.abstract_interp_lib.families.losses import pointwise_loss, reduced
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.promotion import (
    bool_to_int,
    int_to_float,
    is_integral,
    promote_dtypes,
    promote_two,
)

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
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
    """A loss for each pair of vectors; these have one dimension more than the target."""
    rank = len(target) + 1
    assert rank <= 2, f"aten::cosine_embedding_loss: targets must be a vector, got shape {target}"
    assert len(input1) == rank and len(input2) == rank, (
        f"aten::cosine_embedding_loss: inputs need {rank} dimensions, got {input1} and {input2}"
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
    """Both inputs promote, integers and bool as float32."""
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
    """The dtype of the input, which the margin takes, too; integers have no mean."""
    assert self[1] != torch.bool, f"the input is subtracted, so it cannot be bool, got {self[1]}"
    assert reduction != 1 or not is_integral(self[1]), f"dtype {self[1]} has no mean"
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
    """The difference of the inputs and the target promote, integers to float32."""
    dtypes = [input1[1], input2[1], target[1]]
    assert torch.bool not in dtypes, (
        f"aten::margin_ranking_loss: inputs and target cannot be bool, got dtypes {dtypes}"
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
    """A loss for each vector; all operands have one rank."""
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


# What follows the target: log_input, full, eps, reduction.
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
