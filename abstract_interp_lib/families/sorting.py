"""Order: `sort`, `argsort`, `topk`, `kthvalue`, and search in what is sorted."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.reduction import (
    check_not_empty,
    dtype_and_index,
    int64_dtype,
    remove_dims,
)
from torch_refine.abstract_interp_lib.rules.sizes import replace_size

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.uint8)
_DTYPES_BOOL = (*_DTYPES, torch.bool)


def argsort_rule(self: List[int], dim: int) -> List[int]:
    """The shape of `self`, of which a dimension is sorted."""
    wrap_dim(dim, len(self))
    return self


def sort_rule(self: List[int], dim: int) -> Tuple[List[int], List[int]]:
    """The entries of a dimension in order, and where they were."""
    out = argsort_rule(self, dim)
    return out, out


# The meta kernel of `sort` takes any dimension.
shape_family(
    sort_rule,
    "aten::sort",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3), 0, True),
        Invocation(T(), -1),
        Invocation(T(0, 3), 0),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES_BOOL],
    ],
    error=[Invocation(T(2, 3), 2, device="cpu")],
)
shape_family(
    sort_rule,
    "aten::sort.stable",
    ok=[
        Invocation(T(2, 3), stable=True),
        Invocation(T(2, 3), stable=None, dim=0, descending=True),
        Invocation(T(), stable=False),
        *[Invocation(T(2, 3, dtype=dtype), stable=True) for dtype in _DTYPES_BOOL],
    ],
    error=[Invocation(T(2, 3), stable=True, dim=2, device="cpu")],
)
dtype_family(dtype_and_index, "aten::sort", "aten::sort.stable")

shape_family(
    argsort_rule,
    "aten::argsort",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3), 0, True),
        Invocation(T(), -1),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES_BOOL],
    ],
    error=[Invocation(T(2, 3), 2, device="cpu")],
)
shape_family(
    argsort_rule,
    "aten::argsort.stable",
    ok=[
        Invocation(T(2, 3), stable=True),
        Invocation(T(2, 3), stable=False, dim=-2, descending=True),
        *[Invocation(T(2, 3, dtype=dtype), stable=True) for dtype in _DTYPES_BOOL],
    ],
    error=[Invocation(T(2, 3), stable=True, dim=-3, device="cpu")],
)
dtype_family(int64_dtype, "aten::argsort", "aten::argsort.stable")

shape_family(
    same_as_self,
    "aten::msort",
    ok=[Invocation(T()), *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES_BOOL]],
)
dtype_family(dtype_of_self, "aten::msort")


def topk_rule(self: List[int], k: int, dim: int) -> Tuple[List[int], List[int]]:
    """`k` entries of a dimension, and where they were; a zero-dim tensor stays what it is."""
    at = wrap_dim(dim, len(self))
    size = 1 if len(self) == 0 else self[at]
    assert k >= 0 and k <= size, f"k must be from 0 to the size {size}, got {k}"
    out = self if len(self) == 0 else replace_size(self, at, k)
    return out, out


shape_family(
    topk_rule,
    "aten::topk",
    ok=[
        Invocation(T(2, 3), 2),
        Invocation(T(2, 3), 0, 0),
        Invocation(T(2, 3), 1, -2, False, False),
        Invocation(T(), 1),
        Invocation(T(), 0),
        Invocation(T(0, 3), 2),
        *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(2, 3), 4),
        Invocation(T(2, 3), -1),
        Invocation(T(), 2),
        Invocation(T(2, 3), 1, 2),
    ],
)
dtype_family(dtype_and_index, "aten::topk")


def kthvalue_rule(self: List[int], k: int, dim: int, keepdim: bool) -> Tuple[List[int], List[int]]:
    """One entry of a dimension, the `k`th in order, and where it is."""
    at = wrap_dim(dim, len(self))
    check_not_empty(self, [at])
    size = 1 if len(self) == 0 else self[at]
    assert k >= 1 and k <= size, f"k must be from 1 to the size {size}, got {k}"
    out = remove_dims(self, [at], keepdim)
    return out, out


shape_family(
    kthvalue_rule,
    "aten::kthvalue",
    ok=[
        Invocation(T(2, 3), 3),
        Invocation(T(2, 3), 1, 0, True),
        Invocation(T(2, 3), 1, -2),
        Invocation(T(), 1, 0, True),
        Invocation(T(0, 3), 1),
        *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(2, 3), 4),
        Invocation(T(2, 3), 0),
        Invocation(T(0, 3), 1, 0),
        Invocation(T(2, 3), 1, 2),
    ],
)
dtype_family(dtype_and_index, "aten::kthvalue")


def position_dtype(out_int32: bool) -> int:
    """Positions are int64, or int32 where that is asked for."""
    return torch.int32 if out_int32 else torch.int64


def bucketize_rule(self: List[int], boundaries: List[int]) -> List[int]:
    """A position for each element."""
    assert len(boundaries) == 1, f"boundaries must be a vector, got {len(boundaries)} dimensions"
    return self


def bucketize_scalar_rule(boundaries: List[int]) -> List[int]:
    """A position for the number."""
    none: List[int] = []
    return bucketize_rule(none, boundaries)


# The meta kernel takes boundaries of any rank.
shape_family(
    bucketize_rule,
    "aten::bucketize.Tensor",
    ok=[
        Invocation(T(2, 3), T(4)),
        Invocation(T(), T(0)),
        Invocation(T(0, 2), T(4), out_int32=True),
        *[Invocation(T(2, dtype=dtype), T(3, dtype=dtype), right=True) for dtype in _DTYPES],
    ],
    error=[Invocation(T(2), T(3, 2), device="cpu")],
)
shape_family(
    bucketize_scalar_rule,
    "aten::bucketize.Scalar",
    ok=[
        Invocation(2, T(4)),
        Invocation(2.5, T(4), out_int32=True, right=True),
        *[Invocation(2, T(3, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[Invocation(2, T(3, 2), device="cpu")],
)
dtype_family(position_dtype, "aten::bucketize.Tensor", "aten::bucketize.Scalar")


def check_sorter(sorted_sequence: List[int], sorter: Optional[List[int]]) -> None:
    """Raise unless `sorter`, if there is one, has the shape of what it sorts."""
    if sorter is not None:
        assert sorter == sorted_sequence, (
            f"sorter must have the shape {sorted_sequence} of the sequence, got {sorter}"
        )


def searchsorted_rule(
    sorted_sequence: List[int], self: List[int], sorter: Optional[List[int]]
) -> List[int]:
    """A position for each value, in the one sequence or in that of its row."""
    rank = len(sorted_sequence)
    assert rank == 1 or (
        rank > 1 and rank == len(self) and sorted_sequence[:-1] == self[: rank - 1]
    ), f"there must be one sequence, or one for each row of {self}, got {sorted_sequence}"
    check_sorter(sorted_sequence, sorter)
    return self


def searchsorted_scalar_rule(sorted_sequence: List[int], sorter: Optional[List[int]]) -> List[int]:
    """A position for the number, in the one sequence."""
    none: List[int] = []
    return searchsorted_rule(sorted_sequence, none, sorter)


shape_family(
    searchsorted_rule,
    "aten::searchsorted.Tensor",
    ok=[
        Invocation(T(5), T(2, 3)),
        Invocation(T(5), T()),
        Invocation(T(2, 5), T(2, 3), out_int32=True, right=True),
        Invocation(T(2, 4, 5), T(2, 4, 0), side="right"),
        Invocation(T(2, 5), T(2, 3), sorter=T(2, 5, dtype=torch.int64)),
        *[Invocation(T(3, dtype=dtype), T(2, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(2, 5), T(3, 3)),
        Invocation(T(2, 5), T()),
        Invocation(T(), T(3), device="cpu"),
        Invocation(T(2, 5), T(2, 3), sorter=T(2, 4, dtype=torch.int64)),
    ],
)
shape_family(
    searchsorted_scalar_rule,
    "aten::searchsorted.Scalar",
    ok=[
        Invocation(T(5), 2),
        Invocation(T(5), 2.5, out_int32=True),
        Invocation(T(5), 2, sorter=T(5, dtype=torch.int64)),
        *[Invocation(T(3, dtype=dtype), 2) for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 5), 2), Invocation(T(5), 2, sorter=T(4, dtype=torch.int64))],
)
dtype_family(position_dtype, "aten::searchsorted.Tensor", "aten::searchsorted.Scalar")
