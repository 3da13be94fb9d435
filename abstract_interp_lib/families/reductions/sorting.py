"""Sorting and unique elements: `sort`, `topk`, `kthvalue`, `searchsorted`, `unique_dim`, ..."""

from functools import partial
from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.reduction import (
    check_not_empty,
    dtype_and_index,
    int64_dtype,
    remove_dims,
)
from torch_refine.abstract_interp_lib.rules.sizes import replace_size, wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.uint8)
_DTYPES_BOOL = (*_DTYPES, torch.bool)


def argsort_rule(self: List[int], dim: int) -> List[int]:
    """The shape of `self`."""
    wrap_dim(dim, len(self))
    return self


def sort_rule(self: List[int], dim: int) -> Tuple[List[int], List[int]]:
    """Sorted values and their indices."""
    out = argsort_rule(self, dim)
    return out, out


# The meta kernel of `sort` accepts any dimension.
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
    """`k` values of a dimension, and their indices; a 0-dim tensor is returned unchanged."""
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
    """The `k`th smallest value of a dimension, and its index."""
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
    """Indices are int64, or int32 with `out_int32`."""
    return torch.int32 if out_int32 else torch.int64


def bucketize_rule(self: List[int], boundaries: List[int]) -> List[int]:
    """One index per element."""
    assert len(boundaries) == 1, f"boundaries must be 1-D, got {len(boundaries)} dimensions"
    return self


def bucketize_scalar_rule(boundaries: List[int]) -> List[int]:
    """One index for the scalar."""
    none: List[int] = []
    return bucketize_rule(none, boundaries)


# The meta kernel accepts boundaries of any rank.
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
    """Raise unless `sorter`, if given, has the shape of the sequence."""
    if sorter is not None:
        assert sorter == sorted_sequence, f"sorter must have shape {sorted_sequence}, got {sorter}"


def searchsorted_rule(
    sorted_sequence: List[int], self: List[int], sorter: Optional[List[int]]
) -> List[int]:
    """One index per value, in a 1-D sequence or in the sequence of the value's row."""
    rank = len(sorted_sequence)
    assert rank == 1 or (
        rank > 1 and rank == len(self) and sorted_sequence[:-1] == self[: rank - 1]
    ), (
        f"sorted_sequence must be 1-D or match {self} except in the last dimension, got {sorted_sequence}"
    )
    check_sorter(sorted_sequence, sorter)
    return self


def searchsorted_scalar_rule(sorted_sequence: List[int], sorter: Optional[List[int]]) -> List[int]:
    """One index for the scalar, in a 1-D sequence."""
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


# Unique elements, inverse indices and counts: `unique_dim`, `unique_consecutive`, ...
#
# The number of unique elements is data-dependent. There are no meta kernels.

_UNIQUE_DTYPES = (
    torch.float16,
    torch.bfloat16,
    torch.float64,
    torch.int64,
    torch.uint8,
    torch.bool,
)
_on_cpu = partial(Invocation, device="cpu")


def asked_for(shape: List[int], asked: bool) -> List[int]:
    """The shape of an output that is empty unless requested."""
    return shape if asked else [0]


def unique_rule(self: List[int], return_inverse: bool) -> Tuple[List[int], List[int]]:
    """The unique elements, and the inverse indices."""
    return [unknown_size()], asked_for(self, return_inverse)


def unique_counts_rule(
    self: List[int], return_inverse: bool, return_counts: bool
) -> Tuple[List[int], List[int], List[int]]:
    """The unique elements, the inverse indices, and the counts."""
    size = unknown_size()
    return [size], asked_for(self, return_inverse), asked_for([size], return_counts)


def unique_dim_rule(self: List[int], dim: int) -> Tuple[List[int], List[int], List[int]]:
    """The unique slices of a dimension; inverse indices and counts are always returned."""
    at = wrap_existing(dim, len(self))
    for index in range(len(self)):
        assert index == at or self[index] != 0, (
            f"dimension {at} must not be empty, got shape {self}"
        )
    size = unknown_size()
    return replace_size(self, at, size), [self[at]], [size]


def unique_consecutive_rule(
    self: List[int], return_inverse: bool, return_counts: bool, dim: Optional[int]
) -> Tuple[List[int], List[int], List[int]]:
    """The elements, or slices of a dimension, that differ from their predecessor.

    The slices of dimension 0 of a vector are its elements.
    """
    if dim is None or (dim == 0 and len(self) == 1):
        return unique_counts_rule(self, return_inverse, return_counts)
    else:
        return unique_dim_rule(self, dim)


def unique_counts_dtype(self: Tuple[int, int]) -> Tuple[int, int, int]:
    """Values have the dtype of `self`; indices and counts are int64."""
    return self[1], torch.int64, torch.int64


_SHAPES = [T(2, 3), T(), T(0, 3), *[T(2, 3, dtype=dtype) for dtype in _UNIQUE_DTYPES]]
_FLAGS = [(False, False), (True, False), (False, True), (True, True)]
shape_family(
    unique_rule,
    "aten::_unique",
    ok=[
        _on_cpu(T(2, 3)),
        *[_on_cpu(shape, ordered, True) for shape in _SHAPES for ordered in (True, False)],
        *[_on_cpu(shape, return_inverse=False) for shape in _SHAPES],
    ],
)
dtype_family(dtype_and_index, "aten::_unique")
shape_family(
    unique_counts_rule,
    "aten::_unique2",
    ok=[
        _on_cpu(T(2, 3)),
        *[_on_cpu(shape, True, *flags) for shape in _SHAPES for flags in _FLAGS],
        *[_on_cpu(shape, False, *flags) for shape in _SHAPES for flags in _FLAGS],
    ],
)

_DIM_SHAPES = [T(3, 2), T(3), T(0, 3), *[T(2, 3, dtype=dtype) for dtype in _UNIQUE_DTYPES]]
_DIM_ERROR = [
    _on_cpu(T(), 0),
    _on_cpu(T(2, 3), 2),
    _on_cpu(T(2, 0), 0),
    _on_cpu(T(0, 0), 0),
]
shape_family(
    unique_dim_rule,
    "aten::unique_dim",
    ok=[
        _on_cpu(T(2, 3), -1),
        *[_on_cpu(shape, 0, True, *flags) for shape in _DIM_SHAPES for flags in _FLAGS],
    ],
    error=_DIM_ERROR,
)
shape_family(
    unique_dim_rule,
    "aten::unique_dim_consecutive",
    ok=[
        _on_cpu(T(2, 3), -1),
        *[_on_cpu(shape, 0, *flags) for shape in _DIM_SHAPES for flags in _FLAGS],
    ],
    error=_DIM_ERROR,
)
shape_family(
    unique_consecutive_rule,
    "aten::unique_consecutive",
    ok=[
        _on_cpu(T(2, 3)),
        _on_cpu(T(2, 3), dim=-1),
        _on_cpu(T(3), dim=-1),
        *[_on_cpu(shape, *flags) for shape in _SHAPES for flags in _FLAGS],
        *[_on_cpu(shape, *flags, 0) for shape in _DIM_SHAPES for flags in _FLAGS],
    ],
    error=[
        _on_cpu(T(), dim=0),
        _on_cpu(T(2, 3), dim=2),
        _on_cpu(T(2, 0), dim=0),
    ],
)
dtype_family(
    unique_counts_dtype,
    "aten::_unique2",
    "aten::unique_dim",
    "aten::unique_dim_consecutive",
    "aten::unique_consecutive",
)
