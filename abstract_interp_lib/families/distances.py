"""Distances and similarities between vectors."""

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
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_integral,
    promote_dtypes,
    promote_two,
)
from torch_refine.abstract_interp_lib.rules.reduction import reduce_dim


@shape_function(
    "aten::cosine_similarity",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(4, 2, 3), T(2, 3), 0),
        Invocation(T(4, 1, 3), T(2, 1), -1, 1e-6),
        Invocation(T(), T(), 0),
        Invocation(T(0, 3), T(0, 3), dim=0),
        Invocation(T(2, 3, dtype=torch.float16), T(dtype=torch.float64)),
        Invocation(T(2, 3, dtype=torch.bfloat16), T(2, 3, dtype=torch.int64)),
    ],
    error=[Invocation(T(2, 3), T(2, 2)), Invocation(T(2, 3), T(2, 3), 2)],
)
def cosine_similarity(x1: List[int], x2: List[int], dim: int = 1, eps: float = 1e-8) -> List[int]:
    """Both operands broadcast, and the dimension of the vectors goes."""
    return reduce_dim(broadcast_two(x1, x2), dim, False)


@dtype_function(
    "aten::cosine_similarity",
    error=[Invocation(T(2, 3, dtype=torch.int64), T(2, 3, dtype=torch.int64))],
)
def cosine_similarity_dtype(
    x1: Tuple[int, int], x2: Tuple[int, int], dim: int = 1, eps: float = 1e-8
) -> int:
    """The dtypes promote, whatever the ranks, to a float."""
    ranks: List[Optional[int]] = [1, 1]
    dtype = promote_dtypes(ranks, [x1[1], x2[1]])
    assert not is_integral(dtype), (
        f"aten::cosine_similarity: one operand must be floating, got dtypes {x1[1]} and {x2[1]}"
    )
    return dtype


@shape_function(
    "aten::pairwise_distance",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(4, 2, 3), T(3), 1.0),
        Invocation(T(2, 3), T(), keepdim=True),
        Invocation(T(), T(), 2.0, 1e-6, True),
        Invocation(T(2, 0), T(2, 0)),
        Invocation(T(2, 3, dtype=torch.complex64), T(2, 3)),
        Invocation(T(2, 3, dtype=torch.int64), T(2, 3, dtype=torch.int64)),
        Invocation(T(2, 3, dtype=torch.float16), T(dtype=torch.float64)),
    ],
    error=[Invocation(T(2, 3), T(2, 2))],
)
def pairwise_distance(
    x1: List[int], x2: List[int], p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> List[int]:
    """Both operands broadcast, and the last dimension goes."""
    return reduce_dim(broadcast_two(x1, x2), -1, keepdim)


@dtype_function("aten::pairwise_distance")
def pairwise_distance_dtype(
    x1: Tuple[int, int],
    x2: Tuple[int, int],
    p: float = 2.0,
    eps: float = 1e-6,
    keepdim: bool = False,
) -> int:
    """Both operands promote to a float; a distance is real."""
    return real_dtype(int_to_float(promote_two(x1, x2)))


def cdist(x1: List[int], x2: List[int]) -> List[int]:
    """A distance for each pair of rows; batch dimensions broadcast."""
    assert len(x1) >= 2 and len(x2) >= 2, (
        f"both operands must hold vectors as rows, got shapes {x1} and {x2}"
    )
    assert x1[-1] == x2[-1], f"vectors must be of one size, got {x1[-1]} and {x2[-1]}"
    return broadcast_two(x1[:-2], x2[:-2]) + x1[-2:-1] + x2[-2:-1]


def cdist_dtype(x1: Tuple[int, int]) -> int:
    """The dtype of the first operand; where there are distances, the other has it, too."""
    return x1[1]


shape_family(
    cdist,
    "aten::cdist",
    "aten::_cdist_forward",
    ok=[
        Invocation(T(2, 3), T(4, 3), 2.0, None),
        Invocation(T(5, 1, 2, 3), T(7, 4, 3), 1.0, None),
        Invocation(T(2, 0), T(4, 0), 2.0, None),
        Invocation(T(30, 3), T(40, 3), 2.0, 1),
        Invocation(*[T(2, 3, dtype=torch.float64)] * 2, 2.0, None),
    ],
    error=[
        Invocation(T(3), T(4, 3), 2.0, None),
        Invocation(T(2, 3), T(4, 2), 2.0, None),
        Invocation(T(5, 2, 3), T(6, 4, 3), 2.0, None),
    ],
)
dtype_family(
    cdist_dtype,
    "aten::cdist",
    "aten::_cdist_forward",
    ok=[Invocation(T(2, 0), T(4, 0, dtype=torch.float64), 2.0, None, device="cpu")],
)
