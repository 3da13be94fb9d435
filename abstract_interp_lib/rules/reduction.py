"""Reductions: the reduced dimensions, and the dtypes of sums, norms and extrema."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim, wrap_dims
from torch_refine.abstract_interp_lib.rules.promotion import (
    bool_to_int,
    int_to_float,
    is_complex,
    is_integral,
    real_dtype,
)


def remove_dims(self: List[int], dims: List[int], keepdim: bool) -> List[int]:
    """Reduces over `dims`, which are non-negative; `keepdim` keeps them with size 1."""
    if keepdim:
        return [1 if index in dims else self[index] for index in range(len(self))]
    else:
        out: List[int] = []
        for index in range(len(self)):
            if index not in dims:
                out.append(self[index])
        return out


def dims_or_all(dim: Optional[List[int]], rank: int) -> List[int]:
    """`dims` wrapped to be non-negative; all dimensions for None or an empty list."""
    named: List[int] = []
    if dim is not None:
        named = dim
    if len(named) == 0:
        return [index for index in range(rank)]
    else:
        return wrap_dims(named, rank)


def dim_or_all(dim: Optional[int], rank: int) -> List[int]:
    """`dim` wrapped to be non-negative; all dimensions for None."""
    if dim is None:
        return [index for index in range(rank)]
    else:
        return [wrap_dim(dim, rank)]


def check_not_empty(self: List[int], dims: List[int]) -> None:
    """Raise if a reduced dimension has size 0, for reductions without an identity."""
    for index in range(len(self)):
        assert index not in dims or self[index] != 0, (
            f"cannot reduce dimension {index} of size 0 without an identity, got shape {self}"
        )


def reduce_all(self: List[int]) -> List[int]:
    """Reduces to a 0-dim tensor."""
    out: List[int] = []
    return out


def reduce_dim(self: List[int], dim: int, keepdim: bool) -> List[int]:
    """Reduces over one dimension."""
    return remove_dims(self, [wrap_dim(dim, len(self))], keepdim)


def reduce_dims(self: List[int], dim: List[int], keepdim: bool) -> List[int]:
    """Reduces over `dims`, or over all dimensions for an empty list."""
    return remove_dims(self, dims_or_all(dim, len(self)), keepdim)


def reduce_optional_dims(self: List[int], dim: Optional[List[int]], keepdim: bool) -> List[int]:
    """Reduces over `dims`, or over all dimensions for None or an empty list."""
    return remove_dims(self, dims_or_all(dim, len(self)), keepdim)


def sum_dtype(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The argument `dtype`; if None, the dtype of `self`, or int64 for integers and bool."""
    if dtype is None:
        return bool_to_int(self[1])
    else:
        return dtype


def mean_dtype(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The argument `dtype`, or the dtype of `self`; must be floating-point or complex."""
    result = self[1] if dtype is None else dtype
    assert not is_integral(result), (
        f"the dtype of a mean must be floating-point or complex, got {result}"
    )
    return result


def variance_dtype(self: Tuple[int, int]) -> int:
    """The real dtype of `self`."""
    assert not is_integral(self[1]), (
        f"the input must be floating-point or complex, got dtype {self[1]}"
    )
    return real_dtype(self[1])


def variance_and_mean_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The variance is real, the mean has the dtype of `self`."""
    return variance_dtype(self), self[1]


def norm_dtype(self: Tuple[int, int]) -> int:
    """The real dtype of `self`."""
    assert not is_integral(self[1]), (
        f"the input must be floating-point or complex, got dtype {self[1]}"
    )
    return real_dtype(self[1])


def norm_dtype_in(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The real dtype of `dtype`, in which the norm is computed; if None, of `self`.

    `dtype` is complex if and only if `self` is.
    """
    if dtype is None:
        return norm_dtype(self)
    else:
        return norm_dtype_as(self, dtype)


def norm_dtype_as(self: Tuple[int, int], dtype: int) -> int:
    """The real dtype of `dtype`, which is complex if and only if `self` is."""
    assert not is_integral(self[1]) and not is_integral(dtype), (
        f"dtypes must be floating-point or complex, got {self[1]} and {dtype}"
    )
    assert is_complex(self[1]) == is_complex(dtype), (
        f"dtypes must both be complex or both be real, got {self[1]} and {dtype}"
    )
    return real_dtype(dtype)


def truth_dtype(self: Tuple[int, int]) -> int:
    """bool, but uint8 for uint8, for backward compatibility."""
    return torch.uint8 if self[1] == torch.uint8 else torch.bool


def int64_dtype(self: Tuple[int, int]) -> int:
    """Indices and counts are int64."""
    return torch.int64


def float_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`; integers and bool become float32."""
    return int_to_float(self[1])


def dtype_and_index(self: Tuple[int, int]) -> Tuple[int, int]:
    """Values have the dtype of `self`, indices are int64."""
    return self[1], torch.int64
