"""Distances and similarities between vectors, and their gradients."""

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
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_complex,
    is_integral,
    promote_dtypes,
    promote_two,
    real_dtype,
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
    """The inputs broadcast; `dim` is reduced."""
    return reduce_dim(broadcast_two(x1, x2), dim, False)


@dtype_function(
    "aten::cosine_similarity",
    error=[Invocation(T(2, 3, dtype=torch.int64), T(2, 3, dtype=torch.int64))],
)
def cosine_similarity_dtype(
    x1: Tuple[int, int], x2: Tuple[int, int], dim: int = 1, eps: float = 1e-8
) -> int:
    """The dtypes promote, without regard to rank, to a floating-point dtype."""
    ranks: List[Optional[int]] = [1, 1]
    dtype = promote_dtypes(ranks, [x1[1], x2[1]])
    assert not is_integral(dtype), (
        f"aten::cosine_similarity: one operand must be floating-point, got dtypes {x1[1]} and {x2[1]}"
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
    """The inputs broadcast; the last dimension is reduced."""
    return reduce_dim(broadcast_two(x1, x2), -1, keepdim)


@dtype_function("aten::pairwise_distance")
def pairwise_distance_dtype(
    x1: Tuple[int, int],
    x2: Tuple[int, int],
    p: float = 2.0,
    eps: float = 1e-6,
    keepdim: bool = False,
) -> int:
    """The inputs promote to a floating-point dtype; a distance is real."""
    return real_dtype(int_to_float(promote_two(x1, x2)))


def cdist(x1: List[int], x2: List[int]) -> List[int]:
    """One distance per pair of rows; batch dimensions broadcast."""
    assert len(x1) >= 2 and len(x2) >= 2, (
        f"both operands must have at least 2 dimensions, got shapes {x1} and {x2}"
    )
    assert x1[-1] == x2[-1], f"numbers of columns must match, got {x1[-1]} and {x2[-1]}"
    return broadcast_two(x1[:-2], x2[:-2]) + x1[-2:-1] + x2[-2:-1]


def cdist_dtype(x1: Tuple[int, int]) -> int:
    """The dtype of `x1`; `x2` has the same dtype unless the result is empty."""
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


# Distances between the rows of one matrix, and gradients of distances.


@shape_function(
    "aten::_euclidean_dist",
    ok=[
        Invocation(T(2, 3), T(4, 3)),
        Invocation(T(5, 1, 2, 3), T(7, 4, 3)),
        Invocation(T(3), T(4, 3)),
        Invocation(T(3), T(5, 4, 3)),
        Invocation(T(2, 0), T(4, 0)),
        Invocation(T(0, 3), T(4, 3)),
        *[
            Invocation(T(2, 3, dtype=dtype), T(4, 3, dtype=dtype))
            for dtype in (torch.float16, torch.bfloat16, torch.float64)
        ],
    ],
    error=[
        Invocation(T(2, 3), T(3)),
        Invocation(T(), T(4, 3)),
        Invocation(T(2, 3), T(4, 2)),
        Invocation(T(5, 2, 3), T(6, 4, 3)),
    ],
)
def _euclidean_dist(x1: List[int], x2: List[int]) -> List[int]:
    """One distance per pair of rows; batch dimensions broadcast."""
    assert len(x1) > 0 and len(x2) > 1, (
        f"aten::_euclidean_dist: x1 and x2 must be matrices, got shapes {x1} and {x2}"
    )
    assert x1[-1] == x2[-1], (
        f"aten::_euclidean_dist: numbers of columns must match, got {x1[-1]} and {x2[-1]}"
    )
    return broadcast_two(x1[:-2], x2[:-2]) + x1[-2:-1] + x2[-2:-1]


# The meta kernel accepts all dtypes.
@dtype_function(
    "aten::_euclidean_dist",
    error=[
        Invocation(T(2, 3), T(4, 3, dtype=torch.float64), device="cpu"),
        *[
            Invocation(T(2, 3, dtype=dtype), T(4, 3, dtype=dtype), device="cpu")
            for dtype in (torch.int64, torch.complex64)
        ],
    ],
)
def _euclidean_dist_dtype(x1: Tuple[int, int], x2: Tuple[int, int]) -> int:
    """Both inputs have the same floating-point dtype, which the result keeps."""
    assert x1[1] == x2[1], f"aten::_euclidean_dist: dtypes must match, got {x1[1]} and {x2[1]}"
    assert not is_integral(x1[1]) and not is_complex(x1[1]), (
        f"aten::_euclidean_dist: dtypes must be floating-point, got {x1[1]}"
    )
    return x1[1]


@shape_function(
    "aten::_cdist_backward",
    ok=[
        Invocation(T(2, 4), T(2, 3), T(4, 3), 2.0, T(2, 4)),
        Invocation(T(5, 2, 4), T(2, 3), T(5, 4, 3), 2.0, T(5, 2, 4)),
        Invocation(T(5, 6, 2, 4), T(5, 1, 2, 3), T(6, 4, 3), 1.0, T(5, 6, 2, 4)),
        Invocation(T(5, 2, 0), T(2, 3), T(5, 0, 3), 2.0, T(5, 2, 0)),
        Invocation(T(2, 4), T(2, 0), T(4, 0), 2.0, T(2, 4)),
        Invocation(T(0, 2, 4), T(1, 2, 3), T(0, 4, 3), 2.0, T(0, 2, 4)),
        Invocation(*[T(2, 2, dtype=torch.float64)] * 3, 2.0, T(2, 2, dtype=torch.float64)),
    ],
    error=[
        Invocation(T(2, 4), T(3), T(4, 3), 2.0, T(2, 4)),
        Invocation(T(2, 4), T(2, 3), T(3), 2.0, T(2, 4)),
        Invocation(T(5, 2, 4), T(5, 2, 3), T(6, 4, 3), 2.0, T(5, 2, 4)),
    ],
)
def _cdist_backward(
    grad: List[int], x1: List[int], x2: List[int], p: float, cdist: List[int]
) -> List[int]:
    """The shape of `x1`, its batch dimensions broadcast with those of `x2` if it is not empty."""
    assert len(x1) >= 2 and len(x2) >= 2, (
        f"aten::_cdist_backward: both operands must have at least 2 dimensions, got {x1} and {x2}"
    )
    batch = broadcast_two(x1[:-2], x2[:-2])
    empty = x1[-2] == 0 or x1[-1] == 0 or x2[-2] == 0 or 0 in batch
    return x1 if empty else batch + x1[-2:]


@dtype_function("aten::_cdist_backward")
def _cdist_backward_dtype(
    grad: Tuple[int, int],
    x1: Tuple[int, int],
    x2: Tuple[int, int],
    p: float,
    cdist: Tuple[int, int],
) -> int:
    """The dtype of `x1`."""
    return x1[1]


def pairs(self: List[int]) -> List[int]:
    """One distance per pair of rows."""
    assert len(self) == 2, f"self must be a matrix, got shape {self}"
    return [self[0] * (self[0] - 1) // 2]


def pdist_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`, which is floating-point."""
    assert not is_integral(self[1]) and not is_complex(self[1]), (
        f"aten::pdist: the dtype must be floating-point, got {self[1]}"
    )
    return self[1]


def pairs_in_kernel(self: List[int]) -> List[int]:
    """One distance per pair along the first dimension."""
    assert len(self) >= 2, f"self must be a matrix, got shape {self}"
    return [self[0] * (self[0] - 1) // 2]


_PDIST_OK = [
    *[Invocation(T(*sizes), 2.0) for sizes in ((4, 3), (2, 3), (1, 3), (0, 3), (4, 0))],
    Invocation(T(4, 3)),
    Invocation(T(4, 3, dtype=torch.float64), 1.0),
]

shape_family(pairs, "aten::pdist", ok=_PDIST_OK, error=[Invocation(T(3)), Invocation(T(2, 4, 3))])
dtype_family(
    pdist_dtype,
    "aten::pdist",
    error=[Invocation(T(4, 3, dtype=dtype)) for dtype in (torch.int64, torch.complex64)],
)
# The meta kernel accepts a vector.
shape_family(
    pairs_in_kernel,
    "aten::_pdist_forward",
    ok=[*_PDIST_OK, Invocation(T(2, 4, 3))],
    error=[Invocation(T(3), device="cpu")],
)
dtype_family(dtype_of_self, "aten::_pdist_forward")
shape_family(
    same_as_self,
    "aten::_pdist_backward",
    ok=[
        Invocation(T(6), T(4, 3), 2.0, T(6)),
        Invocation(T(0), T(1, 3), 2.0, T(0)),
        Invocation(*[T(1, dtype=torch.float64), T(2, 3, dtype=torch.float64)], 1.0, T(1)),
    ],
)
dtype_family(dtype_of_self, "aten::_pdist_backward")
